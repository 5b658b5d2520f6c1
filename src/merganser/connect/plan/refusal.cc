#include "merganser/connect/plan/refusal.h"

#include <string>

#include <google/protobuf/unknown_field_set.h>

namespace merganser::connect {
namespace {

/// `rel_type` as the classes of Spark's server call it when nothing is set: RELTYPE_NOT_SET.
std::string NotSetName(std::string_view oneof_name) {
  std::string name;
  for (const char c : oneof_name) {
    if (c != '_') name += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name + "_NOT_SET";
}

Error NotSupported(const google::protobuf::Message& message, std::string name, int number) {
  return Error(ErrorClass::CONNECT_INVALID_PLAN,
               {{"fullName", message.GetDescriptor()->full_name()},
                {"name", std::move(name)},
                {"number", std::to_string(number)}},
               "INVALID_ONE_OF_FIELD_NOT_SUPPORTED");
}

}  // namespace

Error RefuseOneof(const google::protobuf::Message& message, std::string_view oneof_name) {
  const auto* reflection = message.GetReflection();
  const auto* oneof = message.GetDescriptor()->FindOneofByName(std::string(oneof_name));
  if (oneof != nullptr && reflection->HasOneof(message, oneof)) {
    const auto* field = reflection->GetOneofFieldDescriptor(message, oneof);
    return NotSupported(message, field->name(), field->number());
  }
  // A member that a newer client knows arrives as an unknown field.
  const auto& unknown = reflection->GetUnknownFields(message);
  if (!unknown.empty()) return NotSupported(message, "unknown", unknown.field(0).number());
  return Error(
      ErrorClass::CONNECT_INVALID_PLAN,
      {{"fullName", message.GetDescriptor()->full_name()}, {"name", NotSetName(oneof_name)}},
      "INVALID_ONE_OF_FIELD_NOT_SET");
}

Error RefuseEnum(const google::protobuf::Message& message, std::string_view field_name) {
  const auto* field = message.GetDescriptor()->FindFieldByName(std::string(field_name));
  const int value = message.GetReflection()->GetEnumValue(message, field);
  const auto* known = field->enum_type()->FindValueByNumber(value);
  return Error(ErrorClass::CONNECT_INVALID_PLAN,
               {{"fullName", field->enum_type()->full_name()},
                {"name", known == nullptr ? "UNRECOGNIZED" : known->name()},
                {"number", std::to_string(value)}},
               "INVALID_ENUM");
}

Error InvalidPlan(std::string_view what) {
  return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"message", std::string(what)}},
               "ASSERTION_FAILURE");
}

}  // namespace merganser::connect
