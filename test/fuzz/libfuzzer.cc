#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "test/fuzz/targets.h"

/// libFuzzer's entry. MERGANSER_FUZZ_TARGET in the environment names the target.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const merganser::test::FuzzTarget* const kTarget = [] {
    const char* name = std::getenv("MERGANSER_FUZZ_TARGET");
    const auto* target = merganser::test::FindFuzzTarget(name == nullptr ? "" : name);
    if (target == nullptr) {
      std::fprintf(stderr, "MERGANSER_FUZZ_TARGET names no target\n");
      std::exit(1);
    }
    return target;
  }();
  kTarget->run(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
