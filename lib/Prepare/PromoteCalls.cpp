// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls through pointers become calls of functions, which have derivatives:
//
//   r = (*p)(x)     becomes     if (p == f)      r = f(x)
//                               else if (p == g) r = g(x)
//                               else             stop with a message
//
// f and g are what p can be. Where p is chosen in sight (phi, select, a
// constant table) that is the complete list, and the last one needs no
// comparison. Else it is every function of the module of that type whose
// address is taken, as interprocedural constant propagation would have it, of
// virtual functions only those at that entry of a table (VirtualTables.h); what
// p may be beyond that is a function of another file, which no derivative can
// be made of: the program then ends with a message when, and only when, it is
// called.
//
// A call of which no candidate matters to derivatives (comparisons of numbers,
// say) is left as it is: inactive, it may call anything.
#include "Prepare/FunctionTables.h"
#include "Prepare/Stages.h"
#include "Prepare/VirtualTables.h"
#include "adze/Diagnostics.h"
#include "adze/KnownFunction.h"
#include "adze/Options.h"
#include "adze/OwnFunction.h"
#include "adze/Primal.h"
#include "adze/RuntimeStop.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {
namespace {

/// Values and constants looked at for one pointer.
constexpr unsigned MaxSteps = 512;

/// What a function pointer may be.
struct Targets {
  SetVector<Function *> Functions;
  bool Complete = true;
};

bool canDifferentiate(const Function &F) {
  return !F.isDeclaration() || lookupKnown(F);
}

/// The functions that the constant \p C is made of.
void addFunctionsOf(Constant *C, Targets &T) {
  SetVector<Constant *> Todo;
  Todo.insert(C);
  for (unsigned I = 0; I != Todo.size(); ++I) {
    if (I == MaxSteps) {
      T.Complete = false;
      return;
    }
    if (auto *F = dyn_cast<Function>(Todo[I]))
      T.Functions.insert(F);
    else if (!isa<GlobalValue>(Todo[I]))
      for (Use &Op : Todo[I]->operands())
        if (auto *Element = dyn_cast<Constant>(Op))
          Todo.insert(Element);
  }
}

/// What the pointer \p P may be, as far as its definition shows.
Targets targetsOf(Value *P) {
  Targets T;
  SetVector<Value *> Todo;
  Todo.insert(P);
  for (unsigned I = 0; I != Todo.size(); ++I) {
    Value *V = Todo[I]->stripPointerCasts();
    if (I == MaxSteps) {
      T.Complete = false;
    } else if (auto *Phi = dyn_cast<PHINode>(V)) {
      Todo.insert(Phi->op_begin(), Phi->op_end());
    } else if (auto *Select = dyn_cast<SelectInst>(V)) {
      Todo.insert(Select->getTrueValue());
      Todo.insert(Select->getFalseValue());
    } else if (auto *Freeze = dyn_cast<FreezeInst>(V)) {
      Todo.insert(Freeze->getOperand(0));
    } else if (auto *F = dyn_cast<Function>(V)) {
      T.Functions.insert(F);
    } else if (auto *Load = dyn_cast<LoadInst>(V)) {
      auto *Table = dyn_cast<GlobalVariable>(
          Load->getPointerOperand()->stripInBoundsOffsets());
      if (Table && Table->isConstant() && Table->hasDefinitiveInitializer())
        addFunctionsOf(Table->getInitializer(), T);
      else
        T.Complete = false;
    } else if (!isa<ConstantPointerNull, UndefValue>(V)) {
      T.Complete = false;
    }
    if (!T.Complete)
      return T;
  }
  return T;
}

/// Known functions that allocate, free or move memory.
bool handlesMemory(const Function &F) {
  const KnownFunction *Known = F.isDeclaration() ? lookupKnown(F) : nullptr;
  return Known && (Known->allocates() || Known->released() ||
                   Known->Facts.Writes == Reach::First);
}

/// Whether a call of \p F could matter to a derivative: floats, memory,
/// or calls of others, which may allocate, free, and compute. What it stores
/// may be a float in other clothes, or a pointer to floats, and so may what it
/// returns.
bool mayMatter(const Function &F) {
  if (handlesMemory(F))
    return true;
  auto isFloat = [](Type *Ty) { return Ty->isFPOrFPVectorTy(); };
  if (isFloat(F.getReturnType()) || F.getReturnType()->isPointerTy() ||
      any_of(F.args(), [&](const Argument &A) { return isFloat(A.getType()); }))
    return true;
  return any_of(instructions(F), [&](const Instruction &I) {
    return (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) ||
           isa<StoreInst, AnyMemTransferInst>(I) || isFloat(I.getType()) ||
           any_of(I.operands(),
                  [&](const Use &Op) { return isFloat(Op->getType()); });
  });
}

/// The candidates for \p Call in module order; none if it is to stay. If that
/// is because of their number, it says so.
Targets candidatesOf(CallBase &Call) {
  Targets T = targetsOf(Call.getCalledOperand());
  if (!T.Complete)
    for (Function &F : *const_cast<Module *>(Call.getModule()))
      if ((!isOwn(F) || isVirtual(F)) && mayBeCallee(F, Call))
        T.Functions.insert(&F);
  T.Functions.remove_if([&](Function *F) {
    return F->getFunctionType() != Call.getFunctionType() ||
           !isLegalToPromote(Call, F) || (!T.Complete && !canDifferentiate(*F));
  });
  bool Many = T.Functions.size() > Options::get().MaxCallTargets;
  // A virtual function without result and effect, such as the end of a trivial
  // object, is called for objects that are active.
  // Bodies of ours call such functions wherever the library does.
  bool Matter = any_of(T.Functions, [&](Function *F) {
    return mayMatter(*F) || Call.hasFnAttr(CalleesAttribute) ||
           (isVirtual(*F) && F->getReturnType()->isVoidTy());
  });
  if (Many && Matter)
    Call.setMetadata(ManyTargets, MDNode::get(Call.getContext(), {}));
  if (Many || !Matter)
    T.Functions.clear();
  return T;
}

/// Ends the program in front of \p Call, which stays the last resort.
void stopAt(CallBase &Call) {
  std::string Place = sourcePlace(&Call);
  IRBuilder<> B(&Call);
  StringRef Text = Call.getFnAttr(StopAttribute).getValueAsString();
  if (Text.empty())
    Text = "the function called through a pointer is not defined in this file";
  emitRuntimeStop(B, (Place.empty() ? Place : Place + ": ") + Text.str());
  BasicBlock *Block = Call.getParent();
  BasicBlock *Rest = Block->splitBasicBlock(&Call);
  Block->getTerminator()->eraseFromParent();
  Rest->removePredecessor(Block);
  new UnreachableInst(Block->getContext(), Block);
}

void promote(CallBase &Call, const Targets &T) {
  CallBase *Left = &Call;
  for (Function *F : T.Functions) {
    if (T.Complete && F == T.Functions.back()) {
      promoteCall(*Left, F);
      return;
    }
    CallBase &Guarded = promoteCallWithIfThenElse(*Left, F);
    Guarded.setMetadata(GuardedCall, MDNode::get(F->getContext(), {}));
  }
  stopAt(*Left);
}

/// A call of a function through a type with fewer or more parameters, as C
/// allows to write. What the callee expects and nobody passes is zero; what it
/// does not expect is dropped.
bool adaptArguments(CallInst &Call) {
  auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (!F || F->getFunctionType() == Call.getFunctionType() ||
      F->isDeclaration() || F->isVarArg() || Call.hasOperandBundles() ||
      F->getReturnType() != Call.getType())
    return false;
  SmallVector<Value *, 8> Args;
  for (Argument &A : F->args()) {
    unsigned K = A.getArgNo();
    if (K >= Call.arg_size())
      Args.push_back(Constant::getNullValue(A.getType()));
    else if (Call.getArgOperand(K)->getType() == A.getType())
      Args.push_back(Call.getArgOperand(K));
    else
      return false;
  }
  CallInst *New = CallInst::Create(F, Args, "", Call.getIterator());
  New->setCallingConv(F->getCallingConv());
  New->setDebugLoc(Call.getDebugLoc());
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return true;
}

} // namespace

bool promoteCalls(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      if (!Call->isInlineAsm() && !Call->getCalledFunction() &&
          !Call->isMustTailCall() && !isDeclaredInactive(*Call))
        Calls.push_back(Call);
  bool Changed = false;
  for (CallInst *Call : Calls) {
    if (adaptArguments(*Call)) {
      Changed = true;
      continue;
    }
    Targets T = candidatesOf(*Call);
    if (!T.Complete && !T.Functions.empty() &&
        !Call->hasFnAttr(CalleesAttribute))
      Changed |= stopAtUnservedTables(*Call);
    const bool ByTables = !T.Complete && !Call->hasFnAttr(CalleesAttribute) &&
                          !Call->hasMetadata(ManyTargets) &&
                          callThroughTables(*Call);
    Changed |= ByTables;
    // All classes whose functions a body of ours calls are in the file.
    if (T.Functions.empty() && !ByTables &&
        (!Call->hasFnAttr(CalleesAttribute) || Call->hasMetadata(ManyTargets)))
      continue;
    promote(*Call, T);
    Changed = true;
  }
  if (Changed)
    removeUnreachableBlocks(F);
  return Changed;
}

} // namespace adze
