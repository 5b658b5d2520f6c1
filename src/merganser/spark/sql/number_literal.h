#pragma once

#include "merganser/spark/plan/literal.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// The number at the cursor, with its minus sign if it has one.
///
/// A whole number is the narrowest of INT, BIGINT and DECIMAL that holds it; a number with a point
/// is DECIMAL of exactly its digits; with an exponent DOUBLE; a suffix (Y S L F D BD) decides
/// otherwise. Fails with INVALID_NUMERIC_LITERAL_RANGE and DECIMAL_PRECISION_EXCEEDS_MAX_PRECISION.
Result<plan::Literal> ParseNumber(TokenStream& in);

/// The whole number at the cursor, where the grammar wants one. Fails with PARSE_SYNTAX_ERROR, also
/// when it does not fit.
Result<int64_t> ParseInteger(TokenStream& in);

}  // namespace merganser
