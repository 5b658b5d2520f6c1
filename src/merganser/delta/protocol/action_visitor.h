#pragma once

#include <cstdint>
#include <vector>

#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// A set of action kinds, to read no more of a file than is asked for.
class ActionSet {
 public:
  enum Kind : uint16_t {
    kProtocol = 1 << 0,
    kMetadata = 1 << 1,
    kAdd = 1 << 2,
    kRemove = 1 << 3,
    kCdc = 1 << 4,
    kSetTransaction = 1 << 5,
    kCommitInfo = 1 << 6,
    kDomainMetadata = 1 << 7,
    kCheckpointMetadata = 1 << 8,
    kSidecar = 1 << 9,
  };
  constexpr ActionSet() = default;
  constexpr ActionSet(Kind kind) : bits_(kind) {}  // NOLINT(google-explicit-constructor)
  static constexpr ActionSet All() { return ActionSet(uint16_t{0x3ff}); }

  constexpr ActionSet operator|(ActionSet other) const {
    return ActionSet(static_cast<uint16_t>(bits_ | other.bits_));
  }
  constexpr ActionSet Without(ActionSet other) const {
    return ActionSet(static_cast<uint16_t>(bits_ & ~other.bits_));
  }
  constexpr bool Contains(Kind kind) const { return (bits_ & kind) != 0; }

 private:
  constexpr explicit ActionSet(uint16_t bits) : bits_(bits) {}
  uint16_t bits_ = 0;
};
constexpr ActionSet operator|(ActionSet::Kind a, ActionSet::Kind b) {
  return ActionSet(a) | ActionSet(b);
}

/// Receives the actions of a file one at a time, in the order of the file. What it gets is valid
/// during the call only: producers reuse one object, so copy what is kept.
class ActionVisitor {
 public:
  virtual ~ActionVisitor() = default;
  virtual void Visit(const Protocol&) {}
  virtual void Visit(const Metadata&) {}
  virtual void Visit(const AddFile&) {}
  virtual void Visit(const RemoveFile&) {}
  virtual void Visit(const AddCdcFile&) {}
  virtual void Visit(const SetTransaction&) {}
  virtual void Visit(const CommitInfo&) {}
  virtual void Visit(const DomainMetadata&) {}
  virtual void Visit(const CheckpointMetadata&) {}
  virtual void Visit(const Sidecar&) {}
};

/// Keeps every action it gets.
class ActionCollector final : public ActionVisitor {
 public:
  void Visit(const Protocol& action) override { actions_.emplace_back(action); }
  void Visit(const Metadata& action) override { actions_.emplace_back(action); }
  void Visit(const AddFile& action) override { actions_.emplace_back(action); }
  void Visit(const RemoveFile& action) override { actions_.emplace_back(action); }
  void Visit(const AddCdcFile& action) override { actions_.emplace_back(action); }
  void Visit(const SetTransaction& action) override { actions_.emplace_back(action); }
  void Visit(const CommitInfo& action) override { actions_.emplace_back(action); }
  void Visit(const DomainMetadata& action) override { actions_.emplace_back(action); }
  void Visit(const CheckpointMetadata& action) override { actions_.emplace_back(action); }
  void Visit(const Sidecar& action) override { actions_.emplace_back(action); }

  const std::vector<Action>& actions() const { return actions_; }
  std::vector<Action> Take() { return std::move(actions_); }

 private:
  std::vector<Action> actions_;
};

/// Hand `action` to the overload of `visitor` that takes it.
void VisitAction(const Action& action, ActionVisitor& visitor);

}  // namespace merganser
