// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The marker call becomes a call of the derivative, and the derivative's
// results become what the marker is declared to return.
#include "adze/Marker.h"

#include "Frontend/AbiScalars.h"
#include "Frontend/ResultType.h"
#include "adze/Exceptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace adze;

/// (Only one float where the frontend made the request.)
Constant *adze::seedOfReturn(Type *Ty) {
  if (Ty->isFPOrFPVectorTy())
    return ConstantFP::get(Ty, 1.0);
  if (auto *S = dyn_cast<StructType>(Ty)) {
    SmallVector<Constant *, 4> Members;
    for (Type *Member : S->elements())
      Members.push_back(seedOfReturn(Member));
    return ConstantStruct::get(S, Members);
  }
  if (auto *A = dyn_cast<ArrayType>(Ty))
    if (scalarClasses(Ty).Floats)
      return ConstantArray::get(
          A, SmallVector<Constant *, 4>(A->getNumElements(),
                                        seedOfReturn(A->getElementType())));
  return Constant::getNullValue(Ty);
}

namespace {

/// Also what only \p Call reads: the tags are nowhere defined, and a sanitizer
/// would take their address where unoptimized code still loads them.
void eraseWithOperands(CallBase &Call) {
  SmallVector<WeakTrackingVH, 8> Read;
  for (Value *Operand : Call.operands())
    if (isa<LoadInst>(Operand) || Operand == Call.getCalledOperand())
      Read.push_back(Operand);
  Call.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Read);
}

class Replacer {
public:
  /// \p Plain: the target is no derivative; its result is what it returns.
  Replacer(Marker &M, Function &Target, bool Plain = false)
      : Plain(Plain), M(M), Call(*M.Call), Target(Target),
        DL(Call.getModule()->getDataLayout()), B(&Call) {}

  CallBase *run() {
    CallBase *New;
    if (auto *I = dyn_cast<InvokeInst>(&Call))
      New = invokeTarget(*I);
    else
      New = prepared(B.CreateCall(&Target, arguments(), bundles()));
    if (Target.hasFnAttribute(exceptions::Leaves))
      raise(New);
    finish(New);
    return New;
  }

private:
  SmallVector<Value *, 8> arguments() const {
    SmallVector<Value *, 8> Args(M.Operands.begin(), M.Operands.end());
    if (M.Req.Kind == DerivativeKind::Fused && retTakesAdjoint(M.Req.Ret))
      Args.push_back(M.Seed ? static_cast<Value *>(M.Seed)
                            : seedOfReturn(dualTypeOf(
                                  M.Req.Primal->getReturnType(), M.Req.Width)));
    return Args;
  }

  SmallVector<OperandBundleDef, 1> bundles() const {
    SmallVector<OperandBundleDef, 1> Bundles;
    Call.getOperandBundlesAsDefs(Bundles);
    return Bundles;
  }

  CallBase *prepared(CallBase *New) const {
    New->setCallingConv(Target.getCallingConv());
    New->setDebugLoc(Call.getDebugLoc());
    // Attributes that change how an argument is passed must agree.
    New->setAttributes(
        Target.getAttributes().removeFnAttributes(Target.getContext()));
    return New;
  }

  /// What throws in the primal still reaches the handlers. The results are
  /// read in a block of their own, on the way to where the call comes back.
  CallBase *invokeTarget(InvokeInst &Old) {
    BasicBlock *From = Old.getParent(), *To = Old.getNormalDest();
    BasicBlock *Between =
        BasicBlock::Create(Old.getContext(), "", From->getParent(), To);
    BranchInst *Branch = BranchInst::Create(To, Between);
    Branch->setDebugLoc(Old.getDebugLoc());
    To->replacePhiUsesWith(From, Between);
    CallBase *New = prepared(B.CreateInvoke(
        &Target, Between, Old.getUnwindDest(), arguments(), bundles()));
    B.SetInsertPoint(Branch);
    return New;
  }

  /// The derivative is done with an exception that it returned with.
  void raise(CallBase *New) {
    Function *Raise = exceptions::raiseFunction(*Target.getParent());
    auto *Invoke = dyn_cast<InvokeInst>(New);
    if (!Invoke) {
      B.CreateCall(Raise)->setDebugLoc(Call.getDebugLoc());
      return;
    }
    BasicBlock *Here = B.GetInsertBlock(), *Pad = Invoke->getUnwindDest();
    BasicBlock *Rest = Here->splitBasicBlock(B.GetInsertPoint());
    Here->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Here);
    B.CreateInvoke(Raise, Rest, Pad)->setDebugLoc(Call.getDebugLoc());
    for (PHINode &Phi : Pad->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(New->getParent()), Here);
    B.SetInsertPoint(Rest, Rest->begin());
  }

  void finish(CallBase *New) {
    Type *Ty = Call.getType();
    bool InMemory =
        Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet);
    if (InMemory && !M.Results.empty())
      storeResults(New, Call.getArgOperand(0));
    else if (!Ty->isVoidTy() && !Call.use_empty())
      Call.replaceAllUsesWith(asRegister(New, Ty));
    eraseWithOperands(Call);
  }

  Value *element(CallBase *New, const MarkerResult &R) {
    if (R.Memory)
      return B.CreateAlignedLoad(R.Ty, R.Memory, Align(1));
    if (Plain)
      return New;
    Value *V = B.CreateExtractValue(New, R.Element);
    return R.Direction ? B.CreateExtractValue(V, *R.Direction) : V;
  }

  Value *asRegister(CallBase *New, Type *Ty) {
    if (isScalarConversion(M, Ty))
      return B.CreateFPCast(element(New, M.Results[0]), Ty);
    if (M.Results.size() == 1 && M.Results[0].Ty == Ty)
      return element(New, M.Results[0]);
    if (Value *V = memberwise(New, Ty))
      return V;
    // The same bytes in other registers.
    uint64_t Size = std::max<uint64_t>(DL.getTypeAllocSize(Ty).getFixedValue(),
                                       M.ResultSize);
    Function *F = Call.getFunction();
    IRBuilder<> AtEntry(&F->getEntryBlock(), F->getEntryBlock().begin());
    AllocaInst *Memory =
        AtEntry.CreateAlloca(ArrayType::get(B.getInt8Ty(), Size));
    Memory->setAlignment(Align(16));
    storeResults(New, B.CreateAddrSpaceCast(Memory, B.getPtrTy()));
    return B.CreateAlignedLoad(Ty, Memory, Align(16));
  }

  /// A structure whose members are the results one by one.
  Value *memberwise(CallBase *New, Type *Ty) {
    auto *S = dyn_cast<StructType>(Ty);
    if (!S || S->getNumElements() != M.Results.size())
      return nullptr;
    const StructLayout *Layout = DL.getStructLayout(S);
    for (auto [I, R] : enumerate(M.Results))
      if (S->getElementType(I) != R.Ty ||
          Layout->getElementOffset(I) != R.Offset)
        return nullptr;
    Value *V = PoisonValue::get(S);
    for (auto [I, R] : enumerate(M.Results))
      V = B.CreateInsertValue(V, element(New, R), I);
    return V;
  }

  void storeResults(CallBase *New, Value *Memory) {
    for (const MarkerResult &R : M.Results) {
      Value *Place =
          B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Memory, R.Offset);
      if (R.Memory)
        B.CreateMemCpy(Place, MaybeAlign(), R.Memory, MaybeAlign(),
                       DL.getTypeAllocSize(R.Ty).getFixedValue());
      else
        B.CreateAlignedStore(element(New, R), Place, Align(1));
    }
  }

  const bool Plain;
  Marker &M;
  CallBase &Call;
  Function &Target;
  const DataLayout &DL;
  IRBuilder<> B;
};

} // namespace

void adze::replaceMarker(Marker &M, const Derivative &D, Diagnostics &Diags) {
  Function *Target = M.Req.Kind.isForward() ? D.Forward : D.Fused;
  if (!Target) {
    Diags.report(Diag::Internal, *M.From, M.Call,
                 {"the derivative of '" + sourceName(*M.Req.Primal) +
                  "' was not emitted"});
    return;
  }
  Replacer(M, *Target).run();
  M.Call = nullptr;
}

void adze::replaceMarkerBy(Marker &M, Function &Target) {
  Replacer(M, Target).run();
  M.Call = nullptr;
}

void adze::eraseMarkerCall(CallBase &Call) {
  if (auto *I = dyn_cast<InvokeInst>(&Call)) {
    I->getUnwindDest()->removePredecessor(I->getParent());
    BranchInst::Create(I->getNormalDest(), I->getIterator());
  }
  eraseWithOperands(Call);
}

CallBase *adze::replaceByCall(Marker &M, Function &Target) {
  CallBase *New = Replacer(M, Target, /*Plain=*/true).run();
  M.Call = nullptr;
  return New;
}
