// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   front:    if (guards, count) goto ahead; else goto the loops as they were
//   ahead:    iterations of the first loop, and what is between
//   fused:    both
//   behind:   the rest of the first one, what comes late, the rest of the
//             second one; goto the second's exit
#include "LoopPair.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace adze {

namespace {

/// Metadata of branches.
constexpr const char *FusedMark = "adze.fused";
constexpr const char *UnfusedMark = "adze.unfused";

using Values = DenseMap<const Value *, Value *>;

/// What copies of an access say besides: the scope that it is in, and those
/// that it is not in.
struct Tags {
  MDNode *Own = nullptr, *Others = nullptr;
};
using TagsOf = DenseMap<const Instruction *, Tags>;

/// Iterations of a loop of one block, one after the other.
class Iterations {
public:
  Iterations(Loop &L, const std::optional<CountDown> &Turned,
             const TagsOf &Tagged)
      : Body(*L.getHeader()), Turned(Turned), Tagged(Tagged) {
    for (PHINode &Phi : Body.phis())
      begin(Phi, Phi.getIncomingValueForBlock(L.getLoopPreheader()));
    if (!Turned)
      return;
    Last = Now[Turned->Counter];
    begin(*Turned->Counter, Constant::getNullValue(Last->getType()));
  }

  /// The next iteration begins with phis of \p At, a block that \p From leads
  /// to, and that will lead to itself.
  void enter(BasicBlock &At, BasicBlock &From) {
    if (Ran)
      advance(From);
    Ran = false;
    IRBuilder<> B(&At, At.getFirstNonPHIIt());
    for (PHINode &Phi : Body.phis()) {
      PHINode *New = B.CreatePHI(Phi.getType(), 2, Phi.getName());
      New->setDebugLoc(Phi.getDebugLoc());
      New->addIncoming(Now[&Phi], &From);
      begin(Phi, New);
      Entered.push_back(New);
    }
  }
  /// After an iteration at the end of that block, which has no branch.
  void repeat(BasicBlock &At) {
    for (auto [Phi, New] : zip(Body.phis(), Entered))
      New->addIncoming(next(Phi, At), &At);
  }
  /// One more, at the end of \p At.
  void run(BasicBlock &At) {
    if (Ran)
      advance(At);
    Ran = true;
    for (Instruction &I : Body) {
      if (isa<PHINode, DbgInfoIntrinsic>(I) || I.isTerminator() || counts(I))
        continue;
      Instruction *Copy = I.clone();
      for (Use &U : Copy->operands())
        U.set(here(U.get()));
      Copy->insertInto(&At, At.end());
      Copy->setName(I.getName());
      tag(*Copy, Tagged.lookup(&I));
      Now[&I] = Copy;
    }
  }
  /// What \p V is in the iteration that has run last.
  Value *here(Value *V) const {
    Value *Known = Now.lookup(V);
    if (!Known && Around)
      Known = Around->lookup(V);
    return Known ? Known : V;
  }
  /// Values from in front of the loop are those of \p New.
  void read(const Values &New) {
    Around = &New;
    for (PHINode &Phi : Body.phis())
      begin(Phi, here(Now[&Phi]));
    if (Last)
      Last = here(Last);
  }
  /// The branch that leaves \p At, behind an iteration.
  void leave(BasicBlock &At, BasicBlock &To) const {
    auto *Old = cast<BranchInst>(Body.getTerminator());
    IRBuilder<> B(&At);
    B.SetCurrentDebugLocation(Old->getDebugLoc());
    if (!Turned) {
      const bool LeavesIfTrue = Old->getSuccessor(0) != &Body;
      B.CreateCondBr(here(Old->getCondition()), LeavesIfTrue ? &To : &At,
                     LeavesIfTrue ? &At : &To);
      return;
    }
    // What was the last number is the first one, so it is the last one now.
    Value *Counter = here(Turned->Counter);
    if (Turned->Value != Turned->Counter)
      Counter = B.CreateAdd(Counter, ConstantInt::get(Counter->getType(), 1));
    B.CreateCondBr(B.CreateICmpEQ(Counter, Last), &To, &At);
  }

private:
  static void tag(Instruction &I, const Tags &T) {
    auto add = [&](unsigned Kind, MDNode *Scopes) {
      if (Scopes)
        I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), Scopes));
    };
    add(LLVMContext::MD_alias_scope, T.Own);
    add(LLVMContext::MD_noalias, T.Others);
  }
  void begin(PHINode &Phi, Value *With) {
    Now[&Phi] = With;
    if (Turned && Turned->Counter == &Phi)
      Now[Turned->Value] = With;
  }
  /// \p I does nothing but count down.
  bool counts(const Instruction &I) const {
    return Turned &&
           (&I == Turned->Next || &I == Turned->Value || &I == Turned->IsZero);
  }
  Value *next(PHINode &Phi, BasicBlock &At) const {
    if (!Turned || Turned->Counter != &Phi)
      return here(Phi.getIncomingValueForBlock(&Body));
    IRBuilder<> B(&At);
    if (Instruction *End = At.getTerminator())
      B.SetInsertPoint(End);
    return B.CreateAdd(here(&Phi), ConstantInt::get(Phi.getType(), 1));
  }
  void advance(BasicBlock &At) {
    SmallVector<Value *, 8> Next;
    for (PHINode &Phi : Body.phis())
      Next.push_back(next(Phi, At));
    for (auto [Phi, V] : zip(Body.phis(), Next))
      begin(Phi, V);
  }

  BasicBlock &Body;
  const std::optional<CountDown> &Turned;
  const TagsOf &Tagged;
  Value *Last = nullptr; ///< What the counter that is turned begins with.
  Values Now;
  const Values *Around = nullptr;
  SmallVector<PHINode *, 4> Entered;
  bool Ran = false;
};

/// Has the accesses of both loops say what is tested in front.
TagsOf tagsOf(const LoopPair &P) {
  TagsOf Tagged;
  if (P.Apart.empty())
    return Tagged;
  LLVMContext &Context = P.First->getHeader()->getContext();
  MDBuilder MD(Context);
  MDNode *Domain = MD.createAnonymousAliasScopeDomain("fused");
  for (auto [A, B] : P.Apart) {
    if (!Tagged[P.Arrays[A].front()].Own) {
      MDNode *Own = MDNode::get(Context, MD.createAnonymousAliasScope(Domain));
      for (const Instruction *I : P.Arrays[A])
        Tagged[I].Own = Own;
    }
    MDNode *Own = Tagged[P.Arrays[A].front()].Own;
    for (const Instruction *I : P.Arrays[B])
      Tagged[I].Others = MDNode::concatenate(Tagged[I].Others, Own);
  }
  return Tagged;
}

class FusedLoop {
public:
  FusedLoop(const LoopPair &P, ScalarEvolution &SE)
      : P(P), SE(SE), F(*P.First->getHeader()->getParent()),
        Context(F.getContext()), Tagged(tagsOf(P)),
        OfFirst(*P.First, P.TurnedFirst, Tagged),
        OfSecond(*P.Second, P.TurnedSecond, Tagged) {}
  BasicBlock *emit();

private:
  BasicBlock *create(const char *Name) {
    return BasicBlock::Create(Context, Name, &F, P.First->getHeader());
  }
  Value *outside(Value *V) const;
  void emitBetween(BasicBlock &At, bool IsLate);
  void emitBody(BasicBlock &Ahead, BasicBlock &Body, BasicBlock &Behind);
  void count(BasicBlock &Ahead, BasicBlock &Body, BasicBlock &Behind);
  void branch(BasicBlock &Ahead);
  void leave(BasicBlock &Behind);
  /// What \p V is when both have ended.
  Value *last(Value *V) const {
    Value *Of = OfSecond.here(V);
    return Of != V ? Of : outside(V);
  }

  const LoopPair &P;
  ScalarEvolution &SE;
  Function &F;
  LLVMContext &Context;
  const TagsOf Tagged;
  Iterations OfFirst, OfSecond;
  Values Between;
};

/// What \p V, of a block between the loops or of the first one, or from in
/// front of both, is on the new way.
Value *FusedLoop::outside(Value *V) const {
  Value *Known = Between.lookup(V);
  return Known ? Known : OfFirst.here(V);
}

/// What stands between, and comes late or not.
void FusedLoop::emitBetween(BasicBlock &At, bool IsLate) {
  const BasicBlock *From = P.First->getHeader();
  for (BasicBlock *B : P.Between.Blocks) {
    for (Instruction &I : *B) {
      if (I.isTerminator() || isa<DbgInfoIntrinsic>(I) ||
          P.Between.Late.contains(&I) != IsLate)
        continue;
      if (auto *Phi = dyn_cast<PHINode>(&I)) {
        Between[&I] = outside(Phi->getIncomingValueForBlock(From));
        continue;
      }
      Instruction *Copy = I.clone();
      for (Use &U : Copy->operands())
        U.set(outside(U.get()));
      Copy->insertInto(&At, At.end());
      Copy->setName(I.getName());
      Between[&I] = Copy;
    }
    From = B;
  }
}

void FusedLoop::emitBody(BasicBlock &Ahead, BasicBlock &Body,
                         BasicBlock &Behind) {
  OfFirst.enter(Body, Ahead);
  OfSecond.enter(Body, Ahead);
  OfFirst.run(Body);
  OfSecond.run(Body);
  OfFirst.repeat(Body);
  OfSecond.repeat(Body);
  if (P.Back)
    count(Ahead, Body, Behind);
  else
    (P.RestOfSecond ? OfFirst : OfSecond).leave(Body, Behind);
}

/// The loop has a counter of its own.
void FusedLoop::count(BasicBlock &Ahead, BasicBlock &Body, BasicBlock &Behind) {
  SCEVExpander Expander(SE, F.getDataLayout(), "fused");
  Type *Ty = P.Back->getType();
  Value *Last = Expander.expandCodeFor(P.Back, Ty, Ahead.getTerminator());
  IRBuilder<> B(&Body, Body.begin());
  PHINode *Counter = B.CreatePHI(Ty, 2, "count");
  B.SetInsertPoint(&Body);
  Counter->addIncoming(ConstantInt::get(Ty, 0), &Ahead);
  Counter->addIncoming(B.CreateNUWAdd(Counter, ConstantInt::get(Ty, 1)), &Body);
  B.CreateCondBr(B.CreateICmpEQ(Counter, Last), &Behind, &Body);
}

/// The loops as they were are left for where they run a few times.
void keepShort(const Loop &L) {
  LLVMContext &C = L.getHeader()->getContext();
  auto option = [&](const char *Name, Type *Ty, uint64_t V) {
    return MDNode::get(C, {MDString::get(C, Name),
                           ConstantAsMetadata::get(ConstantInt::get(Ty, V))});
  };
  MDNode *NoVector =
      option("llvm.loop.vectorize.enable", Type::getInt1Ty(C), 0);
  MDNode *NoCopies =
      MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
  L.setLoopID(makePostTransformationMetadata(
      C, L.getLoopID(), {"llvm.loop.unroll."}, {NoVector, NoCopies}));
}

void FusedLoop::branch(BasicBlock &Ahead) {
  BasicBlock *Front = P.First->getLoopPreheader();
  BasicBlock *Loop = P.First->getHeader();
  struct Condition {
    Value *V;
    bool Is;
  };
  SmallVector<Condition, 4> All;
  for (const WayBetween::Guard &G : P.Between.Guards)
    All.push_back({G.Branch->getCondition(), G.IsTrue});
  for (Value *Test : P.Tests)
    All.push_back({Test, true});
  Instruction *Old = Front->getTerminator();
  if (All.empty()) {
    Loop->removePredecessor(Front, /*KeepOneInputPHIs=*/true);
    BranchInst::Create(&Ahead, Old->getIterator());
    Old->eraseFromParent();
    return;
  }
  BasicBlock *Slow = create("unfused");
  BranchInst::Create(Loop, Slow)
      ->setMetadata(UnfusedMark, MDNode::get(Context, {}));
  Loop->replacePhiUsesWith(Front, Slow);
  // One branch for each, so that what is known of one is found.
  BasicBlock *At = Front;
  for (const Condition &C : All) {
    BasicBlock *Next = &C == &All.back() ? &Ahead : create("apart");
    auto *Branch =
        BranchInst::Create(C.Is ? Next : Slow, C.Is ? Slow : Next, C.V,
                           At == Front ? Old->getIterator() : At->end());
    if (P.IsSeldomElse)
      Branch->setMetadata(FusedMark, MDNode::get(Context, {}));
    At = Next;
  }
  Old->eraseFromParent();
  if (P.IsSeldomElse) {
    keepShort(*P.First);
    keepShort(*P.Second);
  }
}

/// What is read elsewhere comes from the loops, or from the new blocks.
void FusedLoop::leave(BasicBlock &Behind) {
  SmallSetVector<BasicBlock *, 8> Inside(P.Between.Blocks.begin(),
                                         P.Between.Blocks.end());
  Inside.insert(P.First->getHeader());
  Inside.insert(P.Second->getHeader());
  SmallVector<Use *, 16> Readers;
  SSAUpdater Update;
  for (BasicBlock *B : Inside)
    for (Instruction &I : *B) {
      Readers.clear();
      for (Use &U : I.uses()) {
        auto *Reader = cast<Instruction>(U.getUser());
        auto *Phi = dyn_cast<PHINode>(Reader);
        if (!Inside.contains(Phi ? Phi->getIncomingBlock(U)
                                 : Reader->getParent()))
          Readers.push_back(&U);
      }
      if (Readers.empty())
        continue;
      Update.Initialize(I.getType(), I.getName());
      Update.AddAvailableValue(B, &I);
      Update.AddAvailableValue(&Behind, last(&I));
      for (Use *U : Readers)
        Update.RewriteUse(*U);
    }
}

BasicBlock *FusedLoop::emit() {
  BasicBlock *Ahead = create("ahead"), *Body = create("fused");
  BasicBlock *Behind = create("behind");
  BasicBlock *Exit = P.Second->getExitBlock();
  for (unsigned I = 0; I != P.Shift; ++I)
    OfFirst.run(*Ahead);
  emitBetween(*Ahead, /*IsLate=*/false);
  OfSecond.read(Between);
  BranchInst::Create(Body, Ahead);
  emitBody(*Ahead, *Body, *Behind);
  for (unsigned I = 0; I != P.RestOfFirst; ++I)
    OfFirst.run(*Behind);
  emitBetween(*Behind, /*IsLate=*/true);
  for (unsigned I = 0; I != P.RestOfSecond; ++I)
    OfSecond.run(*Behind);
  BranchInst::Create(Exit, Behind);
  branch(*Ahead);
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(P.Second->getHeader());
    Phi.addIncoming(last(V), Behind);
  }
  leave(*Behind);
  return Body;
}

} // namespace

bool leadsToFused(const BranchInst &Branch) {
  return Branch.hasMetadata(FusedMark);
}

bool isUnfused(const BasicBlock &B) {
  return B.getTerminator()->hasMetadata(UnfusedMark);
}

BasicBlock *emitFused(const LoopPair &P, ScalarEvolution &SE) {
  Function &F = *P.First->getHeader()->getParent();
  BasicBlock *Body = FusedLoop(P, SE).emit();
  removeUnreachableBlocks(F);
  return Body;
}

} // namespace adze
