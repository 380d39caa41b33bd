// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread gets when it reads, replaces or changes a float atomically
// depends on the order in which threads do so. In a program with OpenMP such an
// operation becomes a section of one thread at a time, whose order is kept
// (Runtime/Teams.c):
//
//   x = f(x), once the comparison        enter()
//   of a loop has succeeded              x = f(x)
//                                        n = leave()
//
//   loop:  old = phi [*p], [seen]        enter();  old = *p
//          seen, done = cmpxchg p, old, new        *p = new
//          br done, behind, loop         n = leave()
//
// One lock stands for all of them: who knows which addresses are the same. A
// sum whose old value nobody uses is linear, and stays what it is, unless the
// module has other such operations on floats of its type.
//
// Operations on other data that order what threads do (flags) stay what they
// are, between places whose order is kept.
//
// What is read in a section that writes there, too, belongs to the thread
// (teams::ExclusiveMetadata): nobody may access it otherwise at that time.
#include "Prepare/AtomicFloats.h"
#include "Prepare/Stages.h"
#include "adze/Mpi.h"
#include "adze/Teams.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

namespace {

/// A loop that tries again until nobody else has changed what it has read.
struct Retry {
  Instruction *Read;     // an atomic load, or a call of __atomic_load
  Instruction *Exchange; // a cmpxchg, or a call of __atomic_compare_exchange
};

class AtomicLowering {
public:
  explicit AtomicLowering(Function &F)
      : F(F), M(*F.getParent()), C(F.getContext()) {}

  void run();

private:
  void lowerRetry(const Retry &R);
  void lowerRetry(LoadInst &Read, AtomicCmpXchgInst &Exchange, Type *Ty);
  void lowerLibraryRetry(CallInst &Read, CallInst &Exchange, Type *Ty);
  bool lower(Instruction &I);
  void lower(LoadInst &Load, Type *Ty);
  void lower(StoreInst &Store, Type *Ty);
  void lower(AtomicRMWInst &Change, Type *Ty);
  void lower(AtomicCmpXchgInst &Exchange, Type *Ty);
  bool lowerLibrary(CallInst &Call);
  void keepOrder(Instruction &I);
  void order(IRBuilder<> &B);
  void enter(IRBuilder<> &B);
  void leave(IRBuilder<> &B);
  Value *read(IRBuilder<> &B, Type *Ty, Value *Place, bool IsExclusive);
  void copy(IRBuilder<> &B, Type *Ty, Value *To, Value *From, bool IsExclusive);
  void dropFlushBehind(Instruction &I);
  bool isOrdered(Type *Ty);

  Function &F;
  Module &M;
  LLVMContext &C;
  SmallVector<Type *, 2> Ordered;
  bool OrderedFound = false;
};

void AtomicLowering::enter(IRBuilder<> &B) {
  B.CreateCall(M.getOrInsertFunction("adze.team.atomic.enter", B.getVoidTy()));
}

void AtomicLowering::leave(IRBuilder<> &B) {
  B.CreateCall(M.getOrInsertFunction("adze.team.atomic.leave", B.getInt64Ty()));
}

void AtomicLowering::order(IRBuilder<> &B) {
  B.CreateCall(M.getOrInsertFunction("adze.team.order", B.getInt64Ty()));
}

/// What threads count (Needs.cpp: ordersThreads) orders nothing.
void AtomicLowering::keepOrder(Instruction &I) {
  AtomicOrdering Ordering = AtomicOrdering::Monotonic;
  const AtomicOrdering Relaxed = Ordering;
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    Ordering = Load->getOrdering();
    if (isStrongerThanMonotonic(Ordering))
      Load->setOrdering(Relaxed);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Ordering = Store->getOrdering();
    if (isStrongerThanMonotonic(Ordering))
      Store->setOrdering(Relaxed);
  } else if (auto *Change = dyn_cast<AtomicRMWInst>(&I)) {
    if (Change->getOperation() == AtomicRMWInst::Add ||
        Change->getOperation() == AtomicRMWInst::Sub)
      return;
    Ordering = Change->getOrdering();
    Change->setOrdering(Relaxed);
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Ordering = Exchange->getMergedOrdering();
    Exchange->setSuccessOrdering(Relaxed);
    Exchange->setFailureOrdering(Relaxed);
  } else if (isa<FenceInst>(I)) {
    IRBuilder<> B(&I);
    order(B);
    I.eraseFromParent();
    return;
  }
  if (isReleaseOrStronger(Ordering)) {
    IRBuilder<> B(&I);
    order(B);
  }
  if (isAcquireOrStronger(Ordering)) {
    IRBuilder<> B(I.getNextNode());
    order(B);
  }
}

Value *AtomicLowering::read(IRBuilder<> &B, Type *Ty, Value *Place,
                            bool IsExclusive) {
  LoadInst *Load = B.CreateLoad(Ty, Place);
  if (IsExclusive)
    Load->setMetadata(teams::ExclusiveMetadata, MDNode::get(C, {}));
  return Load;
}

/// A float, or the parts of a complex one.
void AtomicLowering::copy(IRBuilder<> &B, Type *Ty, Value *To, Value *From,
                          bool IsExclusive) {
  auto *Parts = dyn_cast<StructType>(Ty);
  if (!Parts) {
    B.CreateStore(read(B, Ty, From, IsExclusive), To);
    return;
  }
  for (unsigned K = 0; K < Parts->getNumElements(); ++K)
    B.CreateStore(read(B, Parts->getElementType(K),
                       B.CreateStructGEP(Parts, From, K), IsExclusive),
                  B.CreateStructGEP(Parts, To, K));
}

/// That of a clause (seq_cst, release): what enters and leaves a section is
/// ordered in any case.
void AtomicLowering::dropFlushBehind(Instruction &I) {
  for (Instruction *Next = I.getNextNode(); Next;) {
    auto *Call = dyn_cast<CallInst>(Next);
    Next = Next->getNextNode();
    const Function *Called = Call ? Call->getCalledFunction() : nullptr;
    if (Called && Called->getName() == "__kmpc_flush") {
      Call->eraseFromParent();
      return;
    }
    if (Call && Call->mayHaveSideEffects())
      return;
  }
}

/// The value \p V of the type of \p Like.
Value *as(IRBuilder<> &B, Value *V, Type *Ty) {
  return V->getType() == Ty ? V : B.CreateBitCast(V, Ty);
}

void AtomicLowering::lowerRetry(LoadInst &Read, AtomicCmpXchgInst &Exchange,
                                Type *Ty) {
  IRBuilder<> B(&Read);
  enter(B);
  Value *Old =
      as(B, read(B, Ty, Read.getPointerOperand(), true), Read.getType());
  Read.replaceAllUsesWith(Old);
  Read.eraseFromParent();
  B.SetInsertPoint(&Exchange);
  B.CreateStore(as(B, Exchange.getNewValOperand(), Ty),
                Exchange.getPointerOperand());
  leave(B);
  dropFlushBehind(Exchange);
  Value *Result = PoisonValue::get(Exchange.getType());
  Result = B.CreateInsertValue(Result, Exchange.getCompareOperand(), 0);
  Result = B.CreateInsertValue(Result, B.getTrue(), 1);
  Exchange.replaceAllUsesWith(Result);
  Exchange.eraseFromParent();
}

// __atomic_load(size, p, to, order)
// __atomic_compare_exchange(size, p, expected, desired, order, order)
void AtomicLowering::lowerLibraryRetry(CallInst &Read, CallInst &Exchange,
                                       Type *Ty) {
  IRBuilder<> B(&Read);
  enter(B);
  copy(B, Ty, Read.getArgOperand(2), Read.getArgOperand(1), true);
  Read.eraseFromParent();
  B.SetInsertPoint(&Exchange);
  copy(B, Ty, Exchange.getArgOperand(1), Exchange.getArgOperand(3), false);
  leave(B);
  dropFlushBehind(Exchange);
  Exchange.replaceAllUsesWith(B.getTrue());
  Exchange.eraseFromParent();
}

void AtomicLowering::lowerRetry(const Retry &R) {
  if (auto *Load = dyn_cast<LoadInst>(R.Read)) {
    if (Type *Ty = atomicFloatType(*R.Exchange))
      lowerRetry(*Load, cast<AtomicCmpXchgInst>(*R.Exchange), Ty);
  } else if (Type *Ty = atomicFloatType(*R.Read)) {
    lowerLibraryRetry(cast<CallInst>(*R.Read), cast<CallInst>(*R.Exchange), Ty);
  }
}

void AtomicLowering::lower(LoadInst &Load, Type *Ty) {
  IRBuilder<> B(&Load);
  enter(B);
  Value *Is = read(B, Ty, Load.getPointerOperand(), false);
  leave(B);
  dropFlushBehind(Load);
  Load.replaceAllUsesWith(as(B, Is, Load.getType()));
  Load.eraseFromParent();
}

void AtomicLowering::lower(StoreInst &Store, Type *Ty) {
  IRBuilder<> B(&Store);
  enter(B);
  B.CreateStore(as(B, Store.getValueOperand(), Ty), Store.getPointerOperand());
  leave(B);
  dropFlushBehind(Store);
  Store.eraseFromParent();
}

/// What stands there behind \p Change, which has found \p Old; null if that is
/// no operation on floats.
Value *changed(IRBuilder<> &B, const AtomicRMWInst &Change, Value *Old,
               Value *By) {
  // As fmax and fmin: the old one stays at a tie, and where the new is NaN.
  auto choose = [&](Value *Better) {
    Value *Only =
        B.CreateAnd(B.CreateFCmpUNO(Old, Old), B.CreateFCmpORD(By, By));
    return B.CreateSelect(B.CreateOr(Better, Only), By, Old);
  };
  switch (Change.getOperation()) {
  case AtomicRMWInst::FAdd:
    return B.CreateFAdd(Old, By);
  case AtomicRMWInst::FSub:
    return B.CreateFSub(Old, By);
  case AtomicRMWInst::FMax:
    return choose(B.CreateFCmpOGT(By, Old));
  case AtomicRMWInst::FMin:
    return choose(B.CreateFCmpOLT(By, Old));
  case AtomicRMWInst::Xchg:
    return By;
  default:
    return nullptr;
  }
}

void AtomicLowering::lower(AtomicRMWInst &Change, Type *Ty) {
  IRBuilder<> B(&Change);
  enter(B);
  Value *Old = read(B, Ty, Change.getPointerOperand(), true);
  Value *New = changed(B, Change, Old, as(B, Change.getValOperand(), Ty));
  B.CreateStore(New, Change.getPointerOperand());
  leave(B);
  dropFlushBehind(Change);
  Change.replaceAllUsesWith(as(B, Old, Change.getType()));
  Change.eraseFromParent();
}

void AtomicLowering::lower(AtomicCmpXchgInst &Exchange, Type *Ty) {
  IRBuilder<> B(&Exchange);
  enter(B);
  Value *Old = read(B, Ty, Exchange.getPointerOperand(), false);
  Value *Expected = Exchange.getCompareOperand();
  Value *Bits = as(B, Old, Expected->getType());
  Value *Is = B.CreateICmpEQ(Bits, Expected);
  // If not, others may read it at the same time.
  Instruction *Then =
      SplitBlockAndInsertIfThen(Is, &Exchange, /*Unreachable=*/false);
  IRBuilder<> Inner(Then);
  Inner.CreateStore(as(Inner, Exchange.getNewValOperand(), Ty),
                    Exchange.getPointerOperand());
  B.SetInsertPoint(&Exchange);
  leave(B);
  dropFlushBehind(Exchange);
  Value *Result = PoisonValue::get(Exchange.getType());
  Result = B.CreateInsertValue(Result, Bits, 0);
  Result = B.CreateInsertValue(Result, Is, 1);
  Exchange.replaceAllUsesWith(Result);
  Exchange.eraseFromParent();
}

// __atomic_store(size, p, from, order)
// __atomic_exchange(size, p, from, to, order)
bool AtomicLowering::lowerLibrary(CallInst &Call) {
  Type *Ty = atomicFloatType(Call);
  const StringRef Name = Call.getCalledFunction()->getName();
  if (!Ty || Name == "__atomic_compare_exchange")
    return false;
  IRBuilder<> B(&Call);
  Value *Place = Call.getArgOperand(1), *Other = Call.getArgOperand(2);
  enter(B);
  if (Name == "__atomic_load") {
    copy(B, Ty, Other, Place, false);
  } else {
    if (Name == "__atomic_exchange")
      copy(B, Ty, Call.getArgOperand(3), Place, true);
    copy(B, Ty, Place, Other, false);
  }
  leave(B);
  dropFlushBehind(Call);
  Call.eraseFromParent();
  return true;
}

/// The module has operations on a \p Ty whose result depends on their order.
/// (The runtime of MPI adds to shadows alone.)
bool AtomicLowering::isOrdered(Type *Ty) {
  if (!OrderedFound)
    for (Function &Other : M)
      for (Instruction &I : instructions(Other))
        if (Type *Of = atomicFloatType(I);
            Of && !isAtomicSum(I) && !mpi::isRuntime(Other))
          if (!is_contained(Ordered, Of))
            Ordered.push_back(Of);
  OrderedFound = true;
  return is_contained(Ordered, Ty);
}

bool AtomicLowering::lower(Instruction &I) {
  Type *Ty = atomicFloatType(I);
  if (!Ty || (isAtomicSum(I) && !isOrdered(Ty)))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    lower(*Load, Ty);
  else if (auto *Store = dyn_cast<StoreInst>(&I))
    lower(*Store, Ty);
  else if (auto *Change = dyn_cast<AtomicRMWInst>(&I))
    lower(*Change, Ty);
  else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    lower(*Exchange, Ty);
  else
    return lowerLibrary(cast<CallInst>(I));
  return true;
}

/// What \p Exchange expects is what an atomic load reads, in front of the loop
/// in which both stand, or what it has seen itself.
Instruction *readOf(const AtomicCmpXchgInst &Exchange) {
  auto *Expected = dyn_cast<PHINode>(Exchange.getCompareOperand());
  if (!Expected || Expected->getNumIncomingValues() != 2)
    return nullptr;
  for (unsigned K = 0; K < 2; ++K) {
    auto *Load = dyn_cast<LoadInst>(Expected->getIncomingValue(K));
    auto *Seen = dyn_cast<ExtractValueInst>(Expected->getIncomingValue(1 - K));
    if (Load && Load->isAtomic() && Seen &&
        Seen->getAggregateOperand() == &Exchange &&
        Seen->getIndices().front() == 0 &&
        Load->getPointerOperand() == Exchange.getPointerOperand() &&
        triesAgain(Exchange, *Load, *Expected->getParent(),
                   *Expected->getIncomingBlock(1 - K)))
      return Load;
  }
  return nullptr;
}

Instruction *libraryReadOf(const CallInst &Exchange, Function &F) {
  for (Instruction &I : instructions(F)) {
    auto *Load = dyn_cast<CallInst>(&I);
    const Function *Called = Load ? Load->getCalledFunction() : nullptr;
    if (!Called || !Called->isDeclaration() ||
        Called->getName() != "__atomic_load" || Load->arg_size() != 4 ||
        Load->getArgOperand(1) != Exchange.getArgOperand(1) ||
        Load->getArgOperand(2) != Exchange.getArgOperand(2))
      continue;
    if (BasicBlock *Header = Load->getParent()->getSingleSuccessor();
        Header && triesAgain(Exchange, *Load, *Header, *Exchange.getParent()))
      return Load;
  }
  return nullptr;
}

void AtomicLowering::run() {
  if (!M.getFunction("__kmpc_fork_call"))
    return;
  SmallVector<Retry, 4> Retries;
  SmallVector<Instruction *, 8> Others, Flags;
  for (Instruction &I : instructions(F)) {
    if (!atomicFloatType(I)) {
      if (I.isAtomic())
        Flags.push_back(&I);
      continue;
    }
    Others.push_back(&I);
    auto *Call = dyn_cast<CallInst>(&I);
    Instruction *Read = nullptr;
    if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
      Read = readOf(*Exchange);
    else if (Call && Call->getCalledFunction()->getName() ==
                         "__atomic_compare_exchange")
      Read = libraryReadOf(*Call, F);
    if (Read)
      Retries.push_back({Read, &I});
  }
  for (const Retry &R : Retries) {
    erase_if(Others,
             [&](Instruction *I) { return I == R.Read || I == R.Exchange; });
    lowerRetry(R);
  }
  for (Instruction *I : Others)
    lower(*I);
  for (Instruction *I : Flags)
    keepOrder(*I);
}

} // namespace

void lowerAtomics(Function &F) { AtomicLowering(F).run(); }

} // namespace adze
