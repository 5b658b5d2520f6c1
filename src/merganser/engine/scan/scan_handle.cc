#include "merganser/engine/scan/scan_handle.h"

#include <utility>

#include "merganser/engine/handle_registry.h"

namespace merganser::engine {
namespace {

HandleRegistry<const ScanSource>& Scans() {
  static auto* scans = new HandleRegistry<const ScanSource>("h");
  return *scans;
}

}  // namespace

ScanHandle::ScanHandle(ScanHandle&& other) noexcept : name_(std::exchange(other.name_, {})) {}

ScanHandle& ScanHandle::operator=(ScanHandle&& other) noexcept {
  std::swap(name_, other.name_);
  return *this;
}

ScanHandle::~ScanHandle() {
  if (!name_.empty()) Scans().Release(name_);
}

std::string ScanHandle::sql() const {
  // Bounds of Parquet leave out NaN, which is above every number; the option keeps it in mind.
  return "mg_scan('" + name_ + "', can_have_nan = true)";
}

ScanHandle RegisterScan(std::shared_ptr<const ScanSource> source) {
  return ScanHandle(Scans().Add(std::move(source)));
}

std::shared_ptr<const ScanSource> FindScan(const std::string& name) { return Scans().Find(name); }

}  // namespace merganser::engine
