#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What is fed with bytes of others, each in one function: libFuzzer calls it with inputs that it
/// makes up, and the ordinary tests with the inputs in `test/fuzz/<name>/corpus`.
namespace merganser::test {

struct FuzzTarget {
  std::string name;  ///< Of its folder.
  /// Takes any input. Ends the process where a promise is broken, whatever the input is.
  void (*run)(std::string_view input);
};

const std::vector<FuzzTarget>& FuzzTargets();

/// The target of that name, or null.
const FuzzTarget* FindFuzzTarget(std::string_view name);

/// The target whose inputs are Parquet files of a log; it needs the engine.
void ReadCheckpointBytes(std::string_view input);

}  // namespace merganser::test
