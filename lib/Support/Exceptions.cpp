// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/Exceptions.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace adze::exceptions {

void emitTerminate(IRBuilderBase &B, Value *Object) {
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(
      M.getOrInsertFunction("__cxa_begin_catch", B.getPtrTy(), B.getPtrTy()),
      {Object});
  B.CreateCall(M.getOrInsertFunction("_ZSt9terminatev", B.getVoidTy()));
  B.CreateUnreachable();
}

namespace {

GlobalVariable *flightOf(Module &M) {
  std::string Name = (Twine(Prefix) + "flight").str();
  if (GlobalVariable *G = M.getNamedGlobal(Name))
    return G;
  Type *Ptr = PointerType::getUnqual(M.getContext());
  auto *G = new GlobalVariable(M, Ptr, /*isConstant=*/false,
                               GlobalValue::InternalLinkage,
                               Constant::getNullValue(Ptr), Name);
  G->setThreadLocalMode(GlobalVariable::GeneralDynamicTLSModel);
  return G;
}

/// Declares Prefix + \p Name; \p IsNew if it has no body yet.
Function *declare(Module &M, const Twine &Name, Type *Ret,
                  ArrayRef<Type *> Params) {
  std::string Full = (Twine(Prefix) + Name).str();
  if (Function *F = M.getFunction(Full))
    return F;
  return createOwn(FunctionType::get(Ret, Params, false),
                   GlobalValue::InternalLinkage, Full, M);
}

IRBuilder<> bodyOf(Function *F) {
  F->addFnAttr(Attribute::NoUnwind);
  return IRBuilder<>(BasicBlock::Create(F->getContext(), "entry", F));
}

/// What Prepare's passes may assume, before there are bodies to look at: no
/// memory of the program is touched, and no two calls are the same.
CallInst *call(IRBuilderBase &B, Function *F, ArrayRef<Value *> Args) {
  CallInst *Call = B.CreateCall(F, Args);
  Call->setOnlyAccessesInaccessibleMemory();
  Call->addFnAttr(Attribute::NoUnwind);
  Call->addFnAttr(Attribute::WillReturn);
  return Call;
}

FunctionCallee rethrower(Module &M) {
  LLVMContext &C = M.getContext();
  return M.getOrInsertFunction("_Unwind_Resume_or_Rethrow", Type::getInt32Ty(C),
                               PointerType::getUnqual(C));
}

/// The body of a selector: the types of \p Pad are numbered as in \p Types.
void buildSelector(Function &F, const LandingPadInst &Pad,
                   ArrayRef<const Constant *> Types, Constant *Personality) {
  Module &M = *F.getParent();
  LLVMContext &C = F.getContext();
  F.setPersonalityFn(Personality);
  IRBuilder<> B = bodyOf(&F);
  BasicBlock *None = BasicBlock::Create(C, "none", &F);
  BasicBlock *Caught = BasicBlock::Create(C, "caught", &F);
  B.CreateInvoke(rethrower(M), None, Caught, {F.getArg(0)});
  B.SetInsertPoint(None);
  emitTerminate(B, F.getArg(0));

  B.SetInsertPoint(Caught);
  LandingPadInst *Here = B.CreateLandingPad(Pad.getType(), 0);
  for (unsigned I = 0; I != Pad.getNumClauses(); ++I)
    Here->addClause(Pad.getClause(I));
  Here->addClause(ConstantPointerNull::get(B.getPtrTy()));
  Value *Selector = B.CreateExtractValue(Here, 1);
  Value *Number = B.getInt32(0);
  for (unsigned I = Pad.getNumClauses(); I-- != 0;) {
    Constant *Type = Pad.getClause(I);
    if (!Pad.isCatch(I) || Type->isNullValue())
      continue;
    Value *Id =
        B.CreateIntrinsic(Intrinsic::eh_typeid_for, {Type->getType()}, {Type});
    unsigned Position = find(Types, Type) - Types.begin();
    Number = B.CreateSelect(B.CreateICmpEQ(Selector, Id),
                            B.getInt32(Position + 1), Number);
  }
  Value *Specification = B.CreateICmpSLT(Selector, B.getInt32(0));
  B.CreateRet(B.CreateSelect(Specification, B.getInt32(-1), Number));
}

} // namespace

CallInst *emitThrew(IRBuilderBase &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  Function *F = declare(M, "threw", B.getInt1Ty(), {});
  if (F->empty()) {
    IRBuilder<> Body = bodyOf(F);
    Value *Object = Body.CreateLoad(B.getPtrTy(), flightOf(M));
    Body.CreateRet(Body.CreateIsNotNull(Object));
  }
  return call(B, F, {});
}

Value *emitTake(IRBuilderBase &B) {
  Module &M = *B.GetInsertBlock()->getModule();
  Function *F = declare(M, "take", B.getPtrTy(), {});
  if (F->empty()) {
    IRBuilder<> Body = bodyOf(F);
    Value *Object = Body.CreateLoad(B.getPtrTy(), flightOf(M));
    Body.CreateStore(Constant::getNullValue(B.getPtrTy()), flightOf(M));
    Body.CreateRet(Object);
  }
  return call(B, F, {});
}

CallInst *emitLeave(IRBuilderBase &B, Value *Object) {
  Module &M = *B.GetInsertBlock()->getModule();
  Function *F = declare(M, "leave", B.getVoidTy(), {B.getPtrTy()});
  if (F->empty()) {
    IRBuilder<> Body = bodyOf(F);
    Body.CreateStore(F->getArg(0), flightOf(M));
    Body.CreateRetVoid();
  }
  return call(B, F, {Object});
}

Function *raiseFunction(Module &M) {
  LLVMContext &C = M.getContext();
  Function *F = declare(M, "raise", Type::getVoidTy(C), {});
  if (!F->empty())
    return F;
  Type *Ptr = PointerType::getUnqual(C);
  F->setUWTableKind(UWTableKind::Default);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  BasicBlock *Raise = BasicBlock::Create(C, "raise", F);
  BasicBlock *Fine = BasicBlock::Create(C, "fine", F);
  Value *Object = B.CreateLoad(Ptr, flightOf(M));
  B.CreateCondBr(B.CreateIsNull(Object), Fine, Raise);
  B.SetInsertPoint(Fine);
  B.CreateRetVoid();
  B.SetInsertPoint(Raise);
  B.CreateStore(Constant::getNullValue(Ptr), flightOf(M));
  B.CreateCall(rethrower(M), {Object});
  emitTerminate(B, Object);
  return F;
}

Value *emitSelect(IRBuilderBase &B, Value *Object, const LandingPadInst &Pad,
                  ArrayRef<const Constant *> Types, Constant *Personality) {
  bool Asks = false;
  for (unsigned I = 0; I != Pad.getNumClauses(); ++I)
    Asks |= Pad.isFilter(I) || !Pad.getClause(I)->isNullValue();
  if (!Asks) // a cleanup, or a handler of everything
    return B.getInt32(0);
  Module &M = *B.GetInsertBlock()->getModule();
  Function *F =
      createOwn(FunctionType::get(B.getInt32Ty(), {B.getPtrTy()}, false),
                GlobalValue::InternalLinkage, Twine(Prefix) + "select", M);
  F->addFnAttr(Attribute::NoInline);
  F->setUWTableKind(UWTableKind::Default);
  buildSelector(*F, Pad, Types, Personality);
  return call(B, F, {Object});
}

bool isOurs(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  return F && isOwn(*F) && F->getName().starts_with(Prefix);
}

} // namespace adze::exceptions
