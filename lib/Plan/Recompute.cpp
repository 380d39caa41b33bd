// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What can be computed again in the reverse pass, and from what. The answer
// must not depend on where the reverse pass asks: see the argument in Plan.h.
#include "Recompute.h"
#include "adze/KnownFunction.h"
#include "adze/Plan.h"
#include "adze/Rule.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// Values in the calculation of one address.
static constexpr size_t MaxAddressSteps = 16;

namespace {

void addPrimal(Decision &D, const Value *V) {
  if (!isa<Constant>(V))
    D.Reads.push_back({V, Part::Primal});
}

/// For the shadow of \p To. A constant may have a shadow (a global has), but
/// needs no decision.
void addShadow(Decision &D, const Instruction &To, const Value *V,
               const Facts &F) {
  if (isa<Constant>(V))
    return;
  if (F.hasShadow(V))
    D.Reads.push_back({V, Part::Shadow});
  else if (holdsPointers(V, F) || isNumberBesideAddress(To, V, F))
    D.Reads.push_back({V, Part::Primal}); // its own shadow
}

/// What a phi is where it needs no tape. A phi of one operand is that operand,
/// unless it carries a value out of a loop: then the operand is another one for
/// each iteration, and the phi is what the last one left. A phi of two operands
/// behind a branch chooses by the branch's condition; both operands must
/// dominate the phi, or reading the one not chosen would read a place on the
/// tape that was never made.
std::optional<Decision> phiChoice(const PHINode &Phi, const Primal &P) {
  auto *Block = const_cast<BasicBlock *>(Phi.getParent());
  if (P.ExitCounters.count(Block) || P.LI->isLoopHeader(Block))
    return std::nullopt;
  Decision D{Source::Recompute};
  if (Phi.getNumIncomingValues() == 1) {
    D.Instead = Phi.getIncomingValue(0);
    auto *In = dyn_cast<Instruction>(D.Instead);
    if (In && P.LI->getLoopFor(In->getParent()) &&
        !P.LI->getLoopFor(In->getParent())->contains(Block))
      return std::nullopt;
    return D;
  }
  auto Entry = P.EnteredFrom.find(Block);
  if (Phi.getNumIncomingValues() != 2 || Entry == P.EnteredFrom.end() ||
      Entry->second.Preds.size() != 2 || Entry->second.Index == &Phi ||
      !Entry->second.Index->getType()->isIntegerTy(1))
    return std::nullopt;
  D.Index = Entry->second.Index;
  D.Instead = Phi.getIncomingValueForBlock(Entry->second.Preds[1]);
  D.Otherwise = Phi.getIncomingValueForBlock(Entry->second.Preds[0]);
  for (const Value *V : {D.Index, D.Instead, D.Otherwise}) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && I->getParent() != Block && !P.DT->dominates(I, Block))
      return std::nullopt;
    // A phi beside this one may be where the index stands, nothing else.
    if (I && I->getParent() == Block && V != D.Index)
      return std::nullopt;
  }
  return D;
}

bool isPureIntrinsic(const CallBase &Call) {
  auto *I = dyn_cast<IntrinsicInst>(&Call);
  if (!I || !I->doesNotAccessMemory() || I->mayHaveSideEffects() ||
      I->isConvergent() || !I->willReturn())
    return false;
  switch (I->getIntrinsicID()) {
  // These may be answered differently at another place, or have no meaning
  // there.
  case Intrinsic::is_constant:
  case Intrinsic::objectsize:
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::addressofreturnaddress:
  case Intrinsic::sponentry:
    return false;
  default:
    return !I->getType()->isTokenTy();
  }
}

bool isPureCall(const CallBase &Call) {
  if (Call.hasOperandBundles() || Call.getType()->isVoidTy())
    return false;
  if (isPureIntrinsic(Call))
    return true;
  const KnownFunction *Known = lookupKnown(Call);
  if (!Known)
    return false;
  // errno may be set once more.
  bool IsMath = (Known->Facts.Result == Returns::Result ||
                 Known->Facts.Result == Returns::Constant) &&
                Known->Outputs.empty();
  return IsMath && none_of(Call.args(), [](const Use &Arg) {
           return Arg->getType()->isPointerTy();
         });
}

} // namespace

bool isPure(const Instruction &I, const Primal &P) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isPureCall(*Call);
  if (isa<FreezeInst>(I))
    return isGuaranteedNotToBeUndefOrPoison(
        P.Elsewhere.meaningOf(I.getOperand(0)));
  return isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst,
             GetElementPtrInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, ExtractValueInst, InsertValueInst>(I);
}

bool isLoadThatSurvives(const Instruction &I, const Facts &F) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->isSimple() && !F.Memory->mayBeOverwritten(Load);
}

namespace {

bool isGiven(const Snapshot &S, const Request &R) {
  return S.Given && is_contained(R.Copied, S.Given->getArgNo());
}

/// A call of a function of the program that reads memory at most, and the same
/// when it is made once more.
bool isCallThatSurvives(const Instruction &I, const Facts &F) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || !Call->getCalledFunction() || lookupKnown(*Call) ||
      isa<IntrinsicInst>(Call) || Call->hasOperandBundles())
    return false;
  Type *Ty = Call->getType();
  return Ty->isSingleValueType() && !Ty->isPtrOrPtrVectorTy() &&
         Call->onlyReadsMemory() && Call->doesNotThrow() &&
         Call->hasFnAttr(Attribute::WillReturn) && !Call->isConvergent() &&
         !Call->isStrictFP() && !Call->hasByValArgument() &&
         !F.Memory->mayBeOverwritten(Call);
}

/// The copy that an alternative, \p V, leads into or is loaded from.
const Snapshot *copyReadBy(const Value &V, const Primal &P) {
  if (V.getType()->isPointerTy())
    return P.snapshotBehind(&V);
  auto *Load = dyn_cast<LoadInst>(&V);
  const AlternativeRead *Read = Load ? P.Elsewhere.readOf(Load) : nullptr;
  return Read && Read->Copy ? P.snapshotAt(Read->Copy) : nullptr;
}

} // namespace

const Value *equivalentValue(const Instruction &I, const Facts &F) {
  if (isLoadThatSurvives(I, F))
    return nullptr;
  const Value *Other = F.P->Equivalents.lookup(&I);
  const Snapshot *S = Other ? copyReadBy(*Other, *F.P) : nullptr;
  return S && S->Given && !isGiven(*S, F.R) ? nullptr : Other;
}

namespace {

std::optional<Decision> recomputePrimal(const Instruction &I, const Facts &F) {
  Decision D{Source::Recompute};
  auto addOperand = [&](const Value *Op) {
    addPrimal(D, F.P->Elsewhere.meaningOf(Op));
  };
  if (const Value *Stored = equivalentValue(I, F)) {
    D.Instead = Stored;
    addPrimal(D, Stored);
    return D;
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    auto Choice = phiChoice(*Phi, *F.P);
    if (Choice)
      for (const Value *V : {Choice->Index, Choice->Instead, Choice->Otherwise})
        if (V)
          addPrimal(*Choice, V);
    return Choice;
  }
  if (isLoadThatSurvives(I, F)) {
    const Value *Address = cast<LoadInst>(I).getPointerOperand();
    D.Copy = F.P->snapshotBehind(Address);
    addOperand(Address);
    return D;
  }
  if (!isPure(I, *F.P) && !isCallThatSurvives(I, F))
    return std::nullopt;
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    for (const Use &Arg : Call->args())
      if (!Arg->getType()->isMetadataTy())
        addOperand(Arg);
    return D;
  }
  for (const Use &Op : I.operands())
    addOperand(Op);
  return D;
}

/// Whether \p Call returns its operand 0, so that their shadows are the same.
bool returnsFirstOperand(const CallBase &Call) {
  const KnownFunction *Known = lookupKnown(Call);
  return Known && Known->Facts.Result == Returns::First &&
         Known->Facts.By != Derivation::Shuffle;
}

std::optional<Decision> recomputeShadow(const Instruction &I, const Facts &F) {
  if (auto *Phi = dyn_cast<PHINode>(&I)) {
    auto Choice = phiChoice(*Phi, *F.P);
    if (!Choice)
      return std::nullopt;
    if (Choice->Index)
      addPrimal(*Choice, Choice->Index);
    for (const Value *V : {Choice->Instead, Choice->Otherwise})
      if (V)
        addShadow(*Choice, I, V, F);
    return Choice;
  }
  Decision D{Source::Recompute};
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (!returnsFirstOperand(*Call))
      return std::nullopt;
    D.Instead = Call->getArgOperand(0);
    addShadow(D, I, D.Instead, F);
    return D;
  }
  D.By = lookupRule(I, F);
  // A freeze may choose freely only where the shadow is undefined too.
  if (isa<FreezeInst, CastInst>(I)) {
    addShadow(D, I, I.getOperand(0), F);
    return D;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    // Where the pointer's shadow does not exist the shadow of what was loaded
    // has come from elsewhere.
    if (!isLoadThatSurvives(I, F) || !F.hasShadow(Load->getPointerOperand()))
      return std::nullopt;
    addShadow(D, I, Load->getPointerOperand(), F);
    return D;
  }
  if (isa<GetElementPtrInst, ExtractElementInst>(I)) {
    addShadow(D, I, I.getOperand(0), F);
    for (const Use &Index : drop_begin(I.operands()))
      addPrimal(D, Index);
    return D;
  }
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    addPrimal(D, Select->getCondition());
    addShadow(D, I, Select->getTrueValue(), F);
    addShadow(D, I, Select->getFalseValue(), F);
    return D;
  }
  if (isa<InsertElementInst>(I)) {
    addShadow(D, I, I.getOperand(0), F);
    addShadow(D, I, I.getOperand(1), F);
    addPrimal(D, I.getOperand(2));
    return D;
  }
  if (isa<ExtractValueInst, InsertValueInst, ShuffleVectorInst>(I)) {
    for (const Use &Op : I.operands())
      addShadow(D, I, Op, F);
    return D;
  }
  return std::nullopt;
}

bool isCounter(const Value *V, const Primal &P) {
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi)
    return false;
  const LoopRecord *L = P.loopOf(Phi->getParent());
  return L && L->Counter == Phi;
}

} // namespace

bool Decision::operator==(const Decision &O) const {
  return From == O.From && Slot == O.Slot && Rerun == O.Rerun &&
         Reads == O.Reads && Store == O.Store && Instead == O.Instead &&
         Index == O.Index && Otherwise == O.Otherwise && Copy == O.Copy &&
         By == O.By;
}

Decision readAgain(const LoadInst &Load, const LoopRecord &Filled,
                   const Facts &F) {
  Decision D{Source::Recompute};
  D.Rerun = &Filled;
  addPrimal(D, F.P->Elsewhere.meaningOf(Load.getPointerOperand()));
  return D;
}

bool isAvailable(PlanValue V, const Facts &F) {
  if (V.Which == Part::Tape)
    return false;
  if (isa<Constant, Argument, BasicBlock>(V.V))
    return true;
  if (auto *A = dyn_cast<AllocaInst>(V.V))
    return A->isStaticAlloca();
  if (V.Which != Part::Primal)
    return false;
  const Snapshot *S = F.P->snapshotAt(V.V);
  return (S && isGiven(*S, F.R)) || isCounter(V.V, *F.P);
}

/// The primal need not compute what memory behind such an argument holds.
static bool mayBeUnwritten(const Value *Ptr, const Facts &F) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return any_of(Objects, [&](const Value *Object) {
    auto *A = dyn_cast<Argument>(Object);
    return A && F.R.Args[A->getArgNo()] == ArgActivity::DupNoNeed;
  });
}

/// The store that puts \p V where it stays, in the block of \p V: the one is
/// executed as often as the other.
static const StoreInst *storedBeside(const Instruction *V, const Facts &F) {
  for (const User *U : V->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && Store->getParent() == V->getParent() &&
        Store->getValueOperand() == V && F.Memory->storeSurvives(Store) &&
        !mayBeUnwritten(Store->getPointerOperand(), F))
      return Store;
  }
  return nullptr;
}

static bool mayAllocate(const Instruction &I) {
  if (auto *A = dyn_cast<AllocaInst>(&I))
    return !A->isStaticAlloca();
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isa<IntrinsicInst>(Call) || Call->onlyReadsMemory())
    return false;
  const KnownFunction *Known = lookupKnown(*Call);
  return !Known || Known->Facts.Result == Returns::NewBlock ||
         Known->Facts.Stored == Stores::NewBlock;
}

/// The memory that \p Store writes may be younger than \p I, in the same block
/// or in the one before. The reverse pass frees it before it comes to \p I.
static bool isPerhapsYounger(const StoreInst &Store, const Instruction &I) {
  auto From = std::next(I.getIterator());
  if (I.getParent() != Store.getParent()) {
    if (any_of(make_range(From, I.getParent()->end()), mayAllocate))
      return true;
    From = Store.getParent()->begin();
  }
  return any_of(make_range(From, Store.getIterator()), mayAllocate);
}

/// \p Address is calculated from what is known where \p I stands.
static bool isKnownAt(const Value *Address, const Instruction *I,
                      const Facts &F) {
  SmallVector<const Value *, 8> Work(1, Address);
  for (size_t Next = 0; Next < Work.size(); ++Next) {
    auto *Step = dyn_cast<Instruction>(Work[Next]);
    if (!Step || F.P->DT->dominates(Step, I))
      continue;
    if (Work.size() > MaxAddressSteps ||
        !isa<GetElementPtrInst, BinaryOperator, CastInst>(Step))
      return false;
    append_range(Work, Step->operand_values());
  }
  return true;
}

static const StoreInst *reloadableStore(const Instruction *I, const Facts &F) {
  if (const StoreInst *Store = storedBeside(I, F))
    return isPerhapsYounger(*Store, *I) ? nullptr : Store;
  // Or as one of the values that a path leaves for a store behind the join,
  // where this path leads to nothing else.
  const BasicBlock *Join = I->getParent()->getSingleSuccessor();
  if (!Join || F.P->LI->isLoopHeader(Join))
    return nullptr;
  for (const PHINode &Phi : Join->phis())
    if (Phi.getIncomingValueForBlock(I->getParent()) == I)
      if (const StoreInst *Store = storedBeside(&Phi, F))
        if (isKnownAt(Store->getPointerOperand(), I, F) &&
            !isPerhapsYounger(*Store, *I))
          return Store;
  return nullptr;
}

std::optional<Decision> reload(PlanValue V, const Facts &F) {
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I || V.Which != Part::Primal || !I->getType()->isFPOrFPVectorTy() ||
      F.P->Elsewhere.contains(I))
    return std::nullopt;
  Decision D{Source::Reload};
  D.Store = reloadableStore(I, F);
  if (!D.Store)
    return std::nullopt;
  addPrimal(D, D.Store->getPointerOperand());
  return D;
}

std::optional<Decision> recompute(PlanValue V, const Facts &F) {
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I || V.Which == Part::Tape || isAvailable(V, F))
    return std::nullopt;
  return V.Which == Part::Primal ? recomputePrimal(*I, F)
                                 : recomputeShadow(*I, F);
}

} // namespace adze
