#include "merganser/spark/sql/create_table_parser.h"

#include <set>
#include <string>
#include <utility>

#include "merganser/spark/sql/column_definition_parser.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/string_literal.h"
#include "merganser/spark/sql/type_parser.h"

namespace merganser {
namespace {

/// `CREATE [OR REPLACE] [EXTERNAL] TABLE [IF NOT EXISTS] name` or `REPLACE TABLE name`.
struct Header {
  plan::MultipartName name;
  bool create = false;
  bool replace = false;
  bool if_not_exists = false;
};

Result<Header> ParseHeader(TokenStream& in) {
  const size_t first = in.position();
  Header header;
  header.create = in.AcceptWord("CREATE");
  if (header.create && in.AcceptWords("OR", "REPLACE")) {
    header.replace = true;
  } else if (!header.create) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("REPLACE"));
    header.replace = true;
  }
  if (in.AcceptWord("TEMPORARY") || in.AcceptWord("TEMP")) {
    return in.ErrorFrom(
        first, Error(ErrorClass::INVALID_SQL_SYNTAX, {}, "CREATE_TEMP_TABLE_USING_PROVIDER"));
  }
  in.AcceptWord("EXTERNAL");
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TABLE"));
  if (!header.replace && in.PeekWord("IF") && (in.PeekWord("NOT", 1) || in.PeekSymbol("!", 1)) &&
      in.PeekWord("EXISTS", 2)) {
    for (int i = 0; i < 3; ++i) in.Next();
    header.if_not_exists = true;
  }
  MERGANSER_ASSIGN_OR_RETURN(header.name, ParseName(in));
  return header;
}

/// `USING delta`.
Result<std::optional<std::string>> ParseProvider(TokenStream& in) {
  if (!in.AcceptWord("USING")) return std::optional<std::string>();
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> parts, ParseNameParts(in));
  std::string provider;
  for (const std::string& part : parts) provider += (provider.empty() ? "" : ".") + part;
  return std::optional<std::string>(std::move(provider));
}

/// OPTIONS, whose values are expressions in Spark and literals here.
Result<std::string> LiteralText(const TokenStream& in, size_t first,
                                const plan::Expression& expression) {
  const auto* literal = expression.As<plan::Literal>();
  if (literal == nullptr || literal->is_null()) return in.SyntaxErrorAt(first);
  if (const auto* text = std::get_if<std::string>(&literal->value)) return *text;
  if (const auto* flag = std::get_if<bool>(&literal->value))
    return std::string(*flag ? "true" : "false");
  return std::string(in.TextFrom(first));
}

Result<plan::Options> ParseOptionList(TokenStream& in) {
  plan::Options options;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    MERGANSER_ASSIGN_OR_RETURN(std::string key, ParsePropertyKey(in));
    std::string value;
    if (in.AcceptSymbol("=") || (!in.PeekSymbol(",") && !in.PeekSymbol(")"))) {
      const size_t value_at = in.position();
      MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr expression, ParseExpression(in));
      MERGANSER_ASSIGN_OR_RETURN(value, LiteralText(in, value_at, *expression));
    }
    options.insert_or_assign(std::move(key), std::move(value));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return options;
}

/// A table's clauses while they are read.
class CreateTableParser {
 public:
  CreateTableParser(TokenStream& in, size_t first, Header header) : in_(in), first_(first) {
    table_.name = std::move(header.name);
    table_.create = header.create;
    table_.replace = header.replace;
    table_.if_not_exists = header.if_not_exists;
  }

  Result<plan::CreateTable> Parse() {
    if (in_.PeekSymbol("(") && !in_.PeekParenthesizedQuery())
      MERGANSER_RETURN_IF_ERROR(ParseElements());
    MERGANSER_ASSIGN_OR_RETURN(table_.provider, ParseProvider(in_));
    while (true) {
      MERGANSER_ASSIGN_OR_RETURN(const bool found, ParseClause());
      if (!found) break;
    }
    if (!table_.partition_by.empty() && !table_.cluster_by.empty()) {
      return in_.ErrorFrom(
          first_, Error(ErrorClass::SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED));
    }
    MERGANSER_RETURN_IF_ERROR(ParseAs());
    return std::move(table_);
  }

 private:
  Error NotAllowed(std::string message) const {
    return in_.ErrorFrom(
        first_, Error(ErrorClass::_LEGACY_ERROR_TEMP_0035, {{"message", std::move(message)}}));
  }

  Status ParseElements() {
    in_.Next();
    do {
      if (PeekTableConstraint(in_)) {
        MERGANSER_RETURN_IF_ERROR(ParseTableConstraint(in_));
        table_.has_constraints = true;
      } else {
        MERGANSER_ASSIGN_OR_RETURN(plan::ColumnDefinition column,
                                   ParseTableColumn(in_, &table_.has_constraints));
        table_.columns.push_back(std::move(column));
      }
    } while (in_.AcceptSymbol(","));
    return in_.ExpectSymbol(")");
  }

  /// Note the clause `name`, which may come once.
  Status TakeOnce(const std::string& name) {
    if (seen_.insert(name).second) return Status::Ok();
    return in_.ErrorFrom(first_, Error(ErrorClass::DUPLICATE_CLAUSES, {{"clauseName", name}}));
  }

  /// Read one clause; false if none stands at the cursor.
  Result<bool> ParseClause() {
    if (in_.AcceptWord("OPTIONS")) {
      MERGANSER_RETURN_IF_ERROR(TakeOnce("OPTIONS"));
      MERGANSER_ASSIGN_OR_RETURN(table_.options, ParseOptionList(in_));
    } else if (in_.AcceptWords("PARTITIONED", "BY")) {
      MERGANSER_RETURN_IF_ERROR(TakeOnce("PARTITIONED BY"));
      MERGANSER_RETURN_IF_ERROR(ParsePartitionedBy());
    } else if (in_.AcceptWords("CLUSTER", "BY")) {
      MERGANSER_RETURN_IF_ERROR(TakeOnce("CLUSTER BY"));
      MERGANSER_ASSIGN_OR_RETURN(table_.cluster_by, ParseNamePartsList(in_));
    } else if (in_.AcceptWord("LOCATION")) {
      MERGANSER_RETURN_IF_ERROR(TakeOnce("LOCATION"));
      MERGANSER_ASSIGN_OR_RETURN(table_.location, ParseString(in_));
    } else if (in_.AcceptWord("COMMENT")) {
      MERGANSER_RETURN_IF_ERROR(TakeOnce("COMMENT"));
      MERGANSER_ASSIGN_OR_RETURN(table_.comment, ParseString(in_));
    } else if (in_.AcceptWord("TBLPROPERTIES")) {
      MERGANSER_RETURN_IF_ERROR(TakeOnce("TBLPROPERTIES"));
      MERGANSER_ASSIGN_OR_RETURN(table_.properties, ParseTableProperties(in_));
    } else if (in_.PeekAnyWord({"SKEWED", "CLUSTERED", "ROW", "STORED"}) ||
               in_.PeekWords("DEFAULT", "COLLATION")) {
      return in_.NotSupported("CREATE TABLE ... " + std::string(in_.Peek().text));
    } else {
      return false;
    }
    return true;
  }

  /// `(a, b.c)` or `(p INT, q STRING)`; a column with a type is a column of the table, too.
  Status ParsePartitionedBy() {
    MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol("("));
    do {
      const size_t field_at = in_.position();
      if (in_.PeekIdentifier() && in_.PeekSymbol("(", 1)) {
        if (in_.AcceptWord("IDENTITY")) {
          in_.Next();
          MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> path, ParseNameParts(in_));
          table_.partition_by.push_back(std::move(path));
          MERGANSER_RETURN_IF_ERROR(in_.ExpectSymbol(")"));
          continue;
        }
        const bool buckets = in_.PeekWord("BUCKET");
        return in_.ErrorFrom(
            field_at,
            Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED,
                  {{"operation", buckets ? "Bucketing" : "Partitioning by expressions"}}));
      }
      if (in_.PeekIdentifier() &&
          (in_.PeekSymbol(",", 1) || in_.PeekSymbol(")", 1) || in_.PeekSymbol(".", 1))) {
        MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> path, ParseNameParts(in_));
        table_.partition_by.push_back(std::move(path));
        continue;
      }
      MERGANSER_ASSIGN_OR_RETURN(plan::ColumnDefinition column,
                                 ParseTableColumn(in_, &table_.has_constraints));
      table_.partition_by.push_back(column.name);
      table_.columns.push_back(std::move(column));
    } while (in_.AcceptSymbol(","));
    return in_.ExpectSymbol(")");
  }

  Status ParseAs() {
    if (!in_.AcceptWord("AS") && !in_.PeekQuery()) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(table_.query, ParseQuery(in_));
    if (table_.columns.empty()) return Status::Ok();
    return NotAllowed(
        table_.replace
            ? "Schema may not be specified in a Replace Table As Select (RTAS) statement"
            : "Schema may not be specified in a Create Table As Select (CTAS) statement");
  }

  TokenStream& in_;
  size_t first_;
  plan::CreateTable table_;
  std::set<std::string> seen_;
};

Result<plan::Command> ParseLike(TokenStream& in, Header header) {
  plan::CreateTableLike table;
  table.name = std::move(header.name);
  table.if_not_exists = header.if_not_exists;
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(table.source, ParseName(in));
  while (true) {
    if (in.PeekWord("USING")) {
      MERGANSER_ASSIGN_OR_RETURN(table.provider, ParseProvider(in));
    } else if (in.AcceptWord("LOCATION")) {
      MERGANSER_ASSIGN_OR_RETURN(table.location, ParseString(in));
    } else if (in.AcceptWord("TBLPROPERTIES")) {
      MERGANSER_ASSIGN_OR_RETURN(table.properties, ParseTableProperties(in));
    } else {
      return plan::Command(std::move(table));
    }
  }
}

Result<plan::Command> ParseClone(TokenStream& in, Header header) {
  plan::CloneTable clone;
  clone.name = std::move(header.name);
  clone.if_not_exists = header.if_not_exists;
  clone.replace = header.replace;
  clone.create = header.create;
  in.Next();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(clone.source.name, ParseName(in));
  MERGANSER_ASSIGN_OR_RETURN(clone.source.time_travel, ParseTimeTravel(in));
  if (in.AcceptWord("TBLPROPERTIES")) {
    MERGANSER_ASSIGN_OR_RETURN(clone.properties, ParseTableProperties(in));
  }
  if (in.AcceptWord("LOCATION")) {
    MERGANSER_ASSIGN_OR_RETURN(clone.location, ParseString(in));
  }
  return plan::Command(std::move(clone));
}

}  // namespace

bool PeekCreateTable(const TokenStream& in) {
  size_t ahead = in.PeekWords("CREATE", "OR") && in.PeekWord("REPLACE", 2) ? 3 : 1;
  if (in.PeekAnyWord({"TEMPORARY", "TEMP"}, ahead)) ++ahead;
  if (in.PeekWord("EXTERNAL", ahead)) ++ahead;
  return in.PeekAnyWord({"CREATE", "REPLACE"}) && in.PeekWord("TABLE", ahead);
}

Result<plan::Command> ParseCreateTable(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(Header header, ParseHeader(in));
  if (in.PeekWord("LIKE") && header.create && !header.replace)
    return ParseLike(in, std::move(header));
  if (in.PeekWords("SHALLOW", "CLONE")) return ParseClone(in, std::move(header));
  MERGANSER_ASSIGN_OR_RETURN(plan::CreateTable table,
                             CreateTableParser(in, first, std::move(header)).Parse());
  return plan::Command(std::move(table));
}

}  // namespace merganser
