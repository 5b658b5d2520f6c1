#pragma once

#include <deque>
#include <string>
#include <unordered_set>

namespace merganser::connect {

/// The ids that were added last, up to a number.
class RecentIds {
 public:
  explicit RecentIds(size_t most) : most_(most) {}

  void Add(const std::string& id) {
    if (!ids_.insert(id).second) return;
    order_.push_back(id);
    if (order_.size() <= most_) return;
    ids_.erase(order_.front());
    order_.pop_front();
  }
  bool contains(const std::string& id) const { return ids_.contains(id); }

 private:
  const size_t most_;
  std::deque<std::string> order_;
  std::unordered_set<std::string> ids_;
};

}  // namespace merganser::connect
