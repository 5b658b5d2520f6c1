#include "merganser/spark/catalog/table_identifier.h"

#include "merganser/base/quoted_identifier.h"

namespace merganser {

std::string TableIdentifier::Quoted() const { return QuotedIdentifier(parts()); }

}  // namespace merganser
