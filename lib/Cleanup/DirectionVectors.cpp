// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors along the directions. What a derivative does for each of n directions
// are n operations that differ in their operands alone:
//
//   t0 = a * dx0;  t1 = a * dx1;  ...           t = splat(a) * dx;
//   s0 = t0 + dy0; s1 = t1 + dy1; ...    -->    s = t + dy;
//
// In loops that become vector code as they are, the vectors hold iterations,
// and directions stay apart. All other code gets vectors of as many directions
// as a register of the processor holds. Shadows are separate memory for each
// direction, so that vectors are put together where they are loaded, and taken
// apart where they are stored. LLVM's vectorizer of straight-line code could do
// this; but it looks for what is alike, up to a limit for each block, which few
// directions reach.
#include "DirectionRows.h"
#include "VectorLoops.h"
#include "adze/Cleanup.h"
#include "adze/GuardedProduct.h"
#include "adze/VerifyIR.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopAccessAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace adze {

namespace {

/// Directions that one vector holds.
struct Chunk {
  unsigned First, Size;
};

class DirectionVectors {
public:
  DirectionVectors(Function &F, const DirectionRows &Found,
                   const DominatorTree &DT, unsigned RegisterBits)
      : F(F), Found(Found), DT(DT), RegisterBits(RegisterBits) {}
  void run();

private:
  SmallVector<Chunk, 8> chunksOf(const DirectionRow &Row) const;
  std::vector<unsigned> inOrder();
  Instruction *behind(Value *V) const;
  Value *vectorOf(unsigned Index, Chunk C);
  Value *gather(const DirectionRow &Row, Chunk C);
  void makePhi(unsigned Index, Chunk C);
  void makeOperation(unsigned Index, Chunk C);
  void connectPhi(unsigned Index, Chunk C);
  void takeApart(unsigned Index, Chunk C);

  Function &F;
  const DirectionRows &Found;
  const DominatorTree &DT;
  const unsigned RegisterBits;
  DenseMap<std::pair<unsigned, unsigned>, Value *> Made; // by first direction
  /// Of each vector, the last of what it takes the place of: found before any
  /// is made, since a block numbers its instructions anew behind each
  /// insertion.
  DenseMap<unsigned, Instruction *> LastOf;
};

SmallVector<Chunk, 8>
DirectionVectors::chunksOf(const DirectionRow &Row) const {
  const unsigned Bits = Row.Each.front()->getType()->getScalarSizeInBits();
  SmallVector<Chunk, 8> Chunks;
  for (unsigned First = 0; First + 1 < Found.count();) {
    const unsigned Size =
        std::min(RegisterBits / Bits, bit_floor(Found.count() - First));
    if (Size < 2)
      break;
    Chunks.push_back({First, Size});
    First += Size;
  }
  return Chunks;
}

/// The vectors, each behind those that it is made of, but for phis.
std::vector<unsigned> DirectionVectors::inOrder() {
  DenseMap<const BasicBlock *, unsigned> Number;
  for (const BasicBlock *B : ReversePostOrderTraversal<const Function *>(&F))
    Number[B] = Number.size();
  struct Place {
    unsigned Block;
    const Instruction *Last;
    unsigned Row;
  };
  std::vector<Place> Places;
  for (auto [Index, Row] : enumerate(Found.rows()))
    if (Row.Is == DirectionRow::Vector) {
      Instruction *Last = LastOf[unsigned(Index)] = Row.last();
      Places.push_back(
          {Number.lookup(Row.at(0)->getParent()), Last, unsigned(Index)});
    }
  sort(Places, [](const Place &A, const Place &B) {
    if (A.Block != B.Block)
      return A.Block < B.Block;
    return A.Last != B.Last && A.Last->comesBefore(B.Last);
  });
  std::vector<unsigned> Order;
  for (const Place &P : Places)
    Order.push_back(P.Row);
  return Order;
}

/// Where \p V is there for the first time.
Instruction *DirectionVectors::behind(Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return &*F.getEntryBlock().getFirstInsertionPt();
  return isa<PHINode>(I) ? &*I->getParent()->getFirstInsertionPt()
                         : I->getNextNode();
}

Value *DirectionVectors::gather(const DirectionRow &Row, Chunk C) {
  ArrayRef<Value *> Part = ArrayRef(Row.Each).slice(C.First, C.Size);
  Value *Last = Part.front(); // all are there where one of them is last
  for (Value *V : Part)
    if (auto *I = dyn_cast<Instruction>(V))
      if (!isa<Instruction>(Last) || DT.dominates(cast<Instruction>(Last), I))
        Last = V;
  IRBuilder<> B(behind(Last));
  if (Row.Is == DirectionRow::Shared)
    return B.CreateVectorSplat(C.Size, Last);
  Value *Vector =
      PoisonValue::get(FixedVectorType::get(Last->getType(), C.Size));
  for (auto [K, V] : enumerate(Part))
    Vector = B.CreateInsertElement(Vector, V, K);
  return Vector;
}

Value *DirectionVectors::vectorOf(unsigned Index, Chunk C) {
  Value *&Known = Made[{Index, C.First}];
  if (!Known)
    Known = gather(Found.rows()[Index], C);
  return Known;
}

void DirectionVectors::makePhi(unsigned Index, Chunk C) {
  const DirectionRow &Row = Found.rows()[Index];
  auto *First = cast<PHINode>(Row.at(C.First));
  IRBuilder<> B(First);
  Made[{Index, C.First}] =
      B.CreatePHI(FixedVectorType::get(First->getType(), C.Size),
                  First->getNumIncomingValues(), First->getName());
}

void DirectionVectors::connectPhi(unsigned Index, Chunk C) {
  const DirectionRow &Row = Found.rows()[Index];
  auto *Vector = cast<PHINode>(Made[{Index, C.First}]);
  auto *First = cast<PHINode>(Row.at(0));
  for (auto [From, Op] : zip(First->blocks(), Row.Operands))
    Vector->addIncoming(vectorOf(Op, C), From);
}

void DirectionVectors::makeOperation(unsigned Index, Chunk C) {
  const DirectionRow &Row = Found.rows()[Index];
  SmallVector<Value *, 3> Operands;
  for (unsigned Op : Row.Operands)
    Operands.push_back(vectorOf(Op, C));
  Instruction *First = Row.at(C.First);
  IRBuilder<> B(behind(LastOf.lookup(Index)));
  B.SetCurrentDebugLocation(First->getDebugLoc());
  FastMathFlags Flags = First->getFastMathFlags();
  for (unsigned K = 1; K != C.Size; ++K)
    Flags &= Row.at(C.First + K)->getFastMathFlags();
  B.setFastMathFlags(Flags);
  Value *&Vector = Made[{Index, C.First}];
  if (auto *Call = dyn_cast<CallInst>(First))
    Vector = guardedProduct(
        B, Operands[0], Operands[1],
        keptZeros(*Call->getCalledFunction()).value_or(KeptZeros::OfBoth));
  else if (auto *Choice = dyn_cast<SelectInst>(First))
    Vector = B.CreateSelect(Choice->getCondition(), Operands[0], Operands[1]);
  else
    Vector = B.CreateNAryOp(First->getOpcode(), Operands);
}

/// Elements that others read.
void DirectionVectors::takeApart(unsigned Index, Chunk C) {
  const DirectionRow &Row = Found.rows()[Index];
  Value *Vector = Made[{Index, C.First}];
  IRBuilder<> B(behind(Row.isPhi() ? Row.at(0) : LastOf.lookup(Index)));
  if (auto *I = dyn_cast<Instruction>(Vector); I && !Row.isPhi())
    B.SetInsertPoint(I->getNextNode());
  for (unsigned K = 0; K != C.Size; ++K) {
    Instruction *I = Row.at(C.First + K);
    if (!Found.isReadElsewhere(*I))
      continue;
    Value *Element = B.CreateExtractElement(Vector, K);
    I->replaceUsesWithIf(
        Element, [&](const Use &U) { return !Found.isElement(*U.getUser()); });
  }
}

void DirectionVectors::run() {
  const std::vector<unsigned> Order = inOrder();
  auto each = [&](bool Phis, function_ref<void(unsigned, Chunk)> Do) {
    for (unsigned Index : Order)
      if (const DirectionRow &Row = Found.rows()[Index]; Row.isPhi() == Phis)
        for (Chunk C : chunksOf(Row))
          Do(Index, C);
  };
  each(true, [&](unsigned Index, Chunk C) { makePhi(Index, C); });
  each(false, [&](unsigned Index, Chunk C) { makeOperation(Index, C); });
  each(true, [&](unsigned Index, Chunk C) { connectPhi(Index, C); });
  SmallVector<Instruction *, 64> Gone;
  for (bool Phis : {false, true})
    each(Phis, [&](unsigned Index, Chunk C) {
      takeApart(Index, C);
      for (unsigned K = 0; K != C.Size; ++K)
        Gone.push_back(Found.rows()[Index].at(C.First + K));
    });
  for (Instruction *I : Gone)
    I->dropAllReferences();
  for (Instruction *I : Gone) {
    I->replaceAllUsesWith(PoisonValue::get(I->getType())); // debug information
    I->eraseFromParent();
  }
}

/// No sums in which the order counts.
bool mayReorder(Loop &L) {
  return all_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    RecurrenceDescriptor Sum;
    return !Phi.getType()->isFloatingPointTy() ||
           !RecurrenceDescriptor::isReductionPHI(&Phi, &L, Sum) ||
           !Sum.getExactFPMathInst();
  });
}

void vectorizeIn(Function &F, FunctionAnalysisManager &FAM) {
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  const auto Bits = unsigned(
      TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue());
  if (Bits < 128 || TTI.hasBranchDivergence(&F) || F.hasOptNone())
    return;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &Accesses = FAM.getResult<LoopAccessAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallPtrSet<const Loop *, 8> Along; // vectors of iterations
  for (Loop *L : LI.getLoopsInPreorder())
    if (mayVectorize(*L, Accesses, SE) && mayReorder(*L))
      Along.insert(L);
  auto MayHold = [&](const BasicBlock &B) {
    return !Along.contains(LI.getLoopFor(&B));
  };
  DirectionRows Rows(F, LI, MayHold);
  if (Rows.find())
    DirectionVectors(F, Rows, FAM.getResult<DominatorTreeAnalysis>(F), Bits)
        .run();
}

} // namespace

Error vectorizeDirections(Module &M, FunctionAnalysisManager &FAM) {
  for (Function &F : M) {
    if (!holdsDirections(F))
      continue;
    vectorizeIn(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    if (Error Wrong = verifyIR(F))
      return createStringError("directions of " + F.getName() + ": " +
                               toString(std::move(Wrong)));
  }
  return Error::success();
}

} // namespace adze
