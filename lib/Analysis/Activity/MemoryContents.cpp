// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may stand in the memory behind a pointer: answers from the data flow.
#include "Analysis/Activity/FunctionActivity.h"

using namespace llvm;

namespace adze {

/// Whether \p Holds is said of something that \p V may point to; \p Unknown
/// where nothing is known of that.
static bool anyTarget(const Model &M, const Value *V, bool Unknown,
                      function_ref<bool(Target)> Holds) {
  NodeId N = M.find(V);
  if (N == None || M.G.targets(N).empty())
    return Unknown;
  return any_of(M.G.targets(N), Holds);
}

bool FunctionActivity::mayHoldVaried(const Value *V, uint64_t Begin,
                                     uint64_t End) const {
  return anyTarget(M, V, /*Unknown=*/true,
                   [&](Target T) { return M.G.mayHoldVaried(T, Begin, End); });
}

bool FunctionActivity::mayHoldUseful(const Value *V, uint64_t Begin,
                                     uint64_t End) const {
  return anyTarget(M, V, /*Unknown=*/true,
                   [&](Target T) { return M.G.mayHoldUseful(T, Begin, End); });
}

bool FunctionActivity::mayHoldShadows(const Value *V, uint64_t Begin,
                                      uint64_t End) const {
  return anyTarget(M, V, /*Unknown=*/true,
                   [&](Target T) { return M.G.mayHoldShadows(T, Begin, End); });
}

bool FunctionActivity::mayHoldVariedBits(const Value *V, uint64_t Begin,
                                         uint64_t End) const {
  return anyTarget(M, V, /*Unknown=*/false, [&](Target T) {
    return M.G.mayHoldVariedBits(T, Begin, End);
  });
}

uint16_t FunctionActivity::memoryBits(const Value *V) const {
  const DataFlow &G = M.G;
  NodeId N = M.find(V);
  if (N == None || G.targets(N).empty() || !V->getType()->isPointerTy())
    return 0;
  SmallSetVector<ObjectId, 8> Here, Behind;
  for (Target T : G.targets(N))
    Here.insert(G.representative(T.first));
  auto reach = [&](ObjectId From) {
    for (const MemoryCell &C : G.Objects[From].Stores)
      for (Target T : G.targets(C.Node))
        Behind.insert(G.representative(T.first));
  };
  for (ObjectId Id : Here)
    reach(Id);
  for (unsigned I = 0; I < Behind.size(); ++I)
    reach(Behind[I]);
  auto hasPointers = [&](ObjectId Id) { return G.mayHoldPointers(Id); };
  auto isForeign = [&](ObjectId Id) {
    const Object &O = G.Objects[Id];
    return O.isExternal() && !O.has(OwnMemory) && !O.Irrelevant;
  };
  uint16_t Bits = 0;
  auto holdsBits = [&](ObjectId Id) { return G.holdsVariedBits(Id); };
  if (M.Globals.takesFloatsApart() &&
      (any_of(Here, holdsBits) || any_of(Behind, holdsBits)))
    Bits |= MayHoldFloatBits;
  if (none_of(Here, hasPointers))
    Bits |= HoldsNoPointers | LeadsToNoPointers;
  else if (none_of(Behind, hasPointers))
    Bits |= LeadsToNoPointers;
  if (none_of(Here, isForeign))
    Bits |= IsOfDerivative;
  if (none_of(Behind, isForeign))
    Bits |= LeadsToOwn;
  return Bits;
}

} // namespace adze
