#include "merganser/engine/text_files/record_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace merganser::engine {
RecordReader::RecordReader(duckdb::unique_ptr<duckdb::FileHandle> file, const RecordFormat& format,
                           uint64_t begin, uint64_t end)
    : file_(std::move(file)), format_(format), end_(end) {
  if (!format.is_splittable()) {
    ReadAll();
    return;
  }
  if (begin > 0) {
    // The line that began before belongs to the part before.
    offset_ = begin - 1;
    file_->Seek(offset_);
    std::string_view before;
    end_ = begin;
    Next(&before);
    end_ = end;
    return;
  }
  Fill();
  if (std::string_view(buffer_).starts_with(kUtf8ByteOrderMark)) at_ = kUtf8ByteOrderMark.size();
}

bool RecordReader::Fill() {
  if (at_end_) return false;
  buffer_.erase(0, at_);
  offset_ += at_;
  at_ = 0;
  const size_t size = buffer_.size();
  // Very long records are read in ever larger steps.
  const size_t wanted = std::max(kBlock, size);
  buffer_.resize(size + wanted);
  size_t filled = 0;
  while (filled < wanted) {
    const int64_t count = file_->Read(buffer_.data() + size + filled, wanted - filled);
    if (count <= 0) break;
    filled += static_cast<size_t>(count);
  }
  buffer_.resize(size + filled);
  at_end_ = filled < wanted;
  return filled > 0;
}

void RecordReader::ReadAll() {
  while (Fill()) {
  }
  buffer_ = DecodeText(format_.encoding, buffer_);
  end_ = buffer_.size();
}

bool RecordReader::FindEnd(std::string_view rest, size_t* length, size_t* skipped) {
  if (format_.kind == RecordFormat::Kind::kWhole) {
    *length = *skipped = rest.size();
    return at_end_;
  }
  const std::string& separator = format_.line_separator;
  if (format_.kind == RecordFormat::Kind::kCsv) {
    // The file is in memory.
    *length = CsvTokenizer(format_.csv, /*multi_line=*/true).RecordLength(rest);
  } else if (separator.size() > 1) {
    *length = std::min(rest.find(separator), rest.size());
    *skipped = std::min(*length + separator.size(), rest.size());
    return true;
  } else {
    size_t found = rest.npos;
    const std::string_view unread = rest.substr(searched_);
    if (separator.size() == 1) {
      found = unread.find(separator[0]);
    } else {
      const void* line_end = std::memchr(unread.data(), '\n', unread.size());
      const size_t until =
          line_end == nullptr
              ? unread.size()
              : static_cast<size_t>(static_cast<const char*>(line_end) - unread.data());
      found = unread.substr(0, until).find('\r');
      if (found == unread.npos && until < unread.size()) found = until;
    }
    if (found == rest.npos && !at_end_) {
      searched_ = rest.size();
      return false;
    }
    *length = found == rest.npos ? rest.size() : searched_ + found;
  }
  *skipped = *length;
  if (*length == rest.size()) return true;
  if (rest[*length] == '\r' && separator.empty()) {
    // The line feed that belongs to it may not have been read.
    if (*length + 1 == rest.size() && !at_end_) return false;
    if (*length + 1 < rest.size() && rest[*length + 1] == '\n') ++*skipped;
  }
  ++*skipped;
  return true;
}

bool RecordReader::Next(std::string_view* record) {
  if (offset_ + at_ >= end_) return false;
  size_t length = 0;
  size_t skipped = 0;
  searched_ = 0;
  while (!FindEnd(std::string_view(buffer_).substr(at_), &length, &skipped)) Fill();
  if (at_ >= buffer_.size()) return false;
  *record = std::string_view(buffer_).substr(at_, length);
  at_ += skipped;
  return true;
}

}  // namespace merganser::engine
