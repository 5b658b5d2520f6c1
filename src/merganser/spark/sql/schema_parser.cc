#include "merganser/spark/sql/schema_parser.h"

#include <string>
#include <utility>

#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/property_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {

bool PeekSchemaWord(const TokenStream& in, size_t ahead) {
  return in.PeekAnyWord({"SCHEMA", "DATABASE", "NAMESPACE"}, ahead);
}

Result<plan::CreateSchema> ParseCreateSchema(TokenStream& in) {
  const size_t first = in.position();
  plan::CreateSchema schema;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("CREATE"));
  if (!PeekSchemaWord(in)) return in.SyntaxError();
  in.Next();
  if (in.PeekWord("IF") && in.PeekWords("NOT", "EXISTS", 1)) {
    for (int i = 0; i < 3; ++i) in.Next();
    schema.if_not_exists = true;
  }
  MERGANSER_ASSIGN_OR_RETURN(schema.name, ParseName(in));
  bool has_properties = false;
  const auto duplicate = [&](std::string clause) {
    return in.ErrorFrom(first,
                        Error(ErrorClass::DUPLICATE_CLAUSES, {{"clauseName", std::move(clause)}}));
  };
  while (true) {
    if (in.AcceptWord("COMMENT")) {
      if (schema.comment) return duplicate("COMMENT");
      MERGANSER_ASSIGN_OR_RETURN(schema.comment, ParseString(in));
    } else if (in.AcceptWord("LOCATION")) {
      if (schema.location) return duplicate("LOCATION");
      MERGANSER_ASSIGN_OR_RETURN(schema.location, ParseString(in));
    } else if (in.PeekWord("WITH") && in.PeekAnyWord({"DBPROPERTIES", "PROPERTIES"}, 1)) {
      if (has_properties) return duplicate("PROPERTIES");
      has_properties = true;
      in.Next();
      in.Next();
      MERGANSER_ASSIGN_OR_RETURN(schema.properties, ParseProperties(in));
    } else {
      return schema;
    }
  }
}

Result<plan::AlterSchema> ParseAlterSchema(TokenStream& in) {
  plan::AlterSchema alter;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("ALTER"));
  if (!PeekSchemaWord(in)) return in.SyntaxError();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(alter.name, ParseName(in));
  const bool sets = in.AcceptWord("SET");
  if (!sets) MERGANSER_RETURN_IF_ERROR(in.ExpectWord("UNSET"));
  if (sets && in.PeekWord("LOCATION")) return in.NotSupported("ALTER SCHEMA ... SET LOCATION");
  if (!in.AcceptWord("DBPROPERTIES")) MERGANSER_RETURN_IF_ERROR(in.ExpectWord("PROPERTIES"));
  if (sets) {
    MERGANSER_ASSIGN_OR_RETURN(alter.set, ParseProperties(in));
  } else {
    in.AcceptWords("IF", "EXISTS");
    MERGANSER_ASSIGN_OR_RETURN(alter.unset, ParsePropertyKeys(in));
  }
  return alter;
}

Result<plan::Command> ParseDrop(TokenStream& in) {
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("DROP"));
  const bool schema = PeekSchemaWord(in);
  const bool table = in.PeekWord("TABLE");
  if (!schema && !table && !in.PeekWord("VIEW")) {
    const bool known = in.PeekAnyWord({"FUNCTION", "TEMPORARY", "TEMP", "INDEX", "ROLE"});
    return known ? in.NotSupported("DROP " + std::string(in.Peek().text)) : in.SyntaxError();
  }
  in.Next();
  const bool if_exists = in.PeekWords("IF", "EXISTS") && in.AcceptWords("IF", "EXISTS");
  MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseName(in));
  if (schema) {
    const bool cascade = in.AcceptWord("CASCADE");
    if (!cascade) in.AcceptWord("RESTRICT");
    return plan::Command(plan::DropSchema{std::move(name), if_exists, cascade});
  }
  if (table)
    return plan::Command(plan::DropTable{std::move(name), if_exists, in.AcceptWord("PURGE")});
  return plan::Command(plan::DropView{std::move(name), if_exists});
}

Result<plan::UseSchema> ParseUse(TokenStream& in) {
  plan::UseSchema use;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("USE"));
  if (PeekSchemaWord(in) && in.PeekIdentifier(1)) in.Next();
  MERGANSER_ASSIGN_OR_RETURN(use.name, ParseName(in));
  return use;
}

Result<plan::CommentOn> ParseCommentOn(TokenStream& in) {
  plan::CommentOn comment;
  MERGANSER_RETURN_IF_ERROR(in.ExpectWords("COMMENT", "ON"));
  comment.schema = PeekSchemaWord(in);
  if (!comment.schema && !in.PeekWord("TABLE")) return in.SyntaxError();
  in.Next();
  MERGANSER_ASSIGN_OR_RETURN(comment.name, ParseName(in));
  MERGANSER_RETURN_IF_ERROR(in.ExpectWord("IS"));
  if (in.AcceptWord("NULL")) return comment;
  MERGANSER_ASSIGN_OR_RETURN(comment.comment, ParseString(in));
  return comment;
}

}  // namespace merganser
