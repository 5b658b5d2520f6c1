#include "merganser/connect/plan_compression.h"

#include <string>

#include <google/protobuf/io/coded_stream.h>

#include "merganser/connect/deep_request.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/engine/zstd.h"

namespace merganser::connect {
namespace {

using spark::connect::Plan;

// As much as a request may have that is not compressed.
constexpr size_t kLargestPlan = size_t{128} << 20;

Status ParseBytes(const std::string& bytes, google::protobuf::Message* message) {
  google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kDeepestRequest);
  if (message->ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage()) return Status::Ok();
  return Error(ErrorClass::CONNECT_INVALID_PLAN,
               {{"errorMsg", "the compressed plan is malformed, or it nests too deep"}},
               "CANNOT_PARSE");
}

}  // namespace

Result<Plan> Uncompressed(const Plan& plan) {
  if (!plan.has_compressed_operation()) return plan;
  const Plan::CompressedOperation& compressed = plan.compressed_operation();
  if (compressed.compression_codec() != spark::connect::COMPRESSION_CODEC_ZSTD)
    return RefuseEnum(compressed, "compression_codec");
  MERGANSER_ASSIGN_OR_RETURN(const std::string bytes,
                             engine::DecompressZstd(compressed.data(), kLargestPlan));
  Plan expanded;
  switch (compressed.op_type()) {
    case Plan::CompressedOperation::OP_TYPE_RELATION:
      MERGANSER_RETURN_IF_ERROR(ParseBytes(bytes, expanded.mutable_root()));
      return expanded;
    case Plan::CompressedOperation::OP_TYPE_COMMAND:
      MERGANSER_RETURN_IF_ERROR(ParseBytes(bytes, expanded.mutable_command()));
      return expanded;
    default:
      return RefuseEnum(compressed, "op_type");
  }
}

}  // namespace merganser::connect
