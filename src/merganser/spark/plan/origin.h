#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "merganser/base/error.h"

namespace merganser::plan {

/// What nodes come from: a text of SQL, or a call in a client's program.
struct Source {
  /// SQL; of a call the name of the function.
  CountedText text;
  /// Of a call its place in the program ("file:line"), else empty.
  std::string call_site = {};
  /// "VIEW" and the name of the view that the text defines; empty for others.
  std::string object_type = {};
  std::string object_name = {};
};

/// Where a node was written. Without a source the node was made by this engine or by a client that
/// does not say.
struct Origin {
  std::shared_ptr<const Source> source = {};
  int32_t start = -1;  ///< First byte in the source's text, 0-based.
  int32_t stop = -1;   ///< Last byte, inclusive.
  int32_t line = 0;    ///< 1-based.
  int32_t column = 0;  ///< 0-based.

  bool known() const { return source != nullptr; }
};

/// The place of `origin` for an error; nullopt where it is not known.
inline std::optional<QueryContext> ContextOf(const Origin& origin) {
  if (!origin.known()) return std::nullopt;
  const Source& source = *origin.source;
  if (!source.call_site.empty()) return ContextOfCall(source.text.text(), source.call_site);
  return ContextInText(source.text, static_cast<size_t>(origin.start),
                       static_cast<size_t>(origin.stop) + 1, origin.line, origin.column,
                       source.object_type, source.object_name);
}

/// `error` with the place of `origin`, where that is known.
inline Error AtOrigin(Error error, const Origin& origin) {
  auto place = ContextOf(origin);
  return place ? std::move(error).At(*std::move(place)) : error;
}

}  // namespace merganser::plan
