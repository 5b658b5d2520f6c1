#pragma once

#include "merganser/base/result.h"
#include "merganser/connect/server_session.h"
#include "merganser/streaming/delta_source.h"
#include "spark/connect/relations.pb.h"

namespace merganser::connect {

/// The Delta table that a `Read` with `is_streaming` names, as a stream with its options. Requires
/// the statement lock.
///
/// Fails as a query of the table does, as DeltaSourceOptions::Read, and with UNSUPPORTED_CALL where
/// it is no Delta table.
Result<DeltaSource> FindStreamSource(ServerSession& session, const spark::connect::Read& read);

}  // namespace merganser::connect
