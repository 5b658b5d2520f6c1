#include "merganser/spark/sql/maintenance_parser.h"

#include <charconv>
#include <string>
#include <utility>

#include "merganser/spark/sql/column_definition_parser.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/number_literal.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/relation_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

/// A number of hours, with a sign and a fraction if need be.
Result<double> ParseHours(TokenStream& in) {
  const double sign = in.AcceptSymbol("-") ? -1 : 1;
  if (!in.Peek().is_number()) return in.SyntaxError();
  const std::string_view text = in.Peek().text;
  double hours = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hours);
  if (error != std::errc()) return in.SyntaxError();
  in.Next();
  return sign * hours;
}

}  // namespace

Result<plan::Optimize> ParseOptimize(TokenStream& in) {
  plan::Optimize optimize;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("OPTIMIZE"));
  MERGANSER_ASSIGN_OR_RETURN(optimize.name, ParseNameOrPath(in));
  optimize.full = in.AcceptWord("FULL");
  MERGANSER_ASSIGN_OR_RETURN(optimize.condition, ParseWhere(in));
  if (in.AcceptWord("ZORDER")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("BY"));
    if (in.PeekSymbol("(")) {
      MERGANSER_ASSIGN_OR_RETURN(optimize.zorder_by, ParseNamePartsList(in));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(optimize.zorder_by, ParseNamePartsSequence(in));
    }
  }
  return optimize;
}

Result<plan::Vacuum> ParseVacuum(TokenStream& in) {
  plan::Vacuum vacuum;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("VACUUM"));
  MERGANSER_ASSIGN_OR_RETURN(vacuum.name, ParseNameOrPath(in));
  while (true) {
    if (in.AcceptWord("LITE")) {
      vacuum.lite = true;
    } else if (in.AcceptWord("RETAIN")) {
      MERGANSER_ASSIGN_OR_RETURN(vacuum.retain_hours, ParseHours(in));
      MERGANSER_RETURN_IF_ERROR(in.ExpectWord("HOURS"));
    } else if (in.AcceptWord("DRY")) {
      MERGANSER_RETURN_IF_ERROR(in.ExpectWord("RUN"));
      vacuum.dry_run = true;
    } else if (in.PeekWords("USING", "INVENTORY")) {
      return in.NotSupported("VACUUM ... USING INVENTORY");
    } else if (!in.AcceptWord("FULL")) {
      return vacuum;
    }
  }
}

Result<plan::Restore> ParseRestore(TokenStream& in) {
  plan::Restore restore;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("RESTORE"));
  if (in.PeekIdentifier(1)) in.AcceptWord("TABLE");
  MERGANSER_ASSIGN_OR_RETURN(restore.name, ParseName(in));
  in.AcceptWord("TO");
  MERGANSER_ASSIGN_OR_RETURN(std::optional<plan::TimeTravel> to, ParseTimeTravel(in));
  if (!to) return in.SyntaxError();
  restore.to = *std::move(to);
  return restore;
}

Result<plan::ReorgPurge> ParseReorg(TokenStream& in) {
  plan::ReorgPurge reorg;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("REORG", "TABLE"));
  MERGANSER_ASSIGN_OR_RETURN(reorg.name, ParseName(in));
  MERGANSER_ASSIGN_OR_RETURN(reorg.condition, ParseWhere(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("APPLY"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  if (!in.AcceptWord("PURGE")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWords("UPGRADE", "UNIFORM"));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("ICEBERG_COMPAT_VERSION"));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("="));
    MERGANSER_ASSIGN_OR_RETURN(const int64_t version, ParseInteger(in));
    reorg.upgrade_uniform = static_cast<int>(version);
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return reorg;
}

Result<plan::ConvertToDelta> ParseConvert(TokenStream& in) {
  plan::ConvertToDelta convert;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("CONVERT", "TO"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("DELTA"));
  MERGANSER_ASSIGN_OR_RETURN(convert.name, ParseName(in));
  convert.no_statistics = in.AcceptWords("NO", "STATISTICS");
  if (!in.AcceptWords("PARTITIONED", "BY")) return convert;
  bool has_constraints = false;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    MERGANSER_ASSIGN_OR_RETURN(plan::ColumnDefinition column,
                               ParseTableColumn(in, &has_constraints));
    convert.partition_by.push_back(std::move(column));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return convert;
}

Result<plan::Generate> ParseGenerate(TokenStream& in) {
  plan::Generate generate;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("GENERATE"));
  MERGANSER_ASSIGN_OR_RETURN(generate.mode, ParseIdentifier(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("FOR", "TABLE"));
  MERGANSER_ASSIGN_OR_RETURN(generate.name, ParseName(in));
  return generate;
}

namespace {

Result<plan::Command> ParseAnalyze(TokenStream& in) {
  in.Next();
  plan::NoOperation nothing{"ANALYZE TABLE", {}};
  if (in.AcceptWord("TABLES")) {
    if (in.AcceptWord("FROM") || in.AcceptWord("IN")) MERGANSER_RETURN_IF_ERROR(ParseName(in));
  } else {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TABLE"));
    MERGANSER_ASSIGN_OR_RETURN(nothing.table, ParseName(in));
    if (in.PeekWord("PARTITION")) return in.NotSupported("ANALYZE TABLE ... PARTITION");
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("COMPUTE", "STATISTICS"));
  if (in.AcceptWord("NOSCAN")) return plan::Command(std::move(nothing));
  if (in.AcceptWord("FOR")) {
    const bool all = in.AcceptWords("ALL", "COLUMNS");
    if (!all) MERGANSER_RETURN_IF_ERROR(in.ExpectWord("COLUMNS"));
    if (!all) MERGANSER_RETURN_IF_ERROR(ParseNamePartsSequence(in));
  }
  return plan::Command(std::move(nothing));
}

Result<plan::Command> ParseRefresh(TokenStream& in) {
  in.Next();
  plan::NoOperation nothing{"REFRESH", {}};
  if (in.AcceptWord("TABLE")) {
    MERGANSER_ASSIGN_OR_RETURN(nothing.table, ParseName(in));
  } else if (in.AcceptWord("FUNCTION")) {
    return in.NotSupported("REFRESH FUNCTION");
  } else {
    // A path, quoted or not, which may hold anything.
    if (in.AtEnd() || in.PeekSymbol(";")) return in.SyntaxError();
    in.SkipToEnd();
  }
  return plan::Command(std::move(nothing));
}

Result<plan::Command> ParseCache(TokenStream& in) {
  in.Next();
  in.AcceptWord("LAZY");
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TABLE"));
  MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseName(in));
  if (in.AcceptWord("OPTIONS")) MERGANSER_RETURN_IF_ERROR(ParseProperties(in));
  if (!in.AcceptWord("AS") && !in.PeekQuery())
    return plan::Command(plan::NoOperation{"CACHE TABLE", std::move(name)});
  plan::CreateView view;
  view.name = std::move(name);
  const size_t query_at = in.position();
  MERGANSER_ASSIGN_OR_RETURN(view.query, ParseQuery(in));
  view.query_text = std::string(in.TextFrom(query_at));
  return plan::Command(std::move(view));
}

/// Partitions of tables of files are found when they are read.
Result<plan::Command> ParseRepair(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("MSCK", "REPAIR"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TABLE"));
  plan::NoOperation nothing{"MSCK REPAIR TABLE", {}};
  MERGANSER_ASSIGN_OR_RETURN(nothing.table, ParseName(in));
  if (in.AcceptWord("ADD") || in.AcceptWord("DROP") || in.AcceptWord("SYNC"))
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("PARTITIONS"));
  return plan::Command(std::move(nothing));
}

Result<plan::Command> ParseRecoverPartitions(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("ALTER", "TABLE"));
  plan::NoOperation nothing{"ALTER TABLE ... RECOVER PARTITIONS", {}};
  MERGANSER_ASSIGN_OR_RETURN(nothing.table, ParseName(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("RECOVER", "PARTITIONS"));
  return plan::Command(std::move(nothing));
}

}  // namespace

bool PeekRecoverPartitions(const TokenStream& in) {
  if (!in.PeekWords("ALTER", "TABLE")) return false;
  size_t ahead = 3;
  while (in.PeekSymbol(".", ahead)) ahead += 2;
  return in.PeekWords("RECOVER", "PARTITIONS", ahead);
}

Result<plan::Command> ParseCacheStatement(TokenStream& in) {
  if (in.PeekWord("ANALYZE")) return ParseAnalyze(in);
  if (in.PeekWord("MSCK")) return ParseRepair(in);
  if (in.PeekWord("ALTER")) return ParseRecoverPartitions(in);
  if (in.PeekWord("REFRESH")) return ParseRefresh(in);
  if (in.PeekWord("CACHE")) return ParseCache(in);
  if (in.AcceptWord("UNCACHE")) {
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TABLE"));
    const bool if_exists = in.AcceptWords("IF", "EXISTS");
    MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseName(in));
    plan::NoOperation uncache{"UNCACHE TABLE", {}};
    if (!if_exists) uncache.table = std::move(name);
    return plan::Command(std::move(uncache));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("CLEAR", "CACHE"));
  return plan::Command(plan::NoOperation{"CLEAR CACHE", {}});
}

}  // namespace merganser
