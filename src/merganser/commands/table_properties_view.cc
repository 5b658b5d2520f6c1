#include "merganser/commands/table_properties_view.h"

#include <string>

namespace merganser {

StringMap ShownProperties(const Snapshot& snapshot) {
  StringMap properties = snapshot.metadata().configuration;
  const Protocol& protocol = snapshot.protocol();
  properties["delta.minReaderVersion"] = std::to_string(protocol.min_reader_version);
  properties["delta.minWriterVersion"] = std::to_string(protocol.min_writer_version);
  for (const auto* features : {&protocol.reader_features, &protocol.writer_features}) {
    if (!*features) continue;
    for (const std::string& feature : **features)
      properties["delta.feature." + feature] = "supported";
  }
  return properties;
}

}  // namespace merganser
