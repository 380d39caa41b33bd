// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/StepMemory.h"

#include "adze/Checkpoints.h"
#include "adze/Diagnostics.h"
#include "adze/Exceptions.h"
#include "adze/InternalCopy.h"
#include "adze/KnownFunction.h"
#include "adze/Teams.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace adze {

/// A loop of a function, or all of a function.
struct StepMemory::Scope {
  const Function &F;
  const Loop *L; // null: all of F
  MemoryEffects &Effects;

  bool contains(const Instruction &I) const {
    return !L || L->contains(I.getParent());
  }
  /// \p I runs in each iteration of the loop.
  bool always(const Instruction &I) const {
    return L && L->getLoopLatch() &&
           DominatorTree(const_cast<Function &>(F))
               .dominates(I.getParent(), L->getLoopLatch());
  }
  void once(const Instruction &At, const Twine &Why) {
    if (Effects.Once)
      return;
    Effects.Once = &At;
    Effects.Why = Why.str();
  }
};

static bool isNewBlock(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->returnsNewBlock();
}

void StepMemory::access(const Value *Address, Access A, const Instruction &At,
                        Scope &S) {
  auto note = [&](const Value *Object) {
    if (!A.Counted)
      (A.Writes ? S.Effects.Uncounted : S.Effects.UncountedReads)
          .insert(Object);
    if (A.Pointers)
      S.Effects.GetPointers.insert(Object);
  };
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    auto *I = dyn_cast<Instruction>(Object);
    const bool IsObject =
        isa<Argument>(Object) || (I && (isa<AllocaInst>(I) || isNewBlock(I)));
    if (isa<ConstantPointerNull, UndefValue>(Object) ||
        (I && IsObject && S.contains(*I)))
      continue;
    auto *Global = dyn_cast<GlobalVariable>(Object);
    if (Global && Global->isConstant())
      continue;
    if (Global && Global->isThreadLocal() && !S.Effects.OfThread)
      S.Effects.OfThread = &At;
    if (IsObject || Global) {
      (A.Writes ? S.Effects.Written : S.Effects.Read).insert(Object);
      note(Object);
      continue;
    }
    const Instruction *&Unknown =
        A.Writes ? S.Effects.WritesUnknown : S.Effects.ReadsUnknown;
    if (!Unknown)
      Unknown = &At;
    if (A.Writes)
      S.Effects.WrittenThrough.insert(Object);
    note(A.Writes ? Object : nullptr);
  }
}

/// The address of \p Block, memory that a loop allocates, is used by another
/// iteration or behind the loop. Where it goes to memory or to other functions,
/// that is seen when it runs.
bool StepMemory::leaves(const Instruction &Block, Scope &S) {
  SmallVector<const Value *, 8> Todo = {&Block};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Todo.empty()) {
    const Value *V = Todo.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const Use &U : V->uses()) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Call = dyn_cast<CallBase>(User);
      const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
      // Behind it the program ends, as where a sanitizer's check fails.
      if (!S.contains(*User) &&
          isa<UnreachableInst>(User->getParent()->getTerminator()))
        continue;
      if (S.L &&
          (!S.contains(*User) ||
           (isa<PHINode>(User) && User->getParent() == S.L->getHeader())))
        return true;
      if (isa<GetElementPtrInst, PHINode, SelectInst, CastInst, FreezeInst>(
              User))
        Todo.push_back(User);
      else if (!isa<LoadInst, ICmpInst, StoreInst>(User) && !Known)
        S.Effects.KeepsBlocks = true;
      else if (auto *Store = dyn_cast<StoreInst>(User))
        S.Effects.KeepsBlocks |= Store->getValueOperand() == V;
      if (Known && (Known->movesData() || Known->Within >= 0) &&
          Call->getType()->isPointerTy())
        Todo.push_back(Call);
    }
  }
  return false;
}

void StepMemory::visitKnown(const CallBase &Call, Scope &S) {
  if (teams::isOfRuntime(Call))
    return visitRuntime(Call, S);
  const KnownFunction &Known = *lookupKnown(Call);
  const CallFacts &Facts = Known.Facts;
  const Function *Callee = Call.getCalledFunction();
  std::string Name =
      Callee ? "'" + sourceName(*Callee) + "'" : std::string("a function");
  if (Known.returnsNewBlock()) {
    if (leaves(Call, S)) {
      // std::vector asks for more where it has not enough.
      if (S.always(Call))
        S.once(Call, "allocates memory that it does not give back");
      S.Effects.KeepsBlocks = true;
    }
    if (Known.Allocation.SizeArg < 0)
      S.once(Call, "calls " + Name +
                       ", which does not say how much memory it allocates");
    return;
  }
  if (std::optional<unsigned> Released = Known.released()) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Call.getArgOperand(*Released), Objects, nullptr, 0);
    for (const Value *Object : Objects) {
      if (isa<ConstantPointerNull, UndefValue>(Object) ||
          (isNewBlock(Object) && S.contains(*cast<Instruction>(Object))))
        continue;
      if ((isNewBlock(Object) || isa<Argument>(Object)) && S.always(Call))
        S.once(Call, "gives memory back that it has not allocated");
      S.Effects.KeepsBlocks = true;
    }
    return;
  }
  if (Facts.Repeatable == Repeats::No ||
      (Facts.Repeatable == Repeats::IfPure && !Call.doesNotAccessMemory()))
    return S.once(Call, "calls " + Name +
                            ", which may do something else when it "
                            "is called again");
  S.Effects.MovesPointers |= Facts.Stored != Stores::Nothing &&
                             Facts.Stored != Stores::Constants &&
                             Facts.Stored != Stores::Results;
  for (const Use &Arg : Call.args()) {
    if (!Arg->getType()->isPointerTy())
      continue;
    const bool First = Call.getArgOperandNo(&Arg) == 0;
    const bool Counted = Known.writesBlock();
    if (Facts.Reads != Reach::None && (!Counted || !First))
      access(Arg, {/*Writes=*/false, Counted}, Call, S);
    if (Facts.Writes != Reach::None && (First || Facts.Writes != Reach::First))
      access(Arg, {/*Writes=*/true, Counted}, Call, S);
  }
}

/// The runtime of OpenMP does the same again but for the order of threads.
void StepMemory::visitRuntime(const CallBase &Call, Scope &S) {
  const Function &Callee = *Call.getCalledFunction();
  if (Callee.getName().contains("_get_wti"))
    return S.once(Call, "calls '" + sourceName(Callee) +
                            "', which may do something else when it is called "
                            "again");
  if (lookupKnown(Call)->Facts.Stored != Stores::Constants)
    return;
  for (const Use &Arg : Call.args()) // bounds of iterations
    if (Arg->getType()->isPointerTy())
      access(Arg, {/*Writes=*/true, /*Counted=*/false}, Call, S);
}

/// Code that speaks to the runtime of OpenMP is of a region.
static bool isOfTeam(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && teams::isOfRuntime(*Call);
  });
}

void StepMemory::visitRegion(const CallBase &Call, const Function &Region,
                             Scope &S, bool Fork) {
  const Instruction *Atomic = S.Effects.Atomic;
  visitBody(Call, Region, S, Fork);
  S.Effects.Atomic = Atomic;
  if (ofFunction(Region).OfThread)
    S.once(Call, "uses variables of threads in a parallel region");
}

/// What the callee does to its arguments' memory it does to ours.
void StepMemory::visitBody(const CallBase &Call, const Function &F, Scope &S,
                           bool Fork) {
  if (!Fork && (Call.getFunctionType() != F.getFunctionType() || F.isVarArg()))
    return S.once(Call, "calls '" + sourceName(F) +
                            "' with other arguments than it declares");
  const unsigned Shift = Fork ? teams::ForkFirst - teams::RuntimeArgs : 0;
  const MemoryEffects &Inner = ofFunction(F);
  // What is unknown in the callee is unknown here.
  auto unknown = [](const SetVector<const Value *> &Objects) {
    return any_of(Objects, [](const Value *O) {
      return !O || !isa<Argument, GlobalVariable>(O);
    });
  };
  for (bool Writes : {false, true}) {
    auto &Uncounted = Writes ? Inner.Uncounted : Inner.UncountedReads;
    for (const Value *Object : Writes ? Inner.Written : Inner.Read) {
      auto *A = dyn_cast<Argument>(Object);
      if (A && Fork && A->getArgNo() < teams::RuntimeArgs)
        continue;
      access(A ? Call.getArgOperand(A->getArgNo() + Shift) : Object,
             {Writes, !Uncounted.contains(Object),
              Writes && Inner.GetPointers.contains(Object)},
             Call, S);
    }
    if (unknown(Uncounted))
      (Writes ? S.Effects.Uncounted : S.Effects.UncountedReads).insert(nullptr);
  }
  if (Inner.WritesUnknown) {
    if (!S.Effects.WritesUnknown)
      S.Effects.WritesUnknown = &Call;
    S.Effects.WrittenThrough.insert(nullptr);
  }
  if (Inner.ReadsUnknown && !S.Effects.ReadsUnknown)
    S.Effects.ReadsUnknown = &Call;
  S.Effects.KeepsBlocks |= Inner.KeepsBlocks;
  S.Effects.MovesPointers |= Inner.MovesPointers;
  if (Inner.Atomic && !S.Effects.Atomic && !isOfTeam(S.F))
    S.Effects.Atomic = &Call;
  if (Inner.OfThread && !S.Effects.OfThread)
    S.Effects.OfThread = &Call;
  if (Inner.Once)
    S.once(Call, Inner.Why);
}

void StepMemory::visitCall(const CallBase &Call, Scope &S) {
  if (Call.getIntrinsicID() == Intrinsic::threadlocal_address &&
      !S.Effects.OfThread)
    S.Effects.OfThread = &Call;
  if (checkpoints::isMarker(Call))
    return;
  if (Call.hasFnAttr(exceptions::Catches))
    return S.once(Call, "may throw an exception that is caught");
  if (const Function *Region = teams::forkedBy(Call))
    return visitRegion(Call, *Region, S, /*Fork=*/true);
  if (lookupKnown(Call))
    return visitKnown(Call, S);
  if (Call.isInlineAsm())
    return Call.doesNotAccessMemory()
               ? void()
               : S.once(Call, "runs inline assembly that may write to memory");
  const Function *F = Call.getCalledFunction();
  if (F && !F->isDeclaration() && teams::isTeamCall(Call))
    return visitRegion(Call, *F, S, /*Fork=*/false);
  if (F && !F->isDeclaration())
    return visitBody(Call, *F, S);
  if (Call.doesNotAccessMemory() || isa<DbgInfoIntrinsic>(Call))
    return;
  if (!F)
    return S.once(Call, "calls a function that is not known");
  if (F->getName().starts_with("__kmpc_omp_task") ||
      F->getName().starts_with("__kmpc_taskloop"))
    return S.once(Call, "creates tasks in a parallel region");
  S.once(Call, "calls '" + sourceName(*F) + "', of which nothing is known");
}

/// Integers of the size of a pointer may be moved pointers, or made of some.
/// What arithmetic makes of them in an address is refused elsewhere.
static bool mayHoldPointer(const Value &Stored) {
  Type *Ty = Stored.getType()->getScalarType();
  if (Ty->isFloatingPointTy())
    return false;
  if (!Ty->isIntegerTy())
    return true;
  if (Ty->getIntegerBitWidth() < 64 && !Stored.getType()->isVectorTy())
    return false;
  auto *Operation = dyn_cast<BinaryOperator>(&Stored);
  if (!Operation)
    return !isa<ConstantInt, SExtInst, ZExtInst, FPToSIInst>(Stored);
  return any_of(Operation->operands(), [](const Use &Op) {
    return isa<PtrToIntInst, BinaryOperator>(Op);
  });
}

static constexpr const char *MayBeChanged =
    "accesses memory that others may write to";

void StepMemory::visit(const Instruction &I, Scope &S) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call, S);
  if (!I.mayReadOrWriteMemory())
    return;
  if (I.isVolatile())
    return S.once(I, MayBeChanged);
  if (I.isAtomic() && !S.Effects.Atomic &&
      (isa<LoadInst, StoreInst>(I) || !isOfTeam(S.F)))
    S.Effects.Atomic = &I;
  if (isa<FenceInst>(I))
    return;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    access(I.getOperand(0), {/*Writes=*/false}, I, S);
    return access(I.getOperand(0), {/*Writes=*/true}, I, S);
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return access(Load->getPointerOperand(), {/*Writes=*/false}, I, S);
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    S.Effects.MovesPointers |= mayHoldPointer(*Store->getValueOperand());
    return access(Store->getPointerOperand(),
                  {/*Writes=*/true, /*Counted=*/true,
                   Store->getValueOperand()->getType()->isPtrOrPtrVectorTy()},
                  I, S);
  }
  S.once(I, "accesses memory in a way that is not known");
}

StepMemory::~StepMemory() {
  for (Function *Clone : Clones) {
    FAM.clear(*Clone, Clone->getName());
    Clone->eraseFromParent();
  }
}

/// \p F, or a copy of it, in which pointers are values: at -O0 they stand in
/// variables.
const Function &StepMemory::withoutVariables(const Function &F) {
  if (none_of(F.getEntryBlock(),
              [](const Instruction &I) { return isa<AllocaInst>(I); }))
    return F;
  Function *Clone = internalCopy(const_cast<Function &>(F), F.getName());
  Clone->removeFnAttr(Attribute::OptimizeNone);
  Clone->removeFnAttr(Attribute::NoInline);
  Clones.push_back(Clone);
  SROAPass(SROAOptions::PreserveCFG).run(*Clone, FAM);
  FAM.invalidate(*Clone, PreservedAnalyses::none());
  return *Clone;
}

const MemoryEffects &StepMemory::ofFunction(const Function &F) {
  auto [It, IsNew] = Functions.try_emplace(&F);
  if (!IsNew)
    return *It->second;
  It->second = std::make_unique<MemoryEffects>();
  MemoryEffects &Effects = *It->second; // stays where it is
  // What a function does that calls itself is not known while this is asked.
  if (Inner == Recursion::Unknown) {
    Effects.WritesUnknown = Effects.ReadsUnknown = Effects.Once =
        &F.getEntryBlock().front();
    Effects.Why = "calls '" + sourceName(F) + "', which calls itself";
  }
  MemoryEffects Found;
  const Function &Body = withoutVariables(F);
  Scope S{Body, nullptr, Found};
  // A step that catches an exception stops when it runs first.
  DominatorTree DT(const_cast<Function &>(Body));
  SmallVector<const BasicBlock *, 2> Handlers;
  for (const BasicBlock &B : Body)
    if (auto *Pad = B.getLandingPadInst(); Pad && Pad->getNumClauses() > 0)
      Handlers.push_back(&B);
  Found.KeepsBlocks = !Handlers.empty();
  for (const BasicBlock &B : Body)
    if (none_of(Handlers,
                [&](const BasicBlock *H) { return DT.dominates(H, &B); }))
      for (const Instruction &I : B)
        visit(I, S);
  Effects = std::move(Found);
  return Effects;
}

bool StepMemory::writes(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || checkpoints::isMarker(*Call))
    return !Call && I.mayWriteToMemory();
  if (const KnownFunction *Known = lookupKnown(*Call))
    return Known->Facts.Writes != Reach::None || Known->allocates() ||
           (Known->Facts.Repeatable != Repeats::Yes &&
            !Call->doesNotAccessMemory());
  const Function *F = Call->getCalledFunction();
  if (!F || F->isDeclaration())
    return Call->mayWriteToMemory();
  const MemoryEffects &Effects = ofFunction(*F);
  return !Effects.Written.empty() || Effects.WritesUnknown || Effects.Once;
}

MemoryEffects StepMemory::of(const Loop &L) {
  MemoryEffects Found;
  Scope S{*L.getHeader()->getParent(), &L, Found};
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      visit(I, S);
  if (Found.Atomic)
    S.once(*Found.Atomic, MayBeChanged);
  return Found;
}

} // namespace adze
