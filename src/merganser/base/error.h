#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/query_context.h"

namespace merganser {

/// What a caller may do about an error. Code switches on the kind, never on message text.
enum class ErrorKind : uint8_t {
  kUser,           ///< The statement, its options or its data are at fault. Never retried.
  kConflict,       ///< Another writer won. Re-run the statement from a new snapshot.
  kUnsupported,    ///< Valid, but needs a feature this build lacks.
  kIo,             ///< Storage failed before anything became visible.
  kCommitUnknown,  ///< The commit call failed after it may have taken effect. Delete nothing.
  kCorruption,     ///< The log or a data file contradicts the protocol.
  kInternal,       ///< A Merganser bug.
};

// DuckDB's headers define macros that are called like error classes.
#pragma push_macro("INVALID_SCHEMA")
#undef INVALID_SCHEMA

/// Every error class of `errors/error_classes.json`, spelled as Spark and Delta spell it.
enum class ErrorClass : uint16_t {
#define MERGANSER_ERROR_CLASS(name) name,
#include "merganser/base/error_classes.inc"
#undef MERGANSER_ERROR_CLASS
};

#pragma pop_macro("INVALID_SCHEMA")

/// Registry entry of an error class.
struct ErrorClassDescription {
  std::string_view name;
  std::string_view sqlstate;
  ErrorKind kind;
  /// True for classes of Delta: their text carries no SQLSTATE suffix.
  bool from_delta;
  /// False for classes that Spark raises without a query context.
  bool has_context;
  /// JVM exception class first, then its superclasses up to java.lang.Throwable.
  std::vector<std::string_view> jvm_classes;
};

/// The registry entry of `error_class`.
const ErrorClassDescription& Describe(ErrorClass error_class);

/// The class called `name` (no subclass), if the registry has it.
std::optional<ErrorClass> FindErrorClass(std::string_view name);

/// An error as a value: class, subclass and parameters; the message is rendered from the registry.
///
/// Cheap to move; copying shares the cause.
class [[nodiscard]] Error {
 public:
  using Parameters = std::map<std::string, std::string, std::less<>>;

  /// `sub_class` is the part after the dot ("WITH_SUGGESTION"), empty where the class has none.
  explicit Error(ErrorClass error_class, Parameters parameters = {}, std::string sub_class = {});

  /// A Merganser bug: class INTERNAL_ERROR with `message`.
  static Error Internal(std::string message);

  ErrorClass error_class() const { return error_class_; }
  ErrorKind kind() const { return Describe(error_class_).kind; }
  std::string_view class_name() const { return Describe(error_class_).name; }
  const std::string& sub_class() const { return sub_class_; }
  /// "CLASS" or "CLASS.SUBCLASS".
  std::string full_name() const;
  std::string_view sqlstate() const { return Describe(error_class_).sqlstate; }
  const Parameters& parameters() const { return parameters_; }
  /// "[CLASS.SUBCLASS] text"; Spark's classes end in " SQLSTATE: xxxxx".
  const std::string& message() const { return message_; }
  const Error* cause() const { return cause_.get(); }
  const std::optional<QueryContext>& context() const { return context_; }

  Error CausedBy(Error cause) &&;
  Error At(QueryContext context) &&;

  /// One-line JSON that `FromJson` reads back; carries errors through the engine.
  std::string ToJson() const;
  static std::optional<Error> FromJson(std::string_view json);

 private:
  ErrorClass error_class_;
  std::string sub_class_;
  Parameters parameters_;
  std::string message_;
  std::shared_ptr<const Error> cause_;
  std::optional<QueryContext> context_;
};

}  // namespace merganser
