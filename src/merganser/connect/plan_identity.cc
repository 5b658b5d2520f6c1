#include "merganser/connect/plan_identity.h"

#include <functional>
#include <vector>

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

namespace merganser::connect {
namespace {

using google::protobuf::Message;

void ClearIdentity(Message* message) {
  if (auto* relation = dynamic_cast<spark::connect::Relation*>(message)) relation->clear_common();
  if (auto* expression = dynamic_cast<spark::connect::Expression*>(message))
    expression->clear_common();
  const auto* reflection = message->GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const auto* field : fields) {
    if (field->message_type() == nullptr || field->is_map()) continue;
    if (!field->is_repeated()) {
      ClearIdentity(reflection->MutableMessage(message, field));
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(*message, field); ++i)
      ClearIdentity(reflection->MutableRepeatedMessage(message, field, i));
  }
}

}  // namespace

std::string PlanBytes(const spark::connect::Plan& plan) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream out(&bytes);
    google::protobuf::io::CodedOutputStream stream(&out);
    stream.SetSerializationDeterministic(true);
    plan.SerializeToCodedStream(&stream);
  }
  return bytes;
}

std::string PlanFingerprint(const spark::connect::Plan& plan) {
  const std::string bytes = PlanBytes(plan);
  return std::to_string(bytes.size()) + "-" + std::to_string(std::hash<std::string>()(bytes));
}

std::string PlanMeaning(const spark::connect::Plan& plan) {
  spark::connect::Plan copy = plan;
  ClearIdentity(&copy);
  return PlanBytes(copy);
}

}  // namespace merganser::connect
