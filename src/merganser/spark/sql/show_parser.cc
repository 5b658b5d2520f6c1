#include "merganser/spark/sql/show_parser.h"

#include <string>
#include <utility>

#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/partition_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/schema_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

bool AcceptFrom(TokenStream& in) { return in.AcceptWord("FROM") || in.AcceptWord("IN"); }

/// `[FROM | IN schema] [[LIKE] 'pattern']`.
Result<plan::Show> ParseInSchema(TokenStream& in, plan::ShowKind kind) {
  plan::Show show{kind, {}, {}, {}};
  if (AcceptFrom(in)) {
    MERGANSER_ASSIGN_OR_RETURN(show.name, ParseName(in));
  }
  const bool like = in.AcceptWord("LIKE");
  if (like || in.PeekString()) {
    MERGANSER_ASSIGN_OR_RETURN(show.pattern, ParseString(in));
  }
  return show;
}

Result<plan::Show> ParseOfTable(TokenStream& in, plan::ShowKind kind) {
  plan::Show show{kind, {}, {}, {}};
  MERGANSER_ASSIGN_OR_RETURN(show.name, ParseName(in));
  return show;
}

Result<plan::Show> ParsePropertiesOfTable(TokenStream& in) {
  MERGANSER_ASSIGN_OR_RETURN(plan::Show show, ParseOfTable(in, plan::ShowKind::kTableProperties));
  if (in.AcceptSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(show.property, ParsePropertyKey(in));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  }
  return show;
}

/// `COLUMNS FROM table [FROM schema]`.
Result<plan::Show> ParseColumns(TokenStream& in) {
  if (!AcceptFrom(in)) return in.SyntaxError();
  MERGANSER_ASSIGN_OR_RETURN(plan::Show show, ParseOfTable(in, plan::ShowKind::kColumns));
  if (AcceptFrom(in)) {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> schema, ParseNameParts(in));
    if (!show.name.parts.empty()) schema.push_back(std::move(show.name.parts.back()));
    show.name.parts = std::move(schema);
  }
  return show;
}

Result<plan::Show> ParseFunctions(TokenStream& in) {
  const bool user = in.AcceptWord("USER");
  const bool system = in.AcceptWord("SYSTEM");
  if (!in.PeekWord("FUNCTIONS")) in.Next();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("FUNCTIONS"));
  MERGANSER_ASSIGN_OR_RETURN(plan::Show show, ParseInSchema(in, plan::ShowKind::kFunctions));
  show.user_functions = user;
  show.system_functions = system;
  if (!show.pattern && in.PeekIdentifier()) {
    MERGANSER_ASSIGN_OR_RETURN(show.pattern, ParseIdentifier(in));
  }
  return show;
}

}  // namespace

Result<plan::Show> ParseShow(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("SHOW"));
  if (in.AcceptWord("TABLES")) return ParseInSchema(in, plan::ShowKind::kTables);
  if (in.AcceptWord("VIEWS")) return ParseInSchema(in, plan::ShowKind::kViews);
  if (in.AcceptWord("CATALOGS")) return ParseInSchema(in, plan::ShowKind::kCatalogs);
  if (in.AcceptWord("SCHEMAS") || in.AcceptWord("DATABASES") || in.AcceptWord("NAMESPACES")) {
    return ParseInSchema(in, plan::ShowKind::kSchemas);
  }
  if (in.AcceptWord("TBLPROPERTIES")) return ParsePropertiesOfTable(in);
  if (in.AcceptWord("COLUMNS")) return ParseColumns(in);
  if (in.AcceptWord("PARTITIONS")) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Show show, ParseOfTable(in, plan::ShowKind::kPartitions));
    if (in.AcceptWord("PARTITION")) {
      MERGANSER_ASSIGN_OR_RETURN(show.partition, ParsePartitionValues(in));
    }
    return show;
  }
  if (in.AcceptWords("CREATE", "TABLE")) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Show show, ParseOfTable(in, plan::ShowKind::kCreateTable));
    if (in.PeekWord("AS")) return in.NotSupported("SHOW CREATE TABLE ... AS SERDE");
    return show;
  }
  if (in.PeekWord("CURRENT") && PeekSchemaWord(in, 1)) {
    in.Next();
    in.Next();
    return plan::Show{plan::ShowKind::kCurrentSchema, {}, {}, {}};
  }
  if (in.PeekWord("FUNCTIONS") || (in.PeekIdentifier() && in.PeekWord("FUNCTIONS", 1)))
    return ParseFunctions(in);
  const bool known =
      in.PeekAnyWord({"TABLE", "PROCEDURES", "COLLATIONS", "GRANT", "ROLE", "ROLES", "PRINCIPALS",
                      "CURRENT", "COMPACTIONS", "TRANSACTIONS", "INDEXES", "LOCKS"});
  return known ? in.NotSupported("SHOW " + std::string(in.Peek().text)) : in.SyntaxError();
}

}  // namespace merganser
