#include "merganser/delta/schema/char_varchar.h"

#include <optional>
#include <string>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/delta/schema/type_name.h"

namespace merganser {
namespace {

bool HoldsCharVarchar(const DataType& type) {
  switch (type.id()) {
    case TypeId::kChar:
    case TypeId::kVarchar:
      return true;
    case TypeId::kArray:
      return HoldsCharVarchar(type.element());
    case TypeId::kMap:
      return HoldsCharVarchar(type.key()) || HoldsCharVarchar(type.value());
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        if (HoldsCharVarchar(field.type)) return true;
      }
      return false;
    default:
      return false;
  }
}

DataType WithStrings(const DataType& type) {
  switch (type.id()) {
    case TypeId::kChar:
    case TypeId::kVarchar:
      return DataType::String();
    case TypeId::kArray:
      return DataType::Array(WithStrings(type.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(WithStrings(type.key()), WithStrings(type.value()),
                           type.contains_null());
    case TypeId::kStruct: {
      StructType fields = type.fields();
      for (StructField& field : fields.fields()) field.type = WithStrings(field.type);
      return DataType::Struct(std::move(fields));
    }
    default:
      return type;
  }
}

/// Puts CHAR and VARCHAR back where a catalog string has them. Everything else (nullability,
/// metadata, names) stays that of the stored type.
class CatalogString {
 public:
  explicit CatalogString(std::string_view text) : rest_(text) {}

  /// The declared form of `stored`; nothing if the text does not have its shape.
  std::optional<DataType> Read(const DataType& stored) {
    switch (stored.id()) {
      case TypeId::kArray: {
        if (!Skip("array<")) return std::nullopt;
        auto element = Read(stored.element());
        if (!element || !Skip(">")) return std::nullopt;
        return DataType::Array(*std::move(element), stored.contains_null());
      }
      case TypeId::kMap: {
        if (!Skip("map<")) return std::nullopt;
        auto key = Read(stored.key());
        if (!key || !Skip(",")) return std::nullopt;
        auto value = Read(stored.value());
        if (!value || !Skip(">")) return std::nullopt;
        return DataType::Map(*std::move(key), *std::move(value), stored.contains_null());
      }
      case TypeId::kStruct: {
        if (!Skip("struct<")) return std::nullopt;
        StructType fields = stored.fields();
        bool first = true;
        for (StructField& field : fields.fields()) {
          if (!std::exchange(first, false) && !Skip(",")) return std::nullopt;
          // Names can have changed since; only the positions count.
          const size_t colon = rest_.find(':');
          if (colon == std::string_view::npos) return std::nullopt;
          rest_.remove_prefix(colon + 1);
          auto type = Read(field.type);
          if (!type) return std::nullopt;
          field.type = *std::move(type);
        }
        if (!Skip(">")) return std::nullopt;
        return DataType::Struct(std::move(fields));
      }
      default: {
        const Result<DataType> declared = ParseTypeName(TakeAtomic());
        if (!declared.ok()) return std::nullopt;
        const bool sized = declared->is(TypeId::kChar) || declared->is(TypeId::kVarchar);
        return stored.is(TypeId::kString) && sized ? *declared : stored;
      }
    }
  }
  bool done() const { return rest_.empty(); }

 private:
  bool Skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  std::string_view TakeAtomic() {
    size_t end = 0;
    bool in_parentheses = false;
    for (; end < rest_.size(); ++end) {
      const char c = rest_[end];
      if (c == '(') in_parentheses = true;
      if (c == ')') in_parentheses = false;
      if (!in_parentheses && (c == ',' || c == '>')) break;
    }
    const std::string_view name = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return name;
  }

  std::string_view rest_;
};

}  // namespace

StructField WithStringsForCharVarchar(const StructField& field) {
  if (!HoldsCharVarchar(field.type)) return field;
  StructField stored = field;
  stored.type = WithStrings(field.type);
  std::string text;
  AppendJsonString(field.type.CatalogString(), &text);
  stored.metadata.insert_or_assign(std::string(kCharVarcharTypeKey), std::move(text));
  return stored;
}

DataType DeclaredType(const StructField& field) {
  const auto found = field.metadata.find(kCharVarcharTypeKey);
  if (found == field.metadata.end()) return field.type;
  const Result<Json> text = Json::Parse(found->second);
  if (!text.ok() || !text->is_string()) return field.type;
  CatalogString reader(text->as_string());
  const auto declared = reader.Read(field.type);
  return declared && reader.done() ? *declared : field.type;
}

}  // namespace merganser
