#include "merganser/arrow/ipc_reader.h"

#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "merganser/arrow/ipc_format.h"

namespace merganser {
namespace {

using flatbuffers::Verifier;

Error Damaged(const std::string& what) {
  return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"errorMsg", "Arrow data: " + what}},
               "CANNOT_PARSE");
}

Error UnsupportedArrow(const std::string& type) {
  return Error(ErrorClass::UNSUPPORTED_ARROWTYPE, {{"typeName", type}});
}

/// A table whose scalar fields are read by their numbers. Only made of bytes that were verified.
struct IpcTable : flatbuffers::Table {
  template <typename T>
  T Scalar(int id, T absent) const {
    return GetField<T>(ipc::Slot(id), absent);
  }
  const flatbuffers::String* Text(int id) const {
    return GetPointer<const flatbuffers::String*>(ipc::Slot(id));
  }
};

/// The fields of all of Arrow's type tables are few, and their widths fit into these.
struct TypeTableView : IpcTable {
  bool Verify(Verifier& verifier) const {
    return VerifyTableStart(verifier) && verifier.EndTable();
  }
};

struct FieldView : IpcTable {
  using Children = flatbuffers::Vector<flatbuffers::Offset<FieldView>>;

  bool Verify(Verifier& verifier) const {
    return VerifyTableStart(verifier) && VerifyOffset(verifier, ipc::Slot(0)) &&
           verifier.VerifyString(Text(0)) && VerifyField<uint8_t>(verifier, ipc::Slot(1), 1) &&
           VerifyField<uint8_t>(verifier, ipc::Slot(2), 1) &&
           VerifyOffset(verifier, ipc::Slot(3)) && verifier.VerifyTable(type()) &&
           VerifyType(verifier) && VerifyOffset(verifier, ipc::Slot(5)) &&
           verifier.VerifyVector(children()) && verifier.VerifyVectorOfTables(children()) &&
           verifier.EndTable();
  }

  std::string name() const { return Text(0) == nullptr ? std::string() : Text(0)->str(); }
  bool nullable() const { return Scalar<uint8_t>(1, 0) != 0; }
  uint8_t tag() const { return Scalar<uint8_t>(2, 0); }
  const TypeTableView* type() const { return GetPointer<const TypeTableView*>(ipc::Slot(3)); }
  bool is_dictionary() const { return GetOptionalFieldOffset(ipc::Slot(4)) != 0; }
  const Children* children() const { return GetPointer<const Children*>(ipc::Slot(5)); }

 private:
  /// What is read of the type below.
  bool VerifyType(Verifier& verifier) const {
    const TypeTableView* table = type();
    if (table == nullptr) return true;
    switch (tag()) {
      case ipc::kInt:
        return table->VerifyField<int32_t>(verifier, ipc::Slot(0), 4) &&
               table->VerifyField<uint8_t>(verifier, ipc::Slot(1), 1);
      case ipc::kDecimal:
        return table->VerifyField<int32_t>(verifier, ipc::Slot(0), 4) &&
               table->VerifyField<int32_t>(verifier, ipc::Slot(1), 4) &&
               table->VerifyField<int32_t>(verifier, ipc::Slot(2), 4);
      case ipc::kTimestamp:
        return table->VerifyField<int16_t>(verifier, ipc::Slot(0), 2) &&
               table->VerifyOffset(verifier, ipc::Slot(1)) && verifier.VerifyString(table->Text(1));
      case ipc::kFloatingPoint:
      case ipc::kDate:
      case ipc::kInterval:
      case ipc::kDuration:
        return table->VerifyField<int16_t>(verifier, ipc::Slot(0), 2);
      default:
        return true;
    }
  }
};

struct SchemaView : IpcTable {
  bool Verify(Verifier& verifier) const {
    return VerifyTableStart(verifier) && VerifyField<int16_t>(verifier, ipc::Slot(0), 2) &&
           VerifyOffset(verifier, ipc::Slot(1)) && verifier.VerifyVector(fields()) &&
           verifier.VerifyVectorOfTables(fields()) && verifier.EndTable();
  }
  bool little_endian() const { return Scalar<int16_t>(0, 0) == 0; }
  const FieldView::Children* fields() const {
    return GetPointer<const FieldView::Children*>(ipc::Slot(1));
  }
};

struct BatchView : IpcTable {
  bool Verify(Verifier& verifier) const {
    return VerifyTableStart(verifier) && VerifyField<int64_t>(verifier, ipc::Slot(0), 8) &&
           VerifyOffset(verifier, ipc::Slot(1)) && verifier.VerifyVector(nodes()) &&
           VerifyOffset(verifier, ipc::Slot(2)) && verifier.VerifyVector(buffers()) &&
           verifier.EndTable();
  }
  int64_t length() const { return Scalar<int64_t>(0, 0); }
  const flatbuffers::Vector<const ipc::FieldNode*>* nodes() const {
    return GetPointer<const flatbuffers::Vector<const ipc::FieldNode*>*>(ipc::Slot(1));
  }
  const flatbuffers::Vector<const ipc::BufferPlace*>* buffers() const {
    return GetPointer<const flatbuffers::Vector<const ipc::BufferPlace*>*>(ipc::Slot(2));
  }
  bool is_compressed() const { return GetOptionalFieldOffset(ipc::Slot(3)) != 0; }
};

struct MessageView : IpcTable {
  bool Verify(Verifier& verifier) const {
    if (!(VerifyTableStart(verifier) && VerifyField<int16_t>(verifier, ipc::Slot(0), 2) &&
          VerifyField<uint8_t>(verifier, ipc::Slot(1), 1) && VerifyOffset(verifier, ipc::Slot(2)) &&
          VerifyField<int64_t>(verifier, ipc::Slot(3), 8))) {
      return false;
    }
    const bool header = kind() == ipc::kSchema        ? verifier.VerifyTable(schema())
                        : kind() == ipc::kRecordBatch ? verifier.VerifyTable(batch())
                                                      : true;
    return header && verifier.EndTable();
  }
  uint8_t kind() const { return Scalar<uint8_t>(1, 0); }
  int64_t body_length() const { return Scalar<int64_t>(3, 0); }
  const SchemaView* schema() const { return GetPointer<const SchemaView*>(ipc::Slot(2)); }
  const BatchView* batch() const { return GetPointer<const BatchView*>(ipc::Slot(2)); }
};

/// An ArrowSchema that owns its texts and children.
struct OwnedSchema {
  std::string format;
  std::string name;
  std::vector<ArrowSchema*> children;

  static void Release(ArrowSchema* schema) {
    auto* owned = static_cast<OwnedSchema*>(schema->private_data);
    for (ArrowSchema* child : owned->children) {
      if (child->release != nullptr) child->release(child);
      delete child;
    }
    delete owned;
    schema->release = nullptr;
  }

  /// Fills `out`, which takes over the children.
  static void Fill(std::string format, std::string name, bool nullable,
                   std::vector<ArrowSchema*> children, ArrowSchema* out) {
    auto* owned = new OwnedSchema{std::move(format), std::move(name), std::move(children)};
    *out = {.format = owned->format.c_str(),
            .name = owned->name.c_str(),
            .metadata = nullptr,
            .flags = nullable ? ARROW_FLAG_NULLABLE : 0,
            .n_children = static_cast<int64_t>(owned->children.size()),
            .children = owned->children.data(),
            .dictionary = nullptr,
            .release = Release,
            .private_data = owned};
  }
};

/// An ArrowArray over shared bytes.
struct OwnedArray {
  std::shared_ptr<const std::string> bytes;
  std::vector<const void*> buffers;
  std::vector<ArrowArray*> children;

  OwnedArray() = default;
  OwnedArray(const OwnedArray&) = delete;
  OwnedArray& operator=(const OwnedArray&) = delete;
  ~OwnedArray() {
    for (ArrowArray* child : children) {
      if (child->release != nullptr) child->release(child);
      delete child;
    }
  }

  static void Release(ArrowArray* array) {
    delete static_cast<OwnedArray*>(array->private_data);
    array->release = nullptr;
  }

  static void Fill(std::unique_ptr<OwnedArray> owned, int64_t length, int64_t null_count,
                   ArrowArray* out) {
    *out = {.length = length,
            .null_count = null_count,
            .offset = 0,
            .n_buffers = static_cast<int64_t>(owned->buffers.size()),
            .n_children = static_cast<int64_t>(owned->children.size()),
            .buffers = owned->buffers.data(),
            .children = owned->children.data(),
            .dictionary = nullptr,
            .release = Release,
            .private_data = owned.release()};
  }
};

/// The C data interface's format of a field. Fails with UNSUPPORTED_ARROWTYPE.
Result<std::string> FormatOf(const FieldView& field) {
  if (field.is_dictionary()) return UnsupportedArrow("dictionary");
  if (field.type() == nullptr) return Damaged("a field has no type");
  const TypeTableView& type = *field.type();
  static constexpr const char* kUnits[] = {"s", "m", "u", "n"};
  const auto unit = [&](int id, int16_t absent) -> const char* {
    const auto value = type.Scalar<int16_t>(id, absent);
    return value >= 0 && value <= 3 ? kUnits[value] : "u";
  };
  switch (field.tag()) {
    case ipc::kNull:
      return "n";
    case ipc::kInt: {
      const auto bits = type.Scalar<int32_t>(0, 0);
      if (type.Scalar<uint8_t>(1, 0) == 0) return UnsupportedArrow(fmt::format("uint{}", bits));
      if (bits == 8) return "c";
      if (bits == 16) return "s";
      return bits == 32 ? "i" : "l";
    }
    case ipc::kFloatingPoint: {
      const auto precision = type.Scalar<int16_t>(0, 0);
      if (precision == 0) return UnsupportedArrow("halffloat");
      return precision == 1 ? "f" : "g";
    }
    case ipc::kBinary:
      return "z";
    case ipc::kUtf8:
      return "u";
    case ipc::kLargeBinary:
      return "Z";
    case ipc::kLargeUtf8:
      return "U";
    case ipc::kBool:
      return "b";
    case ipc::kDecimal: {
      const auto precision = type.Scalar<int32_t>(0, 0);
      const auto scale = type.Scalar<int32_t>(1, 0);
      if (type.Scalar<int32_t>(2, 128) != 128 || precision < 1 || precision > 38 || scale < 0 ||
          scale > precision) {
        return UnsupportedArrow(fmt::format("decimal({}, {})", precision, scale));
      }
      return fmt::format("d:{},{}", precision, scale);
    }
    case ipc::kDate:
      if (type.Scalar<int16_t>(0, 1) != 0) return UnsupportedArrow("date64");
      return "tdD";
    case ipc::kTimestamp:
      return fmt::format("ts{}:{}", unit(0, 0), type.Text(1) == nullptr ? "" : type.Text(1)->str());
    case ipc::kDuration:
      if (type.Scalar<int16_t>(0, 1) != ipc::kMicrosecond) return UnsupportedArrow("duration");
      return "tDu";
    case ipc::kInterval:
      if (type.Scalar<int16_t>(0, 0) != ipc::kYearMonth) return UnsupportedArrow("interval");
      return "tiM";
    case ipc::kList:
      return "+l";
    case ipc::kLargeList:
      return "+L";
    case ipc::kStruct:
      return "+s";
    case ipc::kMap:
      return "+m";
    default:
      return UnsupportedArrow(fmt::format("type {}", field.tag()));
  }
}

size_t ChildCount(const FieldView& field) {
  return field.children() == nullptr ? 0 : field.children()->size();
}

Result<ArrowSchemaOwner> SchemaOfField(const FieldView& field) {
  MERGANSER_ASSIGN_OR_RETURN(std::string format, FormatOf(field));
  const size_t count = ChildCount(field);
  const bool one_child = format == "+l" || format == "+L" || format == "+m";
  if (one_child ? count != 1 : (format != "+s" && count != 0)) {
    return Damaged("a field has the wrong number of children");
  }
  if (format == "+m") {
    const FieldView& entries = *field.children()->Get(0);
    if (entries.tag() != ipc::kStruct || ChildCount(entries) != 2)
      return Damaged("a map has no keys and values");
  }
  std::vector<ArrowSchemaOwner> children;
  for (size_t i = 0; i < count; ++i) {
    MERGANSER_ASSIGN_OR_RETURN(
        ArrowSchemaOwner child,
        SchemaOfField(*field.children()->Get(static_cast<flatbuffers::uoffset_t>(i))));
    children.push_back(std::move(child));
  }
  std::vector<ArrowSchema*> pointers;
  for (ArrowSchemaOwner& child : children) pointers.push_back(new ArrowSchema(child.Release()));
  ArrowSchemaOwner schema;
  OwnedSchema::Fill(std::move(format), field.name(), field.nullable(), std::move(pointers),
                    schema.out());
  return schema;
}

/// Bytes of a value of fixed width; 0 for the others.
int64_t WidthOf(std::string_view format) {
  if (format == "c") return 1;
  if (format == "s") return 2;
  if (format == "i" || format == "f" || format == "tdD" || format == "tiM") return 4;
  if (format.substr(0, 2) == "d:") return 16;
  return format == "l" || format == "g" || format == "tDu" || format.substr(0, 2) == "ts" ? 8 : 0;
}

/// Makes the arrays of one record batch, depth first, taking nodes and buffers as they come.
class BatchReader {
 public:
  BatchReader(const BatchView& batch, std::shared_ptr<const std::string> bytes, size_t body,
              int64_t body_length)
      : batch_(batch), bytes_(std::move(bytes)), body_(body), body_length_(body_length) {}

  Result<ArrowBatch> Read(const ArrowSchema& schema) {
    if (batch_.is_compressed()) return Damaged("a batch is compressed");
    auto owned = std::make_unique<OwnedArray>();
    owned->bytes = bytes_;
    owned->buffers = {nullptr};
    const int64_t rows = batch_.length();
    if (rows < 0) return Damaged("a batch has a negative length");
    ArrowOwner<ArrowArray> result;
    MERGANSER_RETURN_IF_ERROR(AddChildren(schema, rows, *owned));
    OwnedArray::Fill(std::move(owned), rows, 0, result.out());
    return ArrowBatch(result.Release());
  }

 private:
  /// Reads the children of `schema`, each of at least `rows` rows.
  Status AddChildren(const ArrowSchema& schema, int64_t rows, OwnedArray& owned) {
    for (int64_t i = 0; i < schema.n_children; ++i) {
      MERGANSER_ASSIGN_OR_RETURN(ArrowOwner<ArrowArray> child, Column(*schema.children[i], rows));
      owned.children.push_back(new ArrowArray(child.Release()));
    }
    return Status::Ok();
  }

  Result<ArrowOwner<ArrowArray>> Column(const ArrowSchema& schema, int64_t least_rows) {
    // A node's numbers are the sender's: only the length is used, after it is checked.
    if (batch_.nodes() == nullptr || node_ >= batch_.nodes()->size()) {
      return Damaged("a column is missing");
    }
    const ipc::FieldNode node = *batch_.nodes()->Get(node_++);
    if (node.length < least_rows || node.length > std::numeric_limits<int32_t>::max()) {
      return Damaged("a column has the wrong length");
    }
    const int64_t rows = node.length;
    const std::string_view format = schema.format;
    auto owned = std::make_unique<OwnedArray>();
    owned->bytes = bytes_;
    int64_t null_count = -1;
    if (format == "n") {
      owned->buffers = {};
      null_count = rows;
    } else {
      MERGANSER_ASSIGN_OR_RETURN(const void* validity, Buffer((rows + 7) / 8, true));
      owned->buffers.push_back(validity);
      if (validity == nullptr) null_count = 0;
      MERGANSER_RETURN_IF_ERROR(Values(schema, format, rows, *owned));
    }
    ArrowOwner<ArrowArray> array;
    OwnedArray::Fill(std::move(owned), rows, null_count, array.out());
    return array;
  }

  Status Values(const ArrowSchema& schema, std::string_view format, int64_t rows,
                OwnedArray& owned) {
    if (format == "b") return AddBuffer((rows + 7) / 8, owned);
    if (const int64_t width = WidthOf(format)) return AddBuffer(rows * width, owned);
    if (format == "+s") return AddChildren(schema, rows, owned);
    const bool large = format == "U" || format == "Z" || format == "+L";
    MERGANSER_ASSIGN_OR_RETURN(
        const int64_t end, large ? Offsets<int64_t>(rows, owned) : Offsets<int32_t>(rows, owned));
    if (format[0] == '+') return AddChildren(schema, end, owned);
    return AddBuffer(end, owned);
  }

  /// Adds the offsets of `rows` rows; returns the last. They may not fall, nor start below 0.
  template <typename T>
  Result<int64_t> Offsets(int64_t rows, OwnedArray& owned) {
    static constexpr T kNone[1] = {0};
    MERGANSER_ASSIGN_OR_RETURN(const void* buffer,
                               Buffer((rows + 1) * static_cast<int64_t>(sizeof(T)), rows == 0));
    const T* offsets = buffer == nullptr ? kNone : static_cast<const T*>(buffer);
    owned.buffers.push_back(offsets);
    T last = 0;
    for (int64_t i = 0; i <= rows; ++i) {
      if (offsets[i] < last) return Damaged("offsets are not in order");
      last = offsets[i];
    }
    return static_cast<int64_t>(last);
  }

  Status AddBuffer(int64_t least_bytes, OwnedArray& owned) {
    MERGANSER_ASSIGN_OR_RETURN(const void* buffer, Buffer(least_bytes, least_bytes == 0));
    owned.buffers.push_back(buffer == nullptr ? bytes_->data() : buffer);
    return Status::Ok();
  }

  /// The next buffer; null for one without bytes, which `optional` allows.
  Result<const void*> Buffer(int64_t least_bytes, bool optional) {
    if (batch_.buffers() == nullptr || buffer_ >= batch_.buffers()->size()) {
      return Damaged("a buffer is missing");
    }
    const ipc::BufferPlace place = *batch_.buffers()->Get(buffer_++);
    if (place.length == 0 && optional) return static_cast<const void*>(nullptr);
    if (place.offset < 0 || place.length < least_bytes || place.length > body_length_ ||
        place.offset > body_length_ - place.length || place.offset % ipc::kAlignment != 0) {
      return Damaged("a buffer lies outside of its message");
    }
    return static_cast<const void*>(bytes_->data() + body_ + place.offset);
  }

  const BatchView& batch_;
  std::shared_ptr<const std::string> bytes_;
  size_t body_;
  int64_t body_length_;
  flatbuffers::uoffset_t node_ = 0;
  flatbuffers::uoffset_t buffer_ = 0;
};

bool SameLayout(const ArrowSchema& left, const ArrowSchema& right) {
  if (std::string_view(left.format) != right.format || left.n_children != right.n_children) {
    return false;
  }
  for (int64_t i = 0; i < left.n_children; ++i) {
    if (!SameLayout(*left.children[i], *right.children[i])) return false;
  }
  return true;
}

/// Reads one stream into a table.
class StreamReader {
 public:
  StreamReader(std::string_view stream, ArrowTable& table)
      : bytes_(std::make_shared<const std::string>(stream)), table_(table) {}

  Status Read() {
    bool has_schema = false;
    while (place_ < bytes_->size()) {
      MERGANSER_ASSIGN_OR_RETURN(const MessageView* message, NextMessage());
      if (message == nullptr) break;
      const int64_t body_length = message->body_length();
      if (body_length < 0 || static_cast<uint64_t>(body_length) > bytes_->size() - place_)
        return Damaged("a message is cut off");
      if (message->kind() == ipc::kSchema) {
        MERGANSER_RETURN_IF_ERROR(ReadSchema(message->schema()));
        has_schema = true;
      } else if (message->kind() == ipc::kRecordBatch) {
        if (!has_schema || message->batch() == nullptr) return Damaged("it has no schema");
        if (place_ % ipc::kAlignment != 0) return Damaged("a message is not aligned");
        BatchReader reader(*message->batch(), bytes_, place_, body_length);
        MERGANSER_ASSIGN_OR_RETURN(ArrowBatch batch, reader.Read(table_.schema.get()));
        if (batch.num_rows() > 0) table_.batches.push_back(std::move(batch));
      } else {
        return UnsupportedArrow("dictionary");
      }
      place_ += static_cast<size_t>(body_length);
    }
    return has_schema ? Status::Ok() : Damaged("it has no schema");
  }

 private:
  /// The next message's metadata, with `place_` behind it; null at the stream's end.
  Result<const MessageView*> NextMessage() {
    uint32_t length = 0;
    if (!Word(&length)) return Damaged("a message is cut off");
    if (length == ipc::kContinuation && !Word(&length)) return Damaged("a message is cut off");
    if (length == 0) return static_cast<const MessageView*>(nullptr);
    if (length > bytes_->size() - place_) return Damaged("a message is cut off");
    // The reader wants aligned bytes; those of the stream lie anywhere.
    metadata_.assign((length + 7) / 8, 0);
    std::memcpy(metadata_.data(), bytes_->data() + place_, length);
    place_ += length;
    const auto* start = reinterpret_cast<const uint8_t*>(metadata_.data());
    Verifier verifier(start, length, /*max_depth=*/128, /*max_tables=*/100000);
    if (!verifier.VerifyBuffer<MessageView>(nullptr)) return Damaged("a message is malformed");
    return flatbuffers::GetRoot<MessageView>(start);
  }

  bool Word(uint32_t* word) {
    if (bytes_->size() - place_ < 4) return false;
    std::memcpy(word, bytes_->data() + place_, 4);
    place_ += 4;
    return true;
  }

  Status ReadSchema(const SchemaView* schema) {
    if (schema == nullptr || !schema->little_endian()) return Damaged("its schema is malformed");
    std::vector<ArrowSchemaOwner> fields;
    if (schema->fields() != nullptr) {
      for (const FieldView* field : *schema->fields()) {
        MERGANSER_ASSIGN_OR_RETURN(ArrowSchemaOwner owner, SchemaOfField(*field));
        fields.push_back(std::move(owner));
      }
    }
    std::vector<ArrowSchema*> pointers;
    for (ArrowSchemaOwner& field : fields) pointers.push_back(new ArrowSchema(field.Release()));
    ArrowSchemaOwner whole;
    OwnedSchema::Fill("+s", "", false, std::move(pointers), whole.out());
    if (table_.schema.empty()) {
      table_.schema = std::move(whole);
    } else if (!SameLayout(table_.schema.get(), whole.get())) {
      return Damaged("its streams have different schemas");
    }
    return Status::Ok();
  }

  std::shared_ptr<const std::string> bytes_;
  size_t place_ = 0;
  std::vector<uint64_t> metadata_;
  ArrowTable& table_;
};

Result<DataType> SparkTypeOf(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (format == "n") return DataType::Null();
  if (format == "b") return DataType::Boolean();
  if (format == "c") return DataType::Byte();
  if (format == "s") return DataType::Short();
  if (format == "i") return DataType::Integer();
  if (format == "l") return DataType::Long();
  if (format == "f") return DataType::Float();
  if (format == "g") return DataType::Double();
  if (format == "u" || format == "U") return DataType::String();
  if (format == "z" || format == "Z") return DataType::Binary();
  if (format == "tdD") return DataType::Date();
  if (format == "tDu") return DataType::DayTimeInterval();
  if (format == "tiM") return DataType::YearMonthInterval();
  if (format.substr(0, 2) == "d:") {
    const size_t comma = format.find(',');
    return DataType::Decimal(std::stoi(std::string(format.substr(2, comma - 2))),
                             std::stoi(std::string(format.substr(comma + 1))));
  }
  if (format.substr(0, 2) == "ts") {
    return format.size() > 4 ? DataType::Timestamp() : DataType::TimestampNtz();
  }
  if (format == "+l" || format == "+L") {
    const ArrowSchema& element = *schema.children[0];
    MERGANSER_ASSIGN_OR_RETURN(DataType type, SparkTypeOf(element));
    return DataType::Array(std::move(type), (element.flags & ARROW_FLAG_NULLABLE) != 0);
  }
  if (format == "+m") {
    const ArrowSchema& entries = *schema.children[0];
    const ArrowSchema& value = *entries.children[1];
    MERGANSER_ASSIGN_OR_RETURN(DataType key_type, SparkTypeOf(*entries.children[0]));
    MERGANSER_ASSIGN_OR_RETURN(DataType value_type, SparkTypeOf(value));
    return DataType::Map(std::move(key_type), std::move(value_type),
                         (value.flags & ARROW_FLAG_NULLABLE) != 0);
  }
  if (format == "+s") {
    MERGANSER_ASSIGN_OR_RETURN(StructType fields, SparkSchemaOf(schema));
    return DataType::Struct(std::move(fields));
  }
  return UnsupportedArrow(std::string(format));
}

}  // namespace

Result<std::shared_ptr<const ArrowTable>> ReadIpc(const std::vector<std::string_view>& streams) {
  auto table = std::make_shared<ArrowTable>();
  for (const std::string_view stream : streams)
    MERGANSER_RETURN_IF_ERROR(StreamReader(stream, *table).Read());
  if (table->schema.empty()) return Damaged("it is missing");
  return std::shared_ptr<const ArrowTable>(std::move(table));
}

Result<StructType> SparkSchemaOf(const ArrowSchema& schema) {
  StructType fields;
  for (int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& child = *schema.children[i];
    MERGANSER_ASSIGN_OR_RETURN(DataType type, SparkTypeOf(child));
    fields.Add({child.name, std::move(type), (child.flags & ARROW_FLAG_NULLABLE) != 0, {}});
  }
  return fields;
}

}  // namespace merganser
