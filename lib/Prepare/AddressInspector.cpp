// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the inspector copies is found as ADCE finds what is alive: from the
// numbers asked for over operands, and over the branches that decide whether a
// block is executed (the iterated dominance frontier of the reverse graph). A
// branch that decides nothing of that is replaced by a jump to where its ways
// meet again, its immediate post-dominator.
#include "Prepare/AddressInspector.h"
#include "adze/KnownFunction.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Instructions to follow one number, and operations in an expression.
static constexpr size_t MaxValues = 64;
static constexpr unsigned MaxDepth = 12;
/// Loops that a number leaves, and bits of the steps by which it advances
/// there.
static constexpr unsigned MaxLoopsLeft = 3, StepBits = 18;
/// Bits of a factor: a number of 50 bits has no more than 60 then.
static constexpr unsigned ScaleBits = 10;
/// Calls and the like that may not return.
static constexpr size_t MaxLeaving = 16;
/// What one inspector follows.
static constexpr size_t MaxNumbers = 32;

/// Whatever it does, the instruction behind it is executed, or the program
/// ends by an exception for want of memory.
static bool goesOn(const Instruction &I) {
  if (isGuaranteedToTransferExecutionToSuccessor(&I))
    return true;
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && (Known->Facts.By == Derivation::Partials ||
                   Known->allocates() || Known->released());
}

AddressInspector::AddressInspector(Function &F, BasicBlock &At,
                                   ScalarEvolution &SE, LoopInfo &LI,
                                   DominatorTree &DT)
    : F(F), At(At), SE(SE), LI(LI), DT(DT), PDT(F),
      AllEnd(all_of(PDT.roots(),
                    [](const BasicBlock *B) { return succ_empty(B); })) {
  for (const Instruction &I : instructions(F))
    if (DT.properlyDominates(&At, I.getParent()) &&
        (isa<CallBase>(I) || !I.isTerminator()) && !goesOn(I))
      Leaving.push_back(&I);
}

bool AddressInspector::isKnown(const Value *V) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || (DT.dominates(I->getParent(), &At) && !I->isTerminator());
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

bool AddressInspector::canBuild(const SCEV *S, const BasicBlock &Place,
                                unsigned Depth) const {
  if (Depth > MaxDepth || isa<SCEVCouldNotCompute>(S) ||
      (S->getType()->isPointerTy() && !isa<SCEVUnknown>(S)))
    return false;
  auto allOperands = [&](const SCEV *Of) {
    return all_of(Of->operands(), [&](const SCEV *Op) {
      return canBuild(Op, Place, Depth + 1);
    });
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return true;
  case scUnknown: {
    auto *I = dyn_cast<Instruction>(cast<SCEVUnknown>(S)->getValue());
    return !I || DT.dominates(I->getParent(), &Place);
  }
  case scTruncate:
  case scZeroExtend:
  case scSignExtend:
  case scPtrToInt:
  case scAddExpr:
  case scMulExpr:
  case scSMaxExpr:
  case scSMinExpr:
  case scUMaxExpr:
  case scUMinExpr:
    return allOperands(S);
  case scUDivExpr:
    return isa<SCEVConstant>(cast<SCEVUDivExpr>(S)->getRHS()) && allOperands(S);
  case scAddRecExpr: {
    auto *A = cast<SCEVAddRecExpr>(S);
    return A->isAffine() && A->getLoop()->contains(&Place) && allOperands(S);
  }
  default:
    return false;
  }
}

/// A number that advances by steps in a loop is known in front of the loop by
/// its first and last value.
bool AddressInspector::leaveLoops(Number &N, Ends Are) const {
  Loop *L = LI.getLoopFor(N.Place);
  auto isInEachIteration = [&] {
    SmallVector<BasicBlock *, 4> Exits;
    L->getExitingBlocks(Exits);
    return all_of(
        Exits, [&](const BasicBlock *B) { return DT.dominates(N.Place, B); });
  };
  unsigned Left = 0;
  for (; L && DT.properlyDominates(&At, L->getHeader());
       L = L->getParentLoop()) {
    if (!L->getLoopPreheader())
      return false;
    if (Are == Ends::Met && !isInEachIteration())
      break;
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    bool Counts = false;
    auto ends = [&](const SCEV *S)
        -> std::optional<std::pair<const SCEV *, const SCEV *>> {
      if (SE.isLoopInvariant(S, L))
        return std::pair(S, S);
      auto *A = dyn_cast<SCEVAddRecExpr>(S);
      auto *Step = A && A->getLoop() == L && A->isAffine()
                       ? dyn_cast<SCEVConstant>(A->getStepRecurrence(SE))
                       : nullptr;
      if (!Step || isa<SCEVCouldNotCompute>(Count) ||
          SE.getTypeSizeInBits(Count->getType()) > 64 ||
          Step->getAPInt().getSignificantBits() > StepBits)
        return std::nullopt;
      Counts = true;
      const SCEV *Last = A->evaluateAtIteration(
          SE.getNoopOrZeroExtend(Count, S->getType()), SE);
      return Step->getAPInt().isNegative() ? std::pair(Last, A->getStart())
                                           : std::pair(A->getStart(), Last);
    };
    auto Low = ends(N.Low), High = ends(N.High);
    // Of the loops in a triangle the longest one counts.
    SmallVector<const SCEV *, 2> Longest;
    for (const SCEV *Inner : N.Counts)
      if (auto Range = ends(Inner))
        Longest.push_back(Range->second);
    if (Counts)
      Longest.push_back(Count);
    auto isKnownThere = [&](const SCEV *S) {
      return canBuild(S, *L->getLoopPreheader(), 0);
    };
    if (!Low || !High || (Counts && ++Left > MaxLoopsLeft) ||
        Longest.size() != N.Counts.size() + (Counts ? 1 : 0) ||
        !isKnownThere(Low->first) || !isKnownThere(High->second) ||
        !all_of(Longest, isKnownThere))
      break;
    N.Low = Low->first;
    N.High = High->second;
    N.Place = L->getLoopPreheader();
    N.Counts = std::move(Longest);
  }
  auto buildable = [&](const SCEV *S) { return canBuild(S, *N.Place, 0); };
  return buildable(N.Low) && buildable(N.High) && all_of(N.Counts, buildable);
}

/// Loops that the number does not vary with, those over time for one, are
/// outweighed by loops that it has left: else the inspector would do the same
/// in each step, in as many iterations as the program.
bool AddressInspector::isCheap(const Number &N, unsigned Depth) const {
  SmallPtrSet<const BasicBlock *, 8> Headers; // of loops that it varies with
  SmallSetVector<const Value *, 16> Behind;
  for (const SCEV *S : {N.Low, N.High})
    SCEVExprContains(S, [&](const SCEV *Part) {
      if (auto *Leaf = dyn_cast<SCEVUnknown>(Part))
        Behind.insert(Leaf->getValue());
      if (auto *Advance = dyn_cast<SCEVAddRecExpr>(Part))
        Headers.insert(Advance->getLoop()->getHeader());
      return false;
    });
  for (size_t Next = 0; Next < Behind.size(); ++Next) {
    auto *From = dyn_cast<Instruction>(Behind[Next]);
    if (!From || isKnown(From))
      continue;
    if (isa<PHINode>(From))
      Headers.insert(From->getParent());
    Behind.insert(From->op_begin(), From->op_end());
  }
  unsigned Left = Depth - LI.getLoopDepth(N.Place);
  unsigned Same = 0;
  for (const Loop *L = LI.getLoopFor(N.Place);
       L && DT.properlyDominates(&At, L->getHeader()); L = L->getParentLoop())
    Same += !Headers.contains(L->getHeader());
  return Same <= Left;
}

/// Finds what varies in the loops, and is narrower than the address.
void AddressInspector::separate(Number &N) const {
  auto isFixed = [&](const SCEV *S) {
    return !SCEVExprContains(S, [&](const SCEV *Part) {
      auto *Leaf = dyn_cast<SCEVUnknown>(Part);
      return isa<SCEVAddRecExpr>(Part) || (Leaf && !isKnown(Leaf->getValue()));
    });
  };
  auto parts = [&](const SCEV *S) {
    SmallVector<const SCEV *, 4> Fixed = {SE.getZero(S->getType())};
    SmallVector<const SCEV *, 4> Other = Fixed;
    auto *Sum = dyn_cast<SCEVAddExpr>(S);
    for (const SCEV *Op : Sum ? Sum->operands() : ArrayRef(S))
      (isFixed(Op) ? Fixed : Other).push_back(Op);
    return std::pair(SE.getAddExpr(Fixed), SE.getAddExpr(Other));
  };
  auto [LowRest, Varying] = parts(N.Low);
  auto [HighRest, Same] = parts(N.High);
  if (!N.Counts.empty() || Varying != Same || isFixed(Varying))
    return;
  if (auto *Product = dyn_cast<SCEVMulExpr>(Varying))
    if (auto *C = dyn_cast<SCEVConstant>(Product->getOperand(0));
        C && C->getAPInt().isStrictlyPositive() &&
        C->getAPInt().getActiveBits() <= ScaleBits) {
      SmallVector<const SCEV *, 4> Factors(drop_begin(Product->operands()));
      Varying = SE.getMulExpr(Factors);
      N.Scale = C->getAPInt().getSExtValue();
    }
  if (auto *Narrow = dyn_cast<SCEVIntegralCastExpr>(Varying);
      Narrow && !isa<SCEVTruncateExpr>(Narrow)) {
    Varying = Narrow->getOperand();
    N.Signed = isa<SCEVSignExtendExpr>(Narrow);
  }
  // Of these, the inspector does not look at how large they are.
  if (unsigned Bits = SE.getTypeSizeInBits(Varying->getType());
      Bits != 64 && Bits > 64 - StepBits)
    return;
  N.Varying = Varying;
  N.LowRest = LowRest;
  N.HighRest = HighRest;
}

/// Each iteration of a loop loads what varies, and the next element in the
/// next one.
void AddressInspector::findWalk(Number &N) {
  auto *Leaf = dyn_cast_or_null<SCEVUnknown>(N.Varying);
  auto *Load = Leaf ? dyn_cast<LoadInst>(Leaf->getValue()) : nullptr;
  Loop *L = Load ? LI.getLoopFor(Load->getParent()) : nullptr;
  if (!L || !DT.properlyDominates(&At, L->getHeader()))
    return;
  SmallVector<BasicBlock *, 4> Exits;
  L->getExitingBlocks(Exits);
  if (!all_of(Exits, [&](const BasicBlock *B) {
        return DT.dominates(Load->getParent(), B);
      }))
    return;
  const SCEV *Address = SE.getSCEV(Load->getPointerOperand());
  auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(Address));
  auto *Way = dyn_cast<SCEVAddRecExpr>(SE.removePointerBase(Address));
  TypeSize Size = F.getDataLayout().getTypeStoreSize(Load->getType());
  Number::Walk Rows;
  Rows.Count = SE.getBackedgeTakenCount(L);
  if (!Base || !isKnown(Base->getValue()) || !Way || Way->getLoop() != L ||
      !Way->isAffine() || Size.isScalable() ||
      !Way->getStart()->getType()->isIntegerTy(64) ||
      Way->getStepRecurrence(SE) !=
          SE.getConstant(Way->getType(), Size.getFixedValue()) ||
      isa<SCEVCouldNotCompute>(Rows.Count) ||
      SE.getTypeSizeInBits(Rows.Count->getType()) > 64)
    return;
  Rows.Load = Load;
  Rows.Base = Base->getValue();
  Rows.Place = L->getLoopPreheader();
  Rows.Begin = Way->getStart();
  if (!canBuild(Rows.Begin, *Rows.Place, 0) ||
      !canBuild(Rows.Count, *Rows.Place, 0))
    return;
  Rows.Code.Blocks.insert(Rows.Place);
  if (addLeaves(Rows.Begin, Rows.Code) && addLeaves(Rows.Count, Rows.Code) &&
      complete(Rows.Code))
    N.Rows = std::move(Rows);
}

std::optional<unsigned> AddressInspector::follow(const Instruction &I,
                                                 const SCEV *Low,
                                                 const SCEV *High, Ends Are,
                                                 unsigned Depth) {
  if (!AllEnd || Numbers.size() == MaxNumbers ||
      !Low->getType()->isIntegerTy(64) ||
      !DT.properlyDominates(&At, I.getParent()))
    return std::nullopt;
  Number N;
  N.Place = const_cast<BasicBlock *>(I.getParent());
  N.Low = Low;
  N.High = High;
  if (!leaveLoops(N, Are) ||
      !isCheap(N, std::max(Depth, LI.getLoopDepth(I.getParent()))))
    return std::nullopt;
  N.Code.Blocks.insert(N.Place);
  if (!addLeaves(N.Low, N.Code) || !addLeaves(N.High, N.Code) ||
      !all_of(N.Counts, [&](const SCEV *C) { return addLeaves(C, N.Code); }) ||
      !complete(N.Code))
    return std::nullopt;
  separate(N);
  findWalk(N);
  Numbers.push_back(std::move(N));
  return Numbers.size() - 1;
}

SmallVector<const LoadInst *, 8> AddressInspector::reads(unsigned No) const {
  SmallVector<const LoadInst *, 8> Loads;
  for (const Instruction *I : Numbers[No].Code.Values)
    if (auto *Load = dyn_cast<LoadInst>(I))
      Loads.push_back(Load);
  return Loads;
}

//===----------------------------------------------------------------------===//
// What is copied
//===----------------------------------------------------------------------===//

/// Cheap, without effects, and right whenever the program executes it.
bool AddressInspector::mayCopy(const Instruction &I) const {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple() && !mayNotBeReached(I);
  if (auto *Known = dyn_cast<IntrinsicInst>(&I))
    switch (Known->getIntrinsicID()) {
    case Intrinsic::abs:
    case Intrinsic::ceil:
    case Intrinsic::fabs:
    case Intrinsic::floor:
    case Intrinsic::fmuladd:
    case Intrinsic::nearbyint:
    case Intrinsic::rint:
    case Intrinsic::round:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::trunc:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return true;
    default:
      return false;
    }
  if (I.isIntDivRem()) {
    auto *Divisor = dyn_cast<ConstantInt>(I.getOperand(1));
    return Divisor && !Divisor->isZero() && !Divisor->isMinusOne();
  }
  return isa<PHINode, CastInst, GetElementPtrInst, CmpInst, SelectInst,
             FreezeInst, BinaryOperator, UnaryOperator>(I);
}

/// Something that may leave the function may be executed before \p I.
bool AddressInspector::mayNotBeReached(const Instruction &I) const {
  return Leaving.size() > MaxLeaving ||
         any_of(Leaving, [&](const Instruction *Before) {
           return isPotentiallyReachable(Before, &I, nullptr, &DT, &LI);
         });
}

bool AddressInspector::addLeaves(const SCEV *S, InspectedCode &C) const {
  struct Visitor {
    const AddressInspector &A;
    InspectedCode &C;
    bool follow(const SCEV *Part) {
      if (auto *Leaf = dyn_cast<SCEVUnknown>(Part)) {
        if (!A.isKnown(Leaf->getValue()))
          C.Values.insert(cast<Instruction>(Leaf->getValue()));
      } else if (auto *Advance = dyn_cast<SCEVAddRecExpr>(Part)) {
        // Its counter counts as often as the loop goes back.
        C.Blocks.insert(Advance->getLoop()->getLoopLatch());
        C.Blocks.insert(Advance->getLoop()->getHeader());
      }
      return true;
    }
    bool isDone() const { return false; }
  };
  Visitor V{*this, C};
  visitAll(S, V);
  return !C.Blocks.contains(nullptr);
}

/// The branches that decide whether blocks are executed.
bool AddressInspector::addDecisions(InspectedCode &C) {
  SmallPtrSet<BasicBlock *, 32> Executed;
  for (const BasicBlock *B : C.Blocks)
    Executed.insert(const_cast<BasicBlock *>(B));
  ReverseIDFCalculator Frontier(PDT);
  Frontier.setDefiningBlocks(Executed);
  SmallVector<BasicBlock *, 32> Deciding;
  Frontier.calculate(Deciding);
  for (BasicBlock *B : Deciding) {
    if (!DT.dominates(&At, B))
      continue;
    const Instruction *End = B->getTerminator();
    if (!isa<BranchInst, SwitchInst>(End) || End->getNumSuccessors() < 2)
      return false;
    C.Branches.insert(B);
    if (B != &At)
      C.Blocks.insert(B);
    if (!isKnown(End->getOperand(0)))
      C.Values.insert(cast<Instruction>(End->getOperand(0)));
  }
  return true;
}

bool AddressInspector::complete(InspectedCode &C) {
  for (size_t Done = 0, Blocks = 0;
       Done < C.Values.size() || Blocks != C.Blocks.size();) {
    for (; Done < C.Values.size(); ++Done) {
      const Instruction *I = C.Values[Done];
      if (C.Values.size() > MaxValues || !mayCopy(*I))
        return false;
      C.Blocks.insert(I->getParent());
      for (const Value *Op : I->operands())
        if (!isKnown(Op))
          C.Values.insert(cast<Instruction>(Op));
      if (isa<PHINode>(I))
        for (const BasicBlock *B : predecessors(I->getParent()))
          C.Blocks.insert(B);
    }
    Blocks = C.Blocks.size();
    if (!addDecisions(C))
      return false;
  }
  return all_of(C.Blocks, [&](const BasicBlock *B) {
    for (Loop *L = LI.getLoopFor(B);
         L && DT.properlyDominates(&At, L->getHeader()); L = L->getParentLoop())
      if (isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L)))
        return false;
    return true;
  });
}

} // namespace adze
