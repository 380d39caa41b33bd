// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Loops/WriteEffects.h"
#include "adze/KnownFunction.h"
#include "adze/OwnFunction.h"
#include "adze/Teams.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

/// Deeper chains of calls are summarized as writing anything.
static constexpr unsigned MaxCallDepth = 64;

static bool isPointer(const Value *V) {
  return V->getType()->isPtrOrPtrVectorTy();
}

/// Pointer operands through which a call may write, by its attributes.
static void addWritableOperands(const CallBase &Call,
                                SmallVectorImpl<unsigned> &Operands) {
  for (unsigned I = 0; I < Call.arg_size(); ++I)
    if (isPointer(Call.getArgOperand(I)) && !Call.onlyReadsMemory(I) &&
        !Call.doesNotAccessMemory(I) && !Call.isByValArgument(I))
      Operands.push_back(I);
}

/// \p Format writes no number of characters to memory.
static bool hasNoCount(StringRef Format) {
  for (size_t At = Format.find('%'); At != StringRef::npos;
       At = Format.find('%', At + 1)) {
    At = Format.find_first_not_of("0123456789.*$#+- 'IhlLqjzt", At + 1);
    if (At == StringRef::npos)
      return true;
    if (Format[At] == 'n')
      return false;
  }
  return true;
}

/// Operands behind a format that a function may write a count to.
static void addCounts(const CallBase &Call,
                      SmallVectorImpl<unsigned> &Operands) {
  unsigned Fixed = Call.getFunctionType()->getNumParams();
  StringRef Format;
  if (Fixed == 0 || Fixed >= Call.arg_size() ||
      (getConstantStringInfo(Call.getArgOperand(Fixed - 1), Format) &&
       hasNoCount(Format)))
    return;
  for (unsigned I = Fixed; I < Call.arg_size(); ++I)
    if (isPointer(Call.getArgOperand(I)))
      Operands.push_back(I);
}

/// How a call of a known function writes: through some operands, or not.
/// False if that cannot be said by operands.
static bool writtenOperands(const CallBase &Call, const KnownFunction &Known,
                            SmallVectorImpl<unsigned> &Operands) {
  switch (Known.Facts.Writes) {
  case Reach::None:
    return true;
  case Reach::First:
    Operands.push_back(0);
    return true;
  case Reach::Second:
    Operands.push_back(1);
    return true;
  case Reach::Released:
    Operands.push_back(Known.FreeArg);
    return true;
  case Reach::Counts:
    addCounts(Call, Operands);
    return true;
  case Reach::AsDeclared:
    addWritableOperands(Call, Operands);
    return true;
  case Reach::Anywhere:
    return false;
  }
  return false;
}

static bool releases(const CallBase &Call) {
  const KnownFunction *Known = lookupKnown(Call);
  return Known && Known->released().has_value();
}

//===----------------------------------------------------------------------===//
// Summaries of functions with bodies
//===----------------------------------------------------------------------===//

static void addElsewhere(CalleeWrites &W) { W.Elsewhere = W.Beyond = true; }

const CalleeWrites &CalleeWritesCache::of(const Function &F) {
  auto [It, New] = Done.try_emplace(&F);
  if (!New)
    return It->second;
  // What a recursive call finds while this one is computed.
  It->second.Args.resize(F.arg_size(), true);
  It->second.Behind.resize(F.arg_size());
  It->second.Meets = true;
  addElsewhere(It->second);
  if (Depth >= MaxCallDepth)
    return It->second;
  ++Depth;
  CalleeWrites W = compute(F);
  --Depth;
  return Done[&F] = std::move(W);
}

/// \p I may become a section of one thread at a time, or have a place of which
/// the order is kept, and behind it is seen what others have written
/// (Prepare/LowerAtomics.cpp).
static bool mayBecomeMeeting(const Instruction &I) {
  auto *Change = dyn_cast<AtomicRMWInst>(&I);
  if (!I.isAtomic() ||
      (Change && (Change->getOperation() == AtomicRMWInst::Add ||
                  Change->getOperation() == AtomicRMWInst::Sub)))
    return false;
  return !isOwn(*I.getFunction()) &&
         I.getModule()->getFunction("__kmpc_fork_call");
}

CalleeWrites CalleeWritesCache::compute(const Function &F) {
  CalleeWrites W;
  W.Args.resize(F.arg_size());
  W.Behind.resize(F.arg_size());
  for (const Instruction &I : instructions(F)) {
    if (W.Beyond && W.Meets && W.Args.all())
      break;
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      addCall(*Call, W);
      continue;
    }
    W.Meets |= mayBecomeMeeting(I);
    if (!I.mayWriteToMemory() || isa<FenceInst>(I))
      continue;
    if (auto Loc = MemoryLocation::getOrNone(&I)) {
      if (!isa<LoadInst>(I)) // a volatile load counts as a write in LLVM
        addWrite(Loc->Ptr, W);
    } else {
      addElsewhere(W);
      W.Args.set();
    }
  }
  return W;
}

/// What was stored to the variable that \p Object is loaded from, if it is
/// stored to once; else \p Object. Code without optimization keeps parameters
/// so, and a region of OpenMP what it is passed.
static const Value *behindVariable(const Value *Object) {
  auto *Load = dyn_cast<LoadInst>(Object);
  auto *Variable =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  const StoreInst *Only = nullptr;
  if (!Variable)
    return Object;
  for (const User *U : Variable->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && !Only && Store->getPointerOperand() == Variable &&
        Store->getValueOperand()->getType() == Load->getType())
      Only = Store;
    else if (!isa<LoadInst>(U) && !isa<LifetimeIntrinsic>(U))
      return Object;
  }
  return Only ? Only->getValueOperand() : Object;
}

/// That from where \p Object, a pointer, is loaded.
static const Argument *argumentBehind(const Value &Object) {
  auto *Load = dyn_cast<LoadInst>(&Object);
  const Value *From = Load && Load->isSimple()
                          ? behindVariable(Load->getPointerOperand())
                          : nullptr;
  auto *A = dyn_cast_or_null<Argument>(From);
  return A && !A->hasByValAttr() ? A : nullptr;
}

/// What is stored to the variable \p Given, the operand of a fork, if it is
/// stored to once, and nobody else has its address; else null.
static const Value *onlyStoredTo(const Value &Given, const CallBase &Fork) {
  auto *Variable = dyn_cast<AllocaInst>(&Given);
  const StoreInst *Only = nullptr;
  if (!Variable)
    return nullptr;
  for (const User *U : Variable->users()) {
    auto *Store = dyn_cast<StoreInst>(U);
    if (Store && !Only && Store->getPointerOperand() == Variable)
      Only = Store;
    else if (U != &Fork && !isa<LoadInst>(U) && !isa<LifetimeIntrinsic>(U))
      return nullptr;
  }
  return Only && Only->getValueOperand()->getType()->isPointerTy()
             ? Only->getValueOperand()
             : nullptr;
}

/// Threads run \p Region, which gets variables by their addresses.
void CalleeWritesCache::addFork(const CallBase &Fork, const Function &Region,
                                CalleeWrites &W) {
  const CalleeWrites Inner = of(Region);
  if (Inner.Beyond)
    addElsewhere(W);
  for (unsigned K = teams::RuntimeArgs; K < Region.arg_size(); ++K) {
    const Value *Given =
        Fork.getArgOperand(teams::ForkFirst + K - teams::RuntimeArgs);
    if (Inner.Args.test(K) && isPointer(Given))
      addWrite(Given, W);
    if (!Inner.Behind.test(K))
      continue;
    const Value *Stored =
        Inner.Args.test(K) ? nullptr : onlyStoredTo(*Given, Fork);
    if (Stored)
      addWrite(Stored, W);
    else
      addElsewhere(W);
  }
}

void CalleeWritesCache::addWrite(const Value *Ptr, CalleeWrites &W) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Ptr, Objects);
  constexpr size_t MostObjects = 16;
  for (size_t K = 0; K < Objects.size(); ++K) {
    if (K == MostObjects) {
      addElsewhere(W);
      W.Args.set();
      return;
    }
    const Value *Object = behindVariable(Objects[K]);
    if (Object != Objects[K]) {
      getUnderlyingObjects(Object, Objects);
      continue;
    }
    // The runtime of OpenMP, of which only the operands are known, gets the
    // address of a source location.
    auto *Global = dyn_cast<GlobalVariable>(Object);
    if (Global && Global->isConstant())
      continue;
    if (auto *A = dyn_cast<Argument>(Object)) {
      if (!A->hasByValAttr())
        W.Args.set(A->getArgNo());
    } else if (auto *From = argumentBehind(*Object)) {
      W.Elsewhere = true;
      W.Behind.set(From->getArgNo());
    } else if (!isa<AllocaInst>(Object) && !isNoAliasCall(Object)) {
      // Local memory is new at every call; what a caller has read before it
      // is other memory.
      addElsewhere(W);
    }
  }
}

void CalleeWritesCache::addCall(const CallBase &Call, CalleeWrites &W) {
  if (Call.onlyReadsMemory())
    return;
  SmallVector<unsigned, 4> Operands;
  if (const KnownFunction *Known = lookupKnown(Call)) {
    if (teams::isMeeting(Call)) {
      W.Meets = true;
      return;
    }
    if (writtenOperands(Call, *Known, Operands)) {
      for (unsigned I : Operands)
        addWrite(Call.getArgOperand(I), W);
      return;
    }
  }
  if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call))
    return addWrite(Mem->getRawDest(), W);
  if (const Function *Region = teams::forkedBy(Call))
    return addFork(Call, *Region, W);
  const Function *Callee = Call.getCalledFunction();
  if (Callee && !Callee->isDeclaration()) {
    CalleeWrites Inner = of(*Callee);
    if (Inner.Elsewhere)
      addElsewhere(W);
    W.Meets |= Inner.Meets && !teams::isTeamCall(Call);
    for (unsigned I : Inner.Args.set_bits())
      if (I < Call.arg_size() && isPointer(Call.getArgOperand(I)))
        addWrite(Call.getArgOperand(I), W);
    return;
  }
  if (Call.onlyAccessesArgMemory() ||
      Call.onlyAccessesInaccessibleMemOrArgMem()) {
    addWritableOperands(Call, Operands);
    for (unsigned I : Operands)
      addWrite(Call.getArgOperand(I), W);
    return;
  }
  if (Call.onlyAccessesInaccessibleMemory())
    return;
  addElsewhere(W);
  W.Args.set();
}

//===----------------------------------------------------------------------===//
// One instruction
//===----------------------------------------------------------------------===//

/// Dynamic allocas are the memory that a stackrestore releases.
static void addDynamicAllocas(const Instruction &I, WriteEffect &E) {
  for (const Instruction &Other : instructions(*I.getFunction()))
    if (auto *A = dyn_cast<AllocaInst>(&Other); A && !A->isStaticAlloca())
      E.Locations.push_back(MemoryLocation::getBeforeOrAfter(A));
}

static std::optional<WriteEffect> effectOfCall(CallBase &Call,
                                               CalleeWritesCache &Callees,
                                               const TargetLibraryInfo &TLI) {
  WriteEffect E;
  E.I = &Call;
  auto AddOperand = [&](unsigned I) {
    E.Locations.push_back(
        MemoryLocation::getBeforeOrAfter(Call.getArgOperand(I)));
  };
  if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call)) {
    E.Locations.push_back(MemoryLocation::getForDest(Mem));
    return E;
  }
  SmallVector<unsigned, 4> Operands;
  const KnownFunction *Known = lookupKnown(Call);
  if (Known && writtenOperands(Call, *Known, Operands)) {
    for (unsigned I : Operands)
      if (Known->writesBlock())
        E.Locations.push_back(MemoryLocation::getForArgument(&Call, I, &TLI));
      else
        AddOperand(I);
    return E.Locations.empty() ? std::nullopt : std::optional(std::move(E));
  }
  const Function *Callee = Call.getCalledFunction();
  if (Callee && !Callee->isDeclaration()) {
    const CalleeWrites &W = Callees.of(*Callee);
    // A region has met its own threads, which ran its own code.
    E.Anywhere = W.Elsewhere || (W.Meets && !teams::isTeamCall(Call));
    for (unsigned I : W.Args.set_bits())
      if (I < Call.arg_size() && isPointer(Call.getArgOperand(I)))
        AddOperand(I);
    if (E.Anywhere)
      E.Locations.clear(); // alias analysis covers the operands
    return !E.Anywhere && E.Locations.empty() ? std::nullopt
                                              : std::optional(std::move(E));
  }
  E.Anywhere = true;
  return E;
}

std::optional<WriteEffect> writeEffect(Instruction &I,
                                       CalleeWritesCache &Callees,
                                       const TargetLibraryInfo &TLI) {
  if (isa<FenceInst>(I) || I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
    return std::nullopt;
  WriteEffect E;
  E.I = &I;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && Call->getIntrinsicID() == Intrinsic::stackrestore) {
    E.Releases = true;
    addDynamicAllocas(I, E);
    return E.Locations.empty() ? std::nullopt : std::optional(std::move(E));
  }
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (Call->onlyReadsMemory())
      return std::nullopt;
    std::optional<WriteEffect> OfCall = effectOfCall(*Call, Callees, TLI);
    if (OfCall)
      OfCall->Releases = releases(*Call);
    return OfCall;
  }
  if (!I.mayWriteToMemory() || isa<LoadInst>(I))
    return std::nullopt; // a volatile load writes nothing that is read again
  if (auto Loc = MemoryLocation::getOrNone(&I))
    E.Locations.push_back(*Loc);
  else
    E.Anywhere = true;
  return E;
}

} // namespace adze
