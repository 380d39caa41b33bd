// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   MPI_Op_create(f, commute, &op);
//   made(&op, f, reverse, forward);       // Runtime/MpiUserOperations.h
//
//   void reverse(in, in', inout, inout', length, type) {
//     __enzyme_autodiff(f, in, in', inout, inout', enzyme_const, length,
//                       enzyme_const, type);
//   }
#include "Frontend/UserOperations.h"
#include "adze/KnownFunction.h"
#include "adze/Mpi.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace adze {

namespace {

/// On calls beside which ours stand.
constexpr char Told[] = "adze-operation";

class Teller {
public:
  explicit Teller(Module &M)
      : M(M), C(M.getContext()), Ptr(PointerType::getUnqual(C)) {}

  bool run() {
    // A handle may be used again, so all operations are told, also those that
    // have no derivatives.
    SmallVector<CallBase *, 4> Made = calls("Op_create", 3);
    if (Made.empty())
      return false;
    Function *Hook = mpi::operationHook(M, "made");
    if (!Hook)
      return false;
    for (CallBase *Call : Made)
      tellMade(*Call, *Hook);
    for (CallBase *Call : calls("Op_free", 1))
      if (Function *Freed = mpi::operationHook(M, "freed"))
        callBefore(*Call, *Freed, {Call->getArgOperand(0)});
    return true;
  }

private:
  Module &M;
  LLVMContext &C;
  PointerType *Ptr;
  MapVector<Function *, std::pair<Constant *, Constant *>> Derivatives;

  /// What calls MPI_\p Name, and has not been told.
  SmallVector<CallBase *, 4> calls(const Twine &Name, unsigned Arguments) {
    SmallVector<CallBase *, 4> Found;
    for (const char *Prefix : {"MPI_", "PMPI_"}) {
      Function *F = M.getFunction((Prefix + Name).str());
      if (!F)
        continue;
      for (User *U : F->users()) {
        auto *Call = dyn_cast<CallBase>(U);
        if (!Call || Call->getCalledOperand() != F ||
            Call->arg_size() != Arguments || Call->hasFnAttr(Told))
          continue;
        Call->addFnAttr(Attribute::get(C, Told));
        Found.push_back(Call);
      }
    }
    return Found;
  }

  void tellMade(CallBase &Call, Function &Hook) {
    auto *F = dyn_cast<Function>(Call.getArgOperand(0)->stripPointerCasts());
    auto *Null = ConstantPointerNull::get(Ptr);
    std::pair<Constant *, Constant *> D = {Null, Null};
    if (F && isOperation(*F))
      D = derivativesOf(*F);
    callBehind(
        Call, Hook,
        {Call.getArgOperand(2), Call.getArgOperand(0), D.first, D.second});
  }

  /// void f(in, inout, length, type), with a body.
  bool isOperation(const Function &F) const {
    return !F.isDeclaration() && F.getReturnType()->isVoidTy() &&
           !F.isVarArg() && F.arg_size() == 4 &&
           all_of(F.args(),
                  [&](const Argument &A) { return A.getType() == Ptr; });
  }

  std::pair<Constant *, Constant *> derivativesOf(Function &F) {
    auto [It, IsNew] = Derivatives.insert({&F, {nullptr, nullptr}});
    if (IsNew)
      It->second = {derivative(F, "__enzyme_autodiff_operation", ".reverse"),
                    derivative(F, "__enzyme_fwddiff_operation", ".forward")};
    return It->second;
  }

  /// A function that asks for a derivative of \p F.
  Function *derivative(Function &F, StringRef Marker, StringRef Suffix) {
    Type *Void = Type::getVoidTy(C);
    Function *D = createOwn(
        FunctionType::get(Void, SmallVector<Type *, 6>(6, Ptr), false),
        GlobalValue::InternalLinkage, "adze.operation." + F.getName() + Suffix,
        M);
    auto *Ty = FunctionType::get(Void, {Ptr}, true);
    IRBuilder<> B(BasicBlock::Create(C, "", D));
    Type *Int = B.getInt32Ty();
    Value *Const = B.CreateLoad(Int, M.getOrInsertGlobal("enzyme_const", Int));
    B.CreateCall(M.getOrInsertFunction(Marker, Ty),
                 {&F, D->getArg(0), D->getArg(1), D->getArg(2), D->getArg(3),
                  Const, D->getArg(4), Const, D->getArg(5)});
    B.CreateRetVoid();
    return D;
  }

  void callAt(IRBuilder<> &B, const CallBase &Like, Function &Hook,
              ArrayRef<Value *> Args) {
    CallInst *New = B.CreateCall(&Hook, Args);
    New->setDebugLoc(Like.getDebugLoc());
    New->addFnAttr(Attribute::get(C, declared::Inactive));
  }

  void callBefore(CallBase &Call, Function &Hook, ArrayRef<Value *> Args) {
    IRBuilder<> B(&Call);
    callAt(B, Call, Hook, Args);
  }

  void callBehind(CallBase &Call, Function &Hook, ArrayRef<Value *> Args) {
    Instruction *At = Call.getNextNode();
    if (auto *Invoke = dyn_cast<InvokeInst>(&Call))
      At = &*SplitEdge(Invoke->getParent(), Invoke->getNormalDest())
                 ->getFirstInsertionPt();
    IRBuilder<> B(At);
    callAt(B, Call, Hook, Args);
  }
};

} // namespace

bool tellUserOperations(Module &M) {
  return mpi::reducesByUserOperation(M) && Teller(M).run();
}

} // namespace adze
