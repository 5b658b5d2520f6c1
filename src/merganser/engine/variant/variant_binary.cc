#include "merganser/engine/variant/variant_binary.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser::engine {
namespace {

constexpr int kMaxDecimalDigits = 38;

void AppendNumber(uint64_t value, size_t width, std::string* out) {
  for (size_t i = 0; i < width; ++i) out->push_back(static_cast<char>(value >> (8 * i)));
}

size_t WidthOf(uint64_t largest) {
  if (largest <= 0xff) return 1;
  if (largest <= 0xffff) return 2;
  return largest <= 0xffffff ? 3 : 4;
}

char PrimitiveHeader(int type) { return static_cast<char>(type << 2); }

using NameIds = std::map<std::string, uint32_t, std::less<>>;

void CollectNames(const Json& json, NameIds* names) {
  if (json.is_array()) {
    for (const Json& item : json.items()) CollectNames(item, names);
  } else if (json.is_object()) {
    for (const auto& [name, value] : json.members()) {
      names->emplace(name, 0);
      CollectNames(value, names);
    }
  }
}

std::string Metadata(const NameIds& names) {
  uint64_t bytes = 0;
  for (const auto& [name, id] : names) bytes += name.size();
  const size_t width = WidthOf(std::max<uint64_t>(bytes, names.size()));
  std::string metadata;
  // Version 1; the names are sorted and without repetition.
  metadata.push_back(static_cast<char>(1 | 1 << 4 | static_cast<int>(width - 1) << 6));
  AppendNumber(names.size(), width, &metadata);
  uint64_t offset = 0;
  AppendNumber(offset, width, &metadata);
  for (const auto& [name, id] : names) AppendNumber(offset += name.size(), width, &metadata);
  for (const auto& [name, id] : names) metadata += name;
  return metadata;
}

void AppendInteger(int64_t value, std::string* out) {
  const auto fits = [&](auto limit) {
    return value >= std::numeric_limits<decltype(limit)>::min() &&
           value <= std::numeric_limits<decltype(limit)>::max();
  };
  const int type = fits(int8_t{}) ? 3 : fits(int16_t{}) ? 4 : fits(int32_t{}) ? 5 : 6;
  out->push_back(PrimitiveHeader(type));
  AppendNumber(static_cast<uint64_t>(value), size_t{1} << (type - 3), out);
}

void AppendDouble(double value, std::string* out) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  out->push_back(PrimitiveHeader(7));
  AppendNumber(bits, sizeof(bits), out);
}

// False if `text` is no plain number of at most 38 digits.
bool AppendDecimal(const std::string& text, std::string* out) {
  if (text.find_first_of("eE") != std::string::npos) return false;
  const size_t point = text.find('.');
  const auto scale = static_cast<int>(point == std::string::npos ? 0 : text.size() - point - 1);
  const auto digits = static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }));
  Int128 unscaled = 0;
  if (digits > kMaxDecimalDigits || !ParseDecimal(text, kMaxDecimalDigits, scale, &unscaled))
    return false;
  const Int128 size = unscaled < 0 ? -unscaled : unscaled;
  const int type = size <= 999999999 ? 8 : size <= Int128{999999999999999999} ? 9 : 10;
  out->push_back(PrimitiveHeader(type));
  out->push_back(static_cast<char>(scale));
  AppendNumber(static_cast<uint64_t>(unscaled), type == 8 ? 4 : 8, out);
  if (type == 10) AppendNumber(static_cast<uint64_t>(unscaled >> 64), 8, out);
  return true;
}

void AppendText(std::string_view text, std::string* out) {
  constexpr size_t kShortText = 63;
  if (text.size() <= kShortText) {
    out->push_back(static_cast<char>(text.size() << 2 | 1));
  } else {
    out->push_back(PrimitiveHeader(16));
    AppendNumber(text.size(), 4, out);
  }
  *out += text;
}

void AppendValue(const Json& json, const NameIds& names, std::string* out);

// Header, count, ids of an object's members, offsets and values.
void AppendContainer(const std::vector<uint32_t>* ids, const std::vector<const Json*>& values,
                     const NameIds& names, std::string* out) {
  std::string bytes;
  std::vector<uint64_t> offsets = {0};
  for (const Json* value : values) {
    AppendValue(*value, names, &bytes);
    offsets.push_back(bytes.size());
  }
  const bool large = values.size() > 0xff;
  const size_t offset_width = WidthOf(bytes.size());
  const size_t id_width = WidthOf(names.empty() ? 0 : names.size() - 1);
  const size_t header = ids == nullptr
                            ? (large ? 1 : 0) << 2 | (offset_width - 1)
                            : (large ? 1 : 0) << 4 | (id_width - 1) << 2 | (offset_width - 1);
  out->push_back(static_cast<char>(header << 2 | (ids == nullptr ? 3 : 2)));
  AppendNumber(values.size(), large ? 4 : 1, out);
  if (ids != nullptr) {
    for (const uint32_t id : *ids) AppendNumber(id, id_width, out);
  }
  for (const uint64_t offset : offsets) AppendNumber(offset, offset_width, out);
  *out += bytes;
}

void AppendObject(const Json& json, const NameIds& names, std::string* out) {
  std::map<std::string_view, const Json*> members;
  for (const auto& [name, value] : json.members()) members[name] = &value;
  std::vector<uint32_t> ids;
  std::vector<const Json*> values;
  for (const auto& [name, value] : members) {
    ids.push_back(names.find(name)->second);
    values.push_back(value);
  }
  AppendContainer(&ids, values, names, out);
}

void AppendValue(const Json& json, const NameIds& names, std::string* out) {
  if (json.is_null()) {
    out->push_back(PrimitiveHeader(0));
  } else if (json.is_bool()) {
    out->push_back(PrimitiveHeader(json.as_bool() ? 1 : 2));
  } else if (json.is_int()) {
    AppendInteger(json.as_int(), out);
  } else if (json.is_number()) {
    if (!AppendDecimal(json.number_text(), out)) AppendDouble(json.as_double(), out);
  } else if (json.is_string()) {
    AppendText(json.as_string(), out);
  } else if (json.is_array()) {
    std::vector<const Json*> items;
    for (const Json& item : json.items()) items.push_back(&item);
    AppendContainer(nullptr, items, names, out);
  } else {
    AppendObject(json, names, out);
  }
}

}  // namespace

std::optional<VariantBinary> JsonToVariant(std::string_view json) {
  const auto parsed = Json::Parse(json);
  if (!parsed.ok()) return std::nullopt;
  NameIds names;
  CollectNames(*parsed, &names);
  uint32_t next = 0;
  for (auto& [name, id] : names) id = next++;
  VariantBinary variant;
  variant.metadata = Metadata(names);
  AppendValue(*parsed, names, &variant.value);
  return variant;
}

}  // namespace merganser::engine
