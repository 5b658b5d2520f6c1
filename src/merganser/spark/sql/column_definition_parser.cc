#include "merganser/spark/sql/column_definition_parser.h"

#include <set>
#include <string>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/string_literal.h"
#include "merganser/spark/sql/type_parser.h"

namespace merganser {
namespace {

bool PeekNotNull(const TokenStream& in) {
  return (in.PeekWord("NOT") || in.PeekSymbol("!")) && in.PeekWord("NULL", 1);
}

Result<std::optional<int64_t>> ParseSequenceNumber(TokenStream& in) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal number, ParseNumber(in));
  const auto* value = std::get_if<int64_t>(&number.value);
  if (value == nullptr) return in.SyntaxErrorAt(in.position() - 1);
  return std::optional<int64_t>(*value);
}

/// `(START WITH n INCREMENT BY m)`, options in any order.
Status ParseSequenceOptions(TokenStream& in, plan::IdentitySpec& identity, size_t first) {
  if (!in.AcceptSymbol("(")) return Status::Ok();
  const auto duplicate = [&](std::string option) {
    return in.ErrorFrom(first,
                        Error(ErrorClass::IDENTITY_COLUMNS_DUPLICATED_SEQUENCE_GENERATOR_OPTION,
                              {{"sequenceGeneratorOption", std::move(option)}}));
  };
  while (!in.AcceptSymbol(")")) {
    if (in.AcceptWords("START", "WITH")) {
      if (identity.start) return duplicate("START");
      MERGANSER_ASSIGN_OR_RETURN(identity.start, ParseSequenceNumber(in));
    } else if (in.AcceptWords("INCREMENT", "BY")) {
      if (identity.step) return duplicate("STEP");
      MERGANSER_ASSIGN_OR_RETURN(identity.step, ParseSequenceNumber(in));
    } else {
      return in.SyntaxError();
    }
  }
  if (identity.step == 0)
    return in.ErrorFrom(first, Error(ErrorClass::IDENTITY_COLUMNS_ILLEGAL_STEP));
  return Status::Ok();
}

/// `GENERATED ALWAYS AS (expression)` or `GENERATED ... AS IDENTITY`.
Status ParseGenerated(TokenStream& in, plan::ColumnDefinition& column) {
  const size_t first = in.position();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("GENERATED"));
  const bool always = in.AcceptWord("ALWAYS");
  if (!always) MERGANSER_RETURN_IF_ERROR(in.ExpectWords("BY", "DEFAULT"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("AS"));
  if (in.AcceptWord("IDENTITY")) {
    column.identity.emplace();
    column.identity->always = always;
    return ParseSequenceOptions(in, *column.identity, first);
  }
  if (!always) return in.SyntaxError();
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_ASSIGN_OR_RETURN(column.generated, ParseExpressionText(in));
  return in.ExpectSymbol(")");
}

/// Options may not repeat.
class Options {
 public:
  Options(const TokenStream& in, size_t first, const plan::ColumnDefinition& column,
          std::string_view operation)
      : in_(in), first_(first), name_(QuotedIdentifier(column.name)), operation_(operation) {}

  Status Take(const std::string& option) {
    if (seen_.insert(option).second) return Status::Ok();
    Error::Parameters parameters = {{"columnName", name_}, {"optionName", option}};
    if (operation_.empty()) {
      return in_.ErrorFrom(first_, Error(ErrorClass::CREATE_TABLE_COLUMN_DESCRIPTOR_DUPLICATE,
                                         std::move(parameters)));
    }
    parameters.emplace("type", std::string(operation_));
    return in_.ErrorFrom(
        first_, Error(ErrorClass::ALTER_TABLE_COLUMN_DESCRIPTOR_DUPLICATE, std::move(parameters)));
  }

 private:
  const TokenStream& in_;
  size_t first_;
  std::string name_;
  std::string_view operation_;
  std::set<std::string> seen_;
};

/// NOT NULL, DEFAULT or COMMENT, whichever stands at the cursor; false if none does.
Result<bool> ParseCommonOption(TokenStream& in, plan::ColumnDefinition& column, Options& options) {
  if (PeekNotNull(in)) {
    in.Next();
    in.Next();
    MERGANSER_RETURN_IF_ERROR(options.Take("NOT NULL"));
    column.nullable = false;
    return true;
  }
  if (in.AcceptWord("DEFAULT")) {
    MERGANSER_RETURN_IF_ERROR(options.Take("DEFAULT"));
    MERGANSER_ASSIGN_OR_RETURN(column.default_value, ParseExpressionText(in));
    return true;
  }
  if (in.AcceptWord("COMMENT")) {
    MERGANSER_RETURN_IF_ERROR(options.Take("COMMENT"));
    MERGANSER_ASSIGN_OR_RETURN(column.comment, ParseString(in));
    return true;
  }
  return false;
}

Status CheckGeneration(const TokenStream& in, size_t first, const plan::ColumnDefinition& column) {
  if (!column.default_value) return Status::Ok();
  if (column.generated) {
    return in.ErrorFrom(first, Error(ErrorClass::GENERATED_COLUMN_WITH_DEFAULT_VALUE,
                                     {{"colName", QuotedIdentifier(column.name)},
                                      {"defaultValue", column.default_value->text},
                                      {"generationExpression", column.generated->text}}));
  }
  if (column.identity) {
    return in.ErrorFrom(
        first, Error(ErrorClass::IDENTITY_COLUMN_WITH_DEFAULT_VALUE,
                     {{"colName", QuotedIdentifier(column.name)},
                      {"defaultValue", column.default_value->text},
                      {"identityColumnSpec",
                       column.identity->always ? "GENERATED ALWAYS" : "GENERATED BY DEFAULT"}}));
  }
  return Status::Ok();
}

}  // namespace

void SkipCharacteristics(TokenStream& in) {
  while (in.AcceptWord("ENFORCED") || in.AcceptWord("RELY") || in.AcceptWord("NORELY") ||
         in.AcceptWords("NOT", "ENFORCED")) {
  }
}

Result<plan::ColumnDefinition> ParseTableColumn(TokenStream& in, bool* has_constraints) {
  const size_t first = in.position();
  plan::ColumnDefinition column;
  MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseHyphenCheckedIdentifier(in));
  column.name.push_back(std::move(name));
  MERGANSER_ASSIGN_OR_RETURN(column.type, ParseDataType(in));
  Options options(in, first, column, {});
  while (true) {
    MERGANSER_ASSIGN_OR_RETURN(const bool common, ParseCommonOption(in, column, options));
    if (common) continue;
    if (in.PeekWord("GENERATED")) {
      MERGANSER_RETURN_IF_ERROR(options.Take("GENERATED ALWAYS"));
      MERGANSER_RETURN_IF_ERROR(ParseGenerated(in, column));
    } else if (PeekTableConstraint(in)) {
      MERGANSER_RETURN_IF_ERROR(ParseTableConstraint(in));
      *has_constraints = true;
    } else {
      break;
    }
  }
  MERGANSER_RETURN_IF_ERROR(CheckGeneration(in, first, column));
  return column;
}

bool PeekTableConstraint(const TokenStream& in) {
  if (in.PeekWord("CONSTRAINT"))
    return in.PeekIdentifier(1) &&
           in.PeekAnyWord({"CHECK", "PRIMARY", "UNIQUE", "FOREIGN", "REFERENCES"}, 2);
  if (in.PeekWord("CHECK")) return in.PeekSymbol("(", 1);
  if (in.PeekAnyWord({"PRIMARY", "FOREIGN"})) return in.PeekWord("KEY", 1);
  if (in.PeekWord("REFERENCES")) return in.PeekIdentifier(1);
  return in.PeekWord("UNIQUE") &&
         (in.PeekSymbol("(", 1) || in.PeekSymbol(",", 1) || in.PeekSymbol(")", 1));
}

Status ParseTableConstraint(TokenStream& in) {
  if (in.AcceptWord("CONSTRAINT")) MERGANSER_RETURN_IF_ERROR(ParseHyphenCheckedIdentifier(in));
  if (!in.AcceptWord("CHECK")) return ParseKeyConstraint(in);
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  MERGANSER_RETURN_IF_ERROR(ParseExpressionText(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  SkipCharacteristics(in);
  return Status::Ok();
}

Status ParseKeyConstraint(TokenStream& in) {
  if (!in.PeekWord("REFERENCES")) {
    if (!in.AcceptWord("UNIQUE") && !in.AcceptWords("PRIMARY", "KEY") &&
        !in.AcceptWords("FOREIGN", "KEY"))
      return in.SyntaxError();
    if (in.PeekSymbol("(")) MERGANSER_RETURN_IF_ERROR(ParseNamePartsList(in));
  }
  if (in.AcceptWord("REFERENCES")) {
    MERGANSER_RETURN_IF_ERROR(ParseNameParts(in));
    if (in.PeekSymbol("(")) MERGANSER_RETURN_IF_ERROR(ParseNamePartsList(in));
  }
  SkipCharacteristics(in);
  return Status::Ok();
}

Result<std::vector<plan::ColumnDefinition>> ParseAlterColumns(TokenStream& in,
                                                              std::string_view operation) {
  std::vector<plan::ColumnDefinition> columns;
  do {
    const size_t first = in.position();
    plan::ColumnDefinition column;
    MERGANSER_ASSIGN_OR_RETURN(column.name, ParseNameParts(in));
    MERGANSER_ASSIGN_OR_RETURN(column.type, ParseDataType(in));
    Options options(in, first, column, operation);
    while (true) {
      MERGANSER_ASSIGN_OR_RETURN(const bool common, ParseCommonOption(in, column, options));
      if (common) continue;
      MERGANSER_ASSIGN_OR_RETURN(std::optional<std::string> position, ParseColumnPosition(in));
      if (!position) break;
      MERGANSER_RETURN_IF_ERROR(options.Take("FIRST|AFTER"));
      column.position_after = std::move(position);
    }
    columns.push_back(std::move(column));
  } while (in.AcceptSymbol(","));
  return columns;
}

Result<std::optional<std::string>> ParseColumnPosition(TokenStream& in) {
  if (in.AcceptWord("FIRST")) return std::optional<std::string>("");
  if (!in.AcceptWord("AFTER")) return std::optional<std::string>();
  MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseHyphenCheckedIdentifier(in));
  return std::optional<std::string>(std::move(name));
}

Result<plan::ExpressionText> ParseExpressionText(TokenStream& in) {
  const size_t first = in.position();
  plan::ExpressionText out;
  MERGANSER_ASSIGN_OR_RETURN(out.expression, ParseExpression(in));
  out.text = std::string(in.TextFrom(first));
  return out;
}

}  // namespace merganser
