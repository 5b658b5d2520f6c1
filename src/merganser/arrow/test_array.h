#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merganser/arrow/abi.h"

namespace merganser {

/// An Arrow array with its schema, made by hand for tests. Owns all buffers and children.
class TestArray {
 public:
  explicit TestArray(std::string format) : format_(std::move(format)) {
    validity_.resize(64, 0xff);
  }

  /// Mark `row` (before the offset is applied) as NULL.
  TestArray& Null(int64_t row) {
    validity_[static_cast<size_t>(row >> 3)] &= static_cast<uint8_t>(~(1u << (row & 7)));
    null_count_ = -1;
    return *this;
  }
  template <typename T>
  TestArray& Buffer(const std::vector<T>& values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    buffers_.push_back(std::move(bytes));
    return *this;
  }
  TestArray& Text(const std::string& text) {
    return Buffer(std::vector<char>(text.begin(), text.end()));
  }
  TestArray& Child(TestArray child) {
    children_.push_back(std::make_unique<TestArray>(std::move(child)));
    return *this;
  }
  TestArray& Dictionary(TestArray values) {
    dictionary_ = std::make_unique<TestArray>(std::move(values));
    return *this;
  }
  TestArray& Rows(int64_t length, int64_t offset = 0) {
    length_ = length;
    offset_ = offset;
    return *this;
  }

  /// Both refer to this object and live as long as it stays where it is.
  const ArrowSchema& schema() {
    schema_children_.clear();
    for (auto& child : children_)
      schema_children_.push_back(const_cast<ArrowSchema*>(&child->schema()));
    schema_ = {format_.c_str(),
               "",
               nullptr,
               ARROW_FLAG_NULLABLE,
               static_cast<int64_t>(children_.size()),
               schema_children_.data(),
               nullptr,
               nullptr,
               nullptr};
    if (dictionary_) schema_.dictionary = const_cast<ArrowSchema*>(&dictionary_->schema());
    return schema_;
  }
  const ArrowArray& array() {
    array_children_.clear();
    for (auto& child : children_)
      array_children_.push_back(const_cast<ArrowArray*>(&child->array()));
    pointers_ = {validity_.data()};
    for (auto& buffer : buffers_) pointers_.push_back(buffer.data());
    array_ = {length_,
              null_count_,
              offset_,
              static_cast<int64_t>(pointers_.size()),
              static_cast<int64_t>(children_.size()),
              pointers_.data(),
              array_children_.data(),
              nullptr,
              nullptr,
              nullptr};
    if (dictionary_) array_.dictionary = const_cast<ArrowArray*>(&dictionary_->array());
    return array_;
  }

 private:
  std::string format_;
  int64_t length_ = 0;
  int64_t offset_ = 0;
  int64_t null_count_ = 0;
  std::vector<uint8_t> validity_;
  std::vector<std::vector<uint8_t>> buffers_;
  std::vector<std::unique_ptr<TestArray>> children_;
  std::unique_ptr<TestArray> dictionary_;
  ArrowSchema schema_{};
  ArrowArray array_{};
  std::vector<ArrowSchema*> schema_children_;
  std::vector<ArrowArray*> array_children_;
  std::vector<const void*> pointers_;
};

}  // namespace merganser
