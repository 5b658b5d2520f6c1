#include "merganser/spark/sql/view_parser.h"

#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/query_parser.h"
#include "merganser/spark/sql/string_literal.h"
#include "merganser/spark/sql/type_parser.h"

namespace merganser {
namespace {

/// `(a COMMENT 'x', b)`.
Result<std::vector<plan::ViewColumn>> ParseViewColumns(TokenStream& in) {
  std::vector<plan::ViewColumn> columns;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    plan::ViewColumn column;
    MERGANSER_ASSIGN_OR_RETURN(column.name, ParseIdentifier(in));
    if (in.AcceptWord("COMMENT")) {
      MERGANSER_ASSIGN_OR_RETURN(column.comment, ParseString(in));
    }
    columns.push_back(std::move(column));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return columns;
}

/// `[(columns)] USING format [OPTIONS (...)]` as a relation.
Result<plan::RelationPtr> ParseFileView(TokenStream& in) {
  const size_t first = in.position();
  plan::FileSource source;
  if (in.AcceptSymbol("(")) {
    MERGANSER_ASSIGN_OR_RETURN(source.schema, ParseFields(in, false));
    MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  }
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("USING"));
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> format, ParseNameParts(in));
  for (const std::string& part : format) source.format += (source.format.empty() ? "" : ".") + part;
  if (in.AcceptWord("OPTIONS")) {
    MERGANSER_ASSIGN_OR_RETURN(source.options, ParseProperties(in));
  }
  for (auto option = source.options.begin(); option != source.options.end(); ++option) {
    if (AsciiLowerCase(option->first) != "path") continue;
    source.paths.push_back(std::move(option->second));
    source.options.erase(option);
    break;
  }
  return plan::MakeRelation(std::move(source), in.OriginFrom(first));
}

/// Is what follows the name `[(a INT)] USING`, rather than columns and AS?
bool PeekFileView(const TokenStream& in) {
  const auto close = in.PeekSymbol("(") ? in.ClosingParenthesis() : std::nullopt;
  return in.PeekWord("USING", close ? *close + 1 : 0);
}

/// `BINDING`, `COMPENSATION`, `TYPE EVOLUTION` or `EVOLUTION`.
Result<plan::ViewSchemaMode> ParseSchemaMode(TokenStream& in) {
  std::string text = in.AcceptWord("TYPE") ? "TYPE " : "";
  text += AsciiUpperCase(in.Peek().text);
  const auto mode = plan::ParseViewSchemaMode(text);
  if (!mode) return in.SyntaxError();
  in.Next();
  return *mode;
}

/// COMMENT, TBLPROPERTIES and WITH SCHEMA.
Status ParseViewClauses(TokenStream& in, plan::CreateView& view) {
  while (true) {
    if (in.AcceptWord("COMMENT")) {
      MERGANSER_ASSIGN_OR_RETURN(view.comment, ParseString(in));
    } else if (in.AcceptWord("TBLPROPERTIES")) {
      MERGANSER_ASSIGN_OR_RETURN(view.properties, ParseTableProperties(in));
    } else if (in.AcceptWords("WITH", "SCHEMA")) {
      MERGANSER_ASSIGN_OR_RETURN(view.schema_mode, ParseSchemaMode(in));
    } else {
      return Status::Ok();
    }
  }
}

Status CheckView(const TokenStream& in, size_t first, const plan::CreateView& view) {
  const std::string name = QuotedIdentifier(view.name.parts);
  if (view.if_not_exists && view.temporary) {
    return in.ErrorFrom(first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0053));
  }
  if (view.if_not_exists && view.replace) {
    return in.ErrorFrom(
        first, Error(ErrorClass::CREATE_VIEW_WITH_IF_NOT_EXISTS_AND_REPLACE, {{"viewName", name}}));
  }
  if (view.temporary && view.name.parts.size() > 1) {
    const std::vector<std::string> qualifier(view.name.parts.begin(), view.name.parts.end() - 1);
    return in.ErrorFrom(first, Error(ErrorClass::INVALID_TEMP_OBJ_QUALIFIER,
                                     {{"objectType", "VIEW"},
                                      {"objectName", QuotedIdentifier(view.name.parts.back())},
                                      {"qualifier", QuotedIdentifier(qualifier)}}));
  }
  return Status::Ok();
}

}  // namespace

bool PeekCreateView(const TokenStream& in) {
  size_t ahead = in.PeekWord("OR", 1) && in.PeekWord("REPLACE", 2) ? 3 : 1;
  if (in.PeekWord("GLOBAL", ahead)) ++ahead;
  if (in.PeekAnyWord({"TEMPORARY", "TEMP"}, ahead)) ++ahead;
  return in.PeekWord("CREATE") && in.PeekWord("VIEW", ahead);
}

Result<plan::CreateView> ParseCreateView(TokenStream& in) {
  const size_t first = in.position();
  plan::CreateView view;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("CREATE"));
  view.replace = in.AcceptWords("OR", "REPLACE");
  view.global = in.AcceptWord("GLOBAL");
  view.temporary = in.AcceptWord("TEMPORARY") || in.AcceptWord("TEMP");
  if (view.global && !view.temporary) return in.SyntaxError();
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("VIEW"));
  if (in.PeekWord("IF") && in.PeekWords("NOT", "EXISTS", 1)) {
    for (int i = 0; i < 3; ++i) in.Next();
    view.if_not_exists = true;
  }
  MERGANSER_ASSIGN_OR_RETURN(view.name, ParseName(in));
  if (view.temporary && PeekFileView(in)) {
    MERGANSER_ASSIGN_OR_RETURN(view.query, ParseFileView(in));
  } else {
    if (in.PeekSymbol("(")) {
      MERGANSER_ASSIGN_OR_RETURN(view.columns, ParseViewColumns(in));
    }
    MERGANSER_RETURN_IF_ERROR(ParseViewClauses(in, view));
    MERGANSER_RETURN_IF_ERROR(in.ExpectWord("AS"));
    const size_t query_at = in.position();
    MERGANSER_ASSIGN_OR_RETURN(view.query, ParseQuery(in));
    view.query_text = std::string(in.TextFrom(query_at));
  }
  MERGANSER_RETURN_IF_ERROR(CheckView(in, first, view));
  return view;
}

bool PeekAlterViewQuery(const TokenStream& in) {
  if (!in.PeekWord("ALTER") || !in.PeekWord("VIEW", 1)) return false;
  size_t ahead = 3;
  while (in.PeekSymbol(".", ahead)) ahead += 2;
  return in.PeekAnyWord({"AS", "SELECT", "WITH", "VALUES", "FROM", "TABLE"}, ahead);
}

Result<plan::CreateView> ParseAlterViewQuery(TokenStream& in) {
  plan::CreateView view;
  view.must_exist = true;
  view.temporary = false;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("ALTER", "VIEW"));
  MERGANSER_ASSIGN_OR_RETURN(view.name, ParseName(in));
  in.AcceptWord("AS");
  const size_t query_at = in.position();
  MERGANSER_ASSIGN_OR_RETURN(view.query, ParseQuery(in));
  view.query_text = std::string(in.TextFrom(query_at));
  return view;
}

}  // namespace merganser
