// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why the loops of DirectionLoops.h do what the one did. The runs for the
// directions stand in front of the loop, which keeps all else.
//
//   * Stores of a direction are to memory that no other direction accesses, and
//     the rest of the loop does not either. So they may be done ahead, and in
//     which order directions are gone through means nothing. (Nor does it where
//     several directions add to one shadow, which gets the sum.)
//   * What a direction loads, and the rest of the loop stores, is the element
//     that was loaded earlier in the same iteration, and is not come back to.
//   * Within a direction all is done in the order in which it was.
//
// A run may be left out if each of its stores puts back what was there, plus
// products with numbers that are 0.
#include "DirectionLoops.h"
#include "AlikeDirections.h"
#include "InnermostLoops.h"
#include "MemorySums.h"
#include "RangeTests.h"
#include "adze/AliasScopes.h"
#include "adze/GuardedProduct.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace adze {

namespace {

/// Loops that run less often are left alone.
constexpr unsigned MinTrips = 8;
constexpr unsigned MinDirections = 2;
/// Numbers and arrays of one loop beyond which a processor keeps them in
/// memory.
constexpr unsigned ManyOperands = 24;
constexpr unsigned MaxQuestions = 20000;

class DirectionLoop {
public:
  DirectionLoop(Loop &L, ScalarEvolution &SE, AccessRanges &Ranges,
                BatchAAResults &Alias)
      : L(L), Body(*L.getHeader()), SE(SE), Alias(Alias),
        DL(Body.getModule()->getDataLayout()), Alike(Body),
        Tests(L, SE, Ranges) {}

  /// Whether it can be done and is worth it.
  bool find();
  void apply(LoopInfo &LI, DominatorTree &DT);

private:
  using Owners = SmallVector<unsigned, 2>;

  bool hasShape();
  bool collect();
  bool sortStores();
  bool walksEvenly() const;
  void findReaders();
  bool areIndependent();
  bool keepApart(const Instruction &A, const Instruction &B);
  bool isReadBefore(const Instruction &Load, const Instruction &Store);
  bool isZero(const Use &U) const;
  bool isZero(const Instruction &I) const;
  bool leavesOld(const Value *V, const StoreInst &Store) const;
  bool mayBeLeftOut() const;
  bool isWorthIt() const;

  struct Frame {
    BasicBlock *Check, *Header, *Enter, *Run, *Latch, *Start;
  };
  Value *condition(Instruction *At);
  void addFallback(Frame &At, LoopInfo &LI, DominatorTree &DT);
  SmallVector<Value *, 16> readOperands(Frame &At, PHINode &Direction);
  void addRun(Frame &At, ArrayRef<Value *> Operands);
  void addDirections(Frame &At, LoopInfo &LI);

  Loop &L;
  BasicBlock &Body;
  ScalarEvolution &SE;
  BatchAAResults &Alias;
  const DataLayout &DL;
  const SCEV *Runs = nullptr; // iterations behind the first
  SmallVector<SmallVector<StoreInst *, 4>, 8> Stores; // of each direction
  SmallVector<StoreInst *, 4> Others;
  SmallVector<LoadInst *, 16> Loads;
  AlikeDirections Alike;
  RangeTests Tests;
  /// The directions that read a load; Count stands for the rest of the loop.
  DenseMap<const Instruction *, Owners> Readers;
  unsigned Questions = 0;
  bool CanBeZero = false;
};

bool DirectionLoop::hasShape() {
  if (L.getNumBlocks() != 1 || !L.getLoopPreheader() || !L.getExitBlock())
    return false;
  Runs = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Runs))
    return false;
  const unsigned Trips = SE.getSmallConstantTripCount(&L);
  return Trips == 0 || Trips >= MinTrips;
}

/// All that the loop does is to load, to calculate and to store.
bool DirectionLoop::collect() {
  for (Instruction &I : Body) {
    if (isa<DbgInfoIntrinsic, NoAliasScopeDeclInst, StoreInst>(I)) {
      if (auto *Store = dyn_cast<StoreInst>(&I); Store && !Store->isSimple())
        return false;
      continue;
    }
    if (I.mayWriteToMemory() || I.mayThrow() || !I.willReturn())
      return false;
    if (!I.mayReadFromMemory())
      continue;
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple())
      return false;
    Loads.push_back(Load);
  }
  return sortStores();
}

bool DirectionLoop::sortStores() {
  const MDNode *Among = nullptr;
  for (Instruction &I : Body) {
    auto *Store = dyn_cast<StoreInst>(&I);
    if (!Store)
      continue;
    std::optional<TaggedDirection> Of = directionOf(*Store);
    if (!Of) {
      Others.push_back(Store);
      continue;
    }
    if (Among && Among != Of->Among)
      return false;
    Among = Of->Among;
    if (Stores.size() <= Of->Number)
      Stores.resize(Of->Number + 1);
    Stores[Of->Number].push_back(Store);
  }
  return Stores.size() >= MinDirections;
}

/// Directions read nothing that the loop hands on but its counters.
bool DirectionLoop::walksEvenly() const {
  return all_of(Alike.instructions(), [&](const Instruction *I) {
    return all_of(I->operand_values(), [&](const Value *V) {
      auto *Phi = dyn_cast<PHINode>(V);
      if (!Phi || Phi->getParent() != &Body)
        return true;
      return SE.isSCEVable(Phi->getType()) &&
             advanceIn(SE.getSCEV(const_cast<PHINode *>(Phi)), L);
    });
  });
}

void DirectionLoop::findReaders() {
  for (const Instruction *First : Alike.instructions())
    if (isa<LoadInst>(First))
      for (auto [K, I] : enumerate(Alike.others(First)))
        Readers[I].push_back(unsigned(K));
  // What the rest reads: all that stays when the stores of directions go.
  SmallPtrSet<const Instruction *, 32> Seen;
  SmallVector<const Instruction *, 32> Work(Others.begin(), Others.end());
  auto isOutside = [&](const User *U) {
    return cast<Instruction>(U)->getParent() != &Body;
  };
  for (const Instruction &I : Body)
    if (I.isTerminator() || isa<PHINode>(I) || any_of(I.users(), isOutside))
      Work.push_back(&I);
  while (!Work.empty()) {
    const Instruction *I = Work.pop_back_val();
    if (I->getParent() != &Body || !Seen.insert(I).second)
      continue;
    if (isa<LoadInst>(I))
      Readers[I].push_back(Alike.count());
    for (const Value *Op : I->operands())
      if (auto *Next = dyn_cast<Instruction>(Op))
        Work.push_back(Next);
  }
}

/// No iteration accesses by the one what any accesses by the other.
bool DirectionLoop::keepApart(const Instruction &A, const Instruction &B) {
  std::optional<TaggedDirection> Of = directionOf(A), Other = directionOf(B);
  if (Of && Other && Of->Among == Other->Among && Of->Number != Other->Number)
    return true;
  auto all = [](const Instruction &I) {
    return MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(&I),
                                            I.getAAMetadata());
  };
  return ++Questions <= MaxQuestions &&
         Alias.alias(all(A), all(B)) == AliasResult::NoAlias;
}

/// \p Store stores to what \p Load has loaded in the same iteration, and in no
/// other.
bool DirectionLoop::isReadBefore(const Instruction &Load,
                                 const Instruction &Store) {
  std::optional<LoopAccess> To = accessOf(Store, SE), From = accessOf(Load, SE);
  return To && From && To->Address == From->Address &&
         Load.comesBefore(&Store) && isElsewhereEachTime(*To, L, SE) &&
         isElsewhereEachTime(*From, L, SE);
}

bool DirectionLoop::areIndependent() {
  findReaders();
  const unsigned Rest = Alike.count();
  for (auto [K, Own] : enumerate(Stores))
    for (const StoreInst *Store : Own) {
      for (const LoadInst *Load : Loads) {
        const Owners &By = Readers[Load];
        const bool OnlyOwn = By.size() == 1 && By.front() == K;
        if (!By.empty() && !OnlyOwn && !keepApart(*Store, *Load))
          return false;
      }
      for (const StoreInst *Other : Others)
        if (!keepApart(*Store, *Other))
          return false;
      for (const auto &OfOther : drop_begin(Stores, K + 1))
        for (const StoreInst *Other : OfOther)
          if (!keepApart(*Store, *Other))
            return false;
    }
  for (const StoreInst *Other : Others)
    for (const LoadInst *Load : Loads) {
      const Owners &By = Readers[Load];
      const bool OnlyRest = By.empty() || By.front() == Rest;
      if (!OnlyRest && !isReadBefore(*Load, *Other) &&
          !keepApart(*Other, *Load) && !Tests.add(*Other, *Load))
        return false;
    }
  return true;
}

/// \p U of the first direction is 0 if all numbers are that a direction has of
/// its own from in front of the loop.
bool DirectionLoop::isZero(const Use &U) const {
  if (match(U.get(), m_AnyZeroFP()))
    return true;
  if (const unsigned *Index = Alike.operand(U))
    return Alike.operands()[*Index].isNumber();
  auto *I = dyn_cast<Instruction>(U);
  return I && I->getParent() == &Body && isZero(*I);
}

bool DirectionLoop::isZero(const Instruction &I) const {
  auto is = [&](unsigned Index) { return isZero(I.getOperandUse(Index)); };
  if (isGuardedProduct(I))
    return is(1);
  switch (I.getOpcode()) {
  case Instruction::FMul:
    return is(0) || is(1);
  case Instruction::FAdd:
  case Instruction::FSub:
    return is(0) && is(1);
  case Instruction::Select:
    return is(1) && is(2);
  case Instruction::FNeg:
  case Instruction::FDiv:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return is(0);
  default:
    return false;
  }
}

/// \p V is then what was at the place of \p Store.
bool DirectionLoop::leavesOld(const Value *V, const StoreInst &Store) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &Body)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())) ==
           SE.getSCEV(const_cast<Value *>(Store.getPointerOperand()));
  const bool Adds = I->getOpcode() == Instruction::FAdd;
  if (!Adds && I->getOpcode() != Instruction::FSub)
    return false;
  const Use &Left = I->getOperandUse(0), &Right = I->getOperandUse(1);
  return (leavesOld(Left, Store) && isZero(Right)) ||
         (Adds && isZero(Left) && leavesOld(Right, Store));
}

bool DirectionLoop::mayBeLeftOut() const {
  return any_of(Alike.operands(), [](const auto &O) { return O.isNumber(); }) &&
         all_of(Stores.front(), [&](const StoreInst *Store) {
           return leavesOld(Store->getValueOperand(), *Store);
         });
}

/// What all directions read is computed again for each.
bool DirectionLoop::isWorthIt() const {
  unsigned Shared = 0, Own = 0;
  for (const Instruction *I : Alike.instructions()) {
    const bool IsShared = Alike.isShared(I);
    if (IsShared && !isCheapToRepeat(*I))
      return false;
    ++(IsShared ? Shared : Own);
  }
  if (Shared > 2 * Own)
    return false;
  return CanBeZero || Alike.operands().size() * Alike.count() > ManyOperands;
}

bool DirectionLoop::find() {
  if (!hasShape() || !collect() || !Alike.match(Stores) || !walksEvenly())
    return false;
  CanBeZero = mayBeLeftOut();
  const Instruction *At = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(SE, DL, "directions");
  return isWorthIt() && Expander.isSafeToExpandAt(Runs, At) &&
         areIndependent() && Tests.canExpand(Expander, At);
}

/// The loop runs often enough, on arrays that are apart.
Value *DirectionLoop::condition(Instruction *At) {
  SCEVExpander Expander(SE, DL, "directions");
  IRBuilder<> B(At);
  Value *Often = B.getTrue();
  if (!SE.getSmallConstantTripCount(&L)) {
    Value *Count = Expander.expandCodeFor(Runs, Runs->getType(), At);
    Often = B.CreateICmpUGE(Count,
                            ConstantInt::get(Count->getType(), MinTrips - 1));
  }
  return Tests.emit(Expander, Often, At);
}

/// The loop as it was, for where that is not so.
void DirectionLoop::addFallback(Frame &At, LoopInfo &LI, DominatorTree &DT) {
  Value *Good = condition(At.Check->getTerminator());
  if (isa<Constant>(Good))
    return;
  BasicBlock *Exit = L.getExitBlock();
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *, 2> Blocks;
  Loop *Copy = cloneLoopWithPreheader(At.Start, At.Check, &L, Map, ".ordered",
                                      &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Map);
  Instruction *Old = At.Check->getTerminator();
  IRBuilder<>(Old).CreateCondBr(Good, At.Start, Copy->getLoopPreheader());
  Old->eraseFromParent();
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Body);
    Value *Other = Map.lookup(V);
    Phi.addIncoming(Other ? Other : V, Copy->getHeader());
  }
  addStringMetadataToLoop(Copy, "llvm.loop.unroll.disable");
  addStringMetadataToLoop(Copy, "llvm.loop.isvectorized", 1);
}

/// Tables of operands, filled in front of the runs, read at the start of each.
SmallVector<Value *, 16> DirectionLoop::readOperands(Frame &At,
                                                     PHINode &Direction) {
  SmallVector<Value *, 16> Read;
  BasicBlock &Entry = Body.getParent()->getEntryBlock();
  IRBuilder<> Top(&Entry, Entry.begin()), Fill(At.Check->getTerminator());
  IRBuilder<> B(At.Header->getTerminator());
  for (const DirectionOperand &Operand : Alike.operands()) {
    Type *Ty = Operand.Each.front()->getType();
    auto *Table = ArrayType::get(Ty, Alike.count());
    Value *Place = Top.CreateAlloca(Table, nullptr, "directions");
    for (auto [K, V] : enumerate(Operand.Each))
      Fill.CreateStore(V, Fill.CreateConstInBoundsGEP2_64(Table, Place, 0, K));
    Value *Element =
        B.CreateInBoundsGEP(Table, Place, {B.getInt64(0), &Direction});
    Read.push_back(B.CreateLoad(Ty, Element));
  }
  return Read;
}

/// Removes stores, and what was computed for them alone.
void erase(ArrayRef<StoreInst *> Stores) {
  SmallVector<WeakTrackingVH, 16> Dead;
  for (StoreInst *Store : Stores) {
    Dead.append(Store->op_begin(), Store->op_end());
    Store->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
}

/// The loop for one direction, on \p Operands.
void DirectionLoop::addRun(Frame &At, ArrayRef<Value *> Operands) {
  ValueToValueMapTy Map;
  At.Run = CloneBasicBlock(&Body, Map, ".direction", Body.getParent());
  Map[&Body] = At.Run;
  Map[L.getExitBlock()] = At.Latch;
  Map[At.Start] = At.Enter;
  remapInstructionsInBlocks({At.Run}, Map);
  for (Instruction *First : Alike.instructions()) {
    auto *New = cast<Instruction>(Map[First]);
    for (Instruction *Other : drop_begin(Alike.others(First))) {
      combineMetadataForCSE(New, Other, /*DoesKMove=*/true);
      New->andIRFlags(Other);
    }
    for (const Use &U : First->operands())
      if (const unsigned *Index = Alike.operand(U))
        New->setOperand(U.getOperandNo(), Operands[*Index]);
  }
  SmallVector<StoreInst *, 32> Gone;
  for (const auto &OfOther : drop_begin(Stores))
    for (StoreInst *Store : OfOther)
      Gone.push_back(cast<StoreInst>(Map[Store]));
  for (StoreInst *Store : Others)
    Gone.push_back(cast<StoreInst>(Map[Store]));
  for (Instruction &I : make_early_inc_range(*At.Run))
    if (isa<NoAliasScopeDeclInst>(I))
      I.eraseFromParent();
  erase(Gone);
  DeleteDeadPHIs(At.Run);
}

void DirectionLoop::addDirections(Frame &At, LoopInfo &LI) {
  Function &F = *Body.getParent();
  LLVMContext &C = F.getContext();
  At.Header = BasicBlock::Create(C, "direction", &F, At.Start);
  At.Enter = BasicBlock::Create(C, "direction.enter", &F, At.Start);
  At.Latch = BasicBlock::Create(C, "direction.next", &F, At.Start);
  IRBuilder<> B(At.Header);
  PHINode *Direction = B.CreatePHI(B.getInt64Ty(), 2, "k");
  BranchInst *Enter = B.CreateBr(At.Enter);
  SmallVector<Value *, 16> Operands = readOperands(At, *Direction);
  if (CanBeZero) {
    B.SetInsertPoint(Enter);
    SmallVector<Value *, 16> Moved;
    for (Value *V : Operands)
      if (V->getType()->isFloatingPointTy())
        Moved.push_back(B.CreateFCmpUNE(V, ConstantFP::getZero(V->getType())));
    // What was computed ahead of a condition may be poison.
    B.CreateCondBr(B.CreateFreeze(B.CreateOr(Moved)), At.Enter, At.Latch);
    Enter->eraseFromParent();
  }
  addRun(At, Operands);
  IRBuilder<>(At.Enter).CreateBr(At.Run);
  B.SetInsertPoint(At.Latch);
  Value *Next = B.CreateNUWAdd(Direction, B.getInt64(1));
  B.CreateCondBr(B.CreateICmpEQ(Next, B.getInt64(Alike.count())), At.Start,
                 At.Header);
  Direction->addIncoming(B.getInt64(0), At.Check);
  Direction->addIncoming(Next, At.Latch);

  Loop *Directions = LI.AllocateLoop(), *Run = LI.AllocateLoop();
  if (Loop *Around = L.getParentLoop())
    Around->addChildLoop(Directions);
  else
    LI.addTopLevelLoop(Directions);
  Directions->addChildLoop(Run);
  Directions->addBasicBlockToLoop(At.Header, LI);
  Directions->addBasicBlockToLoop(At.Enter, LI);
  Run->addBasicBlockToLoop(At.Run, LI);
  Directions->addBasicBlockToLoop(At.Latch, LI);
}

void DirectionLoop::apply(LoopInfo &LI, DominatorTree &DT) {
  formLCSSA(L, DT, &LI, &SE);
  Frame At{};
  At.Check = L.getLoopPreheader();
  At.Start = SplitBlock(At.Check, At.Check->getTerminator(), &DT, &LI);
  addFallback(At, LI, DT);
  // Filling the tables is no business of few iterations.
  At.Check = SplitEdge(At.Check, At.Start, &DT, &LI);
  addDirections(At, LI);
  At.Check->getTerminator()->replaceSuccessorWith(At.Start, At.Header);
  SE.forgetLoop(&L);
  SmallVector<StoreInst *, 32> Gone;
  for (const auto &Of : Stores)
    Gone.append(Of.begin(), Of.end());
  erase(Gone);
  DT.recalculate(*Body.getParent());
}

} // namespace

PreservedAnalyses DirectionLoopsPass::run(Function &F,
                                          FunctionAnalysisManager &FAM) {
  return changeInnermost<DirectionLoop>(F, FAM);
}

} // namespace adze
