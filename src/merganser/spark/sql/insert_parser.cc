#include "merganser/spark/sql/insert_parser.h"

#include <string>
#include <utility>

#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/partition_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/select_parser.h"

namespace merganser {
namespace {

/// `REPLACE WHERE condition` or `REPLACE USING (columns)`.
Status ParseReplace(TokenStream& in, plan::InsertInto& insert) {
  const size_t first = in.position();
  if (!in.AcceptWord("REPLACE")) return Status::Ok();
  if (in.AcceptWord("WHERE")) {
    MERGANSER_ASSIGN_OR_RETURN(insert.replace_where, ParseExpression(in));
    return Status::Ok();
  }
  if (in.AcceptWord("USING")) {
    MERGANSER_ASSIGN_OR_RETURN(insert.replace_using, ParseIdentifierList(in));
    return Status::Ok();
  }
  if (in.AcceptWord("ON"))
    return in.ErrorFrom(first, Error(ErrorClass::INSERT_REPLACE_ON_NOT_ENABLED));
  return in.SyntaxError();
}

/// An alias of the target, which only REPLACE may follow.
Status SkipReplaceAlias(TokenStream& in) {
  const bool as = in.PeekWord("AS");
  const size_t alias = as ? 1 : 0;
  if (!as && (in.PeekWord("REPLACE") || !in.PeekIdentifier() || !in.PeekWord("REPLACE", 1)))
    return Status::Ok();
  if (!in.PeekIdentifier(alias)) return Status::Ok();
  MERGANSER_RETURN_IF_ERROR(ParseTargetAlias(in, "INSERT REPLACE"));
  return Status::Ok();
}

/// Everything up to the query.
Result<plan::InsertInto> ParseTarget(TokenStream& in) {
  plan::InsertInto insert;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("INSERT"));
  if (in.AcceptWord("WITH")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWords("SCHEMA", "EVOLUTION"));
    insert.with_schema_evolution = true;
  }
  insert.overwrite = in.AcceptWord("OVERWRITE");
  if (!insert.overwrite) MERGANSER_RETURN_IF_ERROR(in.ExpectWord("INTO"));
  const bool directory = in.PeekWord("DIRECTORY") || in.PeekWords("LOCAL", "DIRECTORY");
  if (insert.overwrite && directory) return in.NotSupported("INSERT OVERWRITE DIRECTORY");
  if (in.PeekIdentifier(1) || in.PeekWord("IDENTIFIER", 1)) in.AcceptWord("TABLE");
  MERGANSER_ASSIGN_OR_RETURN(insert.target, ParseName(in));
  MERGANSER_RETURN_IF_ERROR(SkipReplaceAlias(in));
  if (in.PeekWord("WITH") && in.PeekSymbol("(", 1)) {
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(insert.options, ParseProperties(in));
  }
  if (in.PeekWord("PARTITION") && in.PeekSymbol("(", 1)) {
    in.Next();
    MERGANSER_ASSIGN_OR_RETURN(insert.partition, ParsePartitionValues(in));
  }
  if (in.PeekWord("IF") && in.PeekWords("NOT", "EXISTS", 1)) {
    for (int i = 0; i < 3; ++i) in.Next();
    insert.if_not_exists = true;
  }
  if (in.AcceptWords("BY", "NAME")) {
    insert.by_name = true;
  } else if (in.PeekSymbol("(") && !in.PeekParenthesizedQuery()) {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> columns, ParseIdentifierList(in));
    for (std::string& column : columns)
      insert.columns.push_back({{std::move(column)}, nullptr, {}});
  }
  MERGANSER_RETURN_IF_ERROR(ParseReplace(in, insert));
  return insert;
}

plan::RelationPtr Surround(plan::With with, plan::RelationPtr query) {
  if (with.tables.empty()) return query;
  const plan::Origin origin = query->origin;
  with.child = std::move(query);
  return plan::MakeRelation(std::move(with), origin);
}

}  // namespace

Result<plan::InsertInto> ParseInsert(TokenStream& in, plan::With with) {
  MERGANSER_ASSIGN_OR_RETURN(plan::InsertInto insert, ParseTarget(in));
  in.default_values = true;
  const bool enclosed = in.PeekSymbol("(");
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, ParseQuery(in));
  in.default_values = false;
  if (enclosed) MERGANSER_RETURN_IF_ERROR(ParseTableAlias(in));
  insert.query = Surround(std::move(with), std::move(query));
  return insert;
}

Result<plan::InsertInto> ParseInsertAfterFrom(TokenStream& in, plan::RelationPtr from,
                                              plan::With with) {
  MERGANSER_ASSIGN_OR_RETURN(plan::InsertInto insert, ParseTarget(in));
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, ParseSelectAfterFrom(in, std::move(from)));
  MERGANSER_ASSIGN_OR_RETURN(query, ParseQueryOrganization(in, std::move(query)));
  if (in.PeekWord("INSERT")) return in.NotSupported("several INSERT clauses behind one FROM");
  insert.query = Surround(std::move(with), std::move(query));
  return insert;
}

}  // namespace merganser
