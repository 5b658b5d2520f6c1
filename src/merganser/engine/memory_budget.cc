#include "merganser/engine/memory_budget.h"

#include <algorithm>
#include <fstream>

#include <unistd.h>

namespace merganser::engine {

uint64_t MachineMemory() {
  uint64_t bytes = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                   static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  // Version 2 writes "max" where there is no limit, version 1 a number beyond any machine.
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    uint64_t limit = 0;
    if (std::ifstream(path) >> limit && limit > 0) bytes = std::min(bytes, limit);
  }
  return bytes;
}

}  // namespace merganser::engine
