#pragma once

#include <memory>

#include <duckdb.hpp>

#include "merganser/engine/result_stream.h"

namespace merganser::engine {

struct ResultStream::Native {
  std::unique_ptr<duckdb::QueryResult> result;
  duckdb::ClientProperties properties;
  bool at_end = false;
};

}  // namespace merganser::engine
