// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects and pointers that are no longer told apart.
#include "Analysis/Activity/DataFlow.h"

using namespace llvm;

namespace adze {

void DataFlow::mergeTargets(NodeId N) {
  SmallSetVector<ObjectId, 16> Made;
  for (Target T : Nodes[N].Targets)
    if (ObjectId Id = representative(T.first); !Objects[Id].isExternal())
      Made.insert(Id);
  Limited |= Made.size() > MaxTargets * Detail;
  if (Made.size() > MaxTargets * Detail)
    for (ObjectId Id : drop_begin(Made))
      merge(Made[0], Id);
  // Say the same in fewer words.
  auto Old = std::move(Nodes[N].Targets);
  Nodes[N].Targets = {};
  Nodes[N].Done = 0;
  for (Target T : Old)
    point(N, T.second == AnyOffset || !Objects[T.first].isExternal()
                 ? Target(T.first, AnyOffset)
                 : T);
}

/// Only objects that the function itself makes: those of others have a
/// meaning for its callers.
void DataFlow::merge(ObjectId Into, ObjectId From) {
  auto stored = [&](StoredAs As) {
    return storeCell(Into, AnyOffset, AnySize, As);
  };
  NodeId Loaded =
      loadCell(Into, AnyOffset, AnySize, Both, /*ExactFloats=*/false);
  Object &To = Objects[Into], &Old = Objects[From];
  Old.Merged = Into;
  for (const MemoryCell &C : Old.Stores)
    flow(C.Node, stored(C.As), Both);
  for (const MemoryCell &C : Old.Loads)
    flow(Loaded, C.Node, Both);
  for (const Object::Copy &C : Old.Copies)
    To.Copies.push_back({C.To, AnyOffset, AnyOffset, AnySize, C.What});
  for (unsigned I = 0; I < To.Stores.size(); ++I)
    NewCells.push_back({Into, I});
  if (Old.Kind == ObjectKind::Heap && To.Kind != ObjectKind::Heap) {
    To.Kind = ObjectKind::Heap;
    To.Index = Old.Index;
  }
  To.Shadow = std::max(To.Shadow, Old.Shadow);
  if (Old.Exposed)
    expose(Into);
}

} // namespace adze
