// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads that read what an earlier loop stored:
//
//   for (i < n) c[i] = x[i] - m[i];
//   for (j < n) ... c[j] ...                 reads x[j] - m[j]
//
// The optimizer does not forward from one loop to another, and it should not:
// the load is cheaper. But where c is overwritten before the reverse pass reads
// it, and x and m are not, computing x[j] - m[j] again saves an array on the
// tape. So the expression is an alternative of the load, with the counter of
// the one loop in place of the other's.
//
// Why they are equal. Let C be the innermost loop around both (or none).
//   * The header of the storing loop dominates the load and C is its parent, so
//     what the load sees is what its last run, in the same iteration of C,
//     left.
//   * The store is executed in each of its iterations, in iteration k to
//     start + k * step, |step| being at least the size of what is stored; so no
//     iteration overwrites what another one stored. (Addresses would wrap
//     around after 2^60 iterations at the earliest.)
//   * The load reads start + k * step in iteration k of its loop, for the very
//     same start and step, and that loop runs no longer than the storing one.
//   * No instruction on a path from the storing loop to the load writes to
//     what is loaded, nor to what the expression reads.
//
// The optimizer also does the opposite: where a loop reads or stores x[i + 1]
// and reads x[i] in its next iteration, it carries the number around the loop
// in a phi, and for x[i - 1] in a second one. That would have to be kept for
// each iteration; so the load that it stands for is an alternative of such a
// phi.
#include "Alternatives/Alternatives.h"
#include "Loops/LoopMemory.h"
#include "adze/Primal.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {
namespace {

/// Expressions of more instructions are no alternative.
constexpr unsigned MaxExpression = 16;
/// Stores to one sequence of addresses that are looked at for one load.
constexpr unsigned MaxStores = 4;
/// Iterations around which the optimizer carries a number.
constexpr unsigned MaxCarried = 3;
/// Blocks on the only path from an access to the end of an iteration.
constexpr unsigned MaxBlocks = 8;
/// Functions with more loads and stores in loops are left as they are.
constexpr unsigned MaxAccesses = 20000;

using Expression = SmallVector<Instruction *, MaxExpression>;

class StoredValues {
public:
  StoredValues(Primal &P, LoopMemory &M) : P(P), M(M), SE(M.SE) {}

  void run();

private:
  /// A store, or a load, in a loop in which its address advances.
  struct Access {
    Instruction *I;
    const Loop *L;
  };
  using Sequence = std::pair<const SCEV *, const SCEV *>; // start, step

  std::optional<std::pair<Sequence, Access>> movingAccess(Instruction &I);
  void undoCarrying(PHINode &Phi, const LoopRecord &Record);
  bool isUnchangedAt(const Instruction *From, const BasicBlock *Begin,
                     const MemoryLocation &Loc, BasicBlock *End);
  const Instruction *homeOf(Value *V, const LoopRecord &Record);
  bool forward(const Access &Load, const Access &Store, Sequence S);
  bool storesAllThatIsRead(const Access &Load, const Access &Store, Sequence S);
  bool runsNoLonger(const Loop *Reading, const Loop *Storing);
  bool isUnchangedIn(const Loop &L, const Instruction &From,
                     const MemoryLocation &Loc);
  bool collect(Value *V, const Loop *L, Expression &E) const;
  bool mayStand(const Instruction &I, const Loop *L) const;
  Value *copyTo(LoadInst *Load, const Loop *To, Value *Stored, const Loop *From,
                const Expression &E);

  Primal &P;
  LoopMemory &M;
  ScalarEvolution &SE;
};

/// The address of \p I if it advances by a constant step that is at least the
/// size of what lies there.
std::optional<std::pair<StoredValues::Sequence, StoredValues::Access>>
StoredValues::movingAccess(Instruction &I) {
  Type *Ty = getLoadStoreType(&I);
  bool IsSimple = isa<LoadInst>(I) ? cast<LoadInst>(I).isSimple()
                                   : cast<StoreInst>(I).isSimple();
  std::optional<LoopAccess> A = accessOf(I, SE);
  if (!IsSimple || Ty->isPtrOrPtrVectorTy() || !Ty->isSingleValueType() || !A ||
      !P.canReturn(I.getParent()))
    return std::nullopt;
  auto *Address = dyn_cast<SCEVAddRecExpr>(A->Address);
  if (!Address || !Address->getLoop()->contains(I.getParent()) ||
      !isElsewhereEachTime(*A, *Address->getLoop(), SE))
    return std::nullopt;
  return std::pair(
      Sequence(Address->getStart(), Address->getStepRecurrence(SE)),
      Access{&I, Address->getLoop()});
}

/// Whether the last iteration of \p Reading is not after that of \p Storing.
bool StoredValues::runsNoLonger(const Loop *Reading, const Loop *Storing) {
  BasicBlock *Exiting = P.LoopOf.lookup(Storing)->ExitingBlock;
  const SCEV *Stored = SE.getExitCount(Storing, Exiting);
  const SCEV *Read = SE.getSymbolicMaxBackedgeTakenCount(Reading);
  if (isa<SCEVCouldNotCompute>(Stored) || isa<SCEVCouldNotCompute>(Read))
    return false;
  if (Stored == Read)
    return true;
  Type *Wide = SE.getWiderType(Stored->getType(), Read->getType());
  Stored = SE.getNoopOrZeroExtend(Stored, Wide);
  Read = SE.getNoopOrZeroExtend(Read, Wide);
  return Stored == Read ||
         SE.isKnownPredicate(ICmpInst::ICMP_ULE, Read, Stored) ||
         SE.isLoopEntryGuardedByCond(Reading, ICmpInst::ICMP_ULE, Read, Stored);
}

/// The first three points of the proof above, but for the step.
bool StoredValues::storesAllThatIsRead(const Access &Load, const Access &Store,
                                       Sequence S) {
  const Loop *Storing = Store.L, *Common = Storing->getParentLoop();
  const LoopRecord *Record = P.LoopOf.lookup(Storing);
  if (P.LI->getLoopFor(Store.I->getParent()) != Storing ||
      Storing->contains(Load.I) || Load.L->contains(Storing) ||
      (Common && !Common->contains(Load.I)) || !Record->ExitBlock ||
      !P.DT->dominates(Storing->getHeader(), Load.I->getParent()) ||
      !P.DT->dominates(Store.I->getParent(), Storing->getLoopLatch()) ||
      !P.DT->dominates(Store.I->getParent(), Record->ExitingBlock))
    return false;
  for (const Loop *L = Load.L; L != Common; L = L->getParentLoop())
    if (!SE.isLoopInvariant(S.first, L))
      return false;
  return runsNoLonger(Load.L, Storing);
}

/// Whether \p I may be computed again outside of \p L.
bool StoredValues::mayStand(const Instruction &I, const Loop *L) const {
  if (P.LI->getLoopFor(I.getParent()) != L)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
    switch (Intrinsic->getIntrinsicID()) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
    case Intrinsic::fabs:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return !Intrinsic->hasOperandBundles();
    default:
      return false;
    }
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst>(I);
}

/// Adds what \p V is computed from in \p L, operands first.
bool StoredValues::collect(Value *V, const Loop *L, Expression &E) const {
  SmallVector<std::pair<Instruction *, unsigned>, MaxExpression> Stack;
  auto enter = [&](Value *Op) {
    auto *I = dyn_cast<Instruction>(Op);
    if (!I || !L->contains(I) || I == P.LoopOf.lookup(L)->Counter ||
        is_contained(E, I))
      return true;
    if (!mayStand(*I, L) || Stack.size() + E.size() >= MaxExpression)
      return false;
    Stack.push_back({I, 0});
    return true;
  };
  if (!enter(V))
    return false;
  while (!Stack.empty()) {
    auto &[I, Next] = Stack.back();
    if (Next == I->getNumOperands()) {
      if (!is_contained(E, I))
        E.push_back(I);
      Stack.pop_back();
    } else if (!enter(I->getOperand(Next++))) {
      return false;
    }
  }
  return true;
}

Value *StoredValues::copyTo(LoadInst *Load, const Loop *To, Value *Stored,
                            const Loop *From, const Expression &E) {
  DenseMap<Value *, Value *> Copies;
  Copies[P.LoopOf.lookup(From)->Counter] = P.LoopOf.lookup(To)->Counter;
  for (Instruction *I : E) {
    Instruction *Copy = I->clone();
    for (Use &U : Copy->operands())
      if (Value *Other = Copies.lookup(U))
        U.set(Other);
    // Scopes of the place where the original stands promise nothing here.
    Copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
    Copy->setMetadata(LLVMContext::MD_noalias, nullptr);
    Copy->setDebugLoc(Load->getDebugLoc());
    Copy->insertBefore(Load);
    if (I->hasName())
      Copy->setName(I->getName() + ".stored");
    if (auto *Again = dyn_cast<LoadInst>(I))
      P.Elsewhere.Reads[Copy].Same = Again;
    Copies[I] = Copy;
  }
  Value *Other = Copies.lookup(Stored);
  return Other ? Other : Stored;
}

bool StoredValues::forward(const Access &Load, const Access &Store,
                           Sequence S) {
  auto *Read = cast<LoadInst>(Load.I);
  auto *Written = cast<StoreInst>(Store.I);
  Value *Stored = Written->getValueOperand();
  Expression E;
  if (Stored->getType() != Read->getType() ||
      !storesAllThatIsRead(Load, Store, S) || !collect(Stored, Store.L, E))
    return false;
  auto isWritten = [&](Instruction *Load, const Instruction *Known) {
    return M.Writers.mayWriteBetween(Store.L->getLoopPreheader(),
                                     Read->getParent(),
                                     MemoryLocation::get(Load), Known);
  };
  if (isWritten(Read, Written) || any_of(E, [&](Instruction *I) {
        return isa<LoadInst>(I) && isWritten(I, nullptr);
      }))
    return false;
  P.Equivalents[Read] = copyTo(Read, Load.L, Stored, Store.L, E);
  return true;
}

/// What \p From, in front of \p L, has accessed at \p Loc, nothing in \p L
/// writes to.
bool StoredValues::isUnchangedIn(const Loop &L, const Instruction &From,
                                 const MemoryLocation &Loc) {
  return L.getLoopPreheader() && !L.contains(&From) &&
         none_of(M.Writers.writersIn(L), [&](Instruction *I) {
           return M.Writers.mayWrite(*I, Loc, Times::any()) &&
                  !M.Order.neverAfter(&From, I);
         });
}

/// Nothing that may write to \p Loc stands between \p From, or the beginning of
/// the loop whose latch \p End is if that is null, and the end of \p End; false
/// if more than one path leads there, but for loops on it. What stands on one
/// path is executed under the same values of all variables.
bool StoredValues::isUnchangedAt(const Instruction *From,
                                 const BasicBlock *Begin,
                                 const MemoryLocation &Loc, BasicBlock *End) {
  unsigned Blocks = 0;
  for (BasicBlock *B = End; B && Blocks < MaxBlocks;) {
    ++Blocks;
    for (Instruction &I : reverse(*B)) {
      if (&I == From)
        return true;
      if (M.Writers.mayWrite(I, Loc, Times::same()))
        return false;
    }
    if (B == Begin)
      return !From;
    const Loop *L = P.LI->isLoopHeader(B) ? P.LI->getLoopFor(B) : nullptr;
    if (L && !(From && isUnchangedIn(*L, *From, Loc)))
      return false;
    B = L ? L->getLoopPreheader() : B->getSinglePredecessor();
  }
  return false;
}

/// Where \p V, as the loop of \p Record hands it to its next iteration, lies at
/// that time: where a load has found it in this iteration, or a store put it,
/// or where what stands for a phi of the loop finds it.
const Instruction *StoredValues::homeOf(Value *V, const LoopRecord &Record) {
  BasicBlock *Header = Record.L->getHeader(), *Latch = Record.L->getLoopLatch();
  auto stays = [&](Instruction *Access, const Instruction *From) {
    return isUnchangedAt(From, Header, MemoryLocation::get(Access), Latch);
  };
  if (auto *Load = dyn_cast<LoadInst>(V))
    return Load->isSimple() && stays(Load, Load) ? Load : nullptr;
  if (auto *Phi = dyn_cast<PHINode>(V); Phi && Phi->getParent() == Header) {
    auto *Load = dyn_cast_or_null<LoadInst>(P.Equivalents.lookup(Phi));
    return Load && stays(Load, nullptr) ? Load : nullptr;
  }
  for (User *U : V->users())
    if (auto *Store = dyn_cast<StoreInst>(U))
      if (Store->getValueOperand() == V && Store->isSimple() &&
          stays(Store, Store))
        return Store;
  return nullptr;
}

/// Notes the load in place of which \p Phi, in the header of a loop, carries
/// its value: the one before the loop has loaded from start, and what iteration
/// k leaves lies at start + (k + 1) * step.
void StoredValues::undoCarrying(PHINode &Phi, const LoopRecord &Record) {
  BasicBlock *Preheader = Record.L->getLoopPreheader();
  auto *First = dyn_cast<LoadInst>(Phi.getIncomingValueForBlock(Preheader));
  if (!First || !First->isSimple() || !Phi.getType()->isFPOrFPVectorTy() ||
      !P.canReturn(Phi.getParent()) || P.Equivalents.count(&Phi) ||
      !isUnchangedAt(First, nullptr, MemoryLocation::get(First), Preheader))
    return;
  const Instruction *Next =
      homeOf(Phi.getIncomingValueForBlock(Record.L->getLoopLatch()), Record);
  if (!Next)
    return;
  auto *Pointer = const_cast<Value *>(getLoadStorePointerOperand(Next));
  Value *Start = First->getPointerOperand();
  const SCEVAddRecExpr *Address = advanceIn(SE.getSCEV(Pointer), *Record.L);
  if (!Address || Pointer->getType() != Start->getType())
    return;
  auto *Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE));
  if (!Step || SE.getMinusSCEV(Address->getStart(), SE.getSCEV(Start)) != Step)
    return;
  IRBuilder<> B(&*Phi.getParent()->getFirstInsertionPt());
  B.SetCurrentDebugLocation(Next->getDebugLoc());
  Value *Offset = B.CreateMul(
      Record.Counter, ConstantInt::getSigned(Record.Counter->getType(),
                                             Step->getAPInt().getSExtValue()));
  LoadInst *Load = B.CreateAlignedLoad(
      Phi.getType(), B.CreatePtrAdd(Start, Offset),
      std::min(First->getAlign(),
               getLoadStoreAlignment(const_cast<Instruction *>(Next))),
      Phi.getName() + ".carried");
  MDNode *Tag = Next->getMetadata(LLVMContext::MD_tbaa);
  if (Tag == First->getMetadata(LLVMContext::MD_tbaa))
    Load->setMetadata(LLVMContext::MD_tbaa, Tag);
  AlternativeRead Read;
  Read.Start = Start;
  Read.Step = Step->getAPInt().getSExtValue();
  Read.Over = &Record;
  Read.Accesses.push_back(First);
  if (const AlternativeRead *Other = P.Elsewhere.readOf(Next))
    append_range(Read.Accesses, Other->Accesses);
  else
    Read.Accesses.push_back(Next);
  P.Elsewhere.Reads[Load] = std::move(Read);
  P.Equivalents[&Phi] = Load;
}

void StoredValues::run() {
  for (const auto &Record : P.Loops)
    for (unsigned Round = 0; Round < MaxCarried; ++Round)
      for (PHINode &Phi : Record->L->getHeader()->phis())
        undoCarrying(Phi, *Record);
  MapVector<Sequence, SmallVector<Access, 2>> Stores;
  std::vector<std::pair<Sequence, Access>> Loads;
  unsigned Accesses = 0;
  for (BasicBlock &B : *P.F) {
    if (!P.LI->getLoopFor(&B))
      continue;
    for (Instruction &I : B) {
      if (!isa<LoadInst, StoreInst>(I))
        continue;
      if (++Accesses > MaxAccesses)
        return;
      auto Found = movingAccess(I);
      if (Found && isa<StoreInst>(I))
        Stores[Found->first].push_back(Found->second);
      else if (Found)
        Loads.push_back(*Found);
    }
  }
  for (auto &[S, Load] : Loads) {
    auto It = Stores.find(S);
    if (It == Stores.end() || It->second.size() > MaxStores)
      continue;
    for (const Access &Store : It->second)
      if (forward(Load, Store, S))
        break;
  }
}

} // namespace

void offerStoredValues(Primal &P, LoopMemory &M) { StoredValues(P, M).run(); }

} // namespace adze
