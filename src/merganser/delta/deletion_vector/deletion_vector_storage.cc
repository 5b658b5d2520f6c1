#include "merganser/delta/deletion_vector/deletion_vector_storage.h"

#include <utility>

#include "merganser/delta/deletion_vector/crc32.h"
#include "merganser/delta/deletion_vector/z85.h"
#include "merganser/delta/protocol/data_path.h"

namespace merganser {
namespace {

using Storage = DeletionVectorDescriptor::Storage;

// "Deletion Vector File Storage Format" in PROTOCOL.md. Numbers around the bitmap are big-endian,
// those inside it little-endian.
constexpr char kFileVersion = 1;
constexpr size_t kNumberSize = 4;
constexpr size_t kUuidCharacters = 20;
// The frame around the bitmap has to fit the range that is read, too.
constexpr int32_t kLargestSize = INT32_MAX - 8;

uint32_t ReadBigEndian(std::string_view bytes) {
  uint32_t value = 0;
  for (size_t i = 0; i < kNumberSize; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void AppendBigEndian(uint32_t value, std::string* out) {
  for (int shift = 24; shift >= 0; shift -= 8) out->push_back(static_cast<char>(value >> shift));
}

Error Corrupted(const DeletionVectorDescriptor& descriptor, std::string reason) {
  return Error(ErrorClass::DELTA_DELETION_VECTOR_CORRUPTED,
               {{"file", descriptor.path_or_inline_dv}, {"reason", std::move(reason)}});
}

Result<std::string> ReadInline(const DeletionVectorDescriptor& descriptor) {
  auto bytes = DecodeZ85(descriptor.path_or_inline_dv);
  if (!bytes) return Corrupted(descriptor, "it is not Z85");
  const auto size = static_cast<size_t>(descriptor.size_in_bytes);
  if (bytes->size() < size || bytes->size() - size >= kNumberSize) {
    return Error(ErrorClass::DELTA_DELETION_VECTOR_SIZE_MISMATCH);
  }
  bytes->resize(size);
  return *std::move(bytes);
}

Result<std::string> ReadFromFile(FileSystem& file_system, std::string_view table_path,
                                 const DeletionVectorDescriptor& descriptor) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string path, DeletionVectorPath(table_path, descriptor));
  const auto size = static_cast<size_t>(descriptor.size_in_bytes);
  MERGANSER_ASSIGN_OR_RETURN(std::string bytes,
                             file_system.ReadRange(path, descriptor.offset.value_or(0),
                                                   static_cast<int64_t>(size + 2 * kNumberSize)));
  const std::string_view view = bytes;
  if (ReadBigEndian(view) != size) return Error(ErrorClass::DELTA_DELETION_VECTOR_SIZE_MISMATCH);
  const std::string_view bitmap = view.substr(kNumberSize, size);
  if (ReadBigEndian(view.substr(kNumberSize + size)) != Crc32(bitmap)) {
    return Error(ErrorClass::DELTA_DELETION_VECTOR_CHECKSUM_MISMATCH);
  }
  return std::string(bitmap);
}

}  // namespace

Result<std::string> DeletionVectorPath(std::string_view table_path,
                                       const DeletionVectorDescriptor& descriptor) {
  const std::string_view text = descriptor.path_or_inline_dv;
  if (descriptor.storage == Storage::kAbsoluteFile) return DataFilePath(table_path, text);
  if (descriptor.storage != Storage::kRelativeFile || text.size() < kUuidCharacters) {
    return Corrupted(descriptor, "it names no file");
  }
  const std::string_view prefix = text.substr(0, text.size() - kUuidCharacters);
  const auto uuid = DecodeUuidZ85(text.substr(prefix.size()));
  if (!uuid || prefix.find('/') != std::string_view::npos || prefix == "..") {
    return Corrupted(descriptor, "it names no file");
  }
  std::string path(table_path);
  if (!prefix.empty()) path = JoinPath(path, prefix);
  return JoinPath(path, "deletion_vector_" + *uuid + ".bin");
}

Result<DeletionVector> ReadDeletionVector(FileSystem& file_system, std::string_view table_path,
                                          const DeletionVectorDescriptor& descriptor) {
  if (descriptor.size_in_bytes < 0 || descriptor.size_in_bytes > kLargestSize ||
      descriptor.offset.value_or(0) < 0) {
    return Error(ErrorClass::DELTA_DELETION_VECTOR_SIZE_MISMATCH);
  }
  auto bytes = descriptor.storage == Storage::kInline
                   ? ReadInline(descriptor)
                   : ReadFromFile(file_system, table_path, descriptor);
  if (!bytes.ok()) return std::move(bytes).error();
  auto vector = DeletionVector::Deserialize(*bytes);
  if (!vector.ok()) return Corrupted(descriptor, vector.error().parameters().at("reason"));
  if (static_cast<int64_t>(vector->cardinality()) != descriptor.cardinality) {
    return Error(ErrorClass::DELTA_DELETION_VECTOR_CARDINALITY_MISMATCH);
  }
  return vector;
}

DeletionVectorDescriptor MakeInlineDescriptor(const DeletionVector& vector) {
  const std::string bytes = vector.Serialize();
  return {.storage = Storage::kInline,
          .path_or_inline_dv = EncodeZ85(bytes),
          .size_in_bytes = static_cast<int32_t>(bytes.size()),
          .cardinality = static_cast<int64_t>(vector.cardinality())};
}

DeletionVectorFile::DeletionVectorFile(std::string uuid, std::string prefix)
    : uuid_(std::move(uuid)), prefix_(std::move(prefix)), bytes_(1, kFileVersion) {}

DeletionVectorDescriptor DeletionVectorFile::Add(const DeletionVector& vector) {
  const std::string bitmap = vector.Serialize();
  const auto offset = static_cast<int32_t>(bytes_.size());
  AppendBigEndian(static_cast<uint32_t>(bitmap.size()), &bytes_);
  bytes_ += bitmap;
  AppendBigEndian(Crc32(bitmap), &bytes_);
  return {.storage = Storage::kRelativeFile,
          .path_or_inline_dv = prefix_ + EncodeUuidZ85(uuid_).value_or(""),
          .offset = offset,
          .size_in_bytes = static_cast<int32_t>(bitmap.size()),
          .cardinality = static_cast<int64_t>(vector.cardinality())};
}

bool DeletionVectorFile::empty() const { return bytes_.size() == 1; }

std::string DeletionVectorFile::relative_path() const {
  const std::string name = "deletion_vector_" + uuid_ + ".bin";
  return prefix_.empty() ? name : JoinPath(prefix_, name);
}

Status DeletionVectorFile::Write(FileSystem& file_system, std::string_view table_path) const {
  const std::string path = JoinPath(table_path, relative_path());
  if (!prefix_.empty())
    MERGANSER_RETURN_IF_ERROR(file_system.CreateDirectories(std::string(ParentPath(path))));
  return file_system.Write(path, bytes_);
}

}  // namespace merganser
