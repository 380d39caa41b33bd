// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers into a view become distances in bytes from where it begins, and
// accesses become calls.
#include "Frontend/DenseViews.h"

#include "Frontend/Resolve.h"
#include "adze/Marker.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace adze;

namespace {

class ViewUses {
public:
  ViewUses(DenseViews &Views, const DenseView &View, Function &F)
      : Views(Views), View(View), DL(F.getDataLayout()), B(F.getContext()) {}

  bool run(Value *Pointer, Value *Distance);

private:
  void follow(Value *Pointer, Value *Distance) {
    if (Distances.try_emplace(Pointer, Distance).second)
      Work.push_back(Pointer);
  }
  bool visit(Instruction &I, Value *Pointer);
  bool visitCall(CallBase &Call, Value *Pointer);
  void replaceCompare(ICmpInst &I);
  bool replaceBlock(AnyMemIntrinsic &I);
  bool pass(CallBase &Call, unsigned Arg);
  bool fillMerges();
  bool replaceLater();

  Value *load(Type *Ty, Value *Distance, const Instruction &At);
  bool store(Value *V, Value *Distance, const Instruction &At);
  Value *loadNumber(Value *Distance);
  void storeNumber(Value *V, Value *Distance);
  CallInst *call(Function &F, ArrayRef<Value *> First);
  Value *fit(Value *V, Type *Ty);
  Type *number() const {
    return View.Is.isNowhere() ? nullptr : View.Is.Load->getReturnType();
  }
  /// How many numbers of the view a value of type \p Ty is made of; 0 if it is
  /// none.
  unsigned numbersIn(Type *Ty) const;

  DenseViews &Views;
  const DenseView &View;
  const DataLayout &DL;
  IRBuilder<> B;
  MapVector<Value *, Value *> Distances;
  SmallVector<Value *, 16> Work;
  SmallVector<Instruction *, 16> Merges; // phis and selects of pointers
  // What two pointers take part in: when all distances are known.
  SmallSetVector<Instruction *, 8> Later;
  SmallVector<Instruction *, 16> Dead;
  SmallVector<DenseAccess, 8> Loads, Stores;
  SmallVector<CallInst *, 16> Calls;
};

Value *ViewUses::fit(Value *V, Type *Ty) {
  if (V->getType() == Ty)
    return V;
  return Ty->isIntegerTy() ? B.CreateSExtOrTrunc(V, Ty) : B.CreateFPCast(V, Ty);
}

CallInst *ViewUses::call(Function &F, ArrayRef<Value *> First) {
  SmallVector<Value *, 8> Args;
  for (Value *V : First)
    Args.push_back(fit(V, F.getArg(Args.size())->getType()));
  for (Value *V : View.Captured)
    Args.push_back(fit(V, F.getArg(Args.size())->getType()));
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setCallingConv(F.getCallingConv());
  Call->setAttributes(F.getAttributes());
  // A call into a function with debug locations has one.
  if (!Call->getDebugLoc())
    if (DISubprogram *Here = Call->getFunction()->getSubprogram())
      Call->setDebugLoc(DILocation::get(Here->getContext(), 0, 0, Here));
  Calls.push_back(Call);
  return Call;
}

unsigned ViewUses::numbersIn(Type *Ty) const {
  if (View.Is.isNowhere())
    return Ty->isFPOrFPVectorTy() || Ty->isIntOrIntVectorTy() ? 1 : 0;
  if (auto *V = dyn_cast<FixedVectorType>(Ty))
    return V->getElementType() == number() ? V->getNumElements() : 0;
  bool IsOne = Ty == number() ||
               (Ty->isIntegerTy() &&
                DL.getTypeSizeInBits(Ty) == DL.getTypeSizeInBits(number()));
  return IsOne ? 1 : 0;
}

Value *ViewUses::loadNumber(Value *Distance) {
  Loads.push_back({call(*View.Is.Load, {Distance}), Distance});
  return Loads.back().Call;
}

void ViewUses::storeNumber(Value *V, Value *Distance) {
  Stores.push_back({call(*View.Is.Store, {V, Distance}), Distance});
}

Value *ViewUses::load(Type *Ty, Value *Distance, const Instruction &At) {
  unsigned Count = numbersIn(Ty);
  if (Count == 0) {
    Views.refuse(&At, "something other than its numbers is read");
    return nullptr;
  }
  if (View.Is.isNowhere())
    return Constant::getNullValue(Ty);
  if (!Ty->isVectorTy())
    return B.CreateBitCast(loadNumber(Distance), Ty);
  Value *All = PoisonValue::get(Ty);
  uint64_t Size = DL.getTypeStoreSize(number());
  for (unsigned I = 0; I < Count; ++I) {
    Value *There = B.CreateAdd(Distance, B.getInt64(I * Size));
    All = B.CreateInsertElement(All, loadNumber(There), I);
  }
  return All;
}

bool ViewUses::store(Value *V, Value *Distance, const Instruction &At) {
  unsigned Count = numbersIn(V->getType());
  if (Count == 0)
    return Views.refuse(&At, "something other than its numbers is written");
  if (View.Is.isNowhere())
    return true;
  if (!V->getType()->isVectorTy()) {
    storeNumber(B.CreateBitCast(V, number()), Distance);
    return true;
  }
  uint64_t Size = DL.getTypeStoreSize(number());
  for (unsigned I = 0; I < Count; ++I)
    storeNumber(B.CreateExtractElement(V, I),
                B.CreateAdd(Distance, B.getInt64(I * Size)));
  return true;
}

/// Nothing else is where a view is, and all else is behind it.
void ViewUses::replaceCompare(ICmpInst &I) {
  Value *Left = Distances.lookup(I.getOperand(0));
  Value *Right = Distances.lookup(I.getOperand(1));
  Value *Result = Left && Right
                      ? B.CreateICmp(I.getPredicate(), Left, Right)
                      : B.getInt1(ICmpInst::compare(APInt(1, Left ? 0 : 1),
                                                    APInt(1, Right ? 0 : 1),
                                                    I.getUnsignedPredicate()));
  I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

/// Fills and copies, number by number.
bool ViewUses::replaceBlock(AnyMemIntrinsic &I) {
  Value *To = Distances.lookup(I.getRawDest());
  auto *Copy = dyn_cast<AnyMemTransferInst>(&I);
  Value *From = Copy ? Distances.lookup(Copy->getRawSource()) : nullptr;
  auto *Fill = dyn_cast<AnyMemSetInst>(&I);
  if ((Copy && To && From) ||
      (Fill && !match(Fill->getValue(), PatternMatch::m_Zero())) ||
      I.isVolatile())
    return Views.refuse(&I, "blocks of it are moved, or filled with bytes");
  if (View.Is.isNowhere()) {
    if (From)
      B.CreateMemSet(I.getRawDest(), B.getInt8(0), I.getLength(),
                     I.getDestAlign());
  } else {
    Type *Ty = number();
    uint64_t Size = DL.getTypeStoreSize(Ty);
    Value *Length = fit(I.getLength(), B.getInt64Ty());
    auto [Body, Index] = SplitBlockAndInsertSimpleForLoop(
        B.CreateUDiv(Length, B.getInt64(Size)), &I);
    B.SetInsertPoint(Body);
    Value *Step = B.CreateMul(Index, B.getInt64(Size));
    auto at = [&](Value *Pointer) { return B.CreatePtrAdd(Pointer, Step); };
    Value *V = Constant::getNullValue(Ty);
    if (From)
      V = loadNumber(B.CreateAdd(From, Step));
    else if (Copy)
      V = B.CreateAlignedLoad(Ty, at(Copy->getRawSource()), Align(1));
    if (To)
      storeNumber(V, B.CreateAdd(To, Step));
    else
      B.CreateAlignedStore(V, at(I.getRawDest()), Align(1));
  }
  I.eraseFromParent();
  return true;
}

bool ViewUses::replaceLater() {
  for (Instruction *I : Later) {
    B.SetInsertPoint(I);
    if (auto *Compare = dyn_cast<ICmpInst>(I))
      replaceCompare(*Compare);
    else if (!replaceBlock(cast<AnyMemIntrinsic>(*I)))
      return false;
  }
  return true;
}

bool ViewUses::pass(CallBase &Call, unsigned Arg) {
  auto *Callee = dyn_cast<Function>(Call.getCalledOperand());
  if (!Callee || Callee->isDeclaration() || Callee->isVarArg() ||
      Call.isByValArgument(Arg) ||
      Call.getFunctionType() != Callee->getFunctionType())
    return Views.refuse(
        &Call, "it is passed to a function without a body, or in memory");
  Function *Copy = Views.withView(*Callee, Arg, View.Is);
  if (!Copy)
    return false;
  SmallVector<Value *, 8> Args(Call.args());
  Value *Distance = Distances.lookup(Args[Arg]);
  Args[Arg] = ConstantPointerNull::get(cast<PointerType>(Args[Arg]->getType()));
  Args.push_back(Distance);
  append_range(Args, View.Captured);
  SmallVector<OperandBundleDef, 1> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    New = B.CreateInvoke(Copy, Invoke->getNormalDest(), Invoke->getUnwindDest(),
                         Args, Bundles);
  } else {
    New = B.CreateCall(Copy, Args, Bundles);
  }
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Copy->getAttributes());
  New->setDebugLoc(Call.getDebugLoc());
  New->takeName(&Call);
  // Another argument may be a pointer into a view as well.
  for (auto &[Pointer, At] : Distances)
    if (is_contained(New->args(), Pointer))
      Work.push_back(Pointer);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return true;
}

bool ViewUses::visitCall(CallBase &Call, Value *Pointer) {
  if (auto *I = dyn_cast<IntrinsicInst>(&Call)) {
    // What is said of memory is said of none.
    bool Says = I->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(I) ||
                I->getIntrinsicID() == Intrinsic::invariant_start ||
                I->getIntrinsicID() == Intrinsic::prefetch ||
                (isa<AssumeInst>(I) && isa<ConstantInt>(I->getArgOperand(0)));
    if (!Says)
      return Views.refuse(I, "it is passed to an intrinsic");
    I->eraseFromParent();
    return true;
  }
  for (unsigned Arg = 0; Arg < Call.arg_size(); ++Arg)
    if (Call.getArgOperand(Arg) == Pointer)
      return pass(Call, Arg);
  return Views.refuse(&Call, "it is called");
}

bool ViewUses::visit(Instruction &I, Value *Pointer) {
  B.SetInsertPoint(&I);
  Value *Distance = Distances.lookup(Pointer);
  if (auto *GEP = dyn_cast<GetElementPtrInst>(&I)) {
    if (!GEP->getType()->isPointerTy())
      return Views.refuse(&I, "its addresses are put into a vector");
    Value *Step = fit(emitGEPOffset(&B, DL, GEP), B.getInt64Ty());
    follow(GEP, B.CreateAdd(Distance, Step));
    Dead.push_back(&I);
    return true;
  }
  if (isa<BitCastInst, AddrSpaceCastInst, FreezeInst>(I)) {
    follow(&I, Distance);
    Dead.push_back(&I);
    return true;
  }
  if (isa<PHINode, SelectInst>(I)) {
    Instruction *Merged;
    if (auto *Phi = dyn_cast<PHINode>(&I))
      Merged = B.CreatePHI(B.getInt64Ty(), Phi->getNumIncomingValues());
    else
      Merged = cast<Instruction>(B.Insert(
          SelectInst::Create(I.getOperand(0), B.getInt64(0), B.getInt64(0))));
    if (!Distances.lookup(&I))
      Merges.push_back(&I);
    else
      Merged->eraseFromParent();
    follow(&I, Merged);
    return true;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!Load->isSimple())
      return Views.refuse(&I, "it is read as an atomic or volatile object");
    Value *V = load(Load->getType(), Distance, I);
    if (!V)
      return false;
    V->takeName(Load);
    Load->replaceAllUsesWith(V);
    Load->eraseFromParent();
    return true;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (Store->getValueOperand() == Pointer)
      return Views.refuse(&I, "its address is stored");
    if (!Store->isSimple())
      return Views.refuse(&I, "it is written as an atomic or volatile object");
    if (!store(Store->getValueOperand(), Distance, I))
      return false;
    Store->eraseFromParent();
    return true;
  }
  if (auto *Sum = dyn_cast<AtomicRMWInst>(&I);
      Sum && Sum->getOperation() == AtomicRMWInst::FAdd) {
    Value *Old = load(Sum->getType(), Distance, I);
    if (!Old || !store(B.CreateFAdd(Old, Sum->getValOperand()), Distance, I))
      return false;
    Sum->replaceAllUsesWith(Old);
    Sum->eraseFromParent();
    return true;
  }
  if (isa<ICmpInst, AnyMemIntrinsic>(I)) {
    Later.insert(&I);
    return true;
  }
  if (auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call, Pointer);
  return Views.refuse(&I, isa<ReturnInst>(I)
                              ? "it is returned to code that is not visible"
                              : "its address is used as a number");
}

/// The distances behind phis and selects, when all others are known.
bool ViewUses::fillMerges() {
  auto distanceOf = [&](Value *V) -> Value * {
    if (isa<UndefValue>(V))
      return B.getInt64(0);
    return Distances.lookup(V);
  };
  for (Instruction *I : Merges) {
    auto *Merged = cast<Instruction>(Distances.lookup(I));
    auto *Phi = dyn_cast<PHINode>(I);
    unsigned First = Phi ? 0 : 1;
    for (unsigned Op = First; Op < I->getNumOperands(); ++Op) {
      Value *Distance = distanceOf(I->getOperand(Op));
      if (!Distance)
        return Views.refuse(I, "an address is one of it, or of something else");
      if (Phi)
        cast<PHINode>(Merged)->addIncoming(Distance, Phi->getIncomingBlock(Op));
      else
        Merged->setOperand(Op, Distance);
    }
    Dead.push_back(I);
  }
  return true;
}

/// Whether what a view says is there is nothing.
static bool returnsZero(const Function &F) {
  return all_of(F, [](const BasicBlock &Block) {
    auto *Return = dyn_cast<ReturnInst>(Block.getTerminator());
    if (!Return)
      return true;
    auto *V = dyn_cast<Constant>(lookThrough(Return->getReturnValue()));
    return V && V->isZeroValue();
  });
}

bool ViewUses::run(Value *Pointer, Value *Distance) {
  follow(Pointer, Distance);
  while (!Work.empty()) {
    Value *At = Work.pop_back_val();
    for (bool Again = true; Again;) {
      // An instruction may go, or use the pointer several times.
      Again = false;
      for (User *U : At->users()) {
        auto *I = cast<Instruction>(U);
        if (is_contained(Dead, I) || is_contained(Merges, I) ||
            Later.contains(I))
          continue;
        if (!visit(*I, At))
          return false;
        Again = true;
        break;
      }
    }
  }
  if (!fillMerges() || !replaceLater())
    return false;
  if (!View.Is.isNowhere() && returnsZero(*View.Is.Load))
    if (const Instruction *Lost = findLostSum(Loads, Stores))
      return Views.refuse(Lost,
                          "what is stored there is read again, but '" +
                              sourceName(*View.Is.Load) +
                              "' returns zero, which is right in sums alone");
  for (Instruction *I : Dead) {
    I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
  for (CallInst *Call : Calls)
    if (Function *F = Call->getCalledFunction();
        F->hasFnAttribute(Attribute::AlwaysInline) && !F->isDeclaration()) {
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info);
    }
  return true;
}

} // namespace

bool adze::replaceUses(DenseViews &Views, const DenseView &View, Value *Pointer,
                       Value *Distance) {
  auto *A = dyn_cast<Argument>(Pointer);
  Function &F =
      A ? *A->getParent() : *cast<Instruction>(Pointer)->getFunction();
  return ViewUses(Views, View, F).run(Pointer, Distance);
}
