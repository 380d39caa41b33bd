// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ScratchMemory.h"
#include "Loops/Coverage.h"
#include "Loops/LoopMemory.h"
#include "Recompute.h"
#include "adze/KnownFunction.h"
#include "adze/Plan.h"
#include "adze/TapeMemory.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace adze {

/// To alias analysis, about one loop.
static constexpr unsigned MaxQuestions = 10000;
/// Bytes behind another pointer; and such pointers that are looked at.
static constexpr uint64_t MaxExtent = 4096;
static constexpr size_t MaxPointers = 8;

static const Value *bytesOfBlock(const Value &Object) {
  auto *Call = dyn_cast<CallBase>(&Object);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->returnsNewBlock()
             ? Call->getArgOperand(unsigned(Known->Allocation.SizeArg))
             : nullptr;
}

namespace {

/// The accesses of a loop to one object, or of all of the function.
struct Accesses {
  SmallVector<const Instruction *, 8> Readers, Writers;

  void add(const Instruction &I, bool Reads, bool Writes) {
    if (Reads)
      Readers.push_back(&I);
    if (Writes)
      Writers.push_back(&I);
  }
};

class ScratchSearch {
public:
  ScratchSearch(const Facts &F, const LoopRecord &L,
                ArrayRef<const BasicBlock *> Blocks)
      : F(F), P(*F.P), L(*L.L), Blocks(Blocks),
        M(loopMemoryOf(P, MaxQuestions)) {}

  SmallVector<ScratchObject, 4> run();

private:
  bool isHere(const Instruction *I) const { return L.contains(I); }
  bool mayCopy(const Instruction &Object) const;
  bool isOfBlock(const Instruction &I) const;
  std::optional<Accesses> accessesTo(const Instruction &Object) const;
  bool beginsInside(const Instruction &Object, const Accesses &All) const;
  void addIfFilled(const Value &Object, const Extent &Bytes,
                   const Accesses &All);
  void add(const Value &Object, const Extent &Bytes, const Accesses &All);

  SmallSetVector<const Value *, 8> writtenObjects() const;
  std::optional<Accesses> accessesBehind(const Value &Pointer, uint64_t &Bytes);
  uint64_t reach(const Value *Address, const Value &Pointer, uint64_t Length);
  bool isComputedFrom(const Value &Pointer, const Value *Address) const;
  void addPointer(const Value &Pointer);
  bool mayWriteTo(const Instruction &Writer, const Instruction &Reader);

  const Facts &F;
  const Primal &P;
  const Loop &L;
  ArrayRef<const BasicBlock *> Blocks;
  LoopMemory &M;
  SmallVector<ScratchObject, 4> Found;
};

/// \p Object makes a variable, or a block with undefined content, of a size
/// that is known in front of the loop.
bool ScratchSearch::mayCopy(const Instruction &Object) const {
  if (auto *A = dyn_cast<AllocaInst>(&Object))
    return A->isStaticAlloca();
  auto *Call = dyn_cast<CallBase>(&Object);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  if (!Known || !Known->returnsNewBlock() || Known->Allocation.SizeArg < 0 ||
      Known->Allocation.CountArg >= 0 || Known->Allocation.Zeroed)
    return false;
  const Value *Bytes = bytesOfBlock(Object);
  auto *Size = dyn_cast<Instruction>(Bytes);
  if (!Bytes->getType()->isIntegerTy(64) || (Size && isHere(Size)))
    return false;
  if (Known->Allocation.AlignArg < 0)
    return true;
  auto *Aligned = dyn_cast<ConstantInt>(
      Call->getArgOperand(unsigned(Known->Allocation.AlignArg)));
  return Aligned && Aligned->getValue().ule(TapeBlockAlign);
}

/// \p I gives back a block, or asks outside of the loop whether there is one.
bool ScratchSearch::isOfBlock(const Instruction &I) const {
  if (auto *Compare = dyn_cast<ICmpInst>(&I))
    return !isHere(&I) && isa<Constant>(Compare->getOperand(1));
  auto *Call = dyn_cast<CallBase>(&I);
  const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
  return Known && Known->Facts.By == Derivation::Release;
}

/// None if there are other uses than loads, stores and block operations; a
/// block is also given back.
std::optional<Accesses>
ScratchSearch::accessesTo(const Instruction &Object) const {
  Accesses Result;
  SmallVector<const Value *, 8> Pointers(1, &Object);
  while (!Pointers.empty()) {
    const Value *Pointer = Pointers.pop_back_val();
    for (const Use &U : Pointer->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (isa<GetElementPtrInst>(I)) {
        Pointers.push_back(I);
        continue;
      }
      auto *Load = dyn_cast<LoadInst>(I);
      auto *Store = dyn_cast<StoreInst>(I);
      auto *Block = dyn_cast<MemIntrinsic>(I);
      if ((Load && Load->isSimple()) ||
          (Store && Store->isSimple() &&
           U.getOperandNo() == StoreInst::getPointerOperandIndex()))
        Result.add(*I, Load, Store);
      else if (Block && !Block->isVolatile() && U.getOperandNo() < 2)
        Result.add(*I, U.getOperandNo() == 1, U.getOperandNo() == 0);
      else if (isa<AllocaInst>(Object) || !isOfBlock(*I))
        return std::nullopt;
    }
  }
  return Result;
}

/// The content of \p Object is undefined where its scope begins, in each
/// iteration before it is accessed.
bool ScratchSearch::beginsInside(const Instruction &Object,
                                 const Accesses &All) const {
  auto *Variable = dyn_cast<AllocaInst>(&Object);
  if (!Variable)
    return isHere(&Object);
  auto It = P.ScopeBegins.find(Variable);
  auto isAfterBegin = [&](const Instruction *I) {
    return !isHere(I) || any_of(It->second, [&](const BasicBlock *B) {
      return L.contains(B) && P.DT->dominates(B, I->getParent());
    });
  };
  return It != P.ScopeBegins.end() && all_of(All.Readers, isAfterBegin) &&
         all_of(All.Writers, isAfterBegin);
}

/// Where that is known in bytes; else 0.
static uint64_t constantOf(const Extent &E) {
  auto *Bytes = dyn_cast_or_null<ConstantInt>(E.Bytes);
  return Bytes ? Bytes->getZExtValue() : 0;
}

/// Something is read that the iteration has written, and all else of a state.
void ScratchSearch::addIfFilled(const Value &Object, const Extent &Bytes,
                                const Accesses &All) {
  auto Earlier = readBeforeWritten(Object, constantOf(Bytes), L, All.Readers,
                                   All.Writers, P, M);
  const auto Here = count_if(All.Readers, [&](const Instruction *R) {
    return isHere(R) && P.canReturn(R->getParent());
  });
  if ((!Earlier.empty() && Earlier.size() == size_t(Here)) ||
      any_of(Earlier, [&](const Instruction *R) {
        return !isa<LoadInst>(R) || !equivalentValue(*R, F);
      }))
    return;
  add(Object, Bytes, All);
  Found.back().OfState = std::move(Earlier);
}

void ScratchSearch::add(const Value &Object, const Extent &Bytes,
                        const Accesses &All) {
  ScratchObject &New = Found.emplace_back();
  New.Object = &Object;
  New.All = Bytes;
  for (const Instruction *W : All.Writers)
    if (isHere(W) && P.canReturn(W->getParent()))
      New.Writers.push_back(W);
}

/// What the loop writes to: the objects, in the order of the writes.
SmallSetVector<const Value *, 8> ScratchSearch::writtenObjects() const {
  SmallSetVector<const Value *, 8> Result;
  for (const BasicBlock *B : Blocks)
    for (const Instruction &I : *B) {
      auto *Store = dyn_cast<StoreInst>(&I);
      auto *Block = dyn_cast<MemIntrinsic>(&I);
      if (Store || Block)
        Result.insert(getUnderlyingObject(Store ? Store->getPointerOperand()
                                                : Block->getRawDest(),
                                          /*MaxLookup=*/0));
    }
  return Result;
}

/// How far behind \p Pointer \p Length bytes at \p Address reach at most, in
/// all iterations; more than MaxExtent if no constant says that.
uint64_t ScratchSearch::reach(const Value *Address, const Value &Pointer,
                              uint64_t Length) {
  auto scev = [&](const Value *V) {
    return M.SE.getSCEV(const_cast<Value *>(V));
  };
  const SCEV *Distance = M.SE.getMinusSCEV(scev(Address), scev(&Pointer));
  if (isa<SCEVCouldNotCompute>(Distance) || Length > MaxExtent ||
      M.SE.getSignedRangeMin(Distance).isNegative() ||
      M.SE.getSignedRangeMax(Distance).ugt(MaxExtent))
    return UINT64_MAX;
  return M.SE.getSignedRangeMax(Distance).getZExtValue() + Length;
}

bool ScratchSearch::mayWriteTo(const Instruction &Writer,
                               const Instruction &Reader) {
  auto *Move = dyn_cast<MemTransferInst>(&Reader);
  const MemoryLocation Read =
      Move ? MemoryLocation::getForSource(Move) : MemoryLocation::get(&Reader);
  return M.Writers.mayWrite(Writer, Read, Times::in(L));
}

/// \p Address can be computed of another pointer in place of \p Pointer: it is
/// not what another loop in front has left behind.
bool ScratchSearch::isComputedFrom(const Value &Pointer,
                                   const Value *Address) const {
  while (Address != &Pointer) {
    auto *I = dyn_cast<Instruction>(Address);
    if (!I || !(isa<GetElementPtrInst>(I) || (isa<PHINode>(I) && isHere(I))))
      return false;
    Address = I->getOperand(0);
  }
  return true;
}

/// All accesses of the loop to memory behind \p Pointer that are made by this
/// pointer, and how many \p Bytes they reach, or that no constant says that;
/// none if others may write what they read, or something else is not known.
std::optional<Accesses> ScratchSearch::accessesBehind(const Value &Pointer,
                                                      uint64_t &Bytes) {
  const DataLayout &DL = P.F->getDataLayout();
  Accesses Result;
  SmallVector<const Instruction *, 4> Others;
  bool MayFollow = true;
  auto isOwn = [&](const Value *Address) {
    if (!Address || getUnderlyingObject(Address, /*MaxLookup=*/0) != &Pointer)
      return false;
    MayFollow &= isComputedFrom(Pointer, Address);
    return true;
  };
  for (const BasicBlock *B : Blocks)
    for (const Instruction &I : *B) {
      auto *Block = dyn_cast<MemIntrinsic>(&I);
      const Value *Address = getLoadStorePointerOperand(&I);
      bool Reads = false, Writes = false;
      uint64_t Length = UINT64_MAX; // not known
      if (Block) {
        auto *Move = dyn_cast<MemTransferInst>(Block);
        Reads = Move && isOwn(Move->getRawSource());
        Writes = isOwn(Block->getRawDest());
        if (auto *Known = dyn_cast<ConstantInt>(Block->getLength()))
          Length = Known->getLimitedValue();
        if ((Writes || Reads) && Block->isVolatile())
          return std::nullopt;
        if (Writes)
          Bytes = std::max(Bytes, reach(Block->getRawDest(), Pointer, Length));
        if (Reads)
          Bytes = std::max(Bytes, reach(Move->getRawSource(), Pointer, Length));
      } else if (isOwn(Address)) {
        const TypeSize Size = DL.getTypeStoreSize(
            getLoadStoreType(const_cast<Instruction *>(&I)));
        Reads = isa<LoadInst>(I);
        Writes = !Reads;
        if (Size.isScalable() || I.isVolatile() || I.isAtomic())
          return std::nullopt;
        Bytes = std::max(Bytes, reach(Address, Pointer, Size.getFixedValue()));
      }
      Result.add(I, Reads, Writes);
      if (!Writes && M.Writers.writes(I))
        Others.push_back(&I);
    }
  if (!MayFollow)
    return std::nullopt;
  for (const Instruction *W : Others)
    if (any_of(Result.Readers,
               [&](const Instruction *R) { return mayWriteTo(*W, *R); }))
      return std::nullopt;
  return Result;
}

/// An argument, or a pointer that was made in front of the loop.
void ScratchSearch::addPointer(const Value &Pointer) {
  uint64_t Reach = 0;
  std::optional<Accesses> All = accessesBehind(Pointer, Reach);
  Extent Bytes = P.WorkSpaces.lookup({P.LoopOf.lookup(&L), &Pointer});
  if (Reach <= MaxExtent)
    Bytes = {nullptr,
             ConstantInt::get(Type::getInt64Ty(P.F->getContext()), Reach)};
  if (All && Bytes.Bytes)
    addIfFilled(Pointer, Bytes, *All);
}

SmallVector<ScratchObject, 4> ScratchSearch::run() {
  const unsigned OfVariables = P.F->getDataLayout().getAllocaAddrSpace();
  size_t Pointers = 0;
  for (const Value *Object : writtenObjects()) {
    auto *Made = dyn_cast<Instruction>(Object);
    // The copy has an address like that of the object.
    if (!isa<AllocaInst>(Object) &&
        Object->getType()->getPointerAddressSpace() != OfVariables)
      continue;
    if (Made && mayCopy(*Made)) {
      std::optional<Accesses> All = accessesTo(*Made);
      const Extent Whole{nullptr, bytesOfBlock(*Made)};
      if (All && beginsInside(*Made, *All))
        add(*Made, Whole, *All);
      else if (All)
        addIfFilled(*Made, Whole, *All);
      if (All)
        continue;
    }
    if ((isa<Argument>(Object) || (Made && !isHere(Made))) &&
        !isa<AllocaInst>(Object) && ++Pointers <= MaxPointers)
      addPointer(*Object);
  }
  return std::move(Found);
}

} // namespace

SmallVector<ScratchObject, 4> findScratch(const Facts &F, const LoopRecord &L,
                                          ArrayRef<const BasicBlock *> Blocks) {
  return ScratchSearch(F, L, Blocks).run();
}

SmallVector<const Instruction *, 4> writersFor(const Instruction &Reader,
                                               const ScratchObject &Scratch,
                                               const Facts &F,
                                               const LoopRecord &L) {
  return writersOfWhatIsRead(*Scratch.Object, constantOf(Scratch.All), *L.L,
                             Reader, Scratch.Writers, *F.P,
                             loopMemoryOf(*F.P, MaxQuestions));
}

} // namespace adze
