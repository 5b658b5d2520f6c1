#include "merganser/spark/sql/alter_parser.h"

#include <string>
#include <utility>
#include <variant>

#include "merganser/base/json.h"
#include "merganser/spark/sql/column_definition_parser.h"
#include "merganser/spark/sql/expression_parser.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/partition_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/string_literal.h"
#include "merganser/spark/sql/type_parser.h"

namespace merganser {
namespace {

using Action = decltype(plan::AlterTable::action);

bool AcceptColumnWord(TokenStream& in) {
  return in.AcceptWord("COLUMN") || in.AcceptWord("COLUMNS");
}

/// The tokens of a CHECK condition, one blank between them: how Delta writes them to the log.
std::string SpacedText(const TokenStream& in, size_t first, size_t end) {
  std::string text;
  for (size_t at = first; at < end; ++at) {
    if (!text.empty()) text.push_back(' ');
    text.append(in.Written(in.TokenAt(at)));
  }
  return text;
}

Result<Action> ParseAddConstraint(TokenStream& in) {
  plan::TableConstraint constraint;
  const bool is_named = in.AcceptWord("CONSTRAINT");
  if (is_named) {
    MERGANSER_ASSIGN_OR_RETURN(constraint.name, ParseIdentifier(in));
  }
  if (!in.PeekWord("CHECK")) {
    MERGANSER_RETURN_IF_ERROR(ParseKeyConstraint(in));
    return Action(plan::AlterAddOtherConstraint{"table constraint"});
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("CHECK"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  const size_t check_at = in.position();
  MERGANSER_ASSIGN_OR_RETURN(constraint.check.expression, ParseExpression(in));
  constraint.check.text = SpacedText(in, check_at, in.position());
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  SkipCharacteristics(in);
  if (!is_named) return Action(plan::AlterAddOtherConstraint{"ADD CONSTRAINT"});
  return Action(plan::AlterAddConstraint{std::move(constraint)});
}

/// `PARTITION (...), ...`: read to its end, for no table takes it.
Result<Action> ParsePartitionChange(TokenStream& in) {
  while (in.AcceptWord("PARTITION")) {
    MERGANSER_RETURN_IF_ERROR(ParsePartitionValues(in));
    in.AcceptSymbol(",");
  }
  return Action(plan::AlterPartition{});
}

Result<Action> ParseAdd(TokenStream& in) {
  if (in.PeekAnyWord({"CONSTRAINT", "CHECK", "PRIMARY", "UNIQUE", "FOREIGN"}))
    return ParseAddConstraint(in);
  if (in.PeekWord("PARTITION")) return ParsePartitionChange(in);
  if (in.PeekWord("IF")) return in.NotSupported("ALTER TABLE ... ADD IF NOT EXISTS");
  if (!AcceptColumnWord(in)) return in.SyntaxError();
  const bool enclosed = in.AcceptSymbol("(");
  plan::AlterAddColumns add;
  MERGANSER_ASSIGN_OR_RETURN(add.columns, ParseAlterColumns(in, "ADD"));
  if (enclosed) MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return Action(std::move(add));
}

Result<Action> ParseDropAction(TokenStream& in) {
  if (in.AcceptWord("CONSTRAINT")) {
    plan::AlterDropConstraint drop;
    drop.if_exists = in.AcceptWords("IF", "EXISTS");
    MERGANSER_ASSIGN_OR_RETURN(drop.name, ParseIdentifier(in));
    if (!in.AcceptWord("CASCADE")) in.AcceptWord("RESTRICT");
    return Action(std::move(drop));
  }
  if (in.AcceptWord("FEATURE")) {
    plan::AlterDropFeature drop;
    if (in.PeekString()) {
      MERGANSER_ASSIGN_OR_RETURN(drop.feature, ParseString(in));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(drop.feature, ParseIdentifier(in));
    }
    drop.truncate_history = in.AcceptWords("TRUNCATE", "HISTORY");
    return Action(std::move(drop));
  }
  if (in.PeekWord("PARTITION")) return ParsePartitionChange(in);
  if (in.PeekWord("IF")) return in.NotSupported("ALTER TABLE ... DROP IF EXISTS PARTITION");
  if (!AcceptColumnWord(in)) return in.SyntaxError();
  plan::AlterDropColumns drop;
  drop.if_exists = in.AcceptWords("IF", "EXISTS");
  if (in.PeekSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(drop.columns, ParseNamePartsList(in));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(drop.columns, ParseNamePartsSequence(in));
  }
  return Action(std::move(drop));
}

Result<Action> ParseRename(TokenStream& in) {
  if (in.AcceptWord("COLUMN")) {
    plan::AlterRenameColumn rename;
    MERGANSER_ASSIGN_OR_RETURN(rename.column, ParseNameParts(in));
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TO"));
    MERGANSER_ASSIGN_OR_RETURN(rename.new_name, ParseHyphenCheckedIdentifier(in));
    return Action(std::move(rename));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TO"));
  plan::AlterRenameTable rename;
  MERGANSER_ASSIGN_OR_RETURN(rename.new_name, ParseName(in));
  return Action(std::move(rename));
}

Result<Action> ParseSetAction(TokenStream& in) {
  if (in.AcceptWord("TBLPROPERTIES")) {
    plan::AlterSetProperties set;
    const TokenStream::Mark properties_at = in.mark();
    MERGANSER_ASSIGN_OR_RETURN(set.properties, ParseTableProperties(in));
    in.Rewind(properties_at);
    MERGANSER_ASSIGN_OR_RETURN(set.order, ParseWrittenKeys(in));
    return Action(std::move(set));
  }
  if (in.AcceptWord("LOCATION")) {
    plan::AlterSetLocation set;
    MERGANSER_ASSIGN_OR_RETURN(set.location, ParseString(in));
    return Action(std::move(set));
  }
  if (in.PeekAnyWord({"SERDE", "SERDEPROPERTIES"})) {
    return in.ErrorFrom(in.position(),
                        Error(ErrorClass::NOT_SUPPORTED_COMMAND_FOR_V2_TABLE,
                              {{"cmd", "ALTER TABLE ... SET [SERDE|SERDEPROPERTIES]"}}));
  }
  if (in.PeekAnyWord({"FILEFORMAT", "SKEWED"})) {
    return in.NotSupported("ALTER TABLE ... SET " + std::string(in.Peek().text));
  }
  return in.SyntaxError();
}

Result<Action> ParseUnset(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TBLPROPERTIES"));
  plan::AlterUnsetProperties unset;
  unset.if_exists = in.AcceptWords("IF", "EXISTS");
  MERGANSER_ASSIGN_OR_RETURN(unset.keys, ParsePropertyKeys(in));
  return Action(std::move(unset));
}

/// What ALTER COLUMN does to the column `change.column`. Reads nothing if no action stands at the
/// cursor.
Result<bool> ParseColumnAction(TokenStream& in, plan::AlterChangeColumn& change) {
  if (in.AcceptWord("TYPE")) {
    MERGANSER_ASSIGN_OR_RETURN(change.type, ParseDataType(in));
  } else if (in.AcceptWord("COMMENT")) {
    MERGANSER_ASSIGN_OR_RETURN(change.comment, ParseString(in));
  } else if (in.PeekAnyWord({"FIRST", "AFTER"})) {
    MERGANSER_ASSIGN_OR_RETURN(change.position_after, ParseColumnPosition(in));
  } else if (in.AcceptWords("SYNC", "IDENTITY")) {
    change.sync_identity = true;
  } else if (in.AcceptWords("DROP", "DEFAULT")) {
    change.drop_default = true;
  } else if (in.AcceptWords("SET", "DEFAULT")) {
    MERGANSER_ASSIGN_OR_RETURN(change.default_value, ParseExpressionText(in));
  } else if (in.PeekAnyWord({"SET", "DROP"})) {
    change.nullable = in.Next().is_word("DROP");
    if (!in.AcceptSymbol("!")) MERGANSER_RETURN_IF_ERROR(in.ExpectWord("NOT"));
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("NULL"));
  } else {
    return false;
  }
  return true;
}

/// `CHANGE old new type [NOT NULL] [COMMENT text] [FIRST | AFTER other]`, behind `old`.
Status ParseHiveChange(TokenStream& in, plan::AlterChangeColumn& change) {
  MERGANSER_ASSIGN_OR_RETURN(const StructField field, ParseField(in, false));
  if (field.name != change.column.back()) change.new_name = field.name;
  change.type = field.type;
  if (!field.nullable) change.nullable = false;
  if (const auto comment = field.metadata.find("comment"); comment != field.metadata.end()) {
    MERGANSER_ASSIGN_OR_RETURN(const Json text, Json::Parse(comment->second));
    change.comment = text.as_string();
  }
  MERGANSER_ASSIGN_OR_RETURN(change.position_after, ParseColumnPosition(in));
  return Status::Ok();
}

Result<Action> ParseChange(TokenStream& in, bool is_change) {
  const size_t first = in.position();
  in.AcceptWord("COLUMN");
  std::vector<plan::AlterChangeColumn> changes;
  do {
    plan::AlterChangeColumn change;
    MERGANSER_ASSIGN_OR_RETURN(change.column, ParseNameParts(in));
    MERGANSER_ASSIGN_OR_RETURN(const bool found, ParseColumnAction(in, change));
    if (!found && is_change && in.PeekIdentifier()) {
      MERGANSER_RETURN_IF_ERROR(ParseHiveChange(in, change));
    } else if (!found && (in.AtEnd() || in.PeekSymbol(";") || in.PeekSymbol(","))) {
      return in.ErrorFrom(first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0035,
                                       {{"message",
                                         "ALTER TABLE table ALTER COLUMN requires a TYPE, a "
                                         "SET/DROP, a COMMENT, or a FIRST/AFTER"}}));
    } else if (!found) {
      return in.SyntaxError();
    }
    changes.push_back(std::move(change));
  } while (in.AcceptSymbol(","));
  if (changes.size() == 1) return Action(std::move(changes[0]));
  return Action(plan::AlterChangeColumns{std::move(changes)});
}

Result<Action> ParseReplaceColumns(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("COLUMNS"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  plan::AlterReplaceColumns replace;
  MERGANSER_ASSIGN_OR_RETURN(replace.columns, ParseAlterColumns(in, "REPLACE"));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return Action(std::move(replace));
}

Result<Action> ParseClusterBy(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("BY"));
  plan::AlterClusterBy cluster;
  if (in.AcceptWord("NONE")) return Action(std::move(cluster));
  MERGANSER_ASSIGN_OR_RETURN(cluster.columns, ParseNamePartsList(in));
  return Action(std::move(cluster));
}

Result<Action> ParseAction(TokenStream& in) {
  if (in.AcceptWord("ADD")) return ParseAdd(in);
  if (in.AcceptWord("DROP")) return ParseDropAction(in);
  if (in.AcceptWord("RENAME")) return ParseRename(in);
  if (in.AcceptWord("SET")) return ParseSetAction(in);
  if (in.AcceptWord("UNSET")) return ParseUnset(in);
  if (in.AcceptWord("ALTER")) return ParseChange(in, false);
  if (in.AcceptWord("CHANGE")) return ParseChange(in, true);
  if (in.AcceptWord("REPLACE")) return ParseReplaceColumns(in);
  if (in.AcceptWord("CLUSTER")) return ParseClusterBy(in);
  const bool known =
      in.PeekAnyWord({"PARTITION", "RECOVER", "DEFAULT", "NOT", "CLUSTERED", "SKEWED", "EXCHANGE",
                      "ARCHIVE", "UNARCHIVE", "TOUCH", "COMPACT", "CONCATENATE", "WITH", "AS"});
  if (known) return in.NotSupported("ALTER ... " + std::string(in.Peek().text));
  return in.SyntaxError();
}

}  // namespace

Result<plan::AlterTable> ParseAlter(TokenStream& in) {
  plan::AlterTable alter;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("ALTER"));
  if (in.PeekWord("INDEX")) return in.NotSupported("ALTER INDEX");
  alter.is_view = in.AcceptWord("VIEW");
  if (!alter.is_view) MERGANSER_RETURN_IF_ERROR(in.ExpectWord("TABLE"));
  MERGANSER_ASSIGN_OR_RETURN(alter.name, ParseName(in));
  MERGANSER_ASSIGN_OR_RETURN(alter.action, ParseAction(in));
  return alter;
}

}  // namespace merganser
