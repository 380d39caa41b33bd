// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are not looked into: by the row of the known function, else by
// what the declaration allows.
#include "Analysis/Activity/Model.h"
#include "Loops/WriteEffects.h"
#include "adze/Exceptions.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"
#include "adze/Mpi.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

static bool isPointer(const Value *V) {
  return V->getType()->isPtrOrPtrVectorTy();
}

static int64_t constantSize(const Value *Bytes) {
  auto *C = dyn_cast<ConstantInt>(Bytes);
  return C && C->getValue().isIntN(62) ? int64_t(C->getZExtValue()) : AnySize;
}

/// Every leaf of every operand into every leaf of the result. (The integer of
/// ldexp is a number, be it made of a float's bits.)
static void operandsToResult(Model &M, const CallBase &Call, Carries What,
                             bool OfPartials = false) {
  for (const Value *Arg : Call.args()) {
    if (isa<ConstantData>(Arg) || Arg->getType()->isMetadataTy() ||
        (OfPartials && Call.getType()->isFPOrFPVectorTy() &&
         Arg->getType()->isIntOrIntVectorTy()))
      continue;
    for (unsigned L = 0; L < M.numFields(Arg); ++L)
      for (unsigned R = 0; R < M.numFields(&Call); ++R)
        M.G.flow(M.node(Arg, L), M.node(&Call, R), What, AnyOffset);
  }
}

/// A result that points into what the operands point to, or to memory of the
/// library.
static void resultPointsIntoOperands(Model &M, const CallBase &Call,
                                     const KnownFunction &Known) {
  if (!isPointer(&Call))
    return;
  if (Known.Within >= 0) {
    M.G.flow(M.node(Call.getArgOperand(Known.Within)), M.node(&Call), Pointers,
             AnyOffset);
    return;
  }
  // (Where text is followed, what an object owns is the object itself.)
  if (!M.Globals.FollowsText || !Known.TextWays)
    M.G.point(M.node(&Call), {M.G.InertObject, AnyOffset});
  for (const Value *Arg : Call.args())
    if (isPointer(Arg) && !isa<ConstantData>(Arg))
      M.G.flow(M.node(Arg), M.node(&Call), Pointers, AnyOffset);
}

void pointToInactive(Model &M, const CallBase &Call) {
  Object O;
  O.Kind = ObjectKind::Foreign;
  O.Origin = &Call;
  ObjectId Memory = None;
  for (unsigned L = 0; M.mayHoldPointers(&Call) && L < M.numFields(&Call);
       ++L) {
    if (Memory == None)
      Memory = M.G.addExternal(O);
    M.G.point(M.node(&Call, L), {Memory, AnyOffset});
  }
}

static void buildCopy(Model &M, const CallBase &Call, int64_t Size) {
  const Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1);
  M.G.copy(M.node(To), M.node(From), Size,
           M.mayCopyPointers(To, From, Size) ? Both : Floats);
  M.Uses.push_back({MemoryUse::Copy, &Call, M.node(To), M.node(From), {}});
}

void buildWordMove(Model &M, const CallBase &Call, WordMove Kind) {
  const Value *To = Call.getArgOperand(0), *From = Call.getArgOperand(1);
  const int64_t Size = constantSize(Call.getArgOperand(2));
  const bool Adds = Kind == WordMove::Adds;
  if (Adds)
    std::swap(To, From);
  M.G.copy(M.node(To), M.node(From), Size, Adds ? Floats : Both);
  M.Uses.push_back({MemoryUse::Copy, &Call, M.node(To), M.node(From), {}});
}

/// Functions that write further results through pointers: frexp, sincos. Each
/// depends on the operands for which it has a partial.
static void buildOutScalar(Model &M, const CallBase &Call,
                           const KnownFunction &Known) {
  TypeSize Bytes = M.DL.getTypeStoreSize(Call.getArgOperand(0)->getType());
  int64_t Size = Bytes.isScalable() ? AnySize : int64_t(Bytes.getFixedValue());
  for (const OutputRow &Out : Known.Outputs) {
    NodeId In = M.G.addNode();
    for (unsigned I = 0; I < Out.Row.Partials.size(); ++I)
      if (Out.Row.Partials[I] && !isa<ConstantData>(Call.getArgOperand(I)))
        M.G.flow(M.node(Call.getArgOperand(I)), In, Floats);
    if (Out.Place == OutputRow::Returned) {
      unsigned Fields = M.numFields(&Call);
      for (unsigned L = 0; L < Fields; ++L)
        if (Fields == 1 || L == Out.Element)
          M.G.flow(In, M.node(&Call, L), Floats);
      continue;
    }
    NodeId Ptr = M.node(Call.getArgOperand(Out.Place));
    M.G.store(Ptr, 0, Size, In, StoredAs::Float);
    M.Uses.push_back({MemoryUse::Store, &Call, Ptr, None, {In}});
  }
}

/// Complex numbers come in registers or in memory, and so do results.
static void buildComplex(Model &M, const CallBase &Call) {
  NodeId In = M.G.addNode();
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    const Value *Arg = Call.getArgOperand(I);
    if (!isPointer(Arg)) {
      for (unsigned L = 0; L < M.numFields(Arg); ++L)
        M.G.flow(M.node(Arg, L), In, Floats);
      continue;
    }
    NodeId Ptr = M.node(Arg);
    if (Call.paramHasAttr(I, Attribute::StructRet)) {
      M.G.store(Ptr, 0, AnySize, In, StoredAs::Float);
      M.Uses.push_back({MemoryUse::Store, &Call, Ptr, None, {In}});
    } else {
      M.G.load(Ptr, 0, AnySize, In, Floats);
      M.Uses.push_back({MemoryUse::Load, &Call, Ptr, None, {In}});
    }
  }
  for (unsigned L = 0; L < M.numFields(&Call); ++L)
    M.G.flow(In, M.node(&Call, L), Floats);
}

static void buildAllocation(Model &M, const CallBase &Call,
                            const KnownFunction &Known) {
  ObjectId New = M.allocation(Call, ObjectKind::Heap);
  if (Known.Facts.Result == Returns::NewBlock) {
    M.G.point(M.node(&Call), {New, 0});
    return;
  }
  NodeId Fresh = M.G.addNode(),
         Ptr = M.node(Call.getArgOperand(Known.placeOfBlock()));
  M.G.point(Fresh, {New, 0});
  M.G.store(Ptr, 0, M.DL.getPointerSize(), Fresh, StoredAs::Pointer);
  M.Uses.push_back({MemoryUse::Store, &Call, Ptr, None, {Fresh}});
}

/// What is thrown in one function is caught in another: all exceptions are one
/// variable of the program. Without it, none are caught in derivatives.
static void buildException(Model &M, const CallBase &Call,
                           const KnownFunction &Known) {
  const GlobalVariable *All =
      Call.getModule()->getNamedGlobal(exceptions::Memory);
  if (!All)
    return resultPointsIntoOperands(M, Call, Known);
  NodeId Object = M.G.addNode(), Result = M.node(&Call);
  M.G.point(Object, {M.global(*All), AnyOffset});
  if (Call.hasFnAttr(exceptions::ByPointer))
    M.G.load(Object, AnyOffset, AnySize, Result, Pointers);
  M.G.flow(Object, Result, Pointers);
}

static void release(Model &M, const CallBase &Call, const Value *Block) {
  M.Uses.push_back({MemoryUse::Release, &Call, M.node(Block), None, {}});
}

static void fill(Model &M, const CallBase &Call, const Value *Block) {
  M.Uses.push_back({MemoryUse::Fill, &Call, M.node(Block), None, {}});
}

/// The same object, larger.
static void buildReallocation(Model &M, const CallBase &Call,
                              const Value *Old) {
  M.G.flow(M.node(Old), M.node(&Call), Pointers);
  M.G.point(M.node(&Call), {M.allocation(Call, ObjectKind::Heap), 0});
  M.G.copy(M.node(&Call), M.node(Old), AnySize, Both);
  release(M, Call, Old);
}

static void buildStores(Model &M, const CallBase &Call,
                        const KnownFunction &Known) {
  switch (Known.Facts.Stored) {
  case Stores::Nothing:
    return;
  case Stores::Results:
    return Known.Outputs.empty() ? buildComplex(M, Call)
                                 : buildOutScalar(M, Call, Known);
  case Stores::Constants:
    if (Known.Facts.Writes == Reach::First)
      return fill(M, Call, Call.getArgOperand(0));
    for (unsigned I = 0; I < Call.arg_size(); ++I)
      if (isPointer(Call.getArgOperand(I)) && !Call.onlyReadsMemory(I))
        fill(M, Call, Call.getArgOperand(I));
    return;
  case Stores::Copy:
    buildCopy(M, Call, constantSize(Call.getArgOperand(2)));
    // It is told the shadow of another pointer, too.
    if (Known.Facts.By == Derivation::States)
      M.Uses.push_back({MemoryUse::Load,
                        &Call,
                        M.node(Call.getArgOperand(0)),
                        M.node(Call.getArgOperand(3)),
                        {}});
    return;
  case Stores::NewBlock:
    return buildAllocation(M, Call, Known);
  }
}

static void buildResult(Model &M, const CallBase &Call,
                        const KnownFunction &Known) {
  switch (Known.Facts.Result) {
  case Returns::Nothing:
  case Returns::Never:
  case Returns::Constant:
    return;
  case Returns::Result: // what is stored, too, has been told of both
    if (Known.Facts.Stored == Stores::Nothing)
      operandsToResult(M, Call, Floats, Known.Facts.By == Derivation::Partials);
    return;
  case Returns::Unrelated:
    return resultPointsIntoOperands(M, Call, Known);
  case Returns::NewBlock:
    return buildAllocation(M, Call, Known);
  case Returns::First: {
    const Value *Arg = Call.getArgOperand(0);
    const bool OfBlock = Known.Facts.Stored != Stores::Nothing;
    if (isa<ConstantData>(Arg) || (OfBlock && !isPointer(&Call)))
      return;
    for (unsigned L = 0; L < M.numFields(&Call); ++L)
      M.G.flow(M.node(Arg, L), M.node(&Call, L), OfBlock ? Pointers : Both);
    return;
  }
  case Returns::Exception:
    return buildException(M, Call, Known);
  case Returns::Inactive:
    return pointToInactive(M, Call);
  }
}

static void buildKnown(Model &M, const CallBase &Call,
                       const KnownFunction &Known) {
  if (std::optional<unsigned> Block = Known.released()) {
    const Value *Old = Call.getArgOperand(*Block);
    return Known.allocates() ? buildReallocation(M, Call, Old)
                             : release(M, Call, Old);
  }
  buildStores(M, Call, Known);
  buildResult(M, Call, Known);
}

void buildCall(Model &M, const CallBase &Call) {
  if (auto *Copy = dyn_cast<AnyMemTransferInst>(&Call))
    return buildCopy(M, Call, constantSize(Copy->getLength()));
  if (isa<AnyMemSetInst>(Call))
    return fill(M, Call, Call.getArgOperand(0));
  if (const KnownFunction *Known = lookupKnown(Call)) {
    if (M.Globals.FollowsText)
      buildTextFlow(M, Call, *Known);
    return buildKnown(M, Call, *Known);
  }
  if (Call.doesNotAccessMemory() && Call.getCalledFunction())
    return operandsToResult(M, Call, Both);
  buildUnknownCall(M, Call);
}

/// Memory that \p Call was not handed: an inline assembly touches it only where
/// it says so.
static bool mayTouchOtherMemory(const CallBase &Call) {
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return StringRef(Asm->getConstraintString()).contains("~{memory}");
  return !Call.getMemoryEffects().onlyAccessesInaccessibleOrArgMem();
}

bool isBarrier(const CallBase &Call) {
  auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  return Asm && Call.getType()->isVoidTy() &&
         StringRef(Asm->getAsmString()).trim().empty();
}

/// What \p Call keeps is all that it is handed, and nothing keeps it from
/// memory that other such calls have kept.
static bool keepsAll(const CallBase &Call) {
  if (!mayTouchOtherMemory(Call) || Call.onlyReadsMemory())
    return false;
  return none_of(Call.args(), [&](const Use &Arg) {
    return isPointer(Arg) && Call.doesNotCapture(Call.getArgOperandNo(&Arg));
  });
}

// All memory that the callee may reach is one heap: what it reads there and in
// its operands may go to whatever it writes, to the result, and, unless it
// only reads, to places that only other unknown functions see. The last makes
// every active operand useful: the call must be refused, not dropped. Pointers
// that it keeps are in foreign memory from then on. So those that keep all
// share one heap.
static UnknownHeap heapOf(Model &M, const CallBase &Call) {
  DataFlow &G = M.G;
  bool Shares = keepsAll(Call);
  if (Shares && M.Keepers)
    return *M.Keepers;
  UnknownHeap H{G.addNode(), G.addNode(), G.addNode()};
  if (Shares)
    M.Keepers = H;
  if (mayTouchOtherMemory(Call)) {
    for (const GlobalVariable *Variable : M.Globals.activeAndVisible())
      G.point(H.Reach, {M.global(*Variable), AnyOffset});
    G.point(H.Reach, {G.ForeignObject, AnyOffset});
  }
  G.load(H.Reach, AnyOffset, AnySize, H.Reach, Pointers);
  G.load(H.Reach, AnyOffset, AnySize, H.Kept, Pointers);
  G.load(H.Reach, AnyOffset, AnySize, H.Data, Floats);
  if (!Call.onlyReadsMemory()) {
    G.setUseful(H.Data);
    G.store(H.Reach, AnyOffset, AnySize, H.Data, StoredAs::Float);
    G.store(H.Reach, AnyOffset, AnySize, H.Kept, StoredAs::Number);
  }
  return H;
}

/// What comes out of \p Call may depend on inputs of other processes.
static bool exchangesInUnknownWays(const CallBase &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return F && mpi::isUnknown(*F);
}

void buildUnknownCall(Model &M, const CallBase &Call) {
  if (isBarrier(Call))
    return;
  DataFlow &G = M.G;
  auto [Reach, Kept, Data] = heapOf(M, Call);
  if (exchangesInUnknownWays(Call)) { // whatever goes in here
    G.setVaried(Data);
    G.setUseful(Data);
  }
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    const Value *Arg = Call.getArgOperand(I);
    if (isa<ConstantData>(Arg) || Arg->getType()->isMetadataTy() ||
        isDeclaredInactive(Call, I))
      continue;
    for (unsigned L = 0; L < M.numFields(Arg); ++L) {
      G.flow(M.node(Arg, L), Data, Floats);
      G.flow(M.node(Arg, L), Reach, Pointers, AnyOffset);
      if (!Call.doesNotCapture(I))
        G.flow(M.node(Arg, L), Kept, Pointers, AnyOffset);
    }
  }
  M.Uses.push_back({MemoryUse::Load, &Call, Reach, None, {Data}});
  if (!Call.onlyReadsMemory())
    M.Uses.push_back({MemoryUse::Store, &Call, Reach, None, {Data, Kept}});
  for (unsigned L = 0; L < M.numFields(&Call); ++L) {
    NodeId To = M.node(&Call, L);
    G.flow(Data, To, Floats);
    if (!M.mayHoldPointers(&Call))
      continue;
    if (isNoAliasCall(&Call)) {
      G.point(To, {M.allocation(Call, ObjectKind::Heap), 0});
      continue;
    }
    G.flow(Kept, To, Pointers);
    G.point(To, {G.ForeignObject, AnyOffset});
  }
  M.Unknown[&Call] = Data;
}

/// Buffers are read and written, and not what pointers in them lead to. What
/// goes out, from buffers or as numbers, is useful to others; what comes in
/// depends on their inputs.
static void buildExchange(Model &M, const CallBase &Call) {
  DataFlow &G = M.G;
  NodeId Data = G.addNode();
  G.setVaried(Data);
  G.setUseful(Data);
  for (const Use &Arg : Call.args()) {
    const unsigned No = Call.getArgOperandNo(&Arg);
    if (isa<ConstantData>(Arg) || isDeclaredInactive(Call, No))
      continue;
    if (!isPointer(Arg)) {
      if (Arg->getType()->isFloatingPointTy())
        G.flow(M.node(Arg), Data, Floats);
      continue;
    }
    NodeId Buffer = M.node(Arg);
    if (!Call.onlyWritesMemory(No)) {
      G.load(Buffer, AnyOffset, AnySize, Data, Floats);
      M.Uses.push_back({MemoryUse::Load, &Call, Buffer, None, {Data}});
    }
    if (!Call.onlyReadsMemory(No)) {
      G.store(Buffer, AnyOffset, AnySize, Data, StoredAs::Float);
      M.Uses.push_back({MemoryUse::Store, &Call, Buffer, None, {Data}});
    }
  }
  M.Given[&Call] = Data;
}

void buildGivenCall(Model &M, const CallBase &Call) {
  DataFlow &G = M.G;
  const auto &Callee =
      *cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (given::isExchange(Callee))
    return buildExchange(M, Call);
  NodeId Reach = G.addNode(), Written = G.addNode(), Data = G.addNode();
  CalleeWritesCache Writes;
  const CalleeWrites *W = Callee.isDeclaration() ? nullptr : &Writes.of(Callee);
  if (!given::has(Callee, DerivativeMode::Forward) ||
      !given::has(Callee, DerivativeMode::Reverse))
    for (const GlobalVariable &Variable : Callee.getParent()->globals())
      if (M.Globals.mayBeActive(Variable))
        G.point(Reach, {M.global(Variable), AnyOffset});
  for (const Use &Arg : Call.args()) {
    if (isa<ConstantData>(Arg) ||
        isDeclaredInactive(Call, Call.getArgOperandNo(&Arg)))
      continue;
    const unsigned No = Call.getArgOperandNo(&Arg);
    G.flow(M.node(Arg), Data, Floats);
    G.flow(M.node(Arg), Reach, Pointers, AnyOffset);
    if (W ? W->Args.test(No) : !Call.onlyReadsMemory(No))
      G.flow(M.node(Arg), Written, Pointers, AnyOffset);
  }
  G.load(Reach, AnyOffset, AnySize, Reach, Pointers);
  G.load(Reach, AnyOffset, AnySize, Data, Floats);
  if (W ? W->Elsewhere : !Call.onlyAccessesArgMemory())
    G.flow(Reach, Written, Pointers, AnyOffset);
  G.store(Written, AnyOffset, AnySize, Data, StoredAs::Float);
  M.Uses.push_back({MemoryUse::Load, &Call, Reach, None, {Data}});
  M.Uses.push_back({MemoryUse::Store, &Call, Written, None, {Data}});
  if (M.numFields(&Call))
    G.flow(Data, M.node(&Call), Floats);
  M.Given[&Call] = Data;
}

} // namespace adze
