#include "merganser/connect/schema_text.h"

#include <limits>

#include "merganser/delta/schema/schema_json.h"

namespace merganser::connect {
namespace {

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// The word that `printSchema` uses for a type.
std::string TypeWord(const DataType& type) {
  switch (type.id()) {
    case TypeId::kByte:
      return "byte";
    case TypeId::kShort:
      return "short";
    case TypeId::kInteger:
      return "integer";
    case TypeId::kLong:
      return "long";
    case TypeId::kArray:
      return "array";
    case TypeId::kMap:
      return "map";
    case TypeId::kStruct:
      return "struct";
    default:
      return type.CatalogString();
  }
}

class TreeDrawing {
 public:
  explicit TreeDrawing(int levels)
      : levels_(levels > 0 ? levels : std::numeric_limits<int>::max()) {}

  void Fields(const StructType& fields, const std::string& prefix, int level) {
    for (const StructField& field : fields)
      Line(field.name, field.type, "nullable", field.nullable, prefix, level);
  }
  std::string text = "root\n";

 private:
  void Line(const std::string& name, const DataType& type, const char* what, bool flag,
            const std::string& prefix, int level) {
    if (level > levels_) return;
    text += prefix + "-- " + name + ": " + TypeWord(type);
    text += std::string(" (") + what + " = " + (flag ? "true" : "false") + ")\n";
    Below(type, prefix + "    |", level + 1);
  }

  void Below(const DataType& type, const std::string& prefix, int level) {
    if (type.is(TypeId::kStruct)) Fields(type.fields(), prefix, level);
    if (type.is(TypeId::kArray)) {
      Line("element", type.element(), "containsNull", type.contains_null(), prefix, level);
    }
    if (type.is(TypeId::kMap)) {
      if (level <= levels_) text += prefix + "-- key: " + TypeWord(type.key()) + "\n";
      Below(type.key(), prefix + "    |", level + 1);
      Line("value", type.value(), "valueContainsNull", type.contains_null(), prefix, level);
    }
  }

  int levels_;
};

}  // namespace

Result<StructType> ParseSchemaText(std::string_view text, const ParserOptions& parser) {
  const std::string_view trimmed = Trimmed(text);
  if (trimmed.starts_with('{')) return ParseSchemaJson(trimmed);
  MERGANSER_ASSIGN_OR_RETURN(DataType type, ParseDdlText(text, parser));
  if (type.is(TypeId::kStruct)) return type.fields();
  return StructType({{"value", std::move(type), true, {}}});
}

Result<DataType> ParseDdlText(std::string_view text, const ParserOptions& parser) {
  if (Trimmed(text).empty()) return DataType::Struct({});
  auto columns = ParseTableSchema(text, parser);
  if (columns.ok()) return DataType::Struct(*std::move(columns));
  if (auto type = ParseDataType(text, parser); type.ok()) return type;
  if (auto fields = ParseDataType("struct<" + std::string(text) + ">", parser); fields.ok())
    return fields;
  return std::move(columns).error();
}

std::string TreeText(const StructType& schema, int levels) {
  TreeDrawing drawing(levels);
  drawing.Fields(schema, " |", 1);
  return std::move(drawing.text);
}

}  // namespace merganser::connect
