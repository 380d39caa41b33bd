// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks a plan against what the rules ask for, without trusting the steps
// that made it: the rules are asked again.
#include "Needs.h"
#include "Recompute.h"
#include "SharedFills.h"
#include "StepPlans.h"
#include "Varying.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace adze {

namespace {

std::string nameOf(PlanValue V) {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << (V.Which == Part::Shadow ? "shadow of "
         : V.Which == Part::Tape ? "tape of "
                                 : "");
  V.V->printAsOperand(OS, /*PrintType=*/false);
  return OS.str();
}

/// Whether \p I changes nothing but a variable of which \p Again has a copy, or
/// memory that it fills.
bool isUnseen(const Instruction &I, const Rerun &Again, const Primal &P) {
  const Value *Pointer = nullptr;
  if (auto *Store = dyn_cast<StoreInst>(&I))
    Pointer = Store->getPointerOperand();
  else if (auto *Block = dyn_cast<MemIntrinsic>(&I))
    Pointer = Block->getRawDest();
  else
    return !I.mayWriteToMemory() || isPure(I, P); // errno
  return Again.isInScratch(Pointer) ||
         is_contained(Again.Filled,
                      getUnderlyingObject(Pointer, /*MaxLookup=*/0));
}

bool isFoundIn(const Value *Load, const Value *Memory) {
  return getUnderlyingObject(getLoadStorePointerOperand(Load),
                             /*MaxLookup=*/0) == Memory;
}

class Verifier : public NeedsVisitor {
public:
  explicit Verifier(const Plan &P)
      : P(P), Of(*P.F->P), Body(*Of.F), Known(*P.F) {}

  void need(PlanValue V, const Instruction &At) override;
  void problem(const Instruction &, Diag, ArrayRef<std::string>,
               ArrayRef<Witness>) override {
    fail("a rule refuses an instruction");
  }
  void checkDecision(PlanValue V, const Decision &D);
  bool isAtBegin(const Value *V, const LoopRecord &L) const;
  void checkRerun(const Rerun &Again);
  void checkSlot(unsigned Index);
  void checkRecords();
  void checkStorage();
  void checkArguments();

  std::string Wrong; // first of all

private:
  void fail(const Twine &Text) {
    if (Wrong.empty())
      Wrong = Text.str();
  }
  void needCopy(const Instruction &Address, const Instruction &At);
  void checkOperands(PlanValue V, const Decision &D);
  void checkChain(PlanValue V, unsigned First, const LoopRecord *Outside);
  bool isRunAgain(PlanValue V, const LoopRecord &L) const;
  bool isFoundAgain(PlanValue V, const Decision &D) const;
  bool readsFill(const Value *V, const LoopRecord &L) const;
  void checkFills(const Rerun &Again);
  void checkOnEntry(const Slot &S, unsigned Index);

  const Plan &P;
  const Primal &Of;
  const Function &Body;
  Varying Known;
};

/// A need is met if there is a decision, and the value has been computed
/// whenever the reverse pass asks for it.
void Verifier::need(PlanValue V, const Instruction &At) {
  if (!P.find(V.V, V.Which))
    return fail(nameOf(V) + " is needed, but there is no decision");
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I || I == &At)
    return;
  if (Of.Elsewhere.contains(I))
    return needCopy(*I, At);
  if (!Of.DT->dominates(I, &At) && I->getParent() != At.getParent())
    return fail(nameOf(V) + " is read where it need not have been computed");
  Loop *L = Of.LI->getLoopFor(I->getParent());
  if (L && !L->contains(At.getParent()))
    fail(nameOf(V) + " is read outside its loop");
}

/// The one alternative that a rule reads: \p At may make the call in front of
/// the copy, in its block, which is then freed behind the call.
void Verifier::needCopy(const Instruction &Address, const Instruction &At) {
  const BasicBlock *Place = Of.blockOf(&Address);
  auto *Found = find_if(Of.CallCopies, [&](const auto &Entry) {
    return Entry.first.first == &At && Entry.second.Address == &Address;
  });
  if (Found == Of.CallCopies.end())
    return fail(nameOf({&Address, Part::Primal}) + " is no copy for this call");
  const Snapshot &S = *Of.snapshotAt(Found->second.Copy);
  if (S.Given)
    return;
  if (Of.loopOf(Place) != Of.loopOf(At.getParent()) ||
      !Of.DT->dominates(Place, At.getParent()))
    return fail("a copy is read where it need not have been made");
  auto *Copy = cast<Instruction>(Found->second.Copy);
  const BasicBlock *Made = Of.blockOf(Copy);
  if (Made == At.getParent() && At.comesBefore(Of.Elsewhere.placeOf(Copy)) &&
      (!S.FirstCall || S.FirstCall->getParent() != Made ||
       (S.FirstCall != &At && !S.FirstCall->comesBefore(&At))))
    fail("a copy is freed before it is read");
}

void Verifier::checkOperands(PlanValue V, const Decision &D) {
  for (PlanValue Op : D.Reads)
    if (!P.find(Op.V, Op.Which))
      fail(nameOf(V) + " is made from " + nameOf(Op) +
           ", which has no decision");
}

bool Verifier::isRunAgain(PlanValue V, const LoopRecord &L) const {
  auto It = P.Reruns.find(&L);
  return It != P.Reruns.end() && V.Which == Part::Primal &&
         It->second.Code.contains(dyn_cast<Instruction>(V.V));
}

/// What fills the memory that \p V, a load, reads runs again.
bool Verifier::isFoundAgain(PlanValue V, const Decision &D) const {
  auto *Load = dyn_cast<LoadInst>(V.V);
  auto It = P.Reruns.find(D.Rerun);
  return Load && V.Which == Part::Primal && It != P.Reruns.end() &&
         readAgain(*Load, *D.Rerun, *P.F) == D &&
         any_of(It->second.Filled,
                [&](const Value *Memory) { return isFoundIn(Load, Memory); });
}

/// \p V is made from what an iteration of \p L, run again, leaves in memory.
bool Verifier::readsFill(const Value *V, const LoopRecord &L) const {
  SmallVector<const Value *, 16> Work(1, V);
  DenseSet<const Value *> Seen;
  while (!Work.empty()) {
    const Value *Next = Work.pop_back_val();
    const Decision *D = P.find(Next, Part::Primal);
    if (!D || D->From == Source::Cache || !Seen.insert(Next).second)
      continue;
    if (D->Rerun == &L)
      return true;
    for (PlanValue Read : D->Reads)
      Work.push_back(Read.V);
  }
  return false;
}

/// All of each piece of memory is filled, and its readers read no other.
void Verifier::checkFills(const Rerun &Again) {
  SmallVector<const BasicBlock *, 16> Blocks;
  for (const BasicBlock *B : blocksOf(*P.F))
    if (Again.L->L->contains(B))
      Blocks.push_back(B);
  const SharedFills Found = findSharedFills(*P.F, *Again.L, Blocks);
  for (const Value *Memory : Again.Filled) {
    const SharedFill *Fill = find_if(Found.Of, [&](const SharedFill &Each) {
      return Each.Memory == Memory;
    });
    if (Fill == Found.Of.end() ||
        !all_of(Fill->Stores, [&](const StoreInst *Store) {
          return Again.Code.contains(Store);
        }))
      return fail(nameOf({Memory, Part::Primal}) + " is not filled again");
    for (const auto &[K, D] : P.Decisions)
      if (D.From == Source::Recompute && D.Rerun == Again.L &&
          isFoundIn(K.first, Memory) && !is_contained(Fill->Readers, K.first))
        fail(nameOf({K.first, Part::Primal}) + " reads what was there before");
  }
}

/// What runs again has all that it is computed from, and changes nothing but
/// its own variables.
void Verifier::checkRerun(const Rerun &Again) {
  const Loop &L = *Again.L->L;
  if (Again.L->ExitingBlock != L.getLoopLatch())
    return fail("an iteration runs again that may end before its last block");
  auto isAtHand = [&](const Value *V) {
    return isa<Constant, BasicBlock, MetadataAsValue>(V) ||
           Again.Code.contains(dyn_cast<Instruction>(V)) ||
           is_contained(Again.Scratch, V) ||
           (!Again.isInScratch(V) && isAtBegin(V, *Again.L));
  };
  if (!Again.Filled.empty())
    checkFills(Again);
  for (const Instruction *I : Again.Code) {
    const Value *Instead = Again.Instead.lookup(I);
    if (!(L.contains(Of.blockOf(I)) || Again.isInScratch(I)) ||
        !isUnseen(*I, Again, Of) ||
        Instead != (Instead ? equivalentValue(*I, *P.F) : nullptr))
      return fail(nameOf({I, Part::Primal}) + " must not run again");
    SmallVector<const Value *, 4> Read;
    if (Instead)
      Read.push_back(Instead);
    else
      append_range(Read, I->operand_values());
    for (const Value *Op : Read)
      if (const Value *V = Of.Elsewhere.meaningOf(Op); !isAtHand(V))
        return fail(nameOf({I, Part::Primal}) + " runs again, but " +
                    nameOf({V, Part::Primal}) + " is not at hand");
  }
}

/// The reverse pass has \p V when it comes to an iteration of \p L: it does not
/// vary within the iteration, and has been computed, or is a copy, which nobody
/// reads where it has not been made.
bool Verifier::isAtBegin(const Value *V, const LoopRecord &L) const {
  if (!P.find(V, Part::Primal) || readsFill(V, L))
    return false;
  auto *I = dyn_cast<Instruction>(V);
  const BasicBlock *B = I ? Of.blockOf(I) : nullptr;
  return !B || !L.L->contains(B) ||
         (Of.loopOf(B) == &L &&
          (Of.snapshotAt(V) || Of.DT->dominates(B, L.ExitingBlock)));
}

void Verifier::checkDecision(PlanValue V, const Decision &D) {
  switch (D.From) {
  case Source::Available:
    if (!isAvailable(V, *P.F))
      fail(nameOf(V) + " is called available");
    if (isa<AllocaInst>(V.V) != (D.Slot != NoSlot))
      return fail("wrong storage of " + nameOf(V));
    if (D.Slot != NoSlot &&
        (D.Slot >= P.Slots.size() || !P.Slots[D.Slot].IsStorage ||
         !(P.Slots[D.Slot].Holds == V)))
      fail("no storage for " + nameOf(V));
    return;
  case Source::Recompute:
    if (D.Rerun ? !isFoundAgain(V, D) : !(recompute(V, *P.F) == D))
      return fail(nameOf(V) + " cannot be recomputed like that");
    return checkOperands(V, D);
  case Source::Reload:
    if (!(reload(V, *P.F) == D))
      return fail(nameOf(V) + " is not to be found in memory");
    return checkOperands(V, D);
  case Source::Cache:
    if (D.Slot >= P.Slots.size())
      return fail(nameOf(V) + " is kept, but has no slot");
    // The copy is made where its own address is kept, and freed there.
    if (V.V->getType()->isPointerTy() && V.Which == Part::Primal &&
        Of.snapshotBehind(V.V) && !Of.snapshotAt(V.V))
      return fail(nameOf(V) + " is kept, an address in a copy");
    if (D.Rerun && !isRunAgain(V, *D.Rerun))
      return fail(nameOf(V) + " is kept by what does not compute it");
    return checkChain(V, D.Slot, D.Rerun);
  }
}

/// The dimensions of a slot and its bases are the loops that the value varies
/// with, and perhaps others around it, so that no two values are written to one
/// place. If an iteration of \p Outside runs again for the value, its place is
/// that of all iterations.
void Verifier::checkChain(PlanValue V, unsigned First,
                          const LoopRecord *Outside) {
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I || !Of.canReturn(Of.blockOf(I)))
    return fail(nameOf(V) + " is kept, but never written");
  Varying::Loops Must = Known.loopsOf(V);
  if (Outside)
    erase_if(Must,
             [&](const LoopRecord *L) { return L->L->contains(Outside->L); });
  const BasicBlock *Place = Of.blockOf(I);
  const LoopRecord *L = Of.loopOf(Place);
  auto skipTo = [&](const LoopRecord *Dim) {
    while (L && L != Dim && !is_contained(Must, L))
      L = L->Parent;
  };
  bool Shared = false; // the bases, with other values of a record
  for (unsigned Index = First; Index != NoSlot; Index = P.Slots[Index].Base) {
    const Slot &S = P.Slots[Index];
    if ((!(S.Holds == V) && !Shared) || S.IsStorage || S.Rerun != Outside)
      return fail("slot " + Twine(Index) + " does not hold " + nameOf(V));
    if (Index != First && !S.Element->isPointerTy())
      return fail("base slot " + Twine(Index) + " holds no pointer");
    for (const LoopRecord *Dim : reverse(S.Dims)) {
      skipTo(Dim);
      if (Dim != L)
        return fail("slot " + Twine(Index) +
                    " has other dimensions than the "
                    "loops around " +
                    nameOf(V));
      L = L->Parent;
    }
    if (S.Base == NoSlot)
      continue;
    Shared |= S.Record != 0;
    if ((S.Base <= Index && !Shared) || S.Base >= P.Slots.size())
      return fail("slot " + Twine(Index) + " has a wrong base");
    const Slot &Base = P.Slots[S.Base];
    if (S.Size == Sizing::ByVisit) {
      if (!Of.DT->dominates(S.Visited, Place))
        fail("slot " + Twine(Index) + " is of another path");
      return;
    }
    Place = S.Outermost->L->getLoopPreheader();
    if ((Base.Dims.empty() ? Outside : Base.Dims.back()) != S.Outermost->Parent)
      return fail("slot " + Twine(Index) + " is allocated too often");
    // Allocated in each iteration of the loops around, and each address kept.
    skipTo(S.Outermost->Parent);
    if (L != S.Outermost->Parent)
      return fail("slot " + Twine(Index) + " is allocated too often");
    Must.clear();
    for (const LoopRecord *Around = L; Around != Outside;
         Around = Around->Parent)
      Must.push_back(Around);
  }
  skipTo(Outside);
  if (L != Outside)
    fail(nameOf(V) + " is overwritten by a later iteration");
}

void Verifier::checkOnEntry(const Slot &S, unsigned Index) {
  const BasicBlock *Preheader = S.Outermost->L->getLoopPreheader();
  if (!S.Outermost->L->contains(S.Dims.front()->L))
    return fail("slot " + Twine(Index) + " is allocated in its own loop");
  for (const LoopRecord *L : S.Dims) {
    if (!L->LastIteration || !Preheader)
      return fail("the extents of slot " + Twine(Index) + " are not known");
    auto *Last = dyn_cast<Instruction>(L->LastIteration);
    if (Last && !Of.DT->dominates(Last, Preheader->getTerminator()))
      return fail("the extents of slot " + Twine(Index) +
                  " are not known where it is allocated");
    if (L != S.Dims.front() && !isa<Constant>(L->LastIteration) &&
        !P.find(L->LastIteration, Part::Primal))
      return fail("a stride of slot " + Twine(Index) + " has no decision");
  }
}

void Verifier::checkSlot(unsigned Index) {
  const Slot &S = P.Slots[Index];
  bool HasBase = S.Base != NoSlot;
  bool WantsBase = S.Size != Sizing::Scalar && S.Size != Sizing::Static;
  if (!S.Element || HasBase != WantsBase || WantsBase != !!S.Outermost)
    return fail("slot " + Twine(Index) + " is incomplete");
  if ((S.Size == Sizing::Scalar) != S.Dims.empty())
    return fail("slot " + Twine(Index) + " has wrong dimensions");
  switch (S.Size) {
  case Sizing::Scalar:
    return;
  case Sizing::Static: {
    if (S.Extents.size() != S.Dims.size())
      return fail("slot " + Twine(Index) + " lacks extents");
    for (unsigned K = 0; K < S.Dims.size(); ++K) {
      uint64_t Most = S.Dims[K]->MostIterations;
      if (!Most || Most > S.Extents[K])
        return fail("slot " + Twine(Index) + " is too small");
    }
    return;
  }
  case Sizing::OnEntry:
    return checkOnEntry(S, Index);
  case Sizing::Growing:
    if (S.Dims.size() != 1 || S.Outermost != S.Dims.front())
      fail("slot " + Twine(Index) + " grows in several dimensions");
    return;
  case Sizing::ByVisit:
    if (S.Dims.size() != 1 || S.Outermost != S.Dims.front() || !S.Visited ||
        Of.loopOf(S.Visited) != S.Outermost || S.Rerun || !S.Record ||
        S.Base + 1 >= P.Slots.size() ||
        P.Slots[S.Base].Size != Sizing::Scalar ||
        !P.Slots[S.Base + 1].Element->isIntegerTy(64))
      fail("slot " + Twine(Index) + " is no slot of a path");
    return;
  }
}

/// Elements that share a base lie side by side in a record of one iteration.
void Verifier::checkRecords() {
  const DataLayout &DL = Body.getParent()->getDataLayout();
  MapVector<unsigned, SmallVector<const Slot *, 4>> Records; // by base
  for (const Slot &S : P.Slots)
    if (S.Base != NoSlot)
      Records[S.Base].push_back(&S);
  for (auto &[Base, Together] : Records) {
    sort(Together,
         [](const Slot *A, const Slot *B) { return A->Offset < B->Offset; });
    uint64_t End = 0;
    for (const Slot *S : Together) {
      if (S->Size == Sizing::OnEntry && Together.size() == 1 && !S->Record)
        continue;
      if (S->Offset < End || S->Dims != Together.front()->Dims ||
          S->Outermost != Together.front()->Outermost ||
          S->Size != Together.front()->Size ||
          S->Visited != Together.front()->Visited ||
          S->Record != Together.front()->Record)
        return fail("slots at base slot " + Twine(Base) + " overlap");
      End = S->Offset + DL.getTypeAllocSize(S->Element);
      if (End > S->Record)
        return fail("a record at base slot " + Twine(Base) + " is too small");
    }
  }
}

/// What the augmented half writes without being asked: shadows of variables.
void Verifier::checkStorage() {
  for (const Instruction &I : Body.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      if (A->isStaticAlloca() && P.F->hasShadow(A) && !P.find(A, Part::Shadow))
        fail("no storage for the shadow of " + nameOf({A, Part::Primal}));
}

void Verifier::checkArguments() {
  if (P.ReverseReadsPrimal.size() != Body.arg_size() ||
      P.ReverseReadsShadow.size() != Body.arg_size())
    return fail("not all arguments are accounted for");
  for (const Argument &A : Body.args())
    if (P.ReverseReadsPrimal[A.getArgNo()] != !!P.find(&A, Part::Primal) ||
        P.ReverseReadsShadow[A.getArgNo()] != !!P.find(&A, Part::Shadow))
      return fail("argument " + nameOf({&A, Part::Primal}) +
                  " is read, but not said to be");
}

} // namespace

Error verifyPlan(const Plan &P) {
  if (!equal(P.Rules, rulesOf(*P.F)))
    return createStringError("it does not have the rules of the instructions");
  // A forward plan holds call plans only.
  if (P.F->R.Kind.isForward()) {
    if (P.Slots.empty() && P.Decisions.empty())
      return Error::success();
    return createStringError("a forward plan keeps values");
  }
  Verifier V(P);
  if (P.Steps) {
    V.checkArguments();
    return V.Wrong.empty() ? verifySteps(P) : createStringError(V.Wrong);
  }
  visitRuleNeeds(P, V);
  visitReplicaNeeds(P, V);
  visitControlNeeds(*P.F, V);
  for (const auto &[K, D] : P.Decisions)
    V.checkDecision({K.first, Part(K.second)}, D);
  for (unsigned Index = 0; Index < P.Slots.size(); ++Index)
    V.checkSlot(Index);
  for (const auto &[L, Again] : P.Reruns)
    V.checkRerun(Again);
  V.checkRecords();
  V.checkStorage();
  V.checkArguments();
  return V.Wrong.empty() ? Error::success() : createStringError(V.Wrong);
}

} // namespace adze
