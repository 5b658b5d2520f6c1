#pragma once

#include <memory>
#include <vector>

#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// The tables of one WITH while they are in scope.
struct Binder::CommonTableFrame {
  struct Table {
    plan::CommonTable definition;
    Binding binding;        ///< Of a recursive table: the rows it starts with.
    bool unused = false;    ///< No reference has taken `binding` yet.
    bool shared = false;    ///< Computed once, read through BoundWithReference.
    bool in_step = false;   ///< While its own recursive part is being bound.
    int64_t id = 0;         ///< Of a shared table.
    BoundRelationPtr step;  ///< The recursive part, if there is one.
    int references = 0;
  };

  std::vector<Table> tables;
  size_t visible = 0;                  ///< Tables from this position on are not visible yet.
  std::shared_ptr<const Scope> outer;  ///< Scopes of the queries around the WITH.
};

}  // namespace merganser
