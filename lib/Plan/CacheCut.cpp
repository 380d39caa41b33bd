// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CacheCut.h"
#include "adze/FlowGraph.h"
#include "adze/KnownFunction.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace adze {

namespace {

/// Of a loop about which nothing is known.
constexpr uint64_t AssumedTripCount = 64;
/// Sums of 2^22 prices stay below 2^63.
constexpr uint64_t MaxPrice = uint64_t(1) << 40;

constexpr uint64_t KeepInRegister = 1;
constexpr uint64_t KeepOnTape = 2, KeepOnTapePer4Bytes = 5;
constexpr uint64_t Arithmetic = 1, Division = 8;
constexpr uint64_t Load = 1, LoadPer4Bytes = 1;
constexpr uint64_t LibraryFunction = 50;

uint64_t times(uint64_t A, uint64_t B) {
  return std::min(SaturatingMultiply(A, B), MaxPrice);
}

uint64_t bytesOf(const Instruction &I, PlanValue V) {
  const DataLayout &DL = I.getModule()->getDataLayout();
  return DL.getTypeAllocSize(V.V->getType()).getKnownMinValue();
}

uint64_t lanesOf(const Instruction &I) {
  auto *Vector = dyn_cast<FixedVectorType>(I.getType());
  return Vector ? Vector->getNumElements() : 1;
}

uint64_t callPrice(const CallBase &Call) {
  if (auto *I = dyn_cast<IntrinsicInst>(&Call))
    switch (I->getIntrinsicID()) {
    case Intrinsic::sqrt:
    case Intrinsic::experimental_constrained_sqrt:
      return Division * lanesOf(Call);
    case Intrinsic::sin:
    case Intrinsic::cos:
    case Intrinsic::tan:
    case Intrinsic::asin:
    case Intrinsic::acos:
    case Intrinsic::atan:
    case Intrinsic::sinh:
    case Intrinsic::cosh:
    case Intrinsic::tanh:
    case Intrinsic::exp:
    case Intrinsic::exp2:
    case Intrinsic::exp10:
    case Intrinsic::log:
    case Intrinsic::log2:
    case Intrinsic::log10:
    case Intrinsic::pow:
    case Intrinsic::powi:
    case Intrinsic::ldexp:
      return LibraryFunction * lanesOf(Call);
    default:
      if (!isa<ConstrainedFPIntrinsic>(I))
        return 2 * Arithmetic;
    }
  const KnownFunction *Known = lookupKnown(Call);
  if (Known && StringRef(Known->Family) == "sqrt")
    return Division * lanesOf(Call);
  if (Known && StringRef(Known->Family) == "fabs")
    return Arithmetic;
  return LibraryFunction * lanesOf(Call);
}

/// The price of recomputing \p I once.
uint64_t recomputePrice(const Instruction &I, PlanValue V, const Facts &F) {
  if (V.Which == Part::Primal && standsFor(&I, F))
    return 0;
  if (isa<LoadInst>(I))
    return Load + LoadPer4Bytes * divideCeil(bytesOf(I, V), 4);
  if (isa<GetElementPtrInst, CastInst, PHINode, FreezeInst, ExtractValueInst,
          InsertValueInst, ExtractElementInst, InsertElementInst>(I))
    return 0;
  if (V.Which == Part::Shadow)
    return Arithmetic;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return callPrice(*Call);
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return Division * lanesOf(I);
  case Instruction::FRem:
    return LibraryFunction * lanesOf(I);
  default:
    return Arithmetic * divideCeil(lanesOf(I), 4);
  }
}

/// The product of the estimated trip counts of the loops around \p B.
uint64_t estimatedRuns(const BasicBlock *B, const Primal &P) {
  uint64_t Runs = 1;
  for (const LoopRecord *L = P.loopOf(B); L; L = L->Parent) {
    uint64_t Trips = AssumedTripCount;
    if (auto *Last = dyn_cast_or_null<ConstantInt>(L->LastIteration))
      Trips = SaturatingAdd(Last->getLimitedValue(MaxPrice), uint64_t(1));
    Runs = times(Runs, Trips);
  }
  return Runs;
}

} // namespace

ProgramOrder::ProgramOrder(const Function &F) {
  for (const Argument &A : F.args())
    Numbers.insert({&A, Numbers.size()});
  for (const BasicBlock *B : ReversePostOrderTraversal<const Function *>(&F))
    for (const Instruction &I : *B)
      Numbers.insert({&I, Numbers.size()});
}

void ProgramOrder::sort(std::vector<PlanValue> &Values) const {
  llvm::sort(Values, [this](PlanValue A, PlanValue B) {
    return std::pair(of(A.V), A.Which) < std::pair(of(B.V), B.Which);
  });
}

namespace {

class CacheCut {
public:
  CacheCut(const Facts &F, const ProgramOrder &Order) : F(F), Order(Order) {}

  bool collect(const NeedSet &Needs, unsigned MaxValues);
  std::vector<std::pair<PlanValue, Source>> solve(const NeedSet &Needs);

private:
  using Key = std::pair<const Value *, unsigned>;
  struct Vertex {
    PlanValue V;
    bool Available = false;
    /// None: cannot be recomputed.
    std::optional<SmallVector<PlanValue, 4>> Operands;
    FlowGraph::SplitNode Node;
  };

  unsigned indexOf(PlanValue V) const {
    return Index.lookup({V.V, unsigned(V.Which)});
  }
  uint64_t keepPrice(const Vertex &X) const;
  uint64_t recomputeTotal(const Vertex &X) const;
  void addEdges(Vertex &X, FlowGraph &G, FlowGraph::Node Source);

  const Facts &F;
  const ProgramOrder &Order;
  std::vector<Vertex> Vertices; // in program order
  DenseMap<Key, unsigned> Index;
};

/// Everything from which a need could be recomputed.
bool CacheCut::collect(const NeedSet &Needs, unsigned MaxValues) {
  std::vector<PlanValue> Found;
  DenseSet<Key> Seen;
  DenseMap<Key, std::optional<SmallVector<PlanValue, 4>>> Operands;
  auto add = [&](PlanValue V) {
    if (Seen.insert({V.V, unsigned(V.Which)}).second)
      Found.push_back(V);
  };
  for (const auto &K : Needs)
    add({K.first, Part(K.second)});
  for (size_t Next = 0; Next < Found.size(); ++Next) {
    if (Found.size() > MaxValues)
      return false;
    PlanValue V = Found[Next];
    auto Ops = recomputeOperands(V, F);
    if (Ops)
      for (PlanValue Op : *Ops)
        add(Op);
    Operands[{V.V, unsigned(V.Which)}] = std::move(Ops);
  }
  Order.sort(Found);
  for (PlanValue V : Found) {
    Vertex X;
    X.V = V;
    X.Available = isAvailable(V, F);
    X.Operands = std::move(Operands[{V.V, unsigned(V.Which)}]);
    Index[{V.V, unsigned(V.Which)}] = Vertices.size();
    Vertices.push_back(std::move(X));
  }
  return true;
}

uint64_t CacheCut::keepPrice(const Vertex &X) const {
  auto &I = *cast<Instruction>(X.V.V);
  if (X.V.Which == Part::Tape)
    return 0;
  const BasicBlock *B = I.getParent();
  if (!F.P->loopOf(B) && F.R.Kind == DerivativeKind::Fused)
    return KeepInRegister;
  uint64_t Once =
      KeepOnTape + KeepOnTapePer4Bytes * divideCeil(bytesOf(I, X.V), 4);
  if (I.getType()->isIntegerTy(1))
    Once = KeepOnTape + Arithmetic;
  return times(Once, estimatedRuns(B, *F.P));
}

uint64_t CacheCut::recomputeTotal(const Vertex &X) const {
  auto &I = *cast<Instruction>(X.V.V);
  return times(recomputePrice(I, X.V, F), estimatedRuns(I.getParent(), *F.P));
}

void CacheCut::addEdges(Vertex &X, FlowGraph &G, FlowGraph::Node Source) {
  X.Node = G.addSplitNode(keepPrice(X));
  if (!X.Operands) {
    G.addEdge(Source, X.Node.In, FlowGraph::Infinite);
    return;
  }
  G.addEdge(Source, X.Node.In, recomputeTotal(X));
  for (PlanValue Op : *X.Operands) {
    const Vertex &Y = Vertices[indexOf(Op)];
    if (!Y.Available)
      G.addEdge(Y.Node.Out, X.Node.In, FlowGraph::Infinite);
  }
}

std::vector<std::pair<PlanValue, Source>>
CacheCut::solve(const NeedSet &Needs) {
  FlowGraph G;
  FlowGraph::Node From = G.addNode(), To = G.addNode();
  for (Vertex &X : Vertices)
    if (!X.Available)
      addEdges(X, G, From);
  for (const auto &K : Needs) {
    const Vertex &X = Vertices[Index.lookup(K)];
    if (!X.Available)
      G.addEdge(X.Node.Out, To, FlowGraph::Infinite);
  }
  FlowGraph::Cut Cut = G.minCut(From, To, FlowGraph::Nearest::Sink);
  // Follow the choices from the needs: a node that nobody reads may lie on
  // either side.
  std::vector<bool> Read(Vertices.size(), false);
  for (const auto &K : Needs)
    Read[Index.lookup(K)] = true;
  std::vector<std::pair<PlanValue, Source>> Result;
  for (unsigned N = Vertices.size(); N-- > 0;) {
    const Vertex &X = Vertices[N];
    if (!Read[N])
      continue;
    Source S = Source::Available;
    if (!X.Available) {
      bool Keep = !X.Operands || Cut.SourceSide[X.Node.In];
      S = Keep ? Source::Cache : Source::Recompute;
      if (!Keep)
        for (PlanValue Op : *X.Operands)
          Read[indexOf(Op)] = true;
    }
    Result.push_back({X.V, S});
  }
  std::reverse(Result.begin(), Result.end());
  return Result;
}

} // namespace

std::vector<std::pair<PlanValue, Source>>
decideSources(const Facts &F, const NeedSet &Needs, const ProgramOrder &Order,
              unsigned MaxValues) {
  CacheCut Cut(F, Order);
  if (!Cut.collect(Needs, MaxValues))
    return {};
  return Cut.solve(Needs);
}

} // namespace adze
