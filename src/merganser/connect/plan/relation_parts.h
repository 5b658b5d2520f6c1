#pragma once

#include <string>

#include "delta/connect/delta.pb.h"
#include "merganser/base/result.h"
#include "merganser/connect/plan/translate.h"

/// Parts of relations and commands that several of the translating files need.
namespace merganser::connect {

/// One item of an ORDER BY.
Result<plan::ExpressionPtr> TranslateOrder(const spark::connect::Expression::SortOrder& order,
                                           TranslationContext& context);

/// An expression that the client wrote as SQL text.
Result<plan::ExpressionPtr> TranslateText(const std::string& text, TranslationContext& context);

/// Text as an expression, if it is set; null otherwise.
Result<plan::ExpressionPtr> TranslateOptional(bool is_set,
                                              const spark::connect::Expression& expression,
                                              TranslationContext& context);

/// `key` takes `value`. `key` must be a column's name.
Result<plan::Assignment> TranslateAssignment(const spark::connect::Expression& key,
                                             const spark::connect::Expression& value,
                                             TranslationContext& context);

/// The query or command of SQL text, its arguments in place. `references` are frames that the text
/// names (`{df}`): each a SubqueryAlias.
Result<plan::Statement> TranslateSqlText(const spark::connect::SQL& sql,
                                         std::vector<plan::CommonTable> references,
                                         TranslationContext& context);

/// WithRelations over SQL text.
Result<plan::Statement> TranslateSqlWithRelations(const spark::connect::WithRelations& with,
                                                  TranslationContext& context);

/// A statement as a relation: a query is itself, a command the rows it answers with.
plan::RelationPtr AsRelation(plan::Statement statement);

/// A catalog call as the command it is.
Result<plan::Command> TranslateCatalog(const spark::connect::Catalog& catalog,
                                       TranslationContext& context);

/// A relation of delta-spark's. Scan is a query, the others are commands.
Result<plan::Statement> TranslateDeltaRelation(const google::protobuf::Any& extension,
                                               TranslationContext& context);
Result<plan::Command> TranslateDeltaCommand(const google::protobuf::Any& extension,
                                            TranslationContext& context);

/// The name that stands for the table in a folder: delta.`path`.
plan::MultipartName PathName(const std::string& path);

template <typename Map>
plan::Options ToOptions(const Map& map) {
  plan::Options options;
  for (const auto& [key, value] : map) options.emplace(key, value);
  return options;
}

}  // namespace merganser::connect
