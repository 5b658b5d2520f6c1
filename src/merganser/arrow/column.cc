#include "merganser/arrow/column.h"

#include <charconv>
#include <cstring>
#include <string>

namespace merganser {

enum class ArrowColumn::Layout : uint8_t {
  kNull,
  kBit,
  kSigned,  // Integers, dates, times: `width_` bytes.
  kUnsigned,
  kFloat,    // `width_` bytes.
  kDecimal,  // `width_` bytes.
  kBytes32,  // Offsets of 32 bits.
  kBytes64,
  kBytesView,
  kBytesFixed,  // `width_` bytes each.
  kList32,
  kList64,
  kListFixed,  // `width_` elements each.
  kStruct,
  kInterval,  // Months, days, nanoseconds.
  kDictionary,
};

namespace {

template <typename T>
T Load(const void* buffer, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + index * static_cast<int64_t>(sizeof(T)),
              sizeof(T));
  return value;
}

bool Bit(const void* buffer, int64_t index) {
  return ((static_cast<const uint8_t*>(buffer)[index >> 3] >> (index & 7)) & 1) != 0;
}

int64_t LoadSigned(const void* buffer, int64_t index, int width) {
  switch (width) {
    case 1:
      return Load<int8_t>(buffer, index);
    case 2:
      return Load<int16_t>(buffer, index);
    case 4:
      return Load<int32_t>(buffer, index);
    default:
      return Load<int64_t>(buffer, index);
  }
}

int64_t LoadUnsigned(const void* buffer, int64_t index, int width) {
  switch (width) {
    case 1:
      return Load<uint8_t>(buffer, index);
    case 2:
      return Load<uint16_t>(buffer, index);
    case 4:
      return Load<uint32_t>(buffer, index);
    default:
      return static_cast<int64_t>(Load<uint64_t>(buffer, index));
  }
}

// Both parse the numbers behind the colon of a format such as "d:10,2" or "w:16".
std::vector<int> FormatNumbers(std::string_view format) {
  std::vector<int> numbers;
  const char* at = format.data() + std::min(format.size(), format.find(':') + 1);
  const char* end = format.data() + format.size();
  while (at < end) {
    int number = 0;
    auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    at = next < end && *next == ',' ? next + 1 : end;
  }
  return numbers;
}

Error WrongLayout(std::string_view format, const DataType& type) {
  return Error::Internal("Arrow format '" + std::string(format) + "' does not hold " +
                         type.SqlString());
}

}  // namespace

Result<ArrowColumn> ArrowColumn::Make(const ArrowSchema& schema, const ArrowArray& array,
                                      const DataType& type) {
  ArrowColumn column(array, type);
  if (schema.dictionary != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(auto values, Make(*schema.dictionary, *array.dictionary, type));
    column.children_.push_back(std::move(values));
  }
  MERGANSER_RETURN_IF_ERROR(column.SetLayout(schema));
  MERGANSER_RETURN_IF_ERROR(column.AddChildren(schema, type));
  return column;
}

Status ArrowColumn::SetLayout(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (format.empty()) return WrongLayout(format, type_);
  const auto fixed = [&](Layout layout, int width) {
    layout_ = layout;
    width_ = width;
  };
  switch (format[0]) {
    case 'n':
      layout_ = Layout::kNull;
      break;
    case 'b':
      layout_ = Layout::kBit;
      break;
    case 'c':
      fixed(Layout::kSigned, 1);
      break;
    case 's':
      fixed(Layout::kSigned, 2);
      break;
    case 'i':
      fixed(Layout::kSigned, 4);
      break;
    case 'l':
      fixed(Layout::kSigned, 8);
      break;
    case 'C':
      fixed(Layout::kUnsigned, 1);
      break;
    case 'S':
      fixed(Layout::kUnsigned, 2);
      break;
    case 'I':
      fixed(Layout::kUnsigned, 4);
      break;
    case 'L':
      fixed(Layout::kUnsigned, 8);
      break;
    case 'f':
      fixed(Layout::kFloat, 4);
      break;
    case 'g':
      fixed(Layout::kFloat, 8);
      break;
    case 'u':
    case 'z':
      layout_ = Layout::kBytes32;
      break;
    case 'U':
    case 'Z':
      layout_ = Layout::kBytes64;
      break;
    case 'v':
      layout_ = Layout::kBytesView;
      break;
    case 'w': {
      const auto numbers = FormatNumbers(format);
      if (numbers.empty()) return WrongLayout(format, type_);
      fixed(Layout::kBytesFixed, numbers[0]);
      break;
    }
    case 'd': {
      const auto numbers = FormatNumbers(format);
      if (numbers.size() < 2 || numbers[1] != type_.scale()) return WrongLayout(format, type_);
      fixed(Layout::kDecimal, numbers.size() > 2 ? numbers[2] / 8 : 16);
      break;
    }
    case 't':
      MERGANSER_RETURN_IF_ERROR(SetTimeLayout(format));
      break;
    case '+':
      if (format == "+l" || format == "+m") {
        layout_ = Layout::kList32;
      } else if (format == "+L") {
        layout_ = Layout::kList64;
      } else if (format.starts_with("+w:")) {
        fixed(Layout::kListFixed, FormatNumbers(format).at(0));
      } else if (format == "+s") {
        layout_ = Layout::kStruct;
      } else {
        return WrongLayout(format, type_);
      }
      break;
    default:
      return WrongLayout(format, type_);
  }
  if (schema.dictionary != nullptr) {
    if (layout_ != Layout::kSigned && layout_ != Layout::kUnsigned)
      return WrongLayout(format, type_);
    signed_index_ = layout_ == Layout::kSigned;
    layout_ = Layout::kDictionary;
    return Status::Ok();
  }
  return Fits() ? Status::Ok() : Status(WrongLayout(format, type_));
}

Status ArrowColumn::SetTimeLayout(std::string_view format) {
  layout_ = Layout::kSigned;
  if (format == "tdD" || format == "tiM") {
    width_ = 4;
    return Status::Ok();
  }
  if (format == "tin") {
    layout_ = Layout::kInterval;
    width_ = 16;
    return Status::Ok();
  }
  width_ = 8;
  if (format == "tdm") {
    divide_ = 86400000;
    return Status::Ok();
  }
  if (format.size() < 3 || (format[1] != 's' && format[1] != 'D'))
    return WrongLayout(format, type_);
  switch (format[2]) {
    case 's':
      multiply_ = 1000000;
      break;
    case 'm':
      multiply_ = 1000;
      break;
    case 'u':
      break;
    case 'n':
      divide_ = 1000;
      break;
    default:
      return WrongLayout(format, type_);
  }
  return Status::Ok();
}

bool ArrowColumn::Fits() const {
  const bool bytes = layout_ >= Layout::kBytes32 && layout_ <= Layout::kBytesFixed;
  const bool list = layout_ >= Layout::kList32 && layout_ <= Layout::kListFixed;
  const bool integer = layout_ == Layout::kSigned || layout_ == Layout::kUnsigned;
  if (layout_ == Layout::kNull) return true;
  switch (type_.id()) {
    case TypeId::kNull:
      return true;
    case TypeId::kBoolean:
      return layout_ == Layout::kBit;
    case TypeId::kFloat:
    case TypeId::kDouble:
      return layout_ == Layout::kFloat;
    case TypeId::kDecimal:
      return layout_ == Layout::kDecimal;
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kBinary:
    case TypeId::kVariant:
      return bytes;
    case TypeId::kArray:
      return list;
    case TypeId::kMap:
      return layout_ == Layout::kList32;
    case TypeId::kStruct:
      return layout_ == Layout::kStruct;
    case TypeId::kCalendarInterval:
      return layout_ == Layout::kInterval;
    default:
      return integer;
  }
}

Status ArrowColumn::AddChildren(const ArrowSchema& schema, const DataType& type) {
  if (layout_ == Layout::kDictionary || layout_ == Layout::kNull || !type.is_nested())
    return Status::Ok();
  const auto add = [&](const ArrowSchema& child_schema, const ArrowArray& child,
                       const DataType& child_type) -> Status {
    MERGANSER_ASSIGN_OR_RETURN(auto column, Make(child_schema, child, child_type));
    children_.push_back(std::move(column));
    return Status::Ok();
  };
  if (type.is(TypeId::kArray))
    return add(*schema.children[0], *array_->children[0], type.element());
  if (type.is(TypeId::kMap)) {
    const ArrowSchema& entry_schema = *schema.children[0];
    const ArrowArray& entries = *array_->children[0];
    // The entries are a struct array whose own offset its children do not know of.
    entries_offset_ = entries.offset;
    MERGANSER_RETURN_IF_ERROR(add(*entry_schema.children[0], *entries.children[0], type.key()));
    return add(*entry_schema.children[1], *entries.children[1], type.value());
  }
  if (schema.n_children != static_cast<int64_t>(type.fields().size()))
    return WrongLayout(schema.format, type);
  for (size_t i = 0; i < type.fields().size(); ++i) {
    MERGANSER_RETURN_IF_ERROR(
        add(*schema.children[i], *array_->children[i], type.fields()[i].type));
  }
  return Status::Ok();
}

int64_t ArrowColumn::DictionaryRow(int64_t row) const {
  const int64_t slot = row + array_->offset;
  return signed_index_ ? LoadSigned(array_->buffers[1], slot, width_)
                       : LoadUnsigned(array_->buffers[1], slot, width_);
}

bool ArrowColumn::IsNull(int64_t row) const {
  if (layout_ == Layout::kNull) return true;
  const bool valid = array_->null_count == 0 || array_->buffers[0] == nullptr ||
                     Bit(array_->buffers[0], row + array_->offset);
  if (!valid) return true;
  return layout_ == Layout::kDictionary && children_[0].IsNull(DictionaryRow(row));
}

bool ArrowColumn::Bool(int64_t row) const {
  if (layout_ == Layout::kDictionary) return children_[0].Bool(DictionaryRow(row));
  return Bit(array_->buffers[1], row + array_->offset);
}

int64_t ArrowColumn::Int64(int64_t row) const {
  if (layout_ == Layout::kDictionary) return children_[0].Int64(DictionaryRow(row));
  const int64_t slot = row + array_->offset;
  int64_t value = layout_ == Layout::kSigned ? LoadSigned(array_->buffers[1], slot, width_)
                                             : LoadUnsigned(array_->buffers[1], slot, width_);
  if (divide_ != 1) {
    const int64_t quotient = value / divide_;
    return value % divide_ < 0 ? quotient - 1 : quotient;
  }
  return value * multiply_;
}

double ArrowColumn::Double(int64_t row) const {
  if (layout_ == Layout::kDictionary) return children_[0].Double(DictionaryRow(row));
  const int64_t slot = row + array_->offset;
  return width_ == 4 ? Load<float>(array_->buffers[1], slot)
                     : Load<double>(array_->buffers[1], slot);
}

CalendarInterval ArrowColumn::Interval(int64_t row) const {
  if (layout_ == Layout::kDictionary) return children_[0].Interval(DictionaryRow(row));
  const int64_t slot = row + array_->offset;
  const void* buffer = array_->buffers[1];
  return {Load<int32_t>(buffer, 4 * slot), Load<int32_t>(buffer, 4 * slot + 1),
          Load<int64_t>(buffer, 2 * slot + 1) / 1000};
}

__int128 ArrowColumn::Decimal(int64_t row) const {
  if (layout_ == Layout::kDictionary) return children_[0].Decimal(DictionaryRow(row));
  const int64_t slot = row + array_->offset;
  switch (width_) {
    case 4:
      return Load<int32_t>(array_->buffers[1], slot);
    case 8:
      return Load<int64_t>(array_->buffers[1], slot);
    case 16:
      return Load<__int128>(array_->buffers[1], slot);
    // Of 256 bits the low half: 38 digits fit into it.
    default:
      return Load<__int128>(array_->buffers[1], slot * 2);
  }
}

std::string_view ArrowColumn::Bytes(int64_t row) const {
  if (layout_ == Layout::kDictionary) return children_[0].Bytes(DictionaryRow(row));
  const int64_t slot = row + array_->offset;
  const void* second = array_->buffers[1];
  const auto span = [](const void* data, int64_t begin, int64_t end) {
    return std::string_view(static_cast<const char*>(data) + begin,
                            static_cast<size_t>(end - begin));
  };
  switch (layout_) {
    case Layout::kBytes32:
      return span(array_->buffers[2], Load<int32_t>(second, slot), Load<int32_t>(second, slot + 1));
    case Layout::kBytes64:
      return span(array_->buffers[2], Load<int64_t>(second, slot), Load<int64_t>(second, slot + 1));
    case Layout::kBytesFixed:
      return span(second, slot * width_, (slot + 1) * width_);
    default:
      break;
  }
  // A view is 16 bytes: length, then up to 12 bytes of text, or 4 bytes of it, a buffer number and
  // an offset.
  const char* view = static_cast<const char*>(second) + slot * 16;
  const auto length = Load<int32_t>(view, 0);
  if (length <= 12) return {view + 4, static_cast<size_t>(length)};
  const auto buffer = Load<int32_t>(view, 2);
  const auto offset = Load<int32_t>(view, 3);
  return span(array_->buffers[2 + buffer], offset, int64_t{offset} + length);
}

ArrowColumn::Range ArrowColumn::Elements(int64_t row) const {
  const int64_t slot = row + array_->offset;
  const void* offsets = array_->buffers[layout_ == Layout::kListFixed ? 0 : 1];
  switch (layout_) {
    case Layout::kList32:
      return {Load<int32_t>(offsets, slot) + entries_offset_,
              Load<int32_t>(offsets, slot + 1) + entries_offset_};
    case Layout::kList64:
      return {Load<int64_t>(offsets, slot), Load<int64_t>(offsets, slot + 1)};
    default:
      return {slot * width_, (slot + 1) * width_};
  }
}

}  // namespace merganser
