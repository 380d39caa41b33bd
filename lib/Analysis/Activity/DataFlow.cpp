// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Activity/DataFlow.h"

#include "adze/Options.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace adze {

// Limits, each times Options::ActivityDetail.

/// A pointer to more places in one object than this points anywhere in it: a
/// pointer that a loop advances would have no end of them.
static constexpr unsigned MaxOffsets = 8;
/// An object with more cells than this is no longer divided.
static constexpr size_t MaxCells = 64;

/// Members of an argument's structure whose pointers are told apart.
static constexpr unsigned MaxFields = 16;
/// More edges out of a node than this are looked up in a table.
static constexpr size_t FewEdges = 16;

static int64_t shifted(int64_t Offset, int64_t Shift) {
  return Offset == AnyOffset || Shift == AnyOffset ? AnyOffset : Offset + Shift;
}

DataFlow::DataFlow(bool Outermost)
    : Detail(Options::get().ActivityDetail), Outermost(Outermost) {
  VariedSource = addNode();
  UsefulSink = addNode();
  for (Pool &P : Shared) {
    P.Stored = addNode();
    P.Found = addNode();
  }
  setVaried(VariedSource);
  setUseful(UsefulSink);
  setDemanded(UsefulSink);
  Object Foreign;
  Foreign.Kind = ObjectKind::Foreign;
  ForeignObject = addExternal(Foreign);
  Object Inert = Foreign, Lost = Foreign;
  Inert.Irrelevant = true;
  InertObject = addExternal(Inert);
  Inert.ReadOnly = true;
  LanguageObject = addExternal(Inert);
  Inert.Bits |= NoneBehind;
  TableObject = addExternal(Inert);
  Inert.Bits |= NoPointers;
  TextObject = addExternal(Inert);
  Lost.Bits |= MemoryVaried;
  LostObject = addExternal(Lost);
}

NodeId DataFlow::addNode() {
  Nodes.emplace_back();
  return Nodes.size() - 1;
}

ObjectId DataFlow::addObject(Object O) {
  Objects.push_back(std::move(O));
  return Objects.size() - 1;
}

/// What holds of memory that pointers in memory with \p Bits lead to.
static uint16_t bitsBehind(uint16_t Bits) {
  return (Bits & ~(NoPointers | OwnMemory)) |
         (Bits & NoneBehind ? NoPointers : 0) |
         (Bits & OwnBehind ? OwnMemory : 0);
}

ObjectId DataFlow::addExternal(Object O) {
  O.Shadow = O.isActive() ? ObjectShadow::Needed : ObjectShadow::Impossible;
  ObjectId Outer = addObject(O);
  O.Deep = true;
  O.Bits = bitsBehind(O.Bits);
  ObjectId Inner = addObject(O);
  for (ObjectId Id : {Outer, Inner})
    Objects[Id].Initial = addInitial(Id, AnyOffset, AnySize, Inner);
  return Outer;
}

NodeId DataFlow::addInitial(ObjectId Id, int64_t Offset, int64_t Size,
                            ObjectId Behind) {
  NodeId Initial = addNode();
  MemoryCell C{Offset, Size, Initial, StoredAs::Other, /*OnEntry=*/true};
  Objects[Id].Stores.push_back(C);
  point(Initial, {Behind, AnyOffset});
  const Pool &P = Shared[Objects[Id].isActive()];
  flow(sharesAll(Objects[Id]) ? P.Stored : P.Found, Initial, Pointers);
  if (Objects[Id].has(MemoryVaried))
    setVaried(Initial);
  return Initial;
}

bool DataFlow::sharesAll(const Object &O) const {
  return Outermost || O.Kind == ObjectKind::Foreign;
}

/// What is stored in \p Cell of \p O others may read.
void DataFlow::shareStored(const Object &O, NodeId Cell) {
  const Pool &P = Shared[O.isActive()];
  flow(Cell, P.Stored, Pointers);
  if (sharesAll(O))
    flow(Cell, P.Found, Pointers);
  else
    Nodes[Cell].SharesLocals = P.Found;
}

bool DataFlow::makeField(ObjectId Id, int64_t Offset) {
  const Object &O = Objects[Id];
  // The user's promise about a constant argument holds for it as a whole.
  bool Divides = O.Kind == ObjectKind::Argument && (!Outermost || O.isActive());
  if (!Divides || O.Deep || Offset == AnyOffset)
    return false;
  if (any_of(O.Stores, [&](const MemoryCell &C) {
        return C.OnEntry && C.Offset == Offset;
      }))
    return true;
  if (O.NumFields >= MaxFields * Detail) {
    Limited = true;
    return false;
  }
  ++Objects[Id].NumFields;
  Object Behind;
  Behind.Kind = O.Kind;
  Behind.Origin = O.Origin;
  Behind.Index = O.Index;
  Behind.Field = Offset;
  Behind.Bits = bitsBehind(O.Bits);
  Behind.Shadow =
      O.isActive() ? ObjectShadow::Needed : ObjectShadow::Impossible;
  Behind.Deep = true;
  ObjectId Inner = addObject(Behind);
  Objects[Inner].Initial = addInitial(Inner, AnyOffset, AnySize, Inner);
  addInitial(Id, Offset, FieldSize, Inner);
  const MemoryCell Made = Objects[Id].Stores.back();
  for (unsigned I = 0; I < Objects[Id].Loads.size(); ++I)
    link(Objects[Id], Made, Objects[Id].Loads[I]);
  NewCells.push_back({Id, unsigned(Objects[Id].Stores.size() - 1)});
  return true;
}

void DataFlow::enqueue(NodeId N) {
  if (Nodes[N].Queued)
    return;
  Nodes[N].Queued = true;
  Work.push_back(N);
}

void DataFlow::setVaried(NodeId N) {
  if (Nodes[N].Varied)
    return;
  Nodes[N].Varied = Nodes[N].Fresh[0] = true;
  enqueue(N);
}

void DataFlow::setUseful(NodeId N) {
  if (Nodes[N].Useful)
    return;
  Nodes[N].Useful = Nodes[N].Fresh[1] = true;
  enqueue(N);
}

void DataFlow::setDemanded(NodeId N) {
  if (Nodes[N].Demanded)
    return;
  Nodes[N].Demanded = Nodes[N].Fresh[2] = true;
  enqueue(N);
}

void DataFlow::point(NodeId N, Target T) {
  auto &Targets = Nodes[N].Targets;
  T.first = representative(T.first);
  if (Targets.contains(T) || Targets.contains({T.first, AnyOffset}))
    return;
  if (T.second != AnyOffset &&
      (Objects[T.first].Deep || count_if(Targets, [&](Target Other) {
                                  return Other.first == T.first;
                                }) >= MaxOffsets * Detail))
    T.second = AnyOffset;
  if (!Targets.insert(T))
    return;
  enqueue(N);
  if (Nodes[N].SharesLocals != None &&
      Objects[T.first].Kind == ObjectKind::Local)
    flow(N, Nodes[N].SharesLocals, Pointers);
}

/// Every pair of a store and a load cell asks for an edge, from each pointer
/// that leads to both.
bool DataFlow::isNewEdge(NodeId From, const Edge &New) {
  ArrayRef<Edge> Out = Nodes[From].Out;
  auto Key = [&](const Edge &E) {
    return EdgeKey(From, E.To, unsigned(E.What), E.Shift);
  };
  if (Out.size() < FewEdges)
    return none_of(Out, [&](const Edge &E) { return Key(E) == Key(New); });
  if (Out.size() == FewEdges)
    for (const Edge &E : Out)
      Edges.insert(Key(E));
  return Edges.insert(Key(New)).second;
}

void DataFlow::flow(NodeId From, NodeId To, Carries What, int64_t Shift) {
  if (From == To || What == Nothing)
    return;
  if (!isNewEdge(From, {To, What, Shift}))
    return;
  Nodes[From].Out.push_back({To, What, Shift});
  Nodes[To].In.push_back({From, What, Shift});
  if (What & Floats) {
    if (Nodes[From].Varied)
      setVaried(To);
    if (Nodes[To].Useful)
      setUseful(From);
  }
  if (What & Pointers) {
    if (Nodes[To].Demanded)
      setDemanded(From);
    // Those not yet propagated follow the new edge by themselves.
    SmallVector<Target, 8> Known(Nodes[From].Targets.begin(),
                                 Nodes[From].Targets.begin() +
                                     Nodes[From].Done);
    for (Target T : Known)
      point(To, {T.first, shifted(T.second, Shift)});
  }
}

void DataFlow::load(NodeId Ptr, int64_t Offset, int64_t Size, NodeId To,
                    Carries What, bool ExactFloats) {
  Constraint C{Constraint::Load, Offset, Size, To, What, ExactFloats};
  Nodes[Ptr].Uses.push_back(C);
  if (What & Pointers) {
    Nodes[To].DemandsToo.push_back(Ptr);
    if (Nodes[To].Demanded)
      setDemanded(Ptr);
  }
  for (unsigned I = 0; I < Nodes[Ptr].Done; ++I)
    apply(C, Nodes[Ptr].Targets[I]);
}

void DataFlow::store(NodeId Ptr, int64_t Offset, int64_t Size, NodeId From,
                     StoredAs As) {
  Constraint C{Constraint::Store, Offset, Size, From, Both, false, As};
  Nodes[Ptr].Uses.push_back(C);
  for (unsigned I = 0; I < Nodes[Ptr].Done; ++I)
    apply(C, Nodes[Ptr].Targets[I]);
}

void DataFlow::copy(NodeId To, NodeId From, int64_t Size, Carries What) {
  Constraint CTo{Constraint::CopyTo, 0, Size, From, What};
  Constraint CFrom{Constraint::CopyFrom, 0, Size, To, What};
  Nodes[To].Uses.push_back(CTo);
  Nodes[From].Uses.push_back(CFrom);
  for (unsigned I = 0; I < Nodes[To].Done; ++I)
    apply(CTo, Nodes[To].Targets[I]);
}

void DataFlow::apply(const Constraint &C, Target T) {
  switch (C.Kind) {
  case Constraint::Load:
    flow(loadCell(T.first, shifted(T.second, C.Offset), C.Size, C.What,
                  C.ExactFloats),
         C.Other, C.What);
    return;
  case Constraint::Store:
    if (Objects[T.first].ReadOnly)
      return;
    flow(C.Other, storeCell(T.first, shifted(T.second, C.Offset), C.Size, C.As),
         Both);
    return;
  case Constraint::CopyTo:
    for (unsigned I = 0; I < Nodes[C.Other].Targets.size(); ++I)
      applyCopy(T, Nodes[C.Other].Targets[I], C.Size, C.What);
    return;
  case Constraint::CopyFrom:
    for (unsigned I = 0; I < Nodes[C.Other].Targets.size(); ++I)
      applyCopy(Nodes[C.Other].Targets[I], T, C.Size, C.What);
    return;
  }
}

void DataFlow::applyCopy(Target To, Target From, int64_t Size, Carries What) {
  if (Objects[To.first].ReadOnly)
    return;
  if (Objects[From.first].has(MemoryDrops))
    What = Carries(What & Pointers);
  Object::Copy C{To.first, To.second, From.second, Size, What};
  for (const Object::Copy &Old : Objects[From.first].Copies)
    if (Old.To == C.To && Old.ToOffset == C.ToOffset &&
        Old.FromOffset == C.FromOffset && Old.Size == C.Size &&
        (Old.What & What) == What)
      return;
  // A structure is copied member by member.
  C.ByField = (What & Pointers) && From.second != AnyOffset &&
              Size % FieldSize == 0 && Size <= MaxFields * Detail * FieldSize;
  for (int64_t At = 0; C.ByField && At < Size; At += FieldSize)
    C.ByField = makeField(From.first, From.second + At);
  Objects[From.first].Copies.push_back(C);
  for (unsigned I = 0; I < Objects[From.first].Stores.size(); ++I)
    copyCell(From.first, C, Objects[From.first].Stores[I]);
}

void DataFlow::copyCell(ObjectId From, Object::Copy C, MemoryCell Source) {
  if (!overlap(C.FromOffset, C.Size, Source.Offset, Source.Size) ||
      (C.ByField && Source.OnEntry && Source.Offset == AnyOffset))
    return;
  int64_t Offset = AnyOffset, Size = AnySize;
  if (C.FromOffset != AnyOffset && C.ToOffset != AnyOffset &&
      Source.Offset != AnyOffset) {
    Offset = Source.Offset - C.FromOffset + C.ToOffset;
    Size = Source.Size;
  } else if (C.ToOffset != AnyOffset) {
    Offset = C.ToOffset;
    Size = C.Size;
  }
  const Object &O = Objects[From];
  Carries What = Source.OnEntry ? onEntry(O, C.What) : C.What;
  StoredAs As =
      Source.OnEntry && O.has(MemoryFloatBits) ? StoredAs::Number : Source.As;
  flow(Source.Node, storeCell(C.To, Offset, Size, As), What);
}

/// What of \p What the memory \p O may have held on entry.
Carries DataFlow::onEntry(const Object &O, Carries What) {
  return O.has(NoPointers) ? Carries(What & Floats) : What;
}

NodeId DataFlow::storeCell(ObjectId Id, int64_t Offset, int64_t Size,
                           StoredAs As) {
  Id = representative(Id);
  if (Objects[Id].Deep)
    Offset = AnyOffset;
  if (Offset != AnyOffset && Objects[Id].Stores.size() >= MaxCells * Detail) {
    Limited = true;
    Offset = AnyOffset;
  }
  if (Offset == AnyOffset)
    Size = AnySize;
  for (const MemoryCell &C : Objects[Id].Stores)
    if (C.Offset == Offset && C.Size == Size && C.As == As && !C.OnEntry)
      return C.Node;
  NodeId N = addNode();
  Object &O = Objects[Id];
  O.Stores.push_back({Offset, Size, N, As});
  if (O.isExternal())
    shareStored(O, N);
  if (O.has(MemoryUseful) || O.Exposed)
    setUseful(N);
  if (O.isActive() || O.Exposed)
    setDemanded(N);
  for (const MemoryCell &L : O.Loads)
    link(O, O.Stores.back(), L);
  // Copied later: a copy within one object would recur here.
  NewCells.push_back({Id, unsigned(O.Stores.size() - 1)});
  return N;
}

NodeId DataFlow::loadCell(ObjectId Id, int64_t Offset, int64_t Size,
                          Carries What, bool ExactFloats) {
  Id = representative(Id);
  if (Objects[Id].Deep)
    Offset = AnyOffset;
  if (Offset != AnyOffset && Objects[Id].Loads.size() >= MaxCells * Detail) {
    Limited = true;
    Offset = AnyOffset;
  }
  if (Offset == AnyOffset)
    Size = AnySize;
  for (const MemoryCell &C : Objects[Id].Loads)
    if (C.Offset == Offset && C.Size == Size && C.ExactFloats == ExactFloats)
      return C.Node;
  if ((What & Pointers) && Size == FieldSize)
    makeField(Id, Offset);
  NodeId N = addNode();
  Object &O = Objects[Id];
  O.Loads.push_back({Offset, Size, N});
  O.Loads.back().ExactFloats = ExactFloats;
  for (const MemoryCell &S : O.Stores)
    link(O, S, O.Loads.back());
  return N;
}

void DataFlow::link(const Object &O, const MemoryCell &Store,
                    const MemoryCell &Load) {
  if (!overlap(Store.Offset, Store.Size, Load.Offset, Load.Size))
    return;
  // What a member held on entry is known more exactly.
  if (Store.OnEntry && Store.Offset == AnyOffset && Load.Offset != AnyOffset &&
      Load.Size == FieldSize && any_of(O.Stores, [&](const MemoryCell &C) {
        return C.OnEntry && C.Offset == Load.Offset;
      }))
    return;
  bool Exact = !Store.OnEntry && Store.Offset == Load.Offset &&
               Store.Offset != AnyOffset;
  // Bits that were stored as integers may be read as such.
  bool Bits = Store.OnEntry
                  ? O.has(MemoryFloatBits)
                  : Store.As == StoredAs::Number || Store.As == StoredAs::Other;
  bool Excluded = Load.ExactFloats && !Exact && !Bits;
  Carries What = O.has(MemoryDrops) || Excluded ? Pointers : Both;
  flow(Store.Node, Load.Node, Store.OnEntry ? onEntry(O, What) : What);
}

bool DataFlow::reachesShadow(NodeId N) const {
  return any_of(Nodes[N].Targets, [&](Target T) {
    return Objects[representative(T.first)].hasShadow();
  });
}

bool DataFlow::anyCell(Target T, uint64_t Begin, uint64_t End,
                       function_ref<bool(const MemoryCell &)> Counts) const {
  const Object &O = Objects[representative(T.first)];
  // (A merged object has its cells at any offset.)
  bool Anywhere = O.Deep || Begin > INT64_MAX || T.second == AnyOffset;
  int64_t Offset = Anywhere ? AnyOffset : T.second + int64_t(Begin);
  int64_t Size = End > INT64_MAX ? AnySize : int64_t(End - Begin);
  return any_of(O.Stores, [&](const MemoryCell &C) {
    return overlap(Offset, Size, C.Offset, C.Size) && Counts(C);
  });
}

bool DataFlow::mayHoldVaried(Target T, uint64_t Begin, uint64_t End) const {
  return anyCell(T, Begin, End,
                 [&](const MemoryCell &C) { return isVaried(C.Node); });
}

bool DataFlow::mayHoldVariedBits(Target T, uint64_t Begin, uint64_t End) const {
  bool OnEntry = Objects[representative(T.first)].has(MemoryFloatBits);
  return anyCell(T, Begin, End, [&](const MemoryCell &C) {
    return C.As != StoredAs::Float && (!C.OnEntry || OnEntry) &&
           isVaried(C.Node);
  });
}

bool DataFlow::holdsVariedBits(ObjectId Id) const {
  const Object &O = Objects[representative(Id)];
  return O.has(MemoryFloatBits) || any_of(O.Stores, [&](const MemoryCell &C) {
           return C.As == StoredAs::Number && !C.OnEntry && isVaried(C.Node);
         });
}

bool DataFlow::mayHoldShadows(Target T, uint64_t Begin, uint64_t End) const {
  const Object &O = Objects[representative(T.first)];
  return anyCell(T, Begin, End, [&](const MemoryCell &C) {
    return !(C.OnEntry && O.has(NoPointers)) && reachesShadow(C.Node);
  });
}

bool DataFlow::mayHoldPointers(ObjectId Id) const {
  const Object &O = Objects[representative(Id)];
  return any_of(O.Stores, [&](const MemoryCell &C) {
    return !(C.OnEntry && O.has(NoPointers)) && !targets(C.Node).empty();
  });
}

void DataFlow::expose(ObjectId Id) {
  Id = representative(Id);
  if (Objects[Id].Exposed)
    return;
  Objects[Id].Exposed = true;
  for (const MemoryCell &C : Objects[Id].Stores) {
    setUseful(C.Node);
    setDemanded(C.Node);
  }
}

void DataFlow::propagate(NodeId N) {
  bool Fresh[3];
  std::copy(Nodes[N].Fresh, Nodes[N].Fresh + 3, Fresh);
  std::fill(Nodes[N].Fresh, Nodes[N].Fresh + 3, false);
  if (Nodes[N].Targets.size() - Nodes[N].Done > 0 &&
      Nodes[N].Targets.size() > MaxTargets * Detail)
    mergeTargets(N);
  unsigned First = Nodes[N].Done, Last = Nodes[N].Targets.size();
  Nodes[N].Done = Last;
  // Nodes and their lists may move while edges are added: index, don't hold.
  for (unsigned I = 0; I < Nodes[N].Out.size(); ++I) {
    Edge E = Nodes[N].Out[I];
    if (Fresh[0] && (E.What & Floats))
      setVaried(E.To);
    if (E.What & Pointers)
      for (unsigned J = First; J < Last; ++J)
        point(E.To, {Nodes[N].Targets[J].first,
                     shifted(Nodes[N].Targets[J].second, E.Shift)});
  }
  for (unsigned I = 0; I < Nodes[N].In.size(); ++I) {
    Edge E = Nodes[N].In[I];
    if (Fresh[1] && (E.What & Floats))
      setUseful(E.To);
    if (Fresh[2] && (E.What & Pointers))
      setDemanded(E.To);
  }
  if (Fresh[2])
    for (unsigned I = 0; I < Nodes[N].DemandsToo.size(); ++I)
      setDemanded(Nodes[N].DemandsToo[I]);
  for (unsigned I = 0; I < Nodes[N].Uses.size(); ++I) {
    Constraint C = Nodes[N].Uses[I];
    for (unsigned J = First; J < Last; ++J)
      apply(C, Nodes[N].Targets[J]);
  }
}

void DataFlow::solve() {
  while (!Work.empty() || !NewCells.empty()) {
    while (!NewCells.empty()) {
      auto [Id, Index] = NewCells.back();
      NewCells.pop_back();
      for (unsigned I = 0; I < Objects[Id].Copies.size(); ++I)
        copyCell(Id, Objects[Id].Copies[I], Objects[Id].Stores[Index]);
    }
    if (Work.empty())
      break;
    NodeId N = Work.back();
    Work.pop_back();
    Nodes[N].Queued = false;
    propagate(N);
  }
}

} // namespace adze
