#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

StructType SchemaOf(const BoundRelation& relation) {
  StructType schema;
  for (const BoundColumn& column : relation.columns) {
    schema.Add({.name = column.name,
                .type = column.type,
                .nullable = column.nullable,
                .metadata = column.metadata});
  }
  return schema;
}

}  // namespace merganser
