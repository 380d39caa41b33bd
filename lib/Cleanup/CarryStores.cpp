// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CarryStores.h"
#include "MeetingPlaces.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

constexpr unsigned MaxAccesses = 96;

class Carrying {
public:
  Carrying(Loop &L, unsigned Trips, ScalarEvolution &SE, MeetingPlaces &Places)
      : L(L), Trips(Trips), Body(*L.getHeader()), SE(SE), Places(Places),
        Expander(SE, Body.getModule()->getDataLayout(), "carry") {}

  void run();

private:
  const Meeting &meet(unsigned X, unsigned Y);
  bool haveOneType(unsigned X, unsigned Y) const {
    return getLoadStoreType(All[X].I) == getLoadStoreType(All[Y].I);
  }
  Value *storedBefore(unsigned Load);
  bool isOverwritten(unsigned Store);
  bool isLastWriter(unsigned Store, unsigned Load);
  unsigned deadUntil(unsigned Store, unsigned Next);
  Value *before(Value *V);
  Value *valueInFront(unsigned Load);
  Value *choose(Value *First, Value *Then);
  bool carryTo(unsigned Load);
  bool sink(unsigned Store);
  void remove(unsigned Access, Value *Instead);

  Loop &L;
  const unsigned Trips;
  BasicBlock &Body;
  ScalarEvolution &SE;
  MeetingPlaces &Places;
  SCEVExpander Expander;
  SmallVector<MovingAccess, 16> All; // in their order; null where removed
  DenseMap<std::pair<unsigned, unsigned>, Meeting> Known;
};

const Meeting &Carrying::meet(unsigned X, unsigned Y) {
  auto [It, New] = Known.try_emplace({X, Y}, Meeting{Meeting::Unknown});
  if (New)
    It->second = Places.find(All[X], All[Y]);
  return It->second;
}

void Carrying::remove(unsigned Access, Value *Instead) {
  Instruction *I = All[Access].I;
  if (Instead)
    I->replaceAllUsesWith(Instead);
  I->eraseFromParent();
  All[Access].I = nullptr;
}

/// What \p Load reads has been stored, or read, in the same iteration.
Value *Carrying::storedBefore(unsigned Load) {
  for (unsigned I = Load; I-- > 0;) {
    if (!All[I].I)
      continue;
    const Meeting &M = meet(I, Load);
    const bool IsHere = M.isAhead() && M.Lag == 0;
    if (IsHere && haveOneType(I, Load)) {
      auto *Store = dyn_cast<StoreInst>(All[I].I);
      return Store ? Store->getValueOperand() : All[I].I;
    }
    if (All[I].isStore() && (IsHere || M.K == Meeting::Unknown))
      return nullptr;
  }
  return nullptr;
}

/// In the same iteration, and nobody has read it.
bool Carrying::isOverwritten(unsigned Store) {
  for (unsigned I = Store + 1; I != All.size(); ++I) {
    if (!All[I].I)
      continue;
    const Meeting &M = meet(Store, I);
    const bool IsHere = M.isAhead() && M.Lag == 0;
    if (IsHere && All[I].isStore() && All[I].Size == All[Store].Size)
      return true;
    if (!All[I].isStore() && (IsHere || M.K == Meeting::Unknown))
      return false;
  }
  return false;
}

/// What \p Load reads is what \p Store has stored in the iteration before.
bool Carrying::isLastWriter(unsigned Store, unsigned Load) {
  const Meeting &M = meet(Store, Load);
  if (!M.isAhead() || M.Lag != -1 || !haveOneType(Store, Load))
    return false;
  for (unsigned I = 0; I != All.size(); ++I) {
    if (I == Store || !All[I].I || !All[I].isStore())
      continue;
    const Meeting &Other = meet(I, Load);
    if (Other.K == Meeting::Unknown ||
        (Other.isAhead() &&
         ((Other.Lag == -1 && I > Store) || (Other.Lag == 0 && I < Load))))
      return false;
  }
  return true;
}

/// What the place of \p Load, in the first iteration, has in front of the loop.
Value *Carrying::valueInFront(unsigned Load) {
  const MovingAccess &A = All[Load];
  BasicBlock *Front = L.getLoopPreheader();
  for (Instruction &I : reverse(*Front)) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store) {
      if (I.mayWriteToMemory())
        break;
      continue;
    }
    std::optional<LoopAccess> To = accessOf(I, SE);
    if (!To || !Store->isSimple())
      break;
    if (To->Address == A.Start &&
        Store->getValueOperand()->getType() == A.I->getType())
      return Store->getValueOperand();
    if (!Places.areApartFrom(I, A, 0))
      break;
  }
  Instruction *At = Front->getTerminator();
  if (!Expander.isSafeToExpandAt(A.Start, At))
    return nullptr;
  Value *Place = Expander.expandCodeFor(
      A.Start, getLoadStorePointerOperand(A.I)->getType(), At);
  auto *First = cast<LoadInst>(A.I->clone());
  First->setOperand(0, Place);
  First->insertBefore(At);
  return First;
}

/// \p First in the first iteration, \p Then in all others. A phi of a constant
/// would not become vector code.
Value *Carrying::choose(Value *First, Value *Then) {
  IRBuilder<> B(&Body, Body.getFirstNonPHIIt());
  for (PHINode &Phi : Body.phis())
    if (Phi.getType()->isIntegerTy() && SE.isSCEVable(Phi.getType()))
      if (const SCEVConstant *Step = constantStepIn(SE.getSCEV(&Phi), L, SE);
          Step && Step->getAPInt().isOne()) {
        Value *Start = Phi.getIncomingValueForBlock(L.getLoopPreheader());
        return B.CreateSelect(B.CreateICmpEQ(&Phi, Start), First, Then);
      }
  B.SetInsertPoint(&Body, Body.begin());
  PHINode *Phi = B.CreatePHI(First->getType(), 2, "carried");
  Phi->addIncoming(First, L.getLoopPreheader());
  Phi->addIncoming(Then, &Body);
  return Phi;
}

bool Carrying::carryTo(unsigned Load) {
  for (unsigned Store = 0; Store != All.size(); ++Store) {
    if (!All[Store].I || !All[Store].isStore() || !isLastWriter(Store, Load))
      continue;
    Value *Stored = cast<StoreInst>(All[Store].I)->getValueOperand();
    Value *First = valueInFront(Load);
    if (!First)
      return false;
    if (isa<Constant>(Stored)) {
      remove(Load, First == Stored ? Stored : choose(First, Stored));
      return true;
    }
    IRBuilder<> B(&Body, Body.begin());
    PHINode *Phi = B.CreatePHI(First->getType(), 2, "carried");
    Phi->setDebugLoc(All[Load].I->getDebugLoc());
    remove(Load, Phi);
    Phi->addIncoming(First, L.getLoopPreheader());
    // The store may have stored what the load has read.
    Phi->addIncoming(cast<StoreInst>(All[Store].I)->getValueOperand(), &Body);
    return true;
  }
  return false;
}

/// What \p Store stores is overwritten by \p Next so many iterations later, and
/// nobody has read it by then. Zero: it is not.
unsigned Carrying::deadUntil(unsigned Store, unsigned Next) {
  const Meeting &M = meet(Store, Next);
  if (!M.isAhead() || M.Lag >= 0 || -M.Lag > int64_t(Trips) ||
      All[Store].Size != All[Next].Size)
    return 0;
  const int64_t Later = -M.Lag;
  for (unsigned I = 0; I != All.size(); ++I) {
    if (I == Store || I == Next || !All[I].I)
      continue;
    const Meeting &Other = meet(I, Store);
    if (Other.K == Meeting::Unknown ||
        (Other.isAhead() && ((Other.Lag == 0 && I > Store) ||
                             (Other.Lag > 0 && Other.Lag < Later) ||
                             (Other.Lag == Later && I < Next))))
      return 0;
  }
  return unsigned(Later);
}

/// What \p V was in the iteration before.
Value *Carrying::before(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  for (PHINode &Phi : Body.phis())
    if (Phi.getIncomingValueForBlock(&Body) == V)
      return &Phi;
  IRBuilder<> B(&Body, Body.begin());
  PHINode *Phi = B.CreatePHI(V->getType(), 2, "before");
  Phi->addIncoming(PoisonValue::get(V->getType()), L.getLoopPreheader());
  Phi->addIncoming(V, &Body);
  return Phi;
}

/// Moves a store that later iterations overwrite behind the loop: those of the
/// last ones, which none does.
bool Carrying::sink(unsigned Store) {
  unsigned Count = 0;
  for (unsigned Next = 0; Next != All.size() && !Count; ++Next)
    if (Next != Store && All[Next].I && All[Next].isStore())
      Count = deadUntil(Store, Next);
  if (!Count)
    return false;
  BasicBlock *Exit = L.getExitBlock();
  auto *Last = cast<StoreInst>(All[Store].I);
  Last->moveBefore(*Exit, Exit->getFirstInsertionPt());
  All[Store].I = nullptr;
  IRBuilder<> B(Last);
  Value *Stored = Last->getValueOperand();
  for (unsigned I = 1; I != Count; ++I) {
    Stored = before(Stored);
    auto *Earlier = cast<StoreInst>(Last->clone());
    Earlier->setOperand(0, Stored);
    Earlier->setOperand(
        1, B.CreatePtrAdd(Last->getPointerOperand(),
                          B.getInt64(uint64_t(-All[Store].Step * int64_t(I)))));
    B.Insert(Earlier);
  }
  return true;
}

void Carrying::run() {
  auto Found = accessesOf(L, MaxAccesses, SE);
  if (!Found || !L.getLoopPreheader() || !L.getExitBlock() ||
      !L.getExitBlock()->getSinglePredecessor())
    return;
  All = std::move(*Found);
  for (unsigned I = 0; I != All.size(); ++I) {
    if (All[I].isStore())
      continue;
    if (Value *V = storedBefore(I))
      remove(I, V);
  }
  for (unsigned I = 0; I != All.size(); ++I)
    if (All[I].I && All[I].isStore() && isOverwritten(I))
      remove(I, nullptr);
  for (unsigned I = 0; I != All.size(); ++I)
    if (All[I].I && !All[I].isStore() && All[I].Start)
      carryTo(I);
  for (unsigned I = 0; I != All.size(); ++I)
    if (All[I].I && All[I].isStore())
      sink(I);
}

} // namespace

void carryStores(BasicBlock &Body, unsigned Trips,
                 FunctionAnalysisManager &FAM) {
  Function &F = *Body.getParent();
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  AccessRanges Ranges(SE, LI, FAM.getResult<DominatorTreeAnalysis>(F));
  MeetingPlaces Places(SE, LI, Ranges, FAM.getResult<AAManager>(F));
  Loop *L = LI.getLoopFor(&Body);
  if (L && L->getHeader() == &Body && L->getNumBlocks() == 1)
    Carrying(*L, Trips, SE, Places).run();
  DeleteDeadPHIs(&Body);
  for (Instruction &I : make_early_inc_range(reverse(Body)))
    if (isInstructionTriviallyDead(&I))
      I.eraseFromParent();
}

} // namespace adze
