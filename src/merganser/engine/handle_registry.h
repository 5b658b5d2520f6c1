#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace merganser::engine {

/// Objects of this process that SQL text names: a table function or a sink is given the name and
/// finds the object. Safe for many threads. Make it with `new` and never destroy it: handles of
/// static objects may outlive any order of destruction.
template <typename T>
class HandleRegistry {
 public:
  explicit HandleRegistry(std::string_view prefix) : prefix_(prefix) {}

  /// Keeps `object` until Release, under a name that no other has had.
  std::string Add(std::shared_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    std::string name = prefix_ + std::to_string(++last_);
    objects_.emplace(name, std::move(object));
    return name;
  }

  /// Null where nothing has that name.
  std::shared_ptr<T> Find(const std::string& name) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(name);
    return found == objects_.end() ? nullptr : found->second;
  }

  void Release(const std::string& name) {
    const std::lock_guard lock(mutex_);
    objects_.erase(name);
  }

 private:
  const std::string prefix_;
  mutable std::mutex mutex_;
  uint64_t last_ = 0;
  std::unordered_map<std::string, std::shared_ptr<T>> objects_;
};

}  // namespace merganser::engine
