#pragma once

#include <string>
#include <utility>
#include <vector>

#include "merganser/connect/plan/translate.h"

namespace merganser::connect {

namespace proto = spark::connect;

/// Translates one relation, a method a kind; its inputs by way of TranslateRelation. Errors are
/// those of TranslateRelation.
class RelationTranslator {
 public:
  explicit RelationTranslator(TranslationContext& context) : context_(context) {}

  // translate_reads.cc: where rows come from.
  Result<plan::RelationPtr> Read(const proto::Read& read);
  Result<plan::RelationPtr> Parse(const proto::Parse& parse);
  Result<plan::RelationPtr> Local(const proto::LocalRelation& local);
  Result<plan::RelationPtr> CachedLocal(const proto::CachedLocalRelation& cached);
  Result<plan::RelationPtr> ChunkedLocal(const proto::ChunkedCachedLocalRelation& chunked);
  Result<plan::RelationPtr> TableFunction(const proto::UnresolvedTableValuedFunction& function);

  // translate_rows.cc: which rows there are, and their order.
  static Result<plan::RelationPtr> Range(const proto::Range& range);
  Result<plan::RelationPtr> Project(const proto::Project& project);
  Result<plan::RelationPtr> Filter(const proto::Filter& filter);
  Result<plan::RelationPtr> Join(const proto::Join& join);
  Result<plan::RelationPtr> LateralJoin(const proto::LateralJoin& join);
  Result<plan::RelationPtr> SetOperation(const proto::SetOperation& operation);
  Result<plan::RelationPtr> Sort(const proto::Sort& sort);
  Result<plan::RelationPtr> Deduplicate(const proto::Deduplicate& deduplicate);
  Result<plan::RelationPtr> Sample(const proto::Sample& sample);
  Result<plan::RelationPtr> Repartition(const proto::Repartition& parts);
  Result<plan::RelationPtr> Repartition(const proto::RepartitionByExpression& parts);

  // translate_columns.cc: other columns over the same or grouped rows.
  Result<plan::RelationPtr> Aggregate(const proto::Aggregate& aggregate);
  Result<plan::RelationPtr> WithColumns(const proto::WithColumns& with);
  Result<plan::RelationPtr> WithColumnsRenamed(const proto::WithColumnsRenamed& renamed);
  Result<plan::RelationPtr> Drop(const proto::Drop& drop);
  Result<plan::RelationPtr> ToDF(const proto::ToDF& frame);
  Result<plan::RelationPtr> ToSchema(const proto::ToSchema& to);
  Result<plan::RelationPtr> Unpivot(const proto::Unpivot& unpivot);
  Result<plan::RelationPtr> Transpose(const proto::Transpose& transpose);
  Result<plan::RelationPtr> FillNulls(const proto::NAFill& fill);
  Result<plan::RelationPtr> DropNulls(const proto::NADrop& drop);
  Result<plan::RelationPtr> ReplaceValues(const proto::NAReplace& replace);

  /// describe and summary: `statistics` of `columns`, of all where there are none.
  template <typename Message>
  Result<plan::RelationPtr> Summary(const Message& message, std::vector<std::string> columns,
                                    std::vector<std::string> statistics) {
    plan::Summary translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(message));
    translated.columns = std::move(columns);
    translated.statistics = std::move(statistics);
    return plan::MakeRelation(std::move(translated));
  }

  /// The input, unchanged.
  template <typename Message>
  Result<plan::RelationPtr> Input(const Message& message) {
    return TranslateRelation(message.input(), context_);
  }

  /// The input under a hint of that name.
  template <typename Message>
  Result<plan::RelationPtr> PassThrough(const Message& message, std::string name) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(message));
    return plan::MakeRelation(plan::Hint{std::move(child), std::move(name)});
  }

 private:
  Result<plan::RelationPtr> Pivot(const proto::Aggregate& aggregate,
                                  std::vector<plan::ExpressionPtr> keys,
                                  std::vector<plan::ExpressionPtr> values);
  Result<std::vector<plan::ExpressionPtr>> Expressions(
      const google::protobuf::RepeatedPtrField<proto::Expression>& expressions);
  /// The fields of a struct type.
  Result<StructType> FieldsOf(const proto::DataType& schema) const;
  /// A schema as JSON or DDL text.
  Result<StructType> ReadSchema(const std::string& text) const;

  TranslationContext& context_;
};

}  // namespace merganser::connect
