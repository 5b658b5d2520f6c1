#include "merganser/engine/variant/variant_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/delta/schema/scalar.h"
#include "merganser/engine/variant/variant_leaves.h"

namespace merganser::engine {
namespace {

constexpr int kMaxVariantDepth = 500;

/// Reads little-endian numbers with bounds checks; `ok()` turns false at the first read outside.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  bool ok() const { return ok_; }
  void Fail() { ok_ = false; }
  size_t size() const { return bytes_.size(); }
  std::string_view Slice(size_t at, size_t length) {
    if (at > bytes_.size() || length > bytes_.size() - at) {
      ok_ = false;
      return {};
    }
    return bytes_.substr(at, length);
  }
  uint64_t Unsigned(size_t at, size_t width) {
    uint64_t value = 0;
    const std::string_view bytes = Slice(at, width);
    for (size_t i = 0; i < bytes.size(); ++i)
      value |= uint64_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
    return value;
  }
  int64_t Signed(size_t at, size_t width) {
    const auto shift = static_cast<int>(8 * (8 - width));
    return static_cast<int64_t>(Unsigned(at, width) << shift) >> shift;
  }
  Int128 Signed128(size_t at) {
    const auto low = Unsigned(at, 8);
    const auto high = Signed(at + 8, 8);
    return (static_cast<Int128>(high) << 64) | low;
  }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

/// The dictionary of member names.
class Names {
 public:
  explicit Names(std::string_view metadata) : bytes_(metadata) {
    const uint64_t header = bytes_.Unsigned(0, 1);
    if ((header & 15) != 1) bytes_.Fail();
    width_ = (header >> 6) + 1;
    count_ = bytes_.Unsigned(1, width_);
  }
  bool ok() const { return bytes_.ok(); }
  std::string_view Get(uint64_t id) {
    if (id >= count_) {
      bytes_.Fail();
      return {};
    }
    const size_t offsets = 1 + width_;
    const uint64_t begin = bytes_.Unsigned(offsets + id * width_, width_);
    const uint64_t end = bytes_.Unsigned(offsets + (id + 1) * width_, width_);
    const size_t texts = offsets + (count_ + 1) * width_;
    if (end < begin) bytes_.Fail();
    return bytes_.Slice(texts + begin, bytes_.ok() ? end - begin : 0);
  }

 private:
  Bytes bytes_;
  size_t width_ = 1;
  uint64_t count_ = 0;
};

class Writer {
 public:
  Writer(std::string_view metadata, std::string_view value) : names_(metadata), bytes_(value) {}

  bool Write(size_t at, int depth) {
    if (depth > kMaxVariantDepth) return false;
    const uint64_t header = bytes_.Unsigned(at, 1);
    switch (header & 3) {
      case 0:
        WritePrimitive(header >> 2, at + 1);
        break;
      case 1:
        AppendJsonString(bytes_.Slice(at + 1, header >> 2), &out_);
        break;
      case 2:
        return WriteObject(header >> 2, at + 1, depth);
      default:
        return WriteArray(header >> 2, at + 1, depth);
    }
    return bytes_.ok() && names_.ok();
  }
  std::string Take() { return std::move(out_); }

 private:
  void WriteText(std::string_view text) { AppendJsonString(text, &out_); }

  void WriteDecimal(size_t at, size_t width) {
    const auto scale = static_cast<int>(bytes_.Unsigned(at, 1));
    const Int128 unscaled =
        width == 16 ? bytes_.Signed128(at + 1) : Int128{bytes_.Signed(at + 1, width)};
    out_ += merganser::FormatDecimal(unscaled, scale);
  }

  template <typename T>
  void WriteFloating(size_t at) {
    T value;
    const std::string_view bytes = bytes_.Slice(at, sizeof(T));
    if (bytes.size() < sizeof(T)) return;
    std::memcpy(&value, bytes.data(), sizeof(T));
    AppendVariantFloating(value, &out_);
  }

  void WritePrimitive(uint64_t type, size_t at) {
    switch (type) {
      case 0:
        out_ += "null";
        break;
      case 1:
        out_ += "true";
        break;
      case 2:
        out_ += "false";
        break;
      case 3:
        out_ += std::to_string(bytes_.Signed(at, 1));
        break;
      case 4:
        out_ += std::to_string(bytes_.Signed(at, 2));
        break;
      case 5:
        out_ += std::to_string(bytes_.Signed(at, 4));
        break;
      case 6:
        out_ += std::to_string(bytes_.Signed(at, 8));
        break;
      case 7:
        WriteFloating<double>(at);
        break;
      case 8:
        WriteDecimal(at, 4);
        break;
      case 9:
        WriteDecimal(at, 8);
        break;
      case 10:
        WriteDecimal(at, 16);
        break;
      case 11:
        AppendVariantDate(bytes_.Signed(at, 4), &out_);
        break;
      case 12:
        AppendVariantTimestamp(bytes_.Signed(at, 8), "+00:00", &out_);
        break;
      case 13:
        AppendVariantTimestamp(bytes_.Signed(at, 8), "", &out_);
        break;
      case 14:
        WriteFloating<float>(at);
        break;
      case 15:
        AppendVariantBinary(bytes_.Slice(at + 4, bytes_.Unsigned(at, 4)), &out_);
        break;
      case 16:
        WriteText(bytes_.Slice(at + 4, bytes_.Unsigned(at, 4)));
        break;
      case 20:
        WriteUuid(at);
        break;
      default:
        bytes_.Fail();
        break;
    }
  }

  void WriteUuid(size_t at) {
    out_.push_back('"');
    for (size_t i = 0; i < 16; ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) out_.push_back('-');
      fmt::format_to(std::back_inserter(out_), "{:02x}", bytes_.Unsigned(at + i, 1));
    }
    out_.push_back('"');
  }

  bool WriteObject(uint64_t header, size_t at, int depth) {
    const size_t offset_width = (header & 3) + 1;
    const size_t id_width = (header >> 2 & 3) + 1;
    const size_t count_width = (header >> 4 & 1) != 0 ? 4 : 1;
    const uint64_t count = bytes_.Unsigned(at, count_width);
    const size_t ids = at + count_width;
    if (count > bytes_.size()) return false;
    const size_t offsets = ids + count * id_width;
    const size_t values = offsets + (count + 1) * offset_width;
    std::vector<std::pair<std::string_view, size_t>> members;
    for (uint64_t i = 0; i < count; ++i) {
      const std::string_view name = names_.Get(bytes_.Unsigned(ids + i * id_width, id_width));
      members.emplace_back(name,
                           values + bytes_.Unsigned(offsets + i * offset_width, offset_width));
    }
    if (!bytes_.ok() || !names_.ok()) return false;
    std::sort(members.begin(), members.end());
    out_.push_back('{');
    for (size_t i = 0; i < members.size(); ++i) {
      if (i != 0) out_.push_back(',');
      WriteText(members[i].first);
      out_.push_back(':');
      if (!Write(members[i].second, depth + 1)) return false;
    }
    out_.push_back('}');
    return true;
  }

  bool WriteArray(uint64_t header, size_t at, int depth) {
    const size_t offset_width = (header & 3) + 1;
    const size_t count_width = (header >> 2 & 1) != 0 ? 4 : 1;
    const uint64_t count = bytes_.Unsigned(at, count_width);
    if (count > bytes_.size()) return false;
    const size_t offsets = at + count_width;
    const size_t values = offsets + (count + 1) * offset_width;
    out_.push_back('[');
    for (uint64_t i = 0; i < count; ++i) {
      if (i != 0) out_.push_back(',');
      if (!Write(values + bytes_.Unsigned(offsets + i * offset_width, offset_width), depth + 1))
        return false;
    }
    out_.push_back(']');
    return true;
  }

  Names names_;
  Bytes bytes_;
  std::string out_;
};

}  // namespace

std::optional<std::string> VariantToJson(std::string_view metadata, std::string_view value) {
  Writer writer(metadata, value);
  if (!writer.Write(0, 0)) return std::nullopt;
  return writer.Take();
}

}  // namespace merganser::engine
