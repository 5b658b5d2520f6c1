#pragma once

#include <string>

#include "merganser/arrow/ipc_writer.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser::connect {

/// A writer of rows of `schema`, TIMESTAMPs in `time_zone`.
IpcWriter MakeIpcWriter(const StructType& schema, const std::string& time_zone);

}  // namespace merganser::connect
