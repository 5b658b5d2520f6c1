#include "merganser/spark/sql/describe_parser.h"

#include <string>
#include <utility>

#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/schema_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

/// Does a table name or path `ahead` make the word before it a keyword rather than the name?
bool PeekNameOrPath(const TokenStream& in, size_t ahead) {
  return in.PeekIdentifier(ahead) || in.PeekString(ahead);
}

Result<plan::Command> ParseHistory(TokenStream& in) {
  plan::DescribeHistory history;
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(history.name, ParseNameOrPath(in));
  if (in.AcceptWord("LIMIT")) {
    MERGANSER_ASSIGN_OR_RETURN(history.limit, ParseInteger(in));
  }
  return plan::Command(std::move(history));
}

Result<plan::Command> ParseFunction(TokenStream& in) {
  plan::DescribeFunction function;
  in.Next();
  function.extended =
      in.PeekWord("EXTENDED") && !in.Peek(1).is(TokenKind::kEnd) && in.AcceptWord("EXTENDED");
  if (in.PeekString()) {
    MERGANSER_ASSIGN_OR_RETURN(std::string name, ParseString(in));
    function.name.parts.push_back(std::move(name));
  } else if (in.Peek().is(TokenKind::kSymbol)) {
    function.name.parts.emplace_back(in.Next().text);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(function.name, ParseName(in));
  }
  return plan::Command(std::move(function));
}

Result<plan::Command> ParseTable(TokenStream& in) {
  plan::DescribeTable table;
  if (in.PeekWord("TABLE") && in.PeekIdentifier(1)) in.Next();
  if (in.PeekAnyWord({"EXTENDED", "FORMATTED"}) && in.PeekIdentifier(1)) {
    in.Next();
    table.extended = true;
  }
  MERGANSER_ASSIGN_OR_RETURN(table.name, ParseName(in));
  if (in.PeekWord("PARTITION") && in.PeekSymbol("(", 1))
    return in.NotSupported("DESCRIBE TABLE ... PARTITION");
  if (in.PeekWords("AS", "JSON")) return in.NotSupported("DESCRIBE TABLE ... AS JSON");
  if (in.PeekIdentifier()) {
    MERGANSER_ASSIGN_OR_RETURN(table.column, ParseNameParts(in));
  }
  return plan::Command(std::move(table));
}

}  // namespace

Result<plan::Command> ParseDescribe(TokenStream& in) {
  in.Next();
  if (in.PeekWord("HISTORY") && PeekNameOrPath(in, 1)) return ParseHistory(in);
  if (in.PeekWord("DETAIL") && PeekNameOrPath(in, 1)) {
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseNameOrPath(in));
    return plan::Command(plan::DescribeDetail{std::move(name)});
  }
  if (in.PeekWord("FUNCTION") && !in.Peek(1).is(TokenKind::kEnd)) return ParseFunction(in);
  if (in.PeekWord("PROCEDURE") && in.PeekIdentifier(1))
    return in.NotSupported("DESCRIBE PROCEDURE");
  if (PeekSchemaWord(in) && in.PeekIdentifier(1)) {
    plan::DescribeSchema schema;
    in.Next();
    schema.extended = in.PeekWord("EXTENDED") && in.PeekIdentifier(1) && in.AcceptWord("EXTENDED");
    MERGANSER_ASSIGN_OR_RETURN(schema.name, ParseName(in));
    return plan::Command(std::move(schema));
  }
  const bool query = in.PeekWord("QUERY") && in.PeekQuery(1);
  const bool table = in.PeekWord("TABLE") && in.PeekIdentifier(1);
  if (query) in.Next();
  if (query || (!table && in.PeekQuery())) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr relation, ParseQuery(in));
    return plan::Command(plan::DescribeQuery{std::move(relation)});
  }
  return ParseTable(in);
}

}  // namespace merganser
