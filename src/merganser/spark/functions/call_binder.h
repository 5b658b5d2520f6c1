#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/spark/functions/registry.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

/// One call on its way from arguments to a typed expression: what the resolvers of the families
/// work with.
class CallBinder {
 public:
  CallBinder(const FunctionEntry& entry, const CallRequest& request, const TypingContext& context,
             const LambdaBinder& bind_lambda);

  const FunctionEntry& entry() const { return entry_; }
  const CallRequest& request() const { return request_; }
  const TypingContext& context() const { return context_; }
  size_t size() const { return arguments_.size(); }
  std::vector<BoundExpressionPtr>& arguments() { return arguments_; }
  const BoundExpressionPtr& argument(size_t i) const { return arguments_[i]; }
  const DataType& type(size_t i) const { return arguments_[i]->type; }
  bool AnyNullable() const;
  /// The lambda at position `i`, null if an ordinary argument stands there.
  const plan::Lambda* lambda(size_t i) const;

  /// Check the number of arguments, put named ones in order, fill in defaults, cast each
  /// implicitly. `signature` has the form of signature.h; its result is what ResultOf gives
  /// afterwards. Fails with WRONG_NUM_ARGS, DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE, .*_DIFF_TYPES
  /// and the classes of named arguments.
  Status Apply(std::string_view signature);
  /// Apply, then Finish with the signature's result.
  Result<BoundExpressionPtr> ApplyAndFinish(std::string_view signature);

  /// Fails with WRONG_NUM_ARGS unless the number of arguments is within [least, most].
  Status RequireArguments(size_t least, size_t most);

  /// Cast argument `i` implicitly; no check.
  void Cast(size_t i, const DataType& type);
  /// Cast all arguments from `first` on, `step` apart, to their common type; nullopt and unchanged
  /// if there is none.
  std::optional<DataType> CastToCommonType(size_t first = 0, size_t step = 1);

  /// The value of an argument without columns; nullopt if it has some, or no value.
  std::optional<plan::Literal> Constant(size_t i) const;
  std::optional<int64_t> ConstantInteger(size_t i) const;
  std::optional<std::string> ConstantString(size_t i) const;

  /// Bind the lambda at position `i`; its place in `arguments()` holds the BoundLambda afterwards.
  /// Fails with INVALID_LAMBDA_FUNCTION_CALL.
  Status BindLambda(size_t i, const std::vector<DataType>& types,
                    const std::vector<bool>& nullable);
  /// Type of the body of the bound lambda at position `i`.
  const DataType& LambdaType(size_t i) const;
  bool LambdaNullable(size_t i) const;
  /// Cast the body of the lambda at position `i`.
  void CastLambda(size_t i, const DataType& type);

  /// The finished call: a BoundAggregate for aggregates, else a BoundCall.
  BoundExpressionPtr Finish(DataType type, bool nullable) const;
  BoundExpressionPtr Finish(DataType type) const { return Finish(std::move(type), AnyNullable()); }
  /// A call that prints as itself and computes `replacement`.
  BoundExpressionPtr Replace(BoundExpressionPtr replacement) const;

  /// Another call of the same place in the text.
  Result<BoundExpressionPtr> Call(std::string_view name,
                                  std::vector<BoundExpressionPtr> arguments) const;
  BoundExpressionPtr Constant(plan::Literal literal) const;

  /// DATATYPE_MISMATCH with this call as `sqlExpr`.
  Error Mismatch(std::string sub_class, Error::Parameters parameters) const;
  /// DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE for argument `i`; `required` as error parameters show
  /// types.
  Error UnexpectedInput(size_t i, const std::string& required) const;
  /// DATATYPE_MISMATCH.NON_FOLDABLE_INPUT for argument `i`.
  Error NonFoldable(size_t i, const std::string& input_name) const;
  Error At(Error error) const;

 private:
  Status OrderNamedArguments(std::string_view signature);
  BoundExpressionPtr MakeCall(DataType type, bool nullable, BoundExpressionPtr replacement) const;

  const FunctionEntry& entry_;
  const CallRequest& request_;
  const TypingContext& context_;
  const LambdaBinder& bind_lambda_;
  std::vector<BoundExpressionPtr> arguments_;
  DataType result_;
  bool result_nullable_ = true;
};

/// `"BIGINT"`: a type as error parameters show it.
std::string QuotedType(const DataType& type);
/// `"(a + 1)"`: an expression as error parameters show it.
std::string QuotedExpression(const BoundExpression& expression);

}  // namespace merganser
