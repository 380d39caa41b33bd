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

bool DataFlow::mayHoldUseful(Target T, uint64_t Begin, uint64_t End) const {
  struct Place {
    ObjectId Id;
    int64_t Offset, Size;
    bool operator==(const Place &P) const {
      return Id == P.Id && Offset == P.Offset && Size == P.Size;
    }
  };
  constexpr unsigned MaxPlaces = 32;
  SmallVector<Place, 4> Places;
  auto add = [&](ObjectId Id, int64_t Offset, int64_t Size) {
    Id = representative(Id);
    if (Objects[Id].Deep || Offset == AnyOffset)
      Offset = AnyOffset, Size = AnySize;
    if (Place P{Id, Offset, Size}; !is_contained(Places, P))
      Places.push_back(P);
  };
  bool Anywhere = Begin > INT64_MAX || End > INT64_MAX || T.second == AnyOffset;
  add(T.first, Anywhere ? AnyOffset : T.second + int64_t(Begin),
      Anywhere ? AnySize : int64_t(End - Begin));
  for (unsigned I = 0; I < Places.size(); ++I) {
    const Place P = Places[I];
    const Object &O = Objects[P.Id];
    if (O.has(MemoryUseful) || O.Exposed || Places.size() > MaxPlaces ||
        any_of(O.Loads, [&](const MemoryCell &C) {
          return isUseful(C.Node) &&
                 overlap(P.Offset, P.Size, C.Offset, C.Size);
        }))
      return true;
    for (const Object::Copy &C : O.Copies) {
      if (!overlap(P.Offset, P.Size, C.FromOffset, C.Size))
        continue;
      bool Known = P.Offset != AnyOffset && C.FromOffset != AnyOffset &&
                   C.ToOffset != AnyOffset;
      add(C.To, Known ? P.Offset - C.FromOffset + C.ToOffset : AnyOffset,
          Known ? P.Size : AnySize);
    }
  }
  return false;
}

SmallVector<std::pair<int64_t, int64_t>, 4>
DataFlow::usefulReads(ObjectId Id) const {
  constexpr unsigned MaxReads = 16;
  const std::pair<int64_t, int64_t> Anywhere(AnyOffset, AnySize);
  SmallVector<std::pair<int64_t, int64_t>, 4> Reads;
  auto add = [&](int64_t Offset, int64_t Size) {
    std::pair<int64_t, int64_t> Read(Offset, Size);
    if (!is_contained(Reads, Read))
      Reads.push_back(Read);
  };
  const Object &O = Objects[Id];
  for (const MemoryCell &C : O.Loads)
    if (isUseful(C.Node))
      add(C.Offset, C.Size);
  // Of a block that is copied elsewhere, what is read there.
  for (const Object::Copy &C : O.Copies) {
    bool Known = C.FromOffset != AnyOffset && C.ToOffset != AnyOffset &&
                 C.Size <= MaxReads * FieldSize;
    for (int64_t At = 0; Known && At < C.Size; At += FieldSize)
      if (int64_t Size = std::min(FieldSize, C.Size - At);
          mayHoldUseful({C.To, C.ToOffset}, At, At + Size))
        add(C.FromOffset + At, Size);
    if (!Known && mayHoldUseful({C.To, AnyOffset}, 0, 1))
      return {Anywhere};
  }
  if (Reads.empty() || Reads.size() > MaxReads || is_contained(Reads, Anywhere))
    return {Anywhere};
  return Reads;
}

} // namespace adze
