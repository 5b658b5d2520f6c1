#pragma once

#include <string>

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// A property's key: `a.b.c` or a string.
Result<std::string> ParsePropertyKey(TokenStream& in);

/// `(key = value, key value, key, ...)`; values are strings, numbers, TRUE or FALSE, kept as text.
/// A key without a value has the value "". Fails with DUPLICATE_KEY.
Result<plan::Options> ParseProperties(TokenStream& in);

/// TBLPROPERTIES of a table: as ParseProperties, but every key needs a value and keys with a clause
/// of their own are refused with UNSUPPORTED_FEATURE.SET_TABLE_PROPERTY.
Result<plan::Options> ParseTableProperties(TokenStream& in);

/// The keys of properties in the order they are written.
Result<std::vector<std::string>> ParseWrittenKeys(TokenStream& in);

/// `(key, key, ...)`, as UNSET takes them; values are refused.
Result<std::vector<std::string>> ParsePropertyKeys(TokenStream& in);

}  // namespace merganser
