#pragma once

#include <string>

#include <google/protobuf/io/coded_stream.h>
#include <grpcpp/impl/codegen/proto_utils.h>

#include "spark/connect/service.pb.h"

/// How deep the messages of a request may nest. Each step of a DataFrame nests two, and protobuf
/// stops at 100 unless told otherwise.
inline constexpr int kDeepestRequest = 1024;

namespace grpc {

/// Reads requests that hold plans with the limit above. Every source that instantiates the service
/// must see these, or the readers would differ.
template <typename Request>
class DeepRequestTraits {
 public:
  static Status Serialize(const protobuf::MessageLite& message, ByteBuffer* buffer, bool* own) {
    return GenericSerialize<ProtoBufferWriter, Request>(message, buffer, own);
  }
  static Status Deserialize(ByteBuffer* buffer, protobuf::MessageLite* message) {
    if (buffer == nullptr) return Status(StatusCode::INTERNAL, "No payload");
    Status status;
    {
      ProtoBufferReader reader(buffer);
      if (!reader.status().ok()) return reader.status();
      google::protobuf::io::CodedInputStream stream(&reader);
      stream.SetRecursionLimit(kDeepestRequest);
      if (!message->ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
        status = Status(StatusCode::INVALID_ARGUMENT,
                        "The request is malformed, or it nests deeper than " +
                            std::to_string(kDeepestRequest) + " levels.");
      }
    }
    buffer->Clear();
    return status;
  }
};

template <>
class SerializationTraits<spark::connect::ExecutePlanRequest, void>
    : public DeepRequestTraits<spark::connect::ExecutePlanRequest> {};
/// Calls with one request and one answer read their requests as this base.
template <>
class SerializationTraits<protobuf::MessageLite, void>
    : public DeepRequestTraits<protobuf::MessageLite> {};

}  // namespace grpc
