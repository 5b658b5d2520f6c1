#pragma once

#include <string>

#include <google/protobuf/message.h>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser::connect {

/// UNSUPPORTED_CALL about something of a streaming query.
Error UnsupportedStream(const std::string& what);

/// Whether a stream is read somewhere in a message.
bool ReadsStream(const google::protobuf::Message& message);

/// Ok if the rows of each batch can be computed from that batch alone, so that a plan that is run
/// batch by batch gives what it would over the whole stream. Fails with UNSUPPORTED_CALL naming the
/// first step that has to remember earlier batches (aggregation, deduplication, sorting, limits,
/// windows).
///
/// In `plan` the stream is a plan::DeltaFiles.
Status CheckBatchwise(const BoundRelation& plan, const std::string& output_mode);

/// Whether a step of `plan` aggregates a stream.
bool AggregatesStream(const BoundRelation& plan);

}  // namespace merganser::connect
