// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheCut.h"
#include "Prices.h"
#include "Recompute.h"
#include "Varying.h"
#include "adze/DeviceTarget.h"
#include "adze/FlowGraph.h"
#include "adze/Options.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace adze {

using namespace prices;

namespace {

/// Whether the counts of \p Loops are constants.
bool areKnown(ArrayRef<const LoopRecord *> Loops) {
  return all_of(Loops, [](const LoopRecord *L) {
    return isa_and_nonnull<ConstantInt>(L->LastIteration);
  });
}

/// The price of copying an array in each of \p Runs executions.
uint64_t snapshotPrice(const Snapshot &S, uint64_t Runs,
                       TripEstimates &Estimates, const DataLayout &DL) {
  const uint64_t Element = std::max<uint64_t>(bytesOf(S.Reader, DL), 1);
  uint64_t Count = times(divideCeil(S.Bytes, Element), Runs);
  for (const LoopRecord *L : S.Over)
    Count = times(Count, Estimates.trips(*L));
  return times(tapePrice(Element, times(Element, Count), TapeArray::Guessed) +
                   loadPrice(S.Reader, DL),
               Count);
}

} // namespace

ProgramOrder::ProgramOrder(const Primal &P) {
  for (const Argument &A : P.F->args())
    Numbers.insert({&A, Numbers.size()});
  const Function *F = P.F;
  for (const BasicBlock *B : ReversePostOrderTraversal<const Function *>(F))
    for (const Instruction &I : *B) {
      for (const Instruction *Other : P.Elsewhere.before(&I))
        Numbers.insert({Other, Numbers.size()});
      Numbers.insert({&I, Numbers.size()});
    }
}

namespace {

class CacheCut {
public:
  CacheCut(const Facts &F, const ProgramOrder &Order,
           ArrayRef<const RerunAnalysis *> Reruns)
      : F(F), DL(F.P->F->getDataLayout()),
        Prices(F.Target, DL, F.P->F->getContext()), Order(Order),
        Reruns(Reruns), OnDevice(isDevice(*F.P->F->getParent())),
        Estimates(*F.P), Known(F) {}

  bool collect(const NeedSet &Needs, unsigned MaxValues);
  Sources solve(const NeedSet &Needs);

private:
  using Key = std::pair<const Value *, unsigned>;
  struct Vertex {
    PlanValue V;
    bool Available = false;
    std::optional<Decision> Recomputed, Reloaded;
    /// Reloaded, not Recomputed, is the alternative to keeping it.
    bool Reload = false;
    /// If it is kept: the places on the tape, and the price of one.
    uint64_t Places = 0, PlacePrice = 0;
    FlowGraph::SplitNode Node;

    /// How it is made if it is not kept; null if it cannot be.
    const Decision *made() const {
      const std::optional<Decision> &Made = Reload ? Reloaded : Recomputed;
      return Made ? &*Made : nullptr;
    }
    ArrayRef<PlanValue> reads() const {
      const Decision *Made = made();
      return Made ? ArrayRef<PlanValue>(Made->Reads) : ArrayRef<PlanValue>();
    }
  };

  unsigned indexOf(PlanValue V) const {
    return Index.lookup({V.V, unsigned(V.Which)});
  }
  void sortVertices();
  void findPlaces(Vertex &X);
  uint64_t placesOf(ArrayRef<const LoopRecord *> Loops) const;
  uint64_t keepPrice(const Vertex &X);
  const LoopRecord *rerunThatKeeps(PlanValue V) const;
  const LoopRecord *rerunThatFills(PlanValue V) const;
  uint64_t priceInRerun(const Instruction &I, const LoopRecord &Rerun) const;
  uint64_t recomputeTotal(const Vertex &X) const;
  bool isPartOfSnapshot(PlanValue V) const;
  void preferMemory(const NeedSet &Needs);
  void addEdges(Vertex &X, FlowGraph &G, FlowGraph::Node Source);
  std::vector<Source> cut(const NeedSet &Needs, uint64_t &Price);
  bool isCircular(ArrayRef<Source> Choice) const;

  const Facts &F;
  const DataLayout &DL;
  OperationPrices Prices;
  const ProgramOrder &Order;
  ArrayRef<const RerunAnalysis *> Reruns;
  const bool OnDevice;
  mutable TripEstimates Estimates;
  Varying Known;
  std::vector<Vertex> Vertices; // in program order
  DenseMap<Key, unsigned> Index;
};

/// Everything from which a need could be recomputed.
bool CacheCut::collect(const NeedSet &Needs, unsigned MaxValues) {
  DenseSet<Key> Seen;
  auto add = [&](PlanValue V) {
    if (Seen.insert({V.V, unsigned(V.Which)}).second)
      Vertices.emplace_back().V = V;
  };
  for (const auto &K : Needs)
    add({K.first, Part(K.second)});
  for (size_t Next = 0; Next < Vertices.size(); ++Next) {
    if (Vertices.size() > MaxValues)
      return false;
    PlanValue V = Vertices[Next].V;
    auto Recomputed = recompute(V, F), Reloaded = reload(V, F);
    if (const LoopRecord *Filled = Recomputed ? nullptr : rerunThatFills(V))
      Recomputed = readAgain(*cast<LoadInst>(V.V), *Filled, F);
    for (const auto *Made : {&Recomputed, &Reloaded})
      if (*Made)
        for (PlanValue Op : (*Made)->Reads)
          add(Op);
    Vertices[Next].Available = isAvailable(V, F);
    Vertices[Next].Recomputed = std::move(Recomputed);
    Vertices[Next].Reloaded = std::move(Reloaded);
  }
  sortVertices();
  for (unsigned N = 0; N < Vertices.size(); ++N)
    Index[{Vertices[N].V.V, unsigned(Vertices[N].V.Which)}] = N;
  return true;
}

/// A vertex is large: each is moved once.
void CacheCut::sortVertices() {
  std::vector<unsigned> Sorted(Vertices.size());
  std::iota(Sorted.begin(), Sorted.end(), 0);
  llvm::sort(Sorted, [this](unsigned A, unsigned B) {
    const PlanValue V = Vertices[A].V, W = Vertices[B].V;
    return std::pair(Order.of(V.V), V.Which) <
           std::pair(Order.of(W.V), W.Which);
  });
  std::vector<Vertex> Result;
  Result.reserve(Vertices.size());
  for (unsigned N : Sorted)
    Result.push_back(std::move(Vertices[N]));
  Vertices = std::move(Result);
}

void CacheCut::findPlaces(Vertex &X) {
  Varying::Loops Kept = Known.loopsKept(X.V);
  const uint64_t Bytes = bytesOf(X.V.V, DL);
  X.Places = placesOf(Kept);
  X.PlacePrice =
      tapePrice(Bytes, times(Bytes, X.Places),
                OnDevice                                ? TapeArray::OfThread
                : areKnown(Kept) && !F.R.Kind.isSplit() ? TapeArray::Known
                                                        : TapeArray::Guessed);
}

/// The iterations of \p Loops together.
uint64_t CacheCut::placesOf(ArrayRef<const LoopRecord *> Loops) const {
  uint64_t Places = 1;
  for (const LoopRecord *L : Loops)
    Places = times(Places, Estimates.trips(*L));
  return Places;
}

/// The loop whose iterations, run again, keep \p V; null if there is none.
const LoopRecord *CacheCut::rerunThatKeeps(PlanValue V) const {
  for (const RerunAnalysis *A : Reruns)
    if (A->canKeep(V))
      return &A->loop();
  return nullptr;
}

/// The loop whose iterations, run again, fill the shared memory that \p V
/// reads; null if there is none.
const LoopRecord *CacheCut::rerunThatFills(PlanValue V) const {
  for (const RerunAnalysis *A : Reruns)
    if (A->findsAgain(V))
      return &A->loop();
  return nullptr;
}

uint64_t CacheCut::priceInRerun(const Instruction &I,
                                const LoopRecord &Rerun) const {
  const uint64_t Bytes = bytesOf(&I, DL);
  uint64_t Total = Bytes;
  for (const LoopRecord *L = F.P->loopOf(I.getParent()); L != &Rerun;
       L = L->Parent)
    Total = times(Total, Estimates.trips(*L));
  const uint64_t Price =
      Total > maxCachedBytes(OnDevice)
          ? tapePrice(Bytes, Total,
                      OnDevice ? TapeArray::OfThread : TapeArray::Known)
          : StoreAgain + Load;
  // A store more for what is in memory anyway.
  return isLoadThatSurvives(I, F)
             ? std::max(Price, StoreAgain + loadPrice(&I, DL))
             : Price;
}

uint64_t CacheCut::keepPrice(const Vertex &X) {
  auto &I = *cast<Instruction>(X.V.V);
  if (X.V.Which == Part::Tape)
    return 0;
  if (const LoopRecord *Rerun = rerunThatKeeps(X.V))
    return times(priceInRerun(I, *Rerun), Estimates.runs(I.getParent()));
  const BasicBlock *B = F.P->blockOf(&I);
  const uint64_t Runs = Estimates.runs(B);
  if (const Snapshot *S = F.P->snapshotAt(&I))
    return snapshotPrice(*S, Runs, Estimates, DL);
  if (!F.P->loopOf(B) && !F.R.Kind.isSplit())
    return KeepInRegister;
  if (X.Places >= Runs)
    return times(X.PlacePrice, Runs);
  uint64_t EachRun = StoreAgain + loadPrice(&I, DL);
  return std::min(times(X.PlacePrice, X.Places) + times(EachRun, Runs),
                  MaxPrice);
}

uint64_t CacheCut::recomputeTotal(const Vertex &X) const {
  uint64_t Once = X.Reload ? loadPrice(X.V.V, DL)
                           : recomputePrice(X.V, *X.made(), Prices, DL);
  const BasicBlock *B = F.P->blockOf(cast<Instruction>(X.V.V));
  return times(Once, Estimates.runs(B));
}

/// Where a value stands in memory and can be computed as well, the cheaper of
/// the two is what the cut weighs against keeping it. Computing it takes its
/// operands, which have prices of their own unless somebody needs them anyway.
void CacheCut::preferMemory(const NeedSet &Needs) {
  std::vector<uint64_t> Price(Vertices.size(), 0);
  for (unsigned N = 0; N < Vertices.size(); ++N) {
    Vertex &X = Vertices[N];
    if (X.Available || X.V.Which == Part::Tape)
      continue;
    findPlaces(X);
    uint64_t Keep = X.PlacePrice;
    Price[N] =
        X.Recomputed ? recomputePrice(X.V, *X.Recomputed, Prices, DL) : Keep;
    if (X.Recomputed)
      for (PlanValue Op : X.Recomputed->Reads)
        if (!Needs.contains({Op.V, unsigned(Op.Which)}))
          Price[N] = std::min(Price[N] + Price[indexOf(Op)], MaxPrice);
    uint64_t Read = loadPrice(X.V.V, DL);
    X.Reload = X.Reloaded && (!X.Recomputed || Read < Price[N]);
    Price[N] = std::min(Price[N], X.Reload ? Read : Keep);
  }
}

/// An address in a copy: it is the copy that has a price.
bool CacheCut::isPartOfSnapshot(PlanValue V) const {
  return V.Which == Part::Primal && isa<GetElementPtrInst, SelectInst>(V.V) &&
         V.V->getType()->isPointerTy() && F.P->snapshotBehind(V.V);
}

void CacheCut::addEdges(Vertex &X, FlowGraph &G, FlowGraph::Node Source) {
  X.Node = G.addSplitNode(isPartOfSnapshot(X.V) ? FlowGraph::Infinite
                                                : keepPrice(X));
  if (!X.made()) {
    G.addEdge(Source, X.Node.In, FlowGraph::Infinite);
    return;
  }
  G.addEdge(Source, X.Node.In, recomputeTotal(X));
}

static bool isMade(Source From) {
  return From == Source::Recompute || From == Source::Reload;
}

/// For each vertex what it would be if it were read.
std::vector<Source> CacheCut::cut(const NeedSet &Needs, uint64_t &Price) {
  FlowGraph G;
  FlowGraph::Node From = G.addNode(), To = G.addNode();
  for (Vertex &X : Vertices)
    if (!X.Available)
      addEdges(X, G, From);
  for (Vertex &X : Vertices)
    if (!X.Available)
      for (PlanValue Op : X.reads())
        if (const Vertex &Y = Vertices[indexOf(Op)]; !Y.Available)
          G.addEdge(Y.Node.Out, X.Node.In, FlowGraph::Infinite);
  for (const auto &K : Needs) {
    const Vertex &X = Vertices[Index.lookup(K)];
    if (!X.Available)
      G.addEdge(X.Node.Out, To, FlowGraph::Infinite);
  }
  FlowGraph::Cut Cut = G.minCut(From, To, FlowGraph::Nearest::Sink);
  Price = Cut.Value;
  std::vector<Source> Choice;
  for (const Vertex &X : Vertices) {
    if (X.Available)
      Choice.push_back(Source::Available);
    else if (!X.made() || Cut.SourceSide[X.Node.In])
      Choice.push_back(Source::Cache);
    else
      Choice.push_back(X.Reload ? Source::Reload : Source::Recompute);
  }
  return Choice;
}

/// Whether a value would be made from itself: an address may depend on numbers
/// that stand in memory.
bool CacheCut::isCircular(ArrayRef<Source> Choice) const {
  enum { New, Open, Done };
  std::vector<char> State(Vertices.size(), New);
  SmallVector<std::pair<unsigned, unsigned>, 16> Stack;
  for (unsigned Root = 0; Root < Vertices.size(); ++Root) {
    if (State[Root] == New)
      Stack.push_back({Root, 0});
    while (!Stack.empty()) {
      auto &[N, Next] = Stack.back();
      State[N] = Open;
      if (!isMade(Choice[N]) || Next == Vertices[N].reads().size()) {
        State[N] = Done;
        Stack.pop_back();
        continue;
      }
      unsigned Op = indexOf(Vertices[N].reads()[Next++]);
      if (State[Op] == Open)
        return true;
      if (State[Op] == New)
        Stack.push_back({Op, 0});
    }
  }
  return false;
}

Sources CacheCut::solve(const NeedSet &Needs) {
  Sources Result;
  preferMemory(Needs);
  std::vector<Source> Choice = cut(Needs, Result.Price);
  if (isCircular(Choice)) {
    for (Vertex &X : Vertices)
      X.Reload = false;
    Choice = cut(Needs, Result.Price);
  }
  // Follow the choices from the needs: a node that nobody reads may lie on
  // either side.
  std::vector<bool> Read(Vertices.size(), false);
  SmallVector<unsigned, 16> Work;
  auto read = [&](unsigned N) {
    if (!Read[N])
      Work.push_back(N);
    Read[N] = true;
  };
  for (const auto &K : Needs)
    read(Index.lookup(K));
  while (!Work.empty()) {
    unsigned N = Work.pop_back_val();
    if (isMade(Choice[N]))
      for (PlanValue Op : Vertices[N].reads())
        read(indexOf(Op));
  }
  for (unsigned N = 0; N < Vertices.size(); ++N) {
    if (!Read[N])
      continue;
    PlanValue V = Vertices[N].V;
    Decision D = isMade(Choice[N]) ? *Vertices[N].made() : Decision{Choice[N]};
    if (D.From == Source::Cache)
      D.Rerun = rerunThatKeeps(V);
    Result.Decisions.push_back({V, std::move(D)});
  }
  return Result;
}

} // namespace

Sources decideSources(const Facts &F, const NeedSet &Needs,
                      const ProgramOrder &Order, unsigned MaxValues,
                      ArrayRef<const RerunAnalysis *> Reruns) {
  CacheCut Cut(F, Order, Reruns);
  if (!Cut.collect(Needs, MaxValues))
    return {};
  return Cut.solve(Needs);
}

} // namespace adze
