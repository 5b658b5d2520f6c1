#include "merganser/arrow/ipc_writer.h"

#include <cstring>
#include <utility>
#include <vector>

#include "merganser/arrow/ipc_format.h"
#include "merganser/base/json.h"

namespace merganser {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
using flatbuffers::voffset_t;
using VoidOffset = Offset<void>;
using KeyAndValue = std::pair<std::string, std::string>;

void AppendBytes(const void* bytes, size_t count, std::string* out) {
  out->append(static_cast<const char*>(bytes), count);
}

/// A message: its metadata, padded so that `body` starts on a boundary, then the body.
std::string Encapsulate(const FlatBufferBuilder& builder, const std::string& body) {
  const uint32_t metadata = builder.GetSize();
  const uint32_t padded =
      (metadata + 8 + ipc::kAlignment - 1) / ipc::kAlignment * ipc::kAlignment - 8;
  std::string message;
  message.reserve(padded + 8 + body.size());
  AppendBytes(&ipc::kContinuation, 4, &message);
  AppendBytes(&padded, 4, &message);
  AppendBytes(builder.GetBufferPointer(), metadata, &message);
  message.append(padded - metadata, '\0');
  return message + body;
}

void FinishMessage(FlatBufferBuilder& builder, ipc::Header kind, VoidOffset header,
                   int64_t body_length) {
  const auto start = builder.StartTable();
  builder.AddElement<int64_t>(ipc::Slot(3), body_length, 0);
  builder.AddOffset(ipc::Slot(2), header);
  builder.AddElement<int16_t>(ipc::Slot(0), ipc::kMetadataV5, 0);
  builder.AddElement<uint8_t>(ipc::Slot(1), kind, 0);
  builder.Finish(VoidOffset(builder.EndTable(start)));
}

struct TypeTable {
  ipc::TypeTag tag;
  VoidOffset table;
};

/// Adds an Arrow type with the fields that `fill` adds.
template <typename Fill>
TypeTable MakeType(FlatBufferBuilder& builder, ipc::TypeTag tag, Fill fill) {
  const auto start = builder.StartTable();
  fill();
  return {tag, VoidOffset(builder.EndTable(start))};
}

class SchemaWriter {
 public:
  SchemaWriter(FlatBufferBuilder& builder, const std::string& time_zone)
      : builder_(builder), time_zone_(time_zone) {}

  VoidOffset Field(const std::string& name, const DataType& type, bool nullable,
                   const KeyAndValue& metadata = {}) {
    const auto children = builder_.CreateVector(Children(type));
    Offset<flatbuffers::Vector<VoidOffset>> custom;
    const bool has_metadata = !metadata.second.empty();
    if (has_metadata) custom = builder_.CreateVector(std::vector{Metadata(metadata)});
    const auto name_text = builder_.CreateString(name);
    const TypeTable type_table = Type(type);
    const auto start = builder_.StartTable();
    builder_.AddOffset(ipc::Slot(0), name_text);
    builder_.AddOffset(ipc::Slot(3), type_table.table);
    builder_.AddOffset(ipc::Slot(5), children);
    if (has_metadata) builder_.AddOffset(ipc::Slot(6), custom);
    builder_.AddElement<uint8_t>(ipc::Slot(2), type_table.tag, 0);
    // A reader refuses a VOID that may not be null, although Spark calls `array()` one.
    const bool may_be_null = nullable || type.is(TypeId::kNull);
    builder_.AddElement<uint8_t>(ipc::Slot(1), may_be_null ? 1 : 0, 0);
    return VoidOffset(builder_.EndTable(start));
  }

 private:
  VoidOffset Metadata(const KeyAndValue& metadata) {
    const auto key = builder_.CreateString(metadata.first);
    const auto value = builder_.CreateString(metadata.second);
    const auto start = builder_.StartTable();
    builder_.AddOffset(ipc::Slot(0), key);
    builder_.AddOffset(ipc::Slot(1), value);
    return VoidOffset(builder_.EndTable(start));
  }

  std::vector<VoidOffset> Children(const DataType& type) {
    std::vector<VoidOffset> children;
    if (type.is(TypeId::kArray)) {
      children.push_back(Field("element", type.element(), type.contains_null()));
    } else if (type.is(TypeId::kMap)) {
      const auto entries = DataType::Struct(StructType(
          {{"key", type.key(), false, {}}, {"value", type.value(), type.contains_null(), {}}}));
      children.push_back(Field("entries", entries, false));
    } else if (type.is(TypeId::kStruct)) {
      for (const StructField& field : type.fields())
        children.push_back(Field(field.name, field.type, field.nullable));
    } else if (type.is(TypeId::kVariant)) {
      children.push_back(Field("value", DataType::Binary(), false));
      children.push_back(Field("metadata", DataType::Binary(), false, {"variant", "true"}));
    }
    return children;
  }

  TypeTable Int(int32_t bits) {
    return MakeType(builder_, ipc::kInt, [&] {
      builder_.AddElement<int32_t>(ipc::Slot(0), bits, 0);
      builder_.AddElement<uint8_t>(ipc::Slot(1), 1, 0);
    });
  }

  /// A type of one enum field.
  TypeTable OfUnit(ipc::TypeTag tag, int16_t unit, int16_t absent) {
    return MakeType(builder_, tag,
                    [&] { builder_.AddElement<int16_t>(ipc::Slot(0), unit, absent); });
  }

  TypeTable Plain(ipc::TypeTag tag) {
    return MakeType(builder_, tag, [] {});
  }

  TypeTable Timestamp(const std::string* zone) {
    Offset<flatbuffers::String> text;
    if (zone != nullptr) text = builder_.CreateString(*zone);
    return MakeType(builder_, ipc::kTimestamp, [&] {
      if (zone != nullptr) builder_.AddOffset(ipc::Slot(1), text);
      builder_.AddElement<int16_t>(ipc::Slot(0), ipc::kMicrosecond, 0);
    });
  }

  TypeTable Type(const DataType& type) {
    switch (type.id()) {
      case TypeId::kNull:
        return Plain(ipc::kNull);
      case TypeId::kBoolean:
        return Plain(ipc::kBool);
      case TypeId::kByte:
        return Int(8);
      case TypeId::kShort:
        return Int(16);
      case TypeId::kInteger:
        return Int(32);
      case TypeId::kLong:
        return Int(64);
      case TypeId::kFloat:
        return OfUnit(ipc::kFloatingPoint, 1, 0);
      case TypeId::kDouble:
        return OfUnit(ipc::kFloatingPoint, 2, 0);
      case TypeId::kDecimal:
        return MakeType(builder_, ipc::kDecimal, [&] {
          builder_.AddElement<int32_t>(ipc::Slot(0), type.precision(), 0);
          builder_.AddElement<int32_t>(ipc::Slot(1), type.scale(), 0);
        });
      case TypeId::kBinary:
        return Plain(ipc::kBinary);
      case TypeId::kDate:
        return OfUnit(ipc::kDate, 0, 1);
      case TypeId::kTimestamp:
        return Timestamp(&time_zone_);
      case TypeId::kTimestampNtz:
        return Timestamp(nullptr);
      case TypeId::kYearMonthInterval:
        return OfUnit(ipc::kInterval, ipc::kYearMonth, 0);
      case TypeId::kDayTimeInterval:
        return OfUnit(ipc::kDuration, ipc::kMicrosecond, 1);
      case TypeId::kCalendarInterval:
        return OfUnit(ipc::kInterval, ipc::kMonthDayNano, 0);
      case TypeId::kArray:
        return Plain(ipc::kList);
      case TypeId::kMap:
        return Plain(ipc::kMap);
      case TypeId::kStruct:
      case TypeId::kVariant:
        return Plain(ipc::kStruct);
      default:
        return Plain(ipc::kUtf8);
    }
  }

  FlatBufferBuilder& builder_;
  const std::string& time_zone_;
};

/// The body of a record batch, with what its metadata says of it.
class BodyWriter {
 public:
  explicit BodyWriter(const IpcWriter::VariantEncoder& encode_variant)
      : encode_variant_(encode_variant) {}

  void Column(const DataType& type, const ArrowArray& array, int64_t first, int64_t count) {
    const int64_t start = array.offset + first;
    if (type.is(TypeId::kNull)) {
      nodes_.push_back({count, count});
      return;
    }
    Validity(array, start, count);
    switch (type.id()) {
      case TypeId::kBoolean:
        AddBuffer(Bits(array.buffers[1], start, count));
        return;
      case TypeId::kString:
      case TypeId::kChar:
      case TypeId::kVarchar:
      case TypeId::kBinary: {
        const auto [begin, end] = Offsets(array, start, count);
        Slice(array.buffers[2], begin, end - begin, 1);
        return;
      }
      case TypeId::kArray: {
        const auto [begin, end] = Offsets(array, start, count);
        Column(type.element(), *array.children[0], begin, end - begin);
        return;
      }
      case TypeId::kMap: {
        const auto [begin, end] = Offsets(array, start, count);
        const ArrowArray& entries = *array.children[0];
        const int64_t entry = entries.offset + begin;
        Validity(entries, entry, end - begin);
        Column(type.key(), *entries.children[0], entry, end - begin);
        Column(type.value(), *entries.children[1], entry, end - begin);
        return;
      }
      case TypeId::kStruct:
        for (size_t i = 0; i < type.fields().size(); ++i)
          Column(type.fields()[i].type, *array.children[i], start, count);
        return;
      case TypeId::kVariant:
        Variants(array, start, count);
        return;
      default:
        Slice(array.buffers[1], start, count, Width(type));
    }
  }

  std::string Message(int64_t rows) && {
    Pad();
    FlatBufferBuilder builder;
    const auto buffers = builder.CreateVectorOfStructs(buffers_);
    const auto nodes = builder.CreateVectorOfStructs(nodes_);
    const auto start = builder.StartTable();
    builder.AddElement<int64_t>(ipc::Slot(0), rows, 0);
    builder.AddOffset(ipc::Slot(1), nodes);
    builder.AddOffset(ipc::Slot(2), buffers);
    const VoidOffset batch(builder.EndTable(start));
    FinishMessage(builder, ipc::kRecordBatch, batch, static_cast<int64_t>(body_.size()));
    return Encapsulate(builder, body_);
  }

 private:
  static int64_t Width(const DataType& type) {
    switch (type.id()) {
      case TypeId::kByte:
        return 1;
      case TypeId::kShort:
        return 2;
      case TypeId::kInteger:
      case TypeId::kFloat:
      case TypeId::kDate:
      case TypeId::kYearMonthInterval:
        return 4;
      case TypeId::kDecimal:
      case TypeId::kCalendarInterval:
        return 16;
      default:
        return 8;
    }
  }

  /// `count` bits from bit `start` on; all set where there are none.
  static std::string Bits(const void* bits, int64_t start, int64_t count) {
    const auto bytes = static_cast<size_t>((count + 7) / 8);
    std::string out(bytes, '\0');
    if (bits != nullptr && start % 8 == 0) {
      std::memcpy(out.data(), static_cast<const char*>(bits) + start / 8, bytes);
    } else {
      for (int64_t i = 0; i < count; ++i) {
        const bool set =
            bits == nullptr ||
            ((static_cast<const uint8_t*>(bits)[(start + i) / 8] >> ((start + i) % 8)) & 1) != 0;
        char& byte = out[static_cast<size_t>(i / 8)];
        if (set) byte = static_cast<char>(byte | 1 << (i % 8));
      }
    }
    if (count % 8 != 0) out.back() = static_cast<char>(out.back() & ((1 << (count % 8)) - 1));
    return out;
  }

  void Validity(const ArrowArray& array, int64_t start, int64_t count) {
    const std::string bits = Bits(array.buffers[0], start, count);
    int64_t valid = 0;
    for (const char byte : bits) valid += __builtin_popcount(static_cast<uint8_t>(byte));
    nodes_.push_back({count, count - valid});
    AddBuffer(bits);
  }

  /// Writes offsets that start at 0; returns the range of values they stand for.
  std::pair<int64_t, int64_t> Offsets(const ArrowArray& array, int64_t start, int64_t count) {
    const auto* offsets = static_cast<const int32_t*>(array.buffers[1]);
    std::vector<int32_t> rebased(static_cast<size_t>(count) + 1, 0);
    // An array without rows need not have offsets.
    if (count == 0) {
      AddBuffer(rebased.data(), 4);
      return {0, 0};
    }
    for (int64_t i = 0; i <= count; ++i)
      rebased[static_cast<size_t>(i)] = offsets[start + i] - offsets[start];
    AddBuffer(rebased.data(), rebased.size() * 4);
    return {offsets[start], offsets[start + count]};
  }

  /// Texts of variants as two columns without NULLs.
  void Variants(const ArrowArray& array, int64_t start, int64_t count) {
    const auto* valid = static_cast<const uint8_t*>(array.buffers[0]);
    const auto* offsets = static_cast<const int32_t*>(array.buffers[1]);
    const auto* bytes = static_cast<const char*>(array.buffers[2]);
    std::string parts[2];
    std::vector<int32_t> ends[2] = {{0}, {0}};
    for (int64_t i = start; i < start + count; ++i) {
      if (valid == nullptr || ((valid[i / 8] >> (i % 8)) & 1) != 0) {
        const auto [value, metadata] =
            encode_variant_({bytes + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])});
        parts[0] += value;
        parts[1] += metadata;
      }
      for (const int part : {0, 1}) ends[part].push_back(static_cast<int32_t>(parts[part].size()));
    }
    for (const int part : {0, 1}) {
      nodes_.push_back({count, 0});
      AddBuffer(Bits(nullptr, 0, count));
      AddBuffer(ends[part].data(), ends[part].size() * 4);
      AddBuffer(parts[part]);
    }
  }

  void Slice(const void* values, int64_t start, int64_t count, int64_t width) {
    const auto* bytes = static_cast<const char*>(values);
    AddBuffer(count == 0 ? nullptr : bytes + start * width, static_cast<size_t>(count * width));
  }

  void AddBuffer(const std::string& bytes) { AddBuffer(bytes.data(), bytes.size()); }
  void AddBuffer(const void* bytes, size_t count) {
    Pad();
    buffers_.push_back({static_cast<int64_t>(body_.size()), static_cast<int64_t>(count)});
    if (count > 0) AppendBytes(bytes, count, &body_);
  }

  void Pad() {
    while (body_.size() % ipc::kAlignment != 0) body_ += '\0';
  }

  const IpcWriter::VariantEncoder& encode_variant_;
  std::string body_;
  std::vector<ipc::FieldNode> nodes_;
  std::vector<ipc::BufferPlace> buffers_;
};

/// Where Spark keeps a field's own metadata, as a JSON object; empty if there is none.
KeyAndValue SparkMetadata(const FieldMetadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata) {
    text += text.empty() ? "{" : ",";
    AppendJsonString(key, &text);
    text += ":" + value;
  }
  return {"SPARK::metadata::json", text.empty() ? text : text + "}"};
}

std::string End() {
  std::string end;
  AppendBytes(&ipc::kContinuation, 4, &end);
  return end + std::string(4, '\0');
}

}  // namespace

IpcWriter IpcWriter::Make(const StructType& schema, const std::string& time_zone,
                          VariantEncoder encode_variant) {
  IpcWriter writer;
  writer.schema_ = schema;
  writer.encode_variant_ = std::move(encode_variant);
  FlatBufferBuilder builder;
  SchemaWriter fields(builder, time_zone);
  std::vector<VoidOffset> offsets;
  for (const StructField& field : schema) {
    offsets.push_back(
        fields.Field(field.name, field.type, field.nullable, SparkMetadata(field.metadata)));
  }
  const auto vector = builder.CreateVector(offsets);
  const auto start = builder.StartTable();
  builder.AddOffset(ipc::Slot(1), vector);
  const VoidOffset table(builder.EndTable(start));
  FinishMessage(builder, ipc::kSchema, table, 0);
  writer.schema_message_ = Encapsulate(builder, {});
  return writer;
}

std::string IpcWriter::BatchMessage(const ArrowArray& batch, int64_t first, int64_t count) const {
  BodyWriter body(encode_variant_);
  for (size_t i = 0; i < schema_.size(); ++i)
    body.Column(schema_[i].type, *batch.children[i], batch.offset + first, count);
  return std::move(body).Message(count);
}

std::string IpcWriter::Write(const ArrowArray& batch, int64_t first, int64_t count) const {
  return schema_message_ + BatchMessage(batch, first, count) + End();
}

std::string IpcWriter::WriteAll(const std::vector<ArrowBatch>& batches) const {
  if (batches.empty()) return WriteEmpty();
  std::string stream = schema_message_;
  for (const ArrowBatch& batch : batches)
    stream += BatchMessage(batch.array(), 0, batch.num_rows());
  return stream + End();
}

std::string IpcWriter::WriteEmpty(int64_t rows) const {
  BodyWriter body(encode_variant_);
  const void* no_buffers[3] = {nullptr, nullptr, nullptr};
  // Arrays without rows: nothing but their children is read.
  struct Hollow {
    ArrowArray array{};
    std::vector<Hollow> children;
    std::vector<ArrowArray*> pointers;

    Hollow(const DataType& type, const void** buffers) {
      if (type.is(TypeId::kArray)) children.emplace_back(type.element(), buffers);
      if (type.is(TypeId::kMap)) {
        const auto entries =
            StructType({{"key", type.key(), false, {}}, {"value", type.value(), true, {}}});
        children.emplace_back(DataType::Struct(entries), buffers);
      }
      if (type.is(TypeId::kStruct)) {
        for (const StructField& field : type.fields()) children.emplace_back(field.type, buffers);
      }
      for (Hollow& child : children) pointers.push_back(&child.array);
      array.buffers = buffers;
      array.children = pointers.data();
    }
  };
  for (const StructField& field : schema_) {
    const Hollow hollow(field.type, no_buffers);
    body.Column(field.type, hollow.array, 0, 0);
  }
  return schema_message_ + std::move(body).Message(rows) + End();
}

}  // namespace merganser
