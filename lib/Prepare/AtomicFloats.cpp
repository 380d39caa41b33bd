// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Prepare/AtomicFloats.h"
#include "adze/KnownFunction.h"
#include "adze/Tasks.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze {

namespace {

/// \p Ty is a float, or two of one type.
bool isFloatOrComplex(const Type *Ty) {
  auto *Parts = dyn_cast<StructType>(Ty);
  return Ty->isFloatingPointTy() ||
         (Parts && Parts->getNumElements() == 2 &&
          Parts->getElementType(0)->isFloatingPointTy() &&
          Parts->getElementType(0) == Parts->getElementType(1));
}

/// The float of which a \p Word, an integer, is the bits, if \p Ty is one of
/// that size.
Type *floatOf(Type *Ty, const Type *Word, const DataLayout &DL) {
  if (!isFloatOrComplex(Ty) ||
      DL.getTypeSizeInBits(Ty) !=
          DL.getTypeSizeInBits(const_cast<Type *>(Word)))
    return nullptr;
  if (auto *Parts = dyn_cast<StructType>(Ty))
    return FixedVectorType::get(Parts->getElementType(0), 2);
  return Ty;
}

/// A variable that holds a float, for code that is not optimized.
Type *variableType(const Value *Place, const Type *Word, const DataLayout &DL) {
  auto *Variable = dyn_cast<AllocaInst>(Place->stripPointerCasts());
  return Variable ? floatOf(Variable->getAllocatedType(), Word, DL) : nullptr;
}

/// The float of which the integers \p From, and what is merged with them, are
/// the bits; null if nobody says so.
Type *floatBehind(SmallSetVector<Value *, 8> From, const DataLayout &DL) {
  constexpr unsigned MaxValues = 32;
  for (unsigned I = 0; I < From.size() && I < MaxValues; ++I) {
    Value *V = From[I];
    const Type *Word = V->getType();
    if (auto *Cast = dyn_cast<BitCastInst>(V))
      if (Type *Ty = floatOf(Cast->getSrcTy(), Word, DL))
        return Ty;
    if (auto *Load = dyn_cast<LoadInst>(V))
      if (Type *Ty = variableType(Load->getPointerOperand(), Word, DL))
        return Ty;
    if (isa<PHINode, SelectInst>(V))
      for (Value *Op : cast<User>(V)->operands())
        if (Op->getType() == Word)
          From.insert(Op);
    if (auto *Part = dyn_cast<ExtractValueInst>(V))
      if (auto *Other =
              dyn_cast<AtomicCmpXchgInst>(Part->getAggregateOperand())) {
        From.insert(Other->getCompareOperand());
        From.insert(Other->getNewValOperand());
      }
    if (isa<Constant>(V))
      continue;
    for (User *U : V->users()) {
      if (auto *Cast = dyn_cast<BitCastInst>(U))
        if (Type *Ty = floatOf(Cast->getType(), Word, DL))
          return Ty;
      if (auto *Store = dyn_cast<StoreInst>(U);
          Store && Store->getValueOperand() == V)
        if (Type *Ty = variableType(Store->getPointerOperand(), Word, DL))
          return Ty;
      if (isa<PHINode, SelectInst>(U))
        From.insert(U);
    }
  }
  return nullptr;
}

/// Of functions of the library, by what else they get the address of.
Type *libraryType(const CallInst &Call) {
  const Function *Called = Call.getCalledFunction();
  if (!Called || !Called->isDeclaration())
    return nullptr;
  const unsigned Count = StringSwitch<unsigned>(Called->getName())
                             .Cases("__atomic_load", "__atomic_store", 4)
                             .Case("__atomic_exchange", 5)
                             .Case("__atomic_compare_exchange", 6)
                             .Default(0);
  auto *Size = Count ? dyn_cast<ConstantInt>(Call.getArgOperand(0)) : nullptr;
  if (!Size || Call.arg_size() != Count)
    return nullptr;
  const DataLayout &DL = Call.getDataLayout();
  for (unsigned K : {2, 3}) {
    if (!Call.getArgOperand(K)->getType()->isPointerTy())
      continue;
    auto *Variable =
        dyn_cast<AllocaInst>(Call.getArgOperand(K)->stripPointerCasts());
    if (Variable && isFloatOrComplex(Variable->getAllocatedType()) &&
        DL.getTypeAllocSize(Variable->getAllocatedType()) == Size->getValue())
      return Variable->getAllocatedType();
  }
  return nullptr;
}

bool isOfFloats(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
  case AtomicRMWInst::Xchg:
    return true;
  default:
    return false;
  }
}

} // namespace

Type *atomicFloatType(Instruction &I) {
  if (auto *Call = dyn_cast<CallInst>(&I))
    return libraryType(*Call);
  if (!I.isAtomic())
    return nullptr;
  SmallSetVector<Value *, 8> Values;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Values.insert(Load);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Values.insert(Store->getValueOperand());
  } else if (auto *Change = dyn_cast<AtomicRMWInst>(&I)) {
    if (!isOfFloats(Change->getOperation()))
      return nullptr;
    Values.insert(Change->getValOperand());
    Values.insert(Change);
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Values.insert(Exchange->getCompareOperand());
    Values.insert(Exchange->getNewValOperand());
    for (User *U : Exchange->users())
      if (auto *Seen = dyn_cast<ExtractValueInst>(U);
          Seen && Seen->getIndices().front() == 0)
        Values.insert(Seen);
  } else {
    return nullptr;
  }
  Type *Ty = Values.front()->getType();
  if (Ty->isFloatingPointTy())
    return Ty;
  return Ty->isIntegerTy() ? floatBehind(Values, I.getDataLayout()) : nullptr;
}

bool isAtomicSum(const Instruction &I) {
  auto *Change = dyn_cast<AtomicRMWInst>(&I);
  return Change && Change->use_empty() &&
         (Change->getOperation() == AtomicRMWInst::FAdd ||
          Change->getOperation() == AtomicRMWInst::FSub);
}

/// Nobody waits at \p I. What else it does is done once if the exchange
/// succeeds at once, as it may.
static bool isWithoutWaiting(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return !I.isAtomic();
  return (lookupKnown(*Call) && !teams::isMeeting(I) && !tasks::isWait(I)) ||
         Call->hasFnAttr(Attribute::NoSync) || isa<IntrinsicInst>(Call) ||
         Call->doesNotAccessMemory();
}

bool triesAgain(const Instruction &Exchange, const Instruction &Read,
                const BasicBlock &Header, const BasicBlock &Latch) {
  // Where it has not succeeded it goes back at once.
  const Value *Done = &Exchange;
  if (isa<AtomicCmpXchgInst>(Exchange)) {
    Done = nullptr;
    for (const User *U : Exchange.users())
      if (auto *Part = dyn_cast<ExtractValueInst>(U);
          Part && Part->getIndices().front() == 1)
        Done = Part;
  }
  auto *Branch = dyn_cast<BranchInst>(Exchange.getParent()->getTerminator());
  if (!Done || !Branch || !Branch->isConditional() ||
      Branch->getCondition() != Done || Branch->getSuccessor(0) == &Header)
    return false;
  const BasicBlock *Back = Branch->getSuccessor(1);
  if (Back != &Header &&
      (Back != &Latch || Back->getSingleSuccessor() != &Header ||
       Back->sizeWithoutDebug() > 2))
    return false;
  for (const Instruction *I = Exchange.getNextNode(); I; I = I->getNextNode())
    if (!I->isTerminator() && !isWithoutWaiting(*I))
      return false;
  // From one to the other.
  if (Read.getParent()->getSingleSuccessor() != &Header)
    return false;
  for (const Instruction *I = Read.getNextNode(); I; I = I->getNextNode())
    if (!I->isTerminator() && !isWithoutWaiting(*I))
      return false;
  SmallSetVector<const BasicBlock *, 8> Between;
  Between.insert(&Header);
  constexpr unsigned MaxBlocks = 16;
  for (unsigned K = 0; K < Between.size(); ++K) {
    if (K > MaxBlocks)
      return false;
    for (const Instruction &I : *Between[K]) {
      if (&I == &Exchange)
        break;
      if (!I.isTerminator() && !isWithoutWaiting(I))
        return false;
    }
    if (Between[K] == Exchange.getParent())
      continue;
    if (succ_empty(Between[K]))
      return false;
    for (const BasicBlock *Next : successors(Between[K])) {
      // Each way leads there, and none comes by twice.
      if (Next == &Header)
        return false;
      Between.insert(Next);
    }
  }
  return Between.contains(Exchange.getParent());
}

} // namespace adze
