#include "merganser/delta/schema/tree_text.h"

#include <string_view>

#include "merganser/delta/schema/type_name.h"

namespace merganser {
namespace {

std::string NameOf(const DataType& type) {
  switch (type.id()) {
    case TypeId::kArray:
      return "array";
    case TypeId::kMap:
      return "map";
    case TypeId::kStruct:
      return "struct";
    default:
      return TypeName(type);
  }
}

void DrawInside(const DataType& type, const std::string& margin, std::string* out);

void Draw(std::string_view name, const DataType& type, std::string_view nullable,
          const std::string& margin, std::string* out) {
  *out += margin;
  *out += "-- ";
  *out += name;
  *out += ": " + NameOf(type);
  *out += nullable;
  *out += '\n';
  DrawInside(type, margin + "    |", out);
}

void DrawInside(const DataType& type, const std::string& margin, std::string* out) {
  const char* truth = type.contains_null() ? "true)" : "false)";
  switch (type.id()) {
    case TypeId::kArray:
      Draw("element", type.element(), std::string(" (containsNull = ") + truth, margin, out);
      break;
    case TypeId::kMap:
      Draw("key", type.key(), "", margin, out);
      Draw("value", type.value(), std::string(" (valueContainsNull = ") + truth, margin, out);
      break;
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        Draw(field.name, field.type, field.nullable ? " (nullable = true)" : " (nullable = false)",
             margin, out);
      }
      break;
    default:
      break;
  }
}

}  // namespace

std::string TreeText(const StructType& schema) {
  std::string text = "root\n";
  DrawInside(DataType::Struct(schema), " |", &text);
  return text;
}

}  // namespace merganser
