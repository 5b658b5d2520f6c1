#pragma once

#include <string>
#include <string_view>

namespace merganser {

/// The scheme of a URI ("s3" of "s3://bucket/x"), empty for a plain path.
std::string_view UriScheme(std::string_view location);

/// `text` with every "%41" replaced by its byte; a '%' without two hexadecimal digits stays.
std::string PercentDecode(std::string_view text);

/// Append `byte` to `out` as "%4A", in upper case.
void AppendPercentEncoded(unsigned char byte, std::string* out);

}  // namespace merganser
