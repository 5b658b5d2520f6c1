#pragma once

#include <cstdint>

namespace merganser::engine {

/// Bytes of memory that this process may use: the machine's, or its cgroup's if that is less.
uint64_t MachineMemory();

}  // namespace merganser::engine
