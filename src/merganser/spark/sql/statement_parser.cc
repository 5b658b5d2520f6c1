#include "merganser/spark/sql/statement_parser.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/spark/sql/alter_parser.h"
#include "merganser/spark/sql/create_table_parser.h"
#include "merganser/spark/sql/describe_parser.h"
#include "merganser/spark/sql/insert_parser.h"
#include "merganser/spark/sql/maintenance_parser.h"
#include "merganser/spark/sql/merge_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/partition_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/schema_parser.h"
#include "merganser/spark/sql/setting_parser.h"
#include "merganser/spark/sql/show_parser.h"
#include "merganser/spark/sql/update_parser.h"
#include "merganser/spark/sql/view_parser.h"

namespace merganser {
namespace {

using Body = std::variant<plan::RelationPtr, plan::Command>;

/// A parsing function's result as a statement.
template <typename T>
Result<Body> AsBody(Result<T> result) {
  if (!result.ok()) return std::move(result).error();
  return Body(plan::Command(std::move(result).value()));
}

bool PeekChange(const TokenStream& in) {
  return in.PeekAnyWord({"INSERT", "UPDATE", "DELETE", "MERGE"});
}

/// INSERT, UPDATE, DELETE or MERGE behind the tables of `with`.
Result<Body> ParseChange(TokenStream& in, plan::With with) {
  if (in.PeekWord("INSERT")) return AsBody(ParseInsert(in, std::move(with)));
  if (in.PeekWord("UPDATE")) return AsBody(ParseUpdate(in, std::move(with)));
  if (in.PeekWord("DELETE")) return AsBody(ParseDelete(in, std::move(with)));
  return AsBody(ParseMerge(in, std::move(with)));
}

Result<Body> ParseQueryOrChange(TokenStream& in) {
  const size_t first = in.position();
  plan::With with;
  if (in.PeekWord("WITH")) {
    MERGANSER_ASSIGN_OR_RETURN(with, ParseWithClause(in));
  }
  if (PeekChange(in)) return ParseChange(in, std::move(with));
  if (in.PeekWord("FROM")) {
    const TokenStream::Mark from_at = in.mark();
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr from, ParseFromClause(in));
    if (in.PeekWord("INSERT"))
      return AsBody(ParseInsertAfterFrom(in, std::move(from), std::move(with)));
    in.Rewind(from_at);
  }
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query,
                             ParseQueryAfterWith(in, std::move(with), first));
  return Body(std::move(query));
}

Result<Body> ParseExplain(TokenStream& in) {
  const Nesting nesting(in);
  MERGANSER_RETURN_IF_ERROR(nesting.Check());
  in.Next();
  plan::Explain explain;
  static constexpr std::pair<std::string_view, plan::ExplainMode> kModes[] = {
      {"EXTENDED", plan::ExplainMode::kExtended},   {"LOGICAL", plan::ExplainMode::kExtended},
      {"CODEGEN", plan::ExplainMode::kCodegen},     {"COST", plan::ExplainMode::kCost},
      {"FORMATTED", plan::ExplainMode::kFormatted},
  };
  for (const auto& [word, mode] : kModes) {
    if (!in.AcceptWord(word)) continue;
    explain.mode = mode;
    break;
  }
  // EXPLAIN ANALYZE TABLE explains the statement ANALYZE TABLE.
  if (explain.mode == plan::ExplainMode::kSimple && in.PeekWord("ANALYZE") &&
      !in.PeekAnyWord({"TABLE", "TABLES"}, 1)) {
    in.Next();
    explain.mode = plan::ExplainMode::kAnalyze;
  }
  MERGANSER_ASSIGN_OR_RETURN(Body body, ParseStatementBody(in));
  explain.statement = std::make_shared<const plan::Statement>(plan::Statement{std::move(body)});
  return Body(plan::Command(std::move(explain)));
}

Result<Body> ParseCreate(TokenStream& in) {
  if (PeekCreateTable(in)) return AsBody(ParseCreateTable(in));
  if (PeekCreateView(in)) return AsBody(ParseCreateView(in));
  if (PeekSchemaWord(in, 1)) return AsBody(ParseCreateSchema(in));
  const size_t ahead = in.PeekWords("OR", "REPLACE", 1) ? 3 : 1;
  const bool known = in.PeekAnyWord(
      {"FUNCTION", "TEMPORARY", "TEMP", "INDEX", "ROLE", "MATERIALIZED", "STREAMING", "FLOW"},
      ahead);
  if (known) return in.NotSupported("CREATE " + std::string(in.Peek(ahead).text));
  return in.SyntaxErrorAt(in.position() + 1);
}

/// Statements of Spark that this engine does not have.
bool PeekUnsupported(const TokenStream& in) {
  static constexpr std::string_view kWords[] = {
      "ADD",    "BEGIN",  "CALL",   "CLOSE",  "COMMIT",   "DECLARE", "DFS",    "EXECUTE",
      "EXPORT", "FETCH",  "GRANT",  "IMPORT", "LIST",     "LOAD",    "LOCK",   "MAP",
      "OPEN",   "REDUCE", "REPAIR", "REVOKE", "ROLLBACK", "START",   "UNLOCK",
  };
  const Token& token = in.Peek();
  if (!token.is(TokenKind::kWord)) return false;
  const std::string word = AsciiUpperCase(token.text);
  return std::binary_search(std::begin(kWords), std::end(kWords), std::string_view(word));
}

}  // namespace

Result<Body> ParseStatementBody(TokenStream& in) {
  if (in.PeekSymbol("(") || in.PeekAnyWord({"SELECT", "WITH", "FROM", "VALUES", "TABLE"}) ||
      PeekChange(in)) {
    return ParseQueryOrChange(in);
  }
  if (in.PeekWord("CREATE")) return ParseCreate(in);
  if (in.PeekWord("REPLACE")) return AsBody(ParseCreateTable(in));
  if (PeekAlterViewQuery(in)) return AsBody(ParseAlterViewQuery(in));
  if (in.PeekWord("ALTER") && PeekSchemaWord(in, 1)) return AsBody(ParseAlterSchema(in));
  if (PeekRecoverPartitions(in)) return AsBody(ParseCacheStatement(in));
  if (in.PeekWord("ALTER")) return AsBody(ParseAlter(in));
  if (in.PeekWord("DROP")) return AsBody(ParseDrop(in));
  if (in.PeekWord("TRUNCATE")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWords("TRUNCATE", "TABLE"));
    MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseName(in));
    const bool has_partition = in.AcceptWord("PARTITION");
    if (has_partition) MERGANSER_RETURN_IF_ERROR(ParsePartitionValues(in));
    return Body(plan::Command(plan::TruncateTable{std::move(name), has_partition}));
  }
  if (in.PeekWord("USE")) return AsBody(ParseUse(in));
  if (in.PeekWord("SET")) return AsBody(ParseSet(in));
  if (in.PeekWord("RESET")) return AsBody(ParseReset(in));
  if (in.PeekAnyWord({"DESCRIBE", "DESC"})) return AsBody(ParseDescribe(in));
  if (in.PeekWord("SHOW")) return AsBody(ParseShow(in));
  if (in.PeekWord("EXPLAIN")) return ParseExplain(in);
  if (in.PeekWord("COMMENT")) return AsBody(ParseCommentOn(in));
  if (in.PeekWord("OPTIMIZE")) return AsBody(ParseOptimize(in));
  if (in.PeekWord("VACUUM")) return AsBody(ParseVacuum(in));
  if (in.PeekWord("RESTORE")) return AsBody(ParseRestore(in));
  if (in.PeekWord("REORG")) return AsBody(ParseReorg(in));
  if (in.PeekWord("CONVERT")) return AsBody(ParseConvert(in));
  if (in.PeekWord("GENERATE")) return AsBody(ParseGenerate(in));
  if (in.PeekAnyWord({"ANALYZE", "REFRESH", "CACHE", "UNCACHE", "CLEAR", "MSCK"}))
    return AsBody(ParseCacheStatement(in));
  if (PeekUnsupported(in))
    return in.NotSupported("the statement " + AsciiUpperCase(in.Peek().text));
  return in.SyntaxError();
}

}  // namespace merganser
