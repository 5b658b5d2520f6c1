#include "merganser/engine/functions/spark_type.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/base/letter_case.h"

namespace merganser::engine {
namespace {

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80) != 0;
}

int IntervalField(const std::string& word) {
  static constexpr std::array<std::string_view, 4> kDayTime = {"DAY", "HOUR", "MINUTE", "SECOND"};
  const auto at = std::find(kDayTime.begin(), kDayTime.end(), word);
  return at == kDayTime.end() ? -1 : static_cast<int>(at - kDayTime.begin());
}

class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : rest_(text) {}

  std::optional<DataType> ReadType();
  /// Fields up to the end of the text, or up to an unread '>'.
  std::optional<StructType> ReadFields();
  bool AtEnd() {
    SkipSpace();
    return rest_.empty();
  }

 private:
  void SkipSpace() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())))
      rest_.remove_prefix(1);
  }
  bool Take(char c) {
    SkipSpace();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string Word() {
    SkipSpace();
    size_t n = 0;
    while (n < rest_.size() && IsWordCharacter(rest_[n])) ++n;
    std::string word(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return word;
  }
  bool TakeWord(std::string_view word) {
    const auto before = rest_;
    if (AsciiUpperCase(Word()) == word) return true;
    rest_ = before;
    return false;
  }
  std::optional<std::string> Name();
  std::optional<int> Number() {
    const std::string word = Word();
    if (word.empty() || word.size() > 9 ||
        !std::all_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); })) {
      return std::nullopt;
    }
    return std::stoi(word);
  }
  void SkipQuoted();
  std::optional<DataType> ReadDecimal();
  std::optional<DataType> ReadInterval();
  std::optional<int> ReadLength();

  std::string_view rest_;
};

std::optional<std::string> TypeReader::Name() {
  SkipSpace();
  if (rest_.empty() || rest_.front() != '`') {
    std::string word = Word();
    if (word.empty()) return std::nullopt;
    return word;
  }
  std::string name;
  for (size_t i = 1; i < rest_.size(); ++i) {
    if (rest_[i] != '`') {
      name += rest_[i];
    } else if (i + 1 < rest_.size() && rest_[i + 1] == '`') {
      name += '`';
      ++i;
    } else {
      rest_.remove_prefix(i + 1);
      return name;
    }
  }
  return std::nullopt;
}

void TypeReader::SkipQuoted() {
  SkipSpace();
  if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return;
  const char quote = rest_.front();
  size_t i = 1;
  while (i < rest_.size() && rest_[i] != quote) i += rest_[i] == '\\' ? 2 : 1;
  rest_.remove_prefix(std::min(i + 1, rest_.size()));
}

std::optional<DataType> TypeReader::ReadDecimal() {
  if (!Take('(')) return DataType::Decimal(10, 0);
  const auto precision = Number();
  std::optional<int> scale = 0;
  if (Take(',')) scale = Number();
  if (!precision || !scale || !Take(')') || *precision < 1 || *precision > 38 ||
      *scale > *precision)
    return std::nullopt;
  return DataType::Decimal(*precision, *scale);
}

std::optional<int> TypeReader::ReadLength() {
  if (!Take('(')) return std::nullopt;
  const auto length = Number();
  if (!length || !Take(')')) return std::nullopt;
  return length;
}

std::optional<DataType> TypeReader::ReadInterval() {
  const auto before = rest_;
  const std::string first = AsciiUpperCase(Word());
  const bool year_month = first == "YEAR" || first == "MONTH";
  const int start = year_month ? (first == "MONTH" ? 1 : 0) : IntervalField(first);
  if (start < 0) {
    rest_ = before;
    return DataType::CalendarInterval();
  }
  int end = start;
  if (TakeWord("TO")) {
    const std::string last = AsciiUpperCase(Word());
    end = year_month ? (last == "MONTH" ? 1 : -1) : IntervalField(last);
    if (end < start) return std::nullopt;
  }
  return year_month ? DataType::YearMonthInterval(start, end)
                    : DataType::DayTimeInterval(start, end);
}

std::optional<StructType> TypeReader::ReadFields() {
  StructType fields;
  SkipSpace();
  if (rest_.empty() || rest_.front() == '>') return fields;
  do {
    StructField field;
    auto name = Name();
    if (!name) return std::nullopt;
    field.name = *std::move(name);
    Take(':');
    auto type = ReadType();
    if (!type) return std::nullopt;
    field.type = *std::move(type);
    if (TakeWord("NOT")) {
      if (!TakeWord("NULL")) return std::nullopt;
      field.nullable = false;
    }
    if (TakeWord("COMMENT")) SkipQuoted();
    fields.Add(std::move(field));
  } while (Take(','));
  return fields;
}

std::optional<DataType> TypeReader::ReadType() {
  const std::string word = AsciiUpperCase(Word());
  if (word == "STRING" || word == "TEXT") {
    if (TakeWord("COLLATE")) Name();
    return DataType::String();
  }
  if (word == "INT" || word == "INTEGER") return DataType::Integer();
  if (word == "BIGINT" || word == "LONG") return DataType::Long();
  if (word == "SMALLINT" || word == "SHORT") return DataType::Short();
  if (word == "TINYINT" || word == "BYTE") return DataType::Byte();
  if (word == "BOOLEAN") return DataType::Boolean();
  if (word == "FLOAT" || word == "REAL") return DataType::Float();
  if (word == "DOUBLE") return DataType::Double();
  if (word == "DECIMAL" || word == "DEC" || word == "NUMERIC") return ReadDecimal();
  if (word == "DATE") return DataType::Date();
  if (word == "TIMESTAMP" || word == "TIMESTAMP_LTZ") return DataType::Timestamp();
  if (word == "TIMESTAMP_NTZ") return DataType::TimestampNtz();
  if (word == "BINARY") return DataType::Binary();
  if (word == "VOID" || word == "NULL") return DataType::Null();
  if (word == "VARIANT") return DataType::Variant();
  if (word == "INTERVAL") return ReadInterval();
  if (word == "CHAR" || word == "CHARACTER" || word == "VARCHAR") {
    const auto length = ReadLength();
    if (!length) return std::nullopt;
    return word == "VARCHAR" ? DataType::Varchar(*length) : DataType::Char(*length);
  }
  if (word == "ARRAY") {
    if (!Take('<')) return std::nullopt;
    auto element = ReadType();
    if (!element || !Take('>')) return std::nullopt;
    return DataType::Array(*std::move(element));
  }
  if (word == "MAP") {
    if (!Take('<')) return std::nullopt;
    auto key = ReadType();
    if (!key || !Take(',')) return std::nullopt;
    auto value = ReadType();
    if (!value || !Take('>')) return std::nullopt;
    return DataType::Map(*std::move(key), *std::move(value));
  }
  if (word == "STRUCT") {
    if (!Take('<')) return std::nullopt;
    auto fields = ReadFields();
    if (!fields || !Take('>')) return std::nullopt;
    return DataType::Struct(*std::move(fields));
  }
  return std::nullopt;
}

}  // namespace

std::optional<DataType> ParseSparkType(std::string_view text) {
  TypeReader reader(text);
  auto type = reader.ReadType();
  if (!type || !reader.AtEnd()) return std::nullopt;
  return type;
}

std::optional<DataType> ParseSparkSchema(std::string_view text) {
  if (auto type = ParseSparkType(text)) return type;
  TypeReader reader(text);
  auto fields = reader.ReadFields();
  if (!fields || fields->empty() || !reader.AtEnd()) return std::nullopt;
  return DataType::Struct(*std::move(fields));
}

}  // namespace merganser::engine
