// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rematerialize.h"
#include "ShadowConstants.h"
#include "adze/AliasScopes.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace adze {

/// Runs a rule's propagate() to compute the shadow of one value again.
class ShadowContext final : public ForwardSweepContext {
public:
  ShadowContext(Rematerializer &R, Rematerializer::Place At, IRBuilder<> &B)
      : ForwardSweepContext(R.F, B, R.L), R(R), At(At) {}

  llvm::Value *Result = nullptr;

  const CallPlan *callPlan(const CallBase &) override { return nullptr; }
  bool carries(const Value *V) const override { return hasShadow(V); }
  Value *primal(const Value *V) override {
    return R.known({V, Part::Primal}, At);
  }
  Value *dual(const Value *V) override {
    return hasShadow(V) ? R.known({V, Part::Shadow}, At) : dualOrSelf(V);
  }
  void setDual(const Instruction *, Value *D) override { Result = D; }
  void setPrimal(const Instruction *, Value *) override {}
  Instruction *clonePrimal(const Instruction *) override { return nullptr; }
  bool reversesLater() const override { return true; }
  Value *tapeOf(const CallBase *) override { return nullptr; }
  Value *storageOf(const AllocaInst *, bool) override { return nullptr; }

private:
  Rematerializer &R;
  Rematerializer::Place At;
};

Rematerializer::Rematerializer(const Facts &F, const Plan &P, Function &Out,
                               const ReverseBlocks &Blocks, Tape &T,
                               const Lanes &L)
    : F(F), P(P), Blocks(Blocks), T(T), L(L) {
  unsigned Next = 0;
  for (const Argument &Arg : F.P->F->args()) {
    ArgPrimals[&Arg] = Out.getArg(Next++);
    if (hasShadowParam(F.R.Args[Arg.getArgNo()]))
      ArgShadows[&Arg] = Out.getArg(Next++);
  }
  for (unsigned K : F.R.Copied) {
    if (const Value *Given = F.P->givenCopyOf(*F.P->F->getArg(K)))
      GivenCopies[Given] = Out.getArg(Next);
    ++Next;
  }
}

IRBuilder<> Rematerializer::builderAt(Place At) {
  if (Instruction *End = At.Block->getTerminator())
    return IRBuilder<>(End);
  return IRBuilder<>(At.Block);
}

/// The outermost place around \p At that still lies in loop \p Defining.
Rematerializer::Place Rematerializer::hoist(const Loop *Defining,
                                            Place At) const {
  Place Best = At;
  for (const Loop *Around = At.L; Around && Around != Defining;
       Around = Around->getParentLoop()) {
    if (Defining && !Defining->contains(Around))
      break;
    const LoopRecord *Record = F.P->LoopOf.lookup(Around);
    if (Record->ExitBlock)
      Best = {Blocks.edge(Record->ExitBlock, Record->ExitingBlock),
              Around->getParentLoop()};
  }
  return Best;
}

Rematerializer::Place Rematerializer::placeOf(PlanValue V, Place At) const {
  auto *I = dyn_cast<Instruction>(V.V);
  if (!I)
    return At;
  return hoist(F.P->LI->getLoopFor(F.P->blockOf(I)), At);
}

Value *Rematerializer::available(PlanValue V, Place At) {
  if (auto *C = dyn_cast<Constant>(V.V)) {
    if (V.Which == Part::Primal)
      return const_cast<Constant *>(C);
    if (!F.hasShadow(C))
      return L.zero(C->getType());
    IRBuilder<> B = builderAt(At);
    return shadowsOfConstant(B, const_cast<Constant *>(C), L);
  }
  if (isa<MetadataAsValue>(V.V) || isa<InlineAsm>(V.V))
    return const_cast<Value *>(V.V);
  if (isa<Argument>(V.V))
    return (V.Which == Part::Primal ? ArgPrimals : ArgShadows).lookup(V.V);
  return V.Which == Part::Primal ? GivenCopies.lookup(V.V) : nullptr;
}

Value *Rematerializer::known(PlanValue V, Place At) {
  if (Value *Simple = available(V, At))
    return Simple;
  Place Where = placeOf(V, At);
  return Made.lookup({{V.V, unsigned(V.Which)}, Where.Block});
}

Value *Rematerializer::get(PlanValue V, Place At) {
  // Depth-first over what recomputing reads, with a stack of our own: chains
  // may be as long as the function.
  SmallVector<std::pair<PlanValue, Place>, 16> Stack{{V, At}};
  while (!Stack.empty()) {
    auto [Top, Around] = Stack.back();
    Place Where = placeOf(Top, Around);
    if (known(Top, Around)) {
      Stack.pop_back();
      continue;
    }
    const Decision *D = P.find(Top.V, Top.Which);
    if (!D) {
      // The plan does not list shadows of inactive operands.
      if (Top.Which != Part::Shadow || F.hasShadow(Top.V))
        Unplanned = describe(Top.V);
      Made[{{Top.V, unsigned(Top.Which)}, Where.Block}] =
          L.zero(Top.V->getType());
      continue;
    }
    bool Ready = true;
    for (PlanValue Operand : D->Reads)
      if (!known(Operand, Where)) {
        Stack.push_back({Operand, Where});
        Ready = false;
      }
    if (!Ready)
      continue;
    Made[{{Top.V, unsigned(Top.Which)}, Where.Block}] = make(Top, *D, Where);
    Stack.pop_back();
  }
  return known(V, At);
}

Value *Rematerializer::make(PlanValue V, const Decision &D, Place At) {
  IRBuilder<> B = builderAt(At);
  switch (D.From) {
  case Source::Cache: {
    const Slot &S = P.Slots[D.Slot];
    Type *Ty = V.V->getType();
    return loadElement(B, S, V.Which == Part::Shadow ? L.dualType(Ty) : Ty,
                       address(D.Slot, At));
  }
  case Source::Recompute:
    return recompute(V, D, At);
  case Source::Reload: {
    Value *From = known({D.Store->getPointerOperand(), Part::Primal}, At);
    B.SetCurrentDebugLocation(D.Store->getDebugLoc());
    LoadInst *Load = B.CreateAlignedLoad(V.V->getType(), From,
                                         D.Store->getAlign(), V.V->getName());
    Load->setMetadata(LLVMContext::MD_tbaa,
                      D.Store->getMetadata(LLVMContext::MD_tbaa));
    tagRepeated(*Load, MemoryKind::Primal);
    return Load;
  }
  case Source::Available:
    break;
  }
  if (D.Slot != NoSlot) // storage of a static alloca
    return T.storage(B, D.Slot, L);
  auto *Phi = cast<PHINode>(V.V);
  return Blocks.counter(B, F.P->loopOf(Phi->getParent()));
}

Value *Rematerializer::recompute(PlanValue V, const Decision &D, Place At) {
  auto *I = cast<Instruction>(V.V);
  IRBuilder<> B = builderAt(At);
  ShadowContext C(*this, At, B);
  if (D.Instead) {
    auto equal = [&](const Value *Other) {
      return V.Which == Part::Shadow ? C.dualFor(*I, Other)
                                     : known({Other, Part::Primal}, At);
    };
    Value *Instead = equal(D.Instead);
    return D.Index ? B.CreateSelect(known({D.Index, Part::Primal}, At), Instead,
                                    equal(D.Otherwise))
                   : Instead;
  }
  B.SetCurrentDebugLocation(I->getDebugLoc());
  if (V.Which == Part::Shadow) {
    D.By->propagate(*I, C);
    return C.Result;
  }
  Instruction *New = I->clone();
  for (Use &U : New->operands())
    U.set(known({F.P->Elsewhere.meaningOf(U), Part::Primal}, At));
  B.Insert(New, I->getName());
  tagAgain(*New, *I, *F.P);
  return New;
}

void tagAgain(Instruction &New, const Instruction &I, const Primal &P) {
  const Value *Address = getLoadStorePointerOperand(&I);
  if (!Address || !P.snapshotBehind(Address))
    return tagRepeated(New, MemoryKind::Primal);
  // What is read from the copy or from the array itself is of no kind.
  if (!isa<SelectInst>(getUnderlyingObject(Address, /*MaxLookup=*/0)))
    tagRepeated(New, MemoryKind::Tape);
}

Value *Rematerializer::address(unsigned Index, Place At) {
  Place Saved = Current;
  Current = At;
  IRBuilder<> B = builderAt(At);
  Value *Address = slotAddress(B, P, Index, T, *this);
  Current = Saved;
  return Address;
}

Value *Rematerializer::counter(IRBuilder<> &B, const LoopRecord *Record) {
  return Blocks.counter(B, Record);
}

Value *Rematerializer::extent(IRBuilder<> &B, const LoopRecord *Record) {
  Place At = Current;
  Value *Last = get({lastIterationOf(Record), Part::Primal}, At);
  return B.CreateAdd(Last, B.getInt64(1));
}

/// The last one that has not been taken back.
Value *Rematerializer::visit(IRBuilder<> &At, unsigned Index) {
  Value *Visits = At.CreateLoad(At.getInt64Ty(), Varying.lookup(Index + 1));
  return At.CreateSub(Visits, At.getInt64(1));
}

/// The base pointer is the same for all iterations of the slot's loops, unless
/// the array grows.
Value *Rematerializer::base(IRBuilder<> &At, unsigned Index) {
  const Slot &S = P.Slots[Index];
  if (Value *Variable = Varying.lookup(Index))
    return At.CreateLoad(S.Element, Variable);
  const LoopRecord *Inner = S.Dims.empty() ? S.Rerun : S.Dims.back();
  const Loop *Around = Inner ? Inner->L : nullptr;
  Place Where = hoist(Around, Current);
  Value *&Base = Bases[{Index, Where.Block}];
  if (!Base) {
    Value *Field = address(Index, Where);
    IRBuilder<> B = builderAt(Where);
    Value *Loaded = B.CreateLoad(S.Element, Field);
    Bases[{Index, Where.Block}] = Loaded;
    return Loaded;
  }
  return Base;
}

} // namespace adze
