#include "merganser/delta/protocol/action_visitor.h"

#include <variant>

namespace merganser {

void VisitAction(const Action& action, ActionVisitor& visitor) {
  std::visit([&](const auto& member) { visitor.Visit(member); }, action);
}

}  // namespace merganser
