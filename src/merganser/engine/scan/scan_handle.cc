#include "merganser/engine/scan/scan_handle.h"

#include <atomic>
#include <mutex>
#include <unordered_map>

namespace merganser::engine {
namespace {

struct Registry {
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<const ScanSource>> sources;
};

// Never destroyed: handles of static objects may outlive any order of destruction.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

ScanHandle::ScanHandle(ScanHandle&& other) noexcept : name_(std::exchange(other.name_, {})) {}

ScanHandle& ScanHandle::operator=(ScanHandle&& other) noexcept {
  std::swap(name_, other.name_);
  return *this;
}

ScanHandle::~ScanHandle() {
  if (name_.empty()) return;
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.sources.erase(name_);
}

std::string ScanHandle::sql() const {
  // Bounds of Parquet leave out NaN, which is above every number; the option keeps it in mind.
  return "mg_scan('" + name_ + "', can_have_nan = true)";
}

ScanHandle RegisterScan(std::shared_ptr<const ScanSource> source) {
  static std::atomic<uint64_t> next{0};
  std::string name = "h" + std::to_string(++next);
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  registry.sources.emplace(name, std::move(source));
  return ScanHandle(std::move(name));
}

std::shared_ptr<const ScanSource> FindScan(const std::string& name) {
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.sources.find(name);
  return found == registry.sources.end() ? nullptr : found->second;
}

}  // namespace merganser::engine
