// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of which a nest of loops reads each element several times:
//
//   for (i = 1; i < n - 1; i++)
//     next[i] = g(u[i - 1], u[i], u[i + 1]);     u is overwritten later
//
// To keep three numbers, or three results, for each i takes three times the
// memory that u takes. So a copy of what the nest reads of u is offered: a call
// (SnapshotName) in front of the nest, and beside each load one of the same
// element of the copy. It is for the plan to say whether it is worth it; else
// the call means u itself, and the loads mean nothing.
//
// Why the copy holds what the loads read, and may be made. Let N be the nest.
//   * Nothing in N may write to the array, so that in front of N stands what is
//     read in it.
//   * The address of each load is start + sum of counter * step over the loops
//     of N around it, with start and steps that do not vary in N. So all that
//     is read lies between the least and the greatest of these numbers.
//   * These two are really read, and lie in one object, with all between them:
//     the loads are executed in every iteration of every loop around them in N,
//     these loops are left in one place only, after a number of iterations that
//     is known in front of N, and no instruction in N ends the program. Or the
//     loads are executed in no iteration, by conditions that are known there,
//     too; then nothing is copied.
//
// Memory between the elements read is copied, too. That there is not much of it
// is judged by steps and counts, taken for integers without bounds; it is a
// question of price only.
#include "Prepare/LoopMemory.h"
#include "Prepare/Stages.h"
#include "adze/KnownFunction.h"
#include "adze/Primal.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {
namespace {

/// Functions with more loads in loops are left as they are.
constexpr unsigned MaxLoads = 5000;
/// Questions to alias analysis for all loads of a function.
constexpr unsigned MaxQuestions = 200000;
/// Bytes that may lie unread between a row and the next one.
constexpr int64_t MaxGap = 128;
/// Rows and elements that two loads of one array may lie apart.
constexpr int64_t MaxRows = 4;
/// Address calculations between an array and its element.
constexpr unsigned MaxSteps = 8;
constexpr uint64_t BlockAlign = 16;

/// Extensions of sums as sums of extensions, as if no sum ever overflowed.
class Unbounded : public SCEVRewriteVisitor<Unbounded> {
public:
  explicit Unbounded(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    return extended(visit(E->getOperand()), E->getType());
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    return extended(visit(E->getOperand()), E->getType());
  }

private:
  const SCEV *extended(const SCEV *S, Type *Ty) {
    if (isa<SCEVAddExpr, SCEVMulExpr>(S)) {
      SmallVector<const SCEV *, 4> Parts;
      for (const SCEV *Op : cast<SCEVNAryExpr>(S)->operands())
        Parts.push_back(extended(Op, Ty));
      return isa<SCEVAddExpr>(S) ? SE.getAddExpr(Parts) : SE.getMulExpr(Parts);
    }
    return isa<SCEVConstant>(S) ? SE.getSignExtendExpr(S, Ty)
                                : SE.getZeroExtendExpr(S, Ty);
  }
};

class Snapshots {
public:
  Snapshots(Primal &P, LoopMemory &M)
      : P(P), DL(M.DL), SE(M.SE), Results(M.TLI), Alias(Results),
        Expander(SE, DL, "adze.snapshot") {
    Results.addAAResult(M.Basic);
    Results.addAAResult(M.Typed);
    Results.addAAResult(Scoped);
    Alias.enableCrossIterationMode();
  }

  void run();

private:
  /// One loop of the nest in which an address advances.
  struct Advance {
    const LoopRecord *L;
    const SCEV *Step;
  };
  /// Conditions, and what they are where the load is executed.
  using Guards = SmallVector<std::pair<Value *, bool>, 2>;
  /// A load in a nest.
  struct Read {
    LoadInst *Load = nullptr;
    const Loop *Nest = nullptr;
    const SCEV *Start = nullptr;      // its address in all first iterations
    SmallVector<Advance, 3> Advances; // outer to inner
    Guards If;
  };
  using Group = SmallVector<Read, 4>;
  /// What is in a nest.
  struct NestFacts {
    bool MayEnd = false; // the program, or by an exception
    SmallVector<Instruction *, 8> Writers;
    SmallPtrSet<const Metadata *, 8> Promised; // scopes of restrict around it
  };

  bool isCounted(const LoopRecord &R, const BasicBlock *B, Guards &Added);
  bool isBefore(const Value *V, const Loop &Nest) const;
  std::optional<Read> readOf(LoadInst &Load);
  bool isDense(ArrayRef<Advance> Inner, const Advance &Next, Type *Element);
  bool isNear(const Read &A, const Read &B);
  bool mayWrite(const Loop &Nest, LoadInst &Load);
  const NestFacts &factsOf(const Loop &Nest);
  AAMDNodes promisesOf(const LoadInst &Load, const NestFacts &Nest);
  bool mayBeMade(const SCEV *S, const Loop &Nest) const;
  std::optional<std::pair<const SCEV *, const SCEV *>> rangeOf(const Read &R);
  void offer(Group &G);
  Value *sameOf(LoadInst &Load, Value *Array, Value *Copy);
  Value *arrayOf(LoadInst &Load) const;
  std::optional<int64_t> constant(const SCEV *S);

  Primal &P;
  const DataLayout &DL;
  ScalarEvolution &SE;
  ScopedNoAliasAAResult Scoped;
  AAResults Results;
  BatchAAResults Alias;
  SCEVExpander Expander;
  SmallVector<const NoAliasScopeDeclInst *, 8> Scopes;
  DenseMap<const Loop *, NestFacts> Nests;
  unsigned Questions = 0;
};

/// What \p S is if nothing overflows, if that is a constant.
std::optional<int64_t> Snapshots::constant(const SCEV *S) {
  auto *C = dyn_cast<SCEVConstant>(Unbounded(SE).visit(S));
  if (!C || !C->getAPInt().isSignedIntN(62))
    return std::nullopt;
  return C->getAPInt().getSExtValue();
}

/// Whether \p R is left after a known number of iterations only, and \p B is
/// executed in each of them, or, where what is added to \p Guards is not so, in
/// none.
bool Snapshots::isCounted(const LoopRecord &R, const BasicBlock *B,
                          Guards &Added) {
  if (!R.LastIteration || !R.L->getLoopPreheader() || !R.ExitingBlock ||
      R.L->getExitingBlock() != R.ExitingBlock)
    return false;
  while (!P.DT->dominates(B, R.ExitingBlock)) {
    const BasicBlock *From = B->getSinglePredecessor();
    auto *Branch = From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
    if (!Branch)
      return false;
    if (Branch->isConditional())
      Added.push_back({Branch->getCondition(), Branch->getSuccessor(0) == B});
    B = From;
  }
  return true;
}

/// \p V is computed in front of \p Nest.
bool Snapshots::isBefore(const Value *V, const Loop &Nest) const {
  auto *I = dyn_cast<Instruction>(V);
  return !I || P.DT->dominates(I, Nest.getLoopPreheader()->getTerminator());
}

/// \p S can be computed in front of \p Nest.
bool Snapshots::mayBeMade(const SCEV *S, const Loop &Nest) const {
  return Expander.isSafeToExpandAt(S, Nest.getLoopPreheader()->getTerminator());
}

/// The rows of \p Inner, and the next loop out, leave little unread.
bool Snapshots::isDense(ArrayRef<Advance> Inner, const Advance &Next,
                        Type *Element) {
  auto isLittle = [](std::optional<int64_t> Gap) {
    return Gap && *Gap >= -MaxGap && *Gap <= MaxGap;
  };
  if (isLittle(constant(Next.Step)))
    return true;
  Type *Ty = Next.Step->getType();
  const SCEV *Span =
      SE.getConstant(Ty, DL.getTypeStoreSize(Element).getFixedValue());
  for (const Advance &A : Inner) {
    Value *Last = A.L->LastIteration;
    // A guard makes it 0 where the loop is not entered.
    if (auto *Guarded = dyn_cast<SelectInst>(Last))
      Last = Guarded->getTrueValue();
    Span = SE.getAddExpr(Span, SE.getMulExpr(A.Step, SE.getSCEV(Last)));
  }
  return isLittle(constant(SE.getMinusSCEV(Next.Step, Span)));
}

const Snapshots::NestFacts &Snapshots::factsOf(const Loop &Nest) {
  auto [It, New] = Nests.try_emplace(&Nest);
  NestFacts &N = It->second;
  if (!New)
    return N;
  for (BasicBlock *B : Nest.blocks())
    for (Instruction &I : *B) {
      N.MayEnd |= !isGuaranteedToTransferExecutionToSuccessor(&I);
      if (I.mayWriteToMemory() && !isa<NoAliasScopeDeclInst>(I))
        N.Writers.push_back(&I);
    }
  for (const NoAliasScopeDeclInst *Decl : Scopes)
    if (P.DT->properlyDominates(Decl->getParent(), Nest.getHeader()))
      for (const MDOperand &Scope : Decl->getScopeList()->operands())
        N.Promised.insert(Scope.get());
  return N;
}

/// The promises of restrict that \p Load makes, if they hold for the whole
/// nest: if they were made in front of it.
AAMDNodes Snapshots::promisesOf(const LoadInst &Load, const NestFacts &Nest) {
  AAMDNodes Tags = Load.getAAMetadata();
  auto holds = [&](const MDNode *List) {
    return !List || all_of(List->operands(), [&](const MDOperand &Scope) {
      return Nest.Promised.contains(Scope.get());
    });
  };
  if (!holds(Tags.Scope))
    Tags.Scope = nullptr;
  if (!holds(Tags.NoAlias))
    Tags.NoAlias = nullptr;
  return Tags;
}

/// Something in \p Nest may write to the array that \p Load reads, in whatever
/// iteration, or end the program.
bool Snapshots::mayWrite(const Loop &Nest, LoadInst &Load) {
  const NestFacts &N = factsOf(Nest);
  // Alias analysis compares two phis of one block edge by edge.
  auto varies = [&](const Value *Ptr) {
    auto *Object = dyn_cast<Instruction>(getUnderlyingObject(Ptr, 0));
    return Object && isa<PHINode, SelectInst>(Object) && Nest.contains(Object);
  };
  MemoryLocation Array = MemoryLocation::getBeforeOrAfter(
      Load.getPointerOperand(), promisesOf(Load, N));
  if (N.MayEnd || varies(Array.Ptr))
    return true;
  for (Instruction *I : N.Writers) {
    std::optional<MemoryLocation> Own = MemoryLocation::getOrNone(I);
    if (++Questions > MaxQuestions || !Own || varies(Own->Ptr) ||
        isModSet(Alias.getModRefInfo(I, Array)))
      return true;
  }
  return false;
}

/// \p Load in the largest nest of which the beginning of this file is true.
std::optional<Snapshots::Read> Snapshots::readOf(LoadInst &Load) {
  Type *Element = Load.getType();
  if (!Load.isSimple() || !Element->isFloatingPointTy() ||
      !P.canReturn(Load.getParent()) || P.Stored.count(&Load))
    return std::nullopt;
  Read Found, R;
  R.Load = &Load;
  R.Start = SE.getSCEV(Load.getPointerOperand());
  const BasicBlock *In = Load.getParent();
  for (Loop *L = P.LI->getLoopFor(Load.getParent()); L;
       In = L->getLoopPreheader(), L = L->getParentLoop()) {
    const LoopRecord *Record = P.LoopOf.lookup(L);
    if (!isCounted(*Record, In, R.If))
      break;
    auto *Address = dyn_cast<SCEVAddRecExpr>(R.Start);
    if (Address && Address->getLoop() == L) {
      Advance Next{Record, Address->getStepRecurrence(SE)};
      if (!Address->isAffine() || !isDense(R.Advances, Next, Element))
        break;
      R.Start = Address->getStart();
      R.Advances.insert(R.Advances.begin(), Next);
    }
    bool Fits = SE.isLoopInvariant(R.Start, L) && mayBeMade(R.Start, *L) &&
                all_of(R.Advances,
                       [&](const Advance &A) {
                         return SE.isLoopInvariant(A.Step, L) &&
                                mayBeMade(A.Step, *L) &&
                                mayBeMade(SE.getSCEV(A.L->LastIteration), *L);
                       }) &&
                all_of(R.If, [&](auto &G) { return isBefore(G.first, *L); });
    if (!Fits || mayWrite(*L, Load))
      break;
    R.Nest = L;
    Found = R;
  }
  if (!Found.Nest || Found.Advances.empty())
    return std::nullopt;
  return Found;
}

/// Both lie in rows that advance alike, and not far from each other.
bool Snapshots::isNear(const Read &A, const Read &B) {
  if (A.Nest != B.Nest || A.If != B.If ||
      A.Load->getType() != B.Load->getType() ||
      A.Advances.size() != B.Advances.size() ||
      arrayOf(*A.Load) != arrayOf(*B.Load))
    return false;
  for (auto [X, Y] : zip(A.Advances, B.Advances))
    if (X.L != Y.L || X.Step != Y.Step)
      return false;
  const SCEV *Apart = SE.getMinusSCEV(A.Start, B.Start);
  if (isa<SCEVCouldNotCompute>(Apart))
    return false;
  for (int64_t Rows = -MaxRows; Rows <= MaxRows; ++Rows) {
    const SCEV *Step = A.Advances.front().Step;
    std::optional<int64_t> Rest = constant(SE.getAddExpr(
        Apart, SE.getMulExpr(Step, SE.getConstant(Step->getType(), Rows,
                                                  /*isSigned=*/true))));
    if (Rest && *Rest >= -MaxGap && *Rest <= MaxGap)
      return true;
  }
  return false;
}

/// The pointer that the address of \p Load is calculated from; null if not by
/// plain address calculations.
Value *Snapshots::arrayOf(LoadInst &Load) const {
  Value *V = Load.getPointerOperand();
  for (unsigned Steps = 0; Steps < MaxSteps; ++Steps) {
    auto *GEP = dyn_cast<GetElementPtrInst>(V);
    if (!GEP)
      return V;
    V = GEP->getPointerOperand();
  }
  return nullptr;
}

/// The element of \p Copy that is that of \p Array that \p Load reads.
Value *Snapshots::sameOf(LoadInst &Load, Value *Array, Value *Copy) {
  SmallVector<GetElementPtrInst *, MaxSteps> Way;
  for (Value *V = Load.getPointerOperand(); V != Array;
       V = Way.back()->getPointerOperand())
    Way.push_back(cast<GetElementPtrInst>(V));
  for (GetElementPtrInst *GEP : reverse(Way)) {
    auto *Same = cast<GetElementPtrInst>(GEP->clone());
    Same->setOperand(0, Copy);
    // Copy points as far before the copy as the first element is from Array.
    Same->setNoWrapFlags(GEPNoWrapFlags::none());
    Same->insertBefore(&Load);
    Copy = Same;
  }
  return Copy;
}

/// From the first byte that \p R reads to the last one, which is not counted
/// in, as distances from its array.
std::optional<std::pair<const SCEV *, const SCEV *>>
Snapshots::rangeOf(const Read &R) {
  const SCEV *First = SE.getMinusSCEV(R.Start, SE.getSCEV(arrayOf(*R.Load)));
  if (isa<SCEVCouldNotCompute>(First))
    return std::nullopt;
  Type *Ty = First->getType();
  const SCEV *Zero = SE.getZero(Ty), *Last = First;
  for (const Advance &A : R.Advances) {
    const SCEV *Span = SE.getMulExpr(
        A.Step, SE.getTruncateOrZeroExtend(SE.getSCEV(A.L->LastIteration), Ty));
    First = SE.getAddExpr(First, SE.getSMinExpr(Zero, Span));
    Last = SE.getAddExpr(Last, SE.getSMaxExpr(Zero, Span));
  }
  if (!mayBeMade(First, *R.Nest) || !mayBeMade(Last, *R.Nest))
    return std::nullopt;
  return std::pair(First, Last);
}

/// The copy for the loads \p G of one array.
void Snapshots::offer(Group &G) {
  const Read &One = G.front();
  Value *Array = arrayOf(*One.Load);
  Type *Element = One.Load->getType();
  const SCEV *First = nullptr, *Last = nullptr;
  Align Aligned(BlockAlign);
  for (const Read &R : G) {
    auto Range = rangeOf(R);
    if (!Range)
      return;
    First = First ? SE.getSMinExpr(First, Range->first) : Range->first;
    Last = Last ? SE.getSMaxExpr(Last, Range->second) : Range->second;
    Aligned = std::min(Aligned, R.Load->getAlign());
  }
  const SCEV *Bytes = SE.getAddExpr(
      SE.getMinusSCEV(Last, First),
      SE.getConstant(First->getType(),
                     DL.getTypeStoreSize(Element).getFixedValue()));
  Instruction *End = One.Nest->getLoopPreheader()->getTerminator();
  Type *Ptr = Array->getType();
  Value *Begin = Expander.expandCodeFor(First, First->getType(), End);
  Value *Length = Expander.expandCodeFor(Bytes, First->getType(), End);
  IRBuilder<> B(End);
  B.SetCurrentDebugLocation(One.Load->getDebugLoc());
  Value *Nothing = B.getIntN(Length->getType()->getIntegerBitWidth(), 0);
  for (auto [Condition, IsSo] : One.If)
    Length = B.CreateSelect(Condition, IsSo ? Length : Nothing,
                            IsSo ? Nothing : Length);
  FunctionCallee Take = P.F->getParent()->getOrInsertFunction(
      SnapshotName, Ptr, Ptr, Length->getType());
  auto *F = cast<Function>(Take.getCallee());
  F->addFnAttr(declared::Inactive);
  F->setMemoryEffects(MemoryEffects::argMemOnly(ModRefInfo::Ref));
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setDoesNotFreeMemory();
  F->setReturnDoesNotAlias();
  F->addParamAttr(0, Attribute::NoCapture);
  CallInst *Call = B.CreateCall(Take, {B.CreatePtrAdd(Array, Begin), Length});
  Value *Copy = B.CreatePtrAdd(Call, B.CreateNeg(Begin));
  Snapshot &S = P.Snapshots[Call];
  S.Reader = One.Load;
  for (const Advance &A : One.Advances)
    S.Over.push_back(A.L);
  S.Bytes = DL.getTypeStoreSize(Element).getFixedValue();
  if (std::optional<int64_t> Step = constant(One.Advances.back().Step))
    S.Bytes = std::max(S.Bytes, uint64_t(std::abs(*Step)));
  for (const Read &R : G) {
    Value *Same = sameOf(*R.Load, Array, Copy);
    auto *Again =
        new LoadInst(Element, Same, R.Load->getName() + ".same",
                     /*isVolatile=*/false, Aligned, R.Load->getIterator());
    Again->setDebugLoc(R.Load->getDebugLoc());
    Again->setMetadata(LLVMContext::MD_tbaa,
                       R.Load->getMetadata(LLVMContext::MD_tbaa));
    P.Stored[R.Load] = Again;
  }
}

void Snapshots::run() {
  SmallVector<LoadInst *, 32> Loads;
  for (BasicBlock &B : *P.F)
    for (Instruction &I : B) {
      if (auto *Decl = dyn_cast<NoAliasScopeDeclInst>(&I))
        Scopes.push_back(Decl);
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && P.LI->getLoopFor(&B))
        Loads.push_back(Load);
    }
  if (Loads.size() > MaxLoads || DL.getIndexSizeInBits(0) != 64)
    return;
  // By array; few loops read one array in several ways.
  MapVector<Value *, SmallVector<Group, 1>> Groups;
  for (LoadInst *Load : Loads) {
    Value *Array = arrayOf(*Load);
    std::optional<Read> R = Array ? readOf(*Load) : std::nullopt;
    if (!R || !isBefore(Array, *R->Nest) ||
        Array->getType()->getPointerAddressSpace() != 0)
      continue;
    SmallVector<Group, 1> &OfArray = Groups[Array];
    auto *Near =
        find_if(OfArray, [&](const Group &G) { return isNear(G.front(), *R); });
    if (Near != OfArray.end())
      Near->push_back(*R);
    else
      OfArray.push_back({*R});
  }
  auto isOneElement = [](const Group &G) {
    return all_of(G, [&](const Read &R) { return R.Start == G.front().Start; });
  };
  for (auto &[Array, OfArray] : Groups)
    for (Group &G : OfArray)
      if (!isOneElement(G))
        offer(G);
}

} // namespace

const Snapshot *Primal::snapshotBehind(const Value *Pointer) const {
  return Snapshots.empty()
             ? nullptr
             : snapshotAt(getUnderlyingObject(Pointer, /*MaxLookup=*/0));
}

void offerSnapshots(Primal &P, LoopMemory &M) { Snapshots(P, M).run(); }

} // namespace adze
