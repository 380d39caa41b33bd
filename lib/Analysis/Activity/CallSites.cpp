// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions with bodies: from the caller's marks to the callee's
// context, and from the callee's summary to the caller's constraints.
#include "Analysis/Activity/ActivityTable.h"
#include "Analysis/Activity/FunctionActivity.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Marks of all memory that a callee reaches through \p Pointer.
uint16_t FunctionActivity::memoryBits(NodeId Pointer) const {
  const DataFlow &G = M.G;
  uint16_t Bits = 0;
  SmallSetVector<ObjectId, 8> Reached;
  for (Target T : G.targets(Pointer))
    Reached.insert(G.representative(T.first));
  for (unsigned I = 0; I < Reached.size(); ++I)
    for (const MemoryCell &C : G.Objects[Reached[I]].Stores) {
      if (!G.Objects[Reached[I]].has(MemoryDrops)) {
        Bits |= G.isVaried(C.Node) ? MemoryVaried : 0;
        Bits |= G.isUseful(C.Node) ? MemoryUseful : 0;
      }
      for (Target T : G.targets(C.Node))
        Reached.insert(G.representative(T.first));
    }
  if (M.Globals.takesFloatsApart() &&
      any_of(Reached, [&](ObjectId Id) { return G.holdsVariedBits(Id); }))
    Bits |= MemoryFloatBits;
  // What is to be read later may not have been stored yet.
  for (ObjectId Id : Reached) {
    for (const MemoryCell &C : G.Objects[Id].Loads)
      Bits |= G.isUseful(C.Node) ? MemoryUseful : 0;
    for (const Object::Copy &C : G.Objects[Id].Copies)
      if (any_of(G.Objects[C.To].Loads,
                 [&](const MemoryCell &L) { return G.isUseful(L.Node); }) ||
          G.Objects[C.To].has(MemoryUseful) || G.Objects[C.To].Exposed ||
          !G.Objects[C.To].Copies.empty())
        Bits |= MemoryUseful;
    if (G.Objects[Id].has(MemoryUseful) || G.Objects[Id].Exposed)
      Bits |= MemoryUseful;
  }
  return Bits;
}

/// \p V is an integer that leads somewhere.
bool FunctionActivity::isAddress(const Value &V) const {
  NodeId N = M.isIntegerAddress(&V) ? M.find(&V) : None;
  return N != None && !M.G.targets(N).empty();
}

CallContext FunctionActivity::contextOf(const CallSite &Site) const {
  CallContext C;
  for (unsigned I = 0; I < Site.Args.size(); ++I) {
    const Value *Arg = Site.Call->getArgOperand(I);
    uint16_t Bits = 0;
    if (Site.InactiveArgs[I]) {
      C.Args.push_back(Bits);
      continue;
    }
    for (unsigned L = 0; L < M.numFields(Arg); ++L)
      if (NodeId N = M.find(Arg, L); N != None && M.G.isVaried(N))
        Bits |= ValueVaried;
    if (leadsNowhere(Arg))
      Bits |= LeadsNowhere;
    else if (hasShadow(Arg)) // then the request lets all of it be active
      Bits |= MemoryShadow | MemoryVaried | MemoryUseful |
              (memoryBits(Site.Args[I]) & MemoryFloatBits);
    else if (M.mayHoldPointers(Arg))
      Bits |= memoryBits(Site.Args[I]) |
              (pointsToDropping(Site.Args[I]) ? MemoryDrops : 0);
    if (isAddress(*Arg))
      Bits |= IsAddress;
    C.Args.push_back(Bits);
  }
  for (unsigned L = 0; !Site.Inactive && L < M.numFields(Site.Call); ++L) {
    NodeId N = M.find(Site.Call, L);
    C.ReturnActive |= M.G.isUseful(N);
    C.ReturnShadow |= M.mayHoldPointers(Site.Call) && leafShadow(N);
  }
  return C;
}

bool FunctionActivity::updateCall(CallSite &Site, ActivityTable &Table) {
  CallContext Context = contextOf(Site);
  const CalleeSummary &S = Table.summary(Site, Context);
  bool Changed = !(Context == Site.Context);
  Site.Context = std::move(Context);
  return applySummary(Site, S) || Changed;
}

NodeId FunctionActivity::behind(CallSite &Site, unsigned Arg, int64_t Field) {
  NodeId Pointer = Site.Args[Arg];
  NodeId &N = BehindPointers.try_emplace({Pointer, Field}, None).first->second;
  if (Field != AnyOffset && N == None) {
    NodeId First = M.G.addNode();
    M.G.load(Pointer, Field, M.DL.getPointerSize(), First, Pointers);
    N = M.closure(First);
    M.G.flow(First, N, Pointers, AnyOffset);
  }
  if (Field == AnyOffset) {
    if (N == None)
      N = M.closure(Pointer);
    Site.Behind[Arg] = N;
  }
  return N;
}

NodeId FunctionActivity::pointerTo(ObjectId Object, int64_t Offset) {
  NodeId &N = ObjectNodes.try_emplace({Object, Offset}, None).first->second;
  if (N == None) {
    N = M.G.addNode();
    M.G.point(N, {Object, Offset});
  }
  return N;
}

/// A node that points to memory that the callee names.
NodeId FunctionActivity::nodeOf(CallSite &Site, const SharedMemory &Memory) {
  switch (Memory.K) {
  case SharedMemory::Argument:
    return Site.Args[Memory.Index];
  case SharedMemory::BehindArg:
    return behind(Site, Memory.Index, Memory.Field);
  case SharedMemory::Global:
    return pointerTo(M.global(*Memory.Variable), 0);
  case SharedMemory::BehindGlobal: {
    NodeId &B = BehindGlobals.try_emplace(Memory.Variable, None).first->second;
    if (B == None)
      B = M.closure(pointerTo(M.global(*Memory.Variable), 0));
    return B;
  }
  case SharedMemory::New:
    while (Site.Made.size() <= Memory.Index)
      Site.Made.push_back(None);
    if (Site.Made[Memory.Index] == None)
      Site.Made[Memory.Index] = M.allocation(*Site.Call, ObjectKind::Heap);
    return pointerTo(Site.Made[Memory.Index], 0);
  case SharedMemory::Foreign:
    return pointerTo(M.G.ForeignObject, AnyOffset);
  case SharedMemory::Language:
    return pointerTo(M.G.LanguageObject, AnyOffset);
  case SharedMemory::Lost:
    break;
  }
  return pointerTo(M.G.LostObject, AnyOffset);
}

/// Memory of an inactive parameter, for which the callee gets no shadow.
static bool isInactive(const CallSite &Site, const SharedMemory &Memory) {
  return (Memory.K == SharedMemory::Argument ||
          Memory.K == SharedMemory::BehindArg) &&
         Site.InactiveArgs[Memory.Index];
}

/// The pointer \p From as it comes back from the callee. Those that came from
/// an inactive parameter come back without shadow.
NodeId FunctionActivity::comesBack(CallSite &Site, const SharedPointer &From) {
  NodeId Memory = nodeOf(Site, From.To);
  bool Inactive = isInactive(Site, From.To);
  NodeId &N =
      ComeBack.try_emplace({Memory, From.Offset, Inactive}, None).first->second;
  if (N == None) {
    N = M.G.addNode();
    M.G.flow(Memory, N, Pointers, From.Offset);
    if (Inactive)
      M.G.point(N, {M.G.ForeignObject, AnyOffset});
  }
  return N;
}

/// The callee stores \p Value. Many calls with the same arguments do the same:
/// that is one store.
void FunctionActivity::storeOnce(CallSite &Site, const StoreEffect &E,
                                 NodeId Value) {
  NodeId To = nodeOf(Site, E.To);
  if (!Stored.insert({To, Value, E.Offset, E.Size, E.As}).second)
    return;
  M.G.store(To, E.Offset, E.Size, Value, E.As);
  Site.Moves.push_back({MemoryUse::Store, Site.Call, To, None, {Value}});
}

bool FunctionActivity::applyStore(CallSite &Site, const StoreEffect &E) {
  bool Changed = false;
  if (E.Varied && !Site.Inactive &&
      Site.isNew({CallEffect::StoresVaried, E.To, E.Offset, E.Size, E.As})) {
    storeOnce(Site, E, M.G.VariedSource);
    Changed = true;
  }
  for (const SharedPointer &From : E.Pointers)
    if (Site.isNew(
            {CallEffect::StoresPointer, E.To, E.Offset, E.Size, E.As, From})) {
      storeOnce(Site, E, comesBack(Site, From));
      Changed = true;
    }
  return Changed;
}

bool FunctionActivity::applySeen(CallSite &Site, const SharedMemory &Memory) {
  if (!Site.isNew({CallEffect::WritesSeen, Memory}))
    return false;
  Site.Seen.push_back(nodeOf(Site, Memory));
  if (Site.Inactive || isInactive(Site, Memory))
    Site.Silent.push_back(Site.Seen.back());
  return true;
}

bool FunctionActivity::applyWritten(CallSite &Site,
                                    const SharedMemory &Memory) {
  if (Site.Inactive || isInactive(Site, Memory))
    return false;
  if (!Site.isNew({CallEffect::Writes, Memory}))
    return false;
  M.Uses.push_back(
      {MemoryUse::Fill, Site.Call, nodeOf(Site, Memory), None, {}});
  return true;
}

bool FunctionActivity::applyReturns(CallSite &Site, const CalleeSummary &S) {
  bool Changed = false;
  if (Site.Inactive && Site.Returned == None && !S.Returns.empty())
    Site.Returned = M.G.addNode();
  for (unsigned L = 0; L < S.Returns.size(); ++L) {
    NodeId To = Site.Inactive ? Site.Returned : M.node(Site.Call, L);
    if (S.Returns[L].Varied && !Site.Inactive && !M.G.isVaried(To)) {
      M.G.setVaried(To);
      Changed = true;
    }
    for (const SharedPointer &From : S.Returns[L].Pointers)
      if (Site.isNew({CallEffect::Returns, {}, L, 0, StoredAs::Number, From})) {
        M.G.flow(comesBack(Site, From), To, Pointers);
        Changed = true;
      }
  }
  return Changed;
}

/// What the callee does with its arguments' values and memory.
bool FunctionActivity::applyArguments(CallSite &Site, const CalleeSummary &S) {
  DataFlow &G = M.G;
  bool Changed = false;
  auto Once = [&](CallEffect::Kind K, unsigned Arg, int64_t Field = AnyOffset,
                  int64_t Offset = 0, int64_t Size = 0) {
    if (Site.InactiveArgs[Arg])
      return false;
    SharedMemory Memory;
    Memory.Index = Arg;
    Memory.Field = Field;
    bool New = Site.isNew({K, Memory, Offset, Size});
    Changed |= New;
    return New;
  };
  auto ReadsFloats = [&](NodeId Ptr, int64_t Offset = AnyOffset,
                         int64_t Size = AnySize) {
    G.load(Ptr, Offset, Size, G.UsefulSink, Floats);
    Site.Moves.push_back(
        {MemoryUse::Load, Site.Call, Ptr, None, {G.UsefulSink}});
  };
  Site.ValueUseful |= S.ValueUseful;
  for (unsigned I : S.ValueUseful.set_bits())
    if (Once(CallEffect::UsesValue, I))
      G.flow(Site.Args[I], G.UsefulSink, Floats);
  for (const ReadEffect &R : S.Reads)
    if (Once(CallEffect::Reads, R.Arg, AnyOffset, R.Offset, R.Size))
      ReadsFloats(Site.Args[R.Arg], R.Offset, R.Size);
  for (const SharedMemory &M : S.DeepUseful)
    if (Once(CallEffect::ReadsBehind, M.Index, M.Field))
      ReadsFloats(behind(Site, M.Index, M.Field));
  for (const SharedMemory &M : S.DeepDemanded)
    if (Once(CallEffect::DemandsBehind, M.Index, M.Field)) {
      NodeId Loaded = behind(Site, M.Index, M.Field);
      G.setDemanded(Loaded);
      Site.Moves.push_back(
          {MemoryUse::Load, Site.Call, Site.Args[M.Index], None, {Loaded}});
    }
  for (unsigned I : S.WantsShadow.set_bits()) {
    if (Site.InactiveArgs[I])
      continue; // the callee reports it
    for (NodeId N : {Site.Args[I], Site.Behind[I]})
      if (N != None)
        for (Target T : G.targets(N))
          if (!G.Objects[T.first].Irrelevant)
            Changed |= wantShadow(T.first);
  }
  return Changed;
}

bool FunctionActivity::applySummary(CallSite &Site, const CalleeSummary &S) {
  bool Changed = false;
  if (!Site.Inactive) {
    Changed = (S.TakesPart && !Site.Touches) ||
              (S.ActiveInUnknown && !Site.ActiveInUnknown);
    Site.Touches |= S.TakesPart;
    Site.ActiveInUnknown |= S.ActiveInUnknown;
  }
  for (const StoreEffect &E : S.Stores) {
    // What functions without a body do within an inactive one is as inactive.
    bool Unseen = E.To.K != SharedMemory::New && !is_contained(S.Seen, E.To);
    if (!Site.Inactive || !Unseen)
      Changed |= applyStore(Site, E);
  }
  for (const SharedMemory &Memory : S.Written)
    Changed |= applyWritten(Site, Memory);
  for (const SharedMemory &Memory : S.Seen)
    Changed |= applySeen(Site, Memory);
  Changed |= applyReturns(Site, S);
  Changed |= applyArguments(Site, S);
  return Changed;
}

} // namespace adze
