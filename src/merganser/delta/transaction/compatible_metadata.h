#pragma once

#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// May a transaction that read `before` and changes no metadata commit after another writer made
/// `after` of it? So if only identity columns counted on, or if the table began to use what does
/// not touch files already written: deletion vectors, V2 checkpoints, in-commit timestamps, column
/// mapping by name (spec/merge.md 10.2).
bool IsCompatibleMetadata(const Protocol& protocol, const Metadata& before, const Metadata& after);

}  // namespace merganser
