// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReverseEmitter.h"
#include "ForwardSweepEmitter.h"
#include "LaneTape.h"
#include "LaunchTests.h"
#include "RerunEmitter.h"
#include "adze/AtomicSum.h"
#include "adze/DeviceSync.h"
#include "adze/DeviceTarget.h"
#include "adze/ShadowAlign.h"
#include "adze/TapeMemory.h"
#include "adze/Tasks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

ReverseEmitter::ReverseEmitter(const Facts &F, const Plan &P, Function &Out,
                               BasicBlock &Start, IRBuilder<> &B,
                               const Lanes &L, Tape &T)
    : ReverseContext(F, B, L), Out(Out), P(P), T(T), Copies(P, L), Launch(F),
      Start(Start), Blocks(*F.P, Out), Values(F, P, Out, Blocks, T, L),
      Sums(Out, Start, L) {
  DenseSet<unsigned> Seen;
  for (const Slot &S : P.Slots) {
    if (S.Base == NoSlot || !Seen.insert(S.Base).second)
      continue;
    if (S.Size == Sizing::Growing)
      addGrowing(S);
    else if (S.Size == Sizing::ByVisit)
      addPath(S);
    else
      Ended[S.Outermost->L->getLoopPreheader()].push_back(S.Base);
  }
}

Error ReverseEmitter::run(Value *ReturnAdjoint, Value *PrimalResult) {
  IRBuilder<>(&Start).CreateBr(Blocks.block(F.P->ReturnBlock));
  findIfAlone();
  testLaunch();
  beginPaths();
  if (UsesCopies)
    beginCopies();
  for (const BasicBlock *Block : post_order(F.P->F)) {
    if (!F.P->canReturn(Block))
      continue;
    Here = {Blocks.block(Block), F.P->LI->getLoopFor(Block)};
    if (const LoopRecord *L = F.P->loopOf(Block);
        L && Block == L->L->getLoopLatch())
      if (auto It = P.Reruns.find(L); It != P.Reruns.end())
        runAgain(It->second);
    B.SetInsertPoint(Here.Block);
    if (Block == F.P->ReturnBlock && ReturnAdjoint) {
      auto *Return = cast<ReturnInst>(Block->getTerminator());
      addAdjoint(Return->getReturnValue(), ReturnAdjoint);
    }
    emitBlock(*Block);
    if (Block->isEntryBlock())
      emitReturn(PrimalResult);
  }
  finish();
  if (!Values.unplanned().empty())
    return createStringError(Values.unplanned());
  return Error::success();
}

/// A thread that is the only one of its team adds plainly, if no other team
/// runs. To ask costs a call, so a function that a region calls asks only for
/// what is added in loops.
void ReverseEmitter::findIfAlone() {
  const bool IsRegion = F.R.InTeam == TeamRole::Region;
  if (isDevice(module()) || (!IsRegion && F.R.InTeam != TeamRole::Called))
    return;
  const bool Adds = any_of(instructions(*F.P->F), [&](const Instruction &I) {
    return isa<LoadInst>(I) && F.mayBeShared(I) &&
           (IsRegion || F.P->LI->getLoopFor(I.getParent()));
  });
  if (!Adds)
    return;
  B.SetInsertPoint(Start.getTerminator());
  InTeamOfOne = B.CreateCall(
      module().getOrInsertFunction("adze.team.alone",
                                   FunctionType::get(B.getInt1Ty(), false)),
      {}, "alone");
}

void ReverseEmitter::testLaunch() {
  if (Launch.tests().empty())
    return;
  Here = {&Start, nullptr};
  B.SetInsertPoint(Start.getTerminator());
  LaunchTests Tests(B, Launch.forms(), [&](const Argument &Arg) {
    return Arg.getType()->isPointerTy() && hasShadow(&Arg) ? shadow(&Arg)
                                                           : primal(&Arg);
  });
  for (const LaunchSums::Test &T : Launch.tests())
    LaunchTested.push_back(Tests.emit(T));
}

void ReverseEmitter::beginCopies() {
  Here = {&Start, nullptr};
  B.SetInsertPoint(Start.getTerminator());
  Copies.begin(B, [&](PlanValue V) {
    return V.Which == Part::Shadow ? shadow(V.V) : primal(V.V);
  });
}

/// In front of the reverse of an iteration.
void ReverseEmitter::runAgain(const Rerun &Again) {
  const BasicBlock *Latch = Again.L->L->getLoopLatch();
  BasicBlock *First = BasicBlock::Create(Out.getContext(), "again", &Out);
  for (const BasicBlock *Next : successors(Latch))
    if (BasicBlock *Edge = Blocks.edge(Next, Latch)) {
      Edge->getTerminator()->replaceSuccessorWith(Here.Block, First);
      // Others may still read what is filled again.
      if (!Again.Filled.empty() && !Again.L->L->contains(Next)) {
        B.SetInsertPoint(Edge->getTerminator());
        createBarrierOfAll(B);
      }
    }
  emitRerun(Again, *First, *Here.Block, {F, P, Out, Values, T});
}

void ReverseEmitter::emitBlock(const BasicBlock &Block) {
  freeTape(Block);
  for (const Instruction &I : reverse(Block)) {
    if (isa<PHINode>(I))
      break;
    if (hasBegun(I)) {
      tasks::createCall(B, tasks::Join);
    } else if (const Rule *R = P.Rules.lookup(&I)) {
      B.SetCurrentDebugLocation(I.getDebugLoc());
      reverseRule(*R, I);
    }
    beginTasks(I);
    freeSnapshots(I);
  }
  B.SetCurrentDebugLocation(DebugLoc());
  reversePhis(Block);
  setCounters(Block);
  auto It = F.P->EnteredFrom.find(const_cast<BasicBlock *>(&Block));
  Value *Index =
      It == F.P->EnteredFrom.end() ? nullptr : primal(It->second.Index);
  shrink(Block);
  endVisit(Block);
  if (Block.isEntryBlock())
    return;
  Blocks.branchBack(B, &Block, Index);
}

/// The reverse half of \p I, a task call, has begun already.
bool ReverseEmitter::hasBegun(const Instruction &I) const {
  auto *Call = dyn_cast<CallBase>(&I);
  const CallPlan *Plan = Call ? P.callPlan(*Call) : nullptr;
  return Plan && Plan->BesideUpTo;
}

/// The reverse halves of tasks that run beside what is reversed from \p Wait
/// on.
void ReverseEmitter::beginTasks(const Instruction &Wait) {
  if (!tasks::isWait(Wait))
    return;
  for (const auto &[Call, Plan] : reverse(P.Calls))
    if (Plan.BesideUpTo == &Wait) {
      B.SetCurrentDebugLocation(Call->getDebugLoc());
      reverseRule(*P.Rules.lookup(Call), *Call);
    }
}

/// All adjoints of the block's phis are taken before any is passed on: phis
/// read their operands at once.
void ReverseEmitter::reversePhis(const BasicBlock &Block) {
  SmallVector<std::pair<const PHINode *, Value *>, 4> Taken;
  for (const PHINode &Phi : Block.phis())
    if (isActive(&Phi))
      if (Value *A = takeAdjoint(&Phi))
        Taken.push_back({&Phi, A});
  if (Taken.empty())
    return;
  SmallPtrSet<const BasicBlock *, 4> Done;
  for (const BasicBlock *Pred : predecessors(&Block)) {
    if (!Done.insert(Pred).second)
      continue;
    B.SetInsertPoint(Blocks.edge(&Block, Pred)->getTerminator());
    for (auto [Phi, A] : Taken)
      addAdjoint(Phi->getIncomingValueForBlock(Pred), A);
  }
  B.SetInsertPoint(Here.Block);
}

void ReverseEmitter::setCounters(const BasicBlock &Block) {
  auto It = F.P->ExitCounters.find(const_cast<BasicBlock *>(&Block));
  if (It == F.P->ExitCounters.end())
    return;
  for (const LoopExit &Exit : It->second)
    B.CreateStore(primal(Exit.Counter), Blocks.counterVariable(Exit.Loop));
  // From the outermost inwards: the address of an array may stand in another.
  for (const LoopExit &Exit : reverse(It->second))
    beginGrowing(Exit.Loop);
}

/// An array that grows is as long as the loop has run, and gets shorter with
/// each iteration reversed.
void ReverseEmitter::addGrowing(const Slot &S) {
  IRBuilder<> Entry(&Out.getEntryBlock(), Out.getEntryBlock().begin());
  auto *Address = Entry.CreateAlloca(Entry.getPtrTy(), nullptr, "array");
  Growing[S.Dims.front()->L].push_back({&S, Address});
  Values.setVarying(S.Base, Address);
}

void ReverseEmitter::beginGrowing(const LoopRecord *L) {
  auto It = Growing.find(L->L);
  if (It == Growing.end())
    return;
  for (auto [S, Address] : It->second)
    B.CreateStore(B.CreateLoad(B.getPtrTy(), Values.address(S->Base, Here)),
                  Address);
}

/// The last of an iteration of the reversed loop. The arrays get shorter in the
/// opposite order of their growing, so that blocks are freed in that order.
void ReverseEmitter::shrink(const BasicBlock &Header) {
  if (!Here.L || Here.L->getHeader() != &Header)
    return;
  auto It = Growing.find(Here.L);
  if (It == Growing.end())
    return;
  Value *Index = Blocks.counter(B, F.P->LoopOf.lookup(Here.L));
  for (auto [S, Address] : reverse(It->second))
    B.CreateStore(B.CreateCall(shrinkFunction(module()),
                               {B.CreateLoad(B.getPtrTy(), Address), Index,
                                B.getInt64(strideOf(*S, module())),
                                B.getInt1(KeepsTape)}),
                  Address);
}

void ReverseEmitter::addPath(const Slot &S) {
  IRBuilder<> Entry(&Out.getEntryBlock(), Out.getEntryBlock().begin());
  const PathRecords New{
      &S, Entry.CreateAlloca(Entry.getPtrTy(), nullptr, "path"),
      Entry.CreateAlloca(Entry.getInt64Ty(), nullptr, "visits")};
  Paths[S.Visited] = New;
  Values.setVarying(S.Base, New.Array);
  Values.setVarying(S.Base + 1, New.Visits);
}

/// A second reverse pass begins with the same: the tape stays as it is.
void ReverseEmitter::beginPaths() {
  B.SetInsertPoint(Start.getTerminator());
  for (const auto &[Block, Of] : Paths) {
    const unsigned Base = Of.S->Base;
    B.CreateStore(loadElement(B, P.Slots[Base], B.getPtrTy(), T.field(B, Base)),
                  Of.Array);
    B.CreateStore(
        loadElement(B, P.Slots[Base + 1], B.getInt64Ty(), T.field(B, Base + 1)),
        Of.Visits);
  }
}

/// The last of the reverse of a path, of which its first block is taken back.
void ReverseEmitter::endVisit(const BasicBlock &Block) {
  auto It = Paths.find(&Block);
  if (It == Paths.end())
    return;
  const PathRecords &Of = It->second;
  Value *Number =
      B.CreateSub(B.CreateLoad(B.getInt64Ty(), Of.Visits), B.getInt64(1));
  B.CreateStore(Number, Of.Visits);
  B.CreateStore(B.CreateCall(shrinkFunction(module()),
                             {B.CreateLoad(B.getPtrTy(), Of.Array), Number,
                              B.getInt64(strideOf(*Of.S, module())),
                              B.getInt1(KeepsTape)}),
                Of.Array);
}

void ReverseEmitter::callFree(Value *Block) {
  B.CreateCall(tapeFreeFunction(module()), {Block});
}

/// When the reverse of a loop's preheader is reached, the loop has been
/// reversed: what was allocated there is no longer read. The last allocated
/// goes first.
void ReverseEmitter::freeTape(const BasicBlock &Preheader) {
  auto It = Ended.find(&Preheader);
  if (It == Ended.end())
    return;
  for (unsigned Base : reverse(It->second))
    if (!KeepsTape || P.Slots[Base].Rerun)
      callFree(B.CreateLoad(B.getPtrTy(), Values.address(Base, Here)));
}

/// What reads the copies, the nests behind \p Place or calls from it on, has
/// been reversed.
void ReverseEmitter::freeSnapshots(const Instruction &Place) {
  if (KeepsTape)
    return;
  auto free = [&](const Value *Copy) {
    const Decision *D = P.find(Copy, Part::Primal);
    if (D && D->From == Source::Cache)
      callFree(primal(Copy));
  };
  for (const Instruction *Other : reverse(F.P->Elsewhere.before(&Place)))
    if (const Snapshot *S = F.P->snapshotAt(Other); S && !S->FirstCall)
      free(Other);
  if (isa<CallBase>(Place))
    for (const auto &[Copy, S] : reverse(F.P->Snapshots))
      if (S.FirstCall == &Place)
        free(Copy);
}

void ReverseEmitter::emitReturn(Value *PrimalResult) {
  if (UsesCopies)
    Copies.end(B);
  SmallVector<Value *, 8> Fields;
  if (PrimalResult)
    Fields.push_back(PrimalResult);
  for (const Argument &Arg : F.P->F->args())
    if (returnsAdjoint(F.R.Args[Arg.getArgNo()]))
      Fields.push_back(isActive(&Arg) ? takeAdjoint(&Arg)
                                      : L.zero(Arg.getType()));
  returnFields(B, Fields);
}

const CallPlan *ReverseEmitter::callPlan(const CallBase &Call) {
  return P.callPlan(Call);
}

Value *ReverseEmitter::primal(const Value *V) {
  return Values.get({V, Part::Primal}, Here);
}

Value *ReverseEmitter::shadow(const Value *V) {
  if (!hasShadow(V))
    return dualOrSelf(V);
  return Values.get({V, Part::Shadow}, Here);
}

Value *ReverseEmitter::takeAdjoint(const Value *V) {
  return isActive(V) ? Sums.take(V, *this) : nullptr;
}

void ReverseEmitter::addAdjoint(const Value *V, Value *A) {
  if (A && !isa<Constant>(V) && isActive(V))
    contribute(V, A);
}

void ReverseEmitter::contribute(const Value *V, Value *A) {
  Sums.add(V, A, *this,
           [&](Value *Old, Value *New) { summed(V, Old, A, New); });
}

/// i1: no other thread adds to the adjoint of what \p Load read in this
/// iteration; null if that is never so.
Value *ReverseEmitter::isAlone(const LoadInst &Load) {
  if (auto Test = Launch.testOf(Load))
    return LaunchTested[*Test];
  const NearBounds *Near = F.nearBounds(Load);
  if (!Near)
    return InTeamOfOne;
  return isBetweenBounds(B, primal(Near->L->Counter),
                         primal(Near->L->LastIteration), Near->AtBegin,
                         Near->AtEnd, InTeamOfOne ? InTeamOfOne : B.getFalse());
}

void ReverseEmitter::accumulate(const LoadInst &Load, Value *Place, Value *A) {
  if (Value *Pages = UsesCopies && Copies.hasCopyFor(Load) ? Copies.pages(Load)
                                                           : nullptr) {
    const PagedSum How{Pages, isAlone(Load), Copies.mayClaim(Load)};
    L.map(B, {Place, A}, [&](ArrayRef<Value *> D) -> Value * {
      Value *Term = B.CreateBitCast(D[1], atomicTypeOf(Load, F));
      for (CallInst *Call : addInPages(B, How, D[0], Term))
        tagShadow(Call, Load);
      return nullptr;
    });
    return;
  }
  if (UsesCopies && Copies.hasCopyFor(Load)) {
    Value *At = Copies.placeInCopy(B, Load, Place);
    const Type *Float = atomicTypeOf(Load, F)->getScalarType();
    addPlainly(Load, At, A, Align(Float->getPrimitiveSizeInBits() / 8),
               [&](Instruction &I) { Copies.tag(I, Load); });
    return;
  }
  if (F.mayBeShared(Load)) {
    Value *Alone = isAlone(Load);
    L.map(B, {Place, A}, [&](ArrayRef<Value *> D) -> Value * {
      Value *Term = B.CreateBitCast(D[1], atomicTypeOf(Load, F));
      if (Alone)
        tagShadow(addAtomicallyUnless(B, Alone, D[0], Term), Load);
      else if (F.isLikelyAlike(Load))
        addForLanes(B, D[0], Term);
      else
        addAtomically(B, D[0], Term);
      return nullptr;
    });
    return;
  }
  addPlainly(Load, Place, A, shadowAlign(Load), [](Instruction &) {});
}

void ReverseEmitter::addPlainly(const LoadInst &Load, Value *Place, Value *A,
                                Align Aligned,
                                function_ref<void(Instruction &)> Tag) {
  L.map(B, {Place, A}, [&](ArrayRef<Value *> D) -> Value * {
    auto *Old =
        tagShadow(B.CreateAlignedLoad(D[1]->getType(), D[0], Aligned), Load);
    Tag(*Old);
    Value *Sum = sum(&Load, Old, D[1]);
    Tag(*tagShadow(B.CreateAlignedStore(Sum, D[0], Aligned), Load));
    summed(&Load, Old, D[1], Sum);
    return nullptr;
  });
}

Value *ReverseEmitter::tapeOf(const CallBase *Call) {
  const Decision *D = P.find(Call, Part::Tape);
  if (!D)
    return Constant::getNullValue(B.getPtrTy());
  Value *Place =
      B.CreateAddrSpaceCast(Values.address(D->Slot, Here), B.getPtrTy());
  return callPlan(*Call)->TapeByPointer ? B.CreateLoad(B.getPtrTy(), Place)
                                        : Place;
}

void ReverseEmitter::releaseTape(const CallBase *Call) {
  if (!KeepsTape && P.find(Call, Part::Tape) && callPlan(*Call)->TapeByPointer)
    callFree(tapeOf(Call));
}

} // namespace adze
