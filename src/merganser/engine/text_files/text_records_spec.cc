#include "merganser/engine/text_files/text_records_spec.h"

#include <utility>

#include "merganser/base/json.h"

namespace merganser::engine {

std::string TextRecordsSpec::ToJson() const {
  Json files_json = Json::MakeArray();
  for (const File& file : files) {
    Json values = Json::MakeArray();
    for (const auto& value : file.values) values.Append(value ? Json(*value) : Json());
    Json each = Json::MakeObject();
    each.Set("path", file.path);
    each.Set("size", static_cast<int64_t>(file.size));
    each.Set("values", std::move(values));
    files_json.Append(std::move(each));
  }
  Json columns = Json::MakeArray();
  for (const std::string& column : folder_columns) columns.Append(column);
  Json spec = Json::MakeObject();
  spec.Set("files", std::move(files_json));
  spec.Set("columns", std::move(columns));
  spec.Set("whole", whole);
  spec.Set("csv", csv);
  spec.Set("skipBlank", skip_blank);
  spec.Set("skipHeader", skip_header);
  spec.Set("comment", comment);
  spec.Set("lineSeparator", line_separator);
  spec.Set("encoding", encoding);
  spec.Set("options", options);
  return spec.Dump();
}

Result<TextRecordsSpec> TextRecordsSpec::FromJson(std::string_view json) {
  MERGANSER_ASSIGN_OR_RETURN(const Json parsed, Json::Parse(json));
  TextRecordsSpec spec;
  if (const Json* files = parsed.find("files"); files != nullptr) {
    for (const Json& each : files->items()) {
      File file{each.string_or("path"), static_cast<uint64_t>(each.int_or("size", 0)), {}};
      for (const Json& value : each.find("values")->items()) {
        file.values.push_back(value.is_null() ? std::nullopt
                                              : std::optional<std::string>(value.as_string()));
      }
      spec.files.push_back(std::move(file));
    }
  }
  if (const Json* columns = parsed.find("columns"); columns != nullptr) {
    for (const Json& column : columns->items()) spec.folder_columns.push_back(column.as_string());
  }
  spec.whole = parsed.bool_or("whole", false);
  spec.csv = parsed.bool_or("csv", false);
  spec.skip_blank = parsed.bool_or("skipBlank", false);
  spec.skip_header = parsed.bool_or("skipHeader", false);
  spec.comment = parsed.string_or("comment");
  spec.line_separator = parsed.string_or("lineSeparator");
  spec.encoding = parsed.string_or("encoding", "utf-8");
  spec.options = parsed.string_or("options", "{}");
  return spec;
}

}  // namespace merganser::engine
