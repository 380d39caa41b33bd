// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two versions part at one branch, which the emitter has marked, and meet
// in the block that ends the primal. There the reverse pass begins, and asks by
// which way it has come: a number that each way leaves in a phi. (Where the two
// passes are two functions, that question is the marked branch of the second.)
// What can be reached from the marked branch is copied, without the other way's
// share of the phis. So the number is a constant in the copy, and the reverse
// of the other version goes; and likewise in what is left.
//
// What the copy reads of the blocks in front of the branch, it is handed.
#include "SeparateVersions.h"

#include "adze/Cleanup.h"
#include "adze/Emit.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {
namespace {

/// String attribute of the functions that are made.
constexpr const char *GeneralMark = "adze.general";

class Separation {
public:
  Separation(Instruction &Test, unsigned Successor)
      : F(*Test.getFunction()), Test(Test), Successor(Successor),
        Way(*Test.getSuccessor(Successor)) {}
  bool isPossible();
  Function *make();

private:
  bool isReached(const BasicBlock *B) const { return Map.count(B); }
  void findInputs();
  Function *declare();
  void fill(Function &General);
  void callInstead(Function &General);

  Function &F;
  Instruction &Test;
  unsigned Successor; // of Test, which leads to Way
  BasicBlock &Way;
  SmallVector<BasicBlock *, 32> Reached; // from Way
  SetVector<Value *> Inputs;             // of them, from blocks in front
  ValueToValueMapTy Map;                 // has all that is reached as keys
};

/// All that is reached read of the blocks that are not.
void Separation::findInputs() {
  auto read = [&](const Use &U) {
    auto *I = dyn_cast<Instruction>(U.get());
    if (I && !isReached(I->getParent()))
      Inputs.insert(I);
  };
  for (BasicBlock *B : Reached)
    for (Instruction &I : *B) {
      auto *Phi = dyn_cast<PHINode>(&I);
      for (const Use &U : I.operands())
        if (!Phi || isReached(Phi->getIncomingBlock(U)))
          read(U);
    }
}

/// Where the stack of a function ended once: another function must not go back
/// there.
bool isPlaceInStack(const Value &V) {
  auto *Call = dyn_cast<IntrinsicInst>(&V);
  return Call && Call->getIntrinsicID() == Intrinsic::stacksave;
}

bool Separation::isPossible() {
  // What varies with a call, and what knows its place in the stack, stays.
  auto isBound = [](const Argument &A) {
    return A.hasPassPointeeByValueCopyAttr() || A.hasNestAttr() ||
           A.hasSwiftErrorAttr();
  };
  if (!Way.getSinglePredecessor() || F.isVarArg() || any_of(F.args(), isBound))
    return false;
  for (BasicBlock *B : depth_first(&Way)) {
    Reached.push_back(B);
    Map[B] = nullptr;
  }
  if (isReached(Test.getParent()))
    return false;
  findInputs();
  return none_of(Inputs, [](const Value *V) {
    return V->getType()->isTokenTy() || V->getType()->isMetadataTy() ||
           isPlaceInStack(*V);
  });
}

Function *Separation::declare() {
  SmallVector<Type *, 16> Params(F.getFunctionType()->params());
  for (const Value *V : Inputs)
    Params.push_back(V->getType());
  Function *General = createOwn(
      FunctionType::get(F.getReturnType(), Params, false),
      GlobalValue::InternalLinkage, F.getName() + ".any", *F.getParent());
  General->copyAttributesFrom(&F);
  General->setVisibility(GlobalValue::DefaultVisibility);
  General->setDSOLocal(true);
  // What was found out about the arguments was so if nothing else leads to
  // their memory; what is handed besides may.
  repairAttributes(*General);
  for (Argument &A : General->args())
    A.removeAttr(Attribute::NoAlias);
  General->removeFnAttr(Attribute::InlineHint);
  General->removeFnAttr(Attribute::AlwaysInline);
  General->addFnAttr(Attribute::NoInline);
  General->addFnAttr(Attribute::Cold);
  General->addFnAttr(GeneralMark);
  return General;
}

void Separation::fill(Function &General) {
  BasicBlock *Entry = BasicBlock::Create(F.getContext(), "entry", &General);
  auto *Param = General.arg_begin();
  for (Argument &A : F.args()) {
    Param->setName(A.getName());
    Map[&A] = &*Param++;
  }
  for (Value *V : Inputs) {
    Param->setName(V->getName());
    Map[V] = &*Param++;
  }
  SmallVector<BasicBlock *, 32> Copies;
  for (BasicBlock *B : Reached) {
    BasicBlock *Copy = CloneBasicBlock(B, Map, "", &General);
    Map[B] = Copy;
    Copies.push_back(Copy);
  }
  Map[Test.getParent()] = Entry;
  for (auto [B, Copy] : zip(Reached, Copies))
    for (PHINode &Phi : Copy->phis())
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (!Map.count(Phi.getIncomingBlock(I)))
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
  remapInstructionsInBlocks(Copies, Map);
  BranchInst::Create(Copies.front(), Entry);
  if (const DISubprogram *Whole = F.getSubprogram())
    giveDebugInfo(General, *Whole);
}

/// The marked branch leads to a call.
void Separation::callInstead(Function &General) {
  SmallVector<Value *, 16> Args;
  for (Argument &A : F.args())
    Args.push_back(&A);
  append_range(Args, Inputs);
  Way.removePredecessor(Test.getParent(), /*KeepOneInputPHIs=*/true);
  BasicBlock *Meet = BasicBlock::Create(F.getContext(), "adze.any", &F);
  Test.setSuccessor(Successor, Meet);
  IRBuilder<> B(Meet);
  if (DISubprogram *Whole = F.getSubprogram())
    B.SetCurrentDebugLocation(DILocation::get(F.getContext(), 0, 0, Whole));
  CallInst *Call = B.CreateCall(&General, Args);
  Call->setCallingConv(General.getCallingConv());
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
  removeUnreachableBlocks(F);
}

Function *Separation::make() {
  Function *General = declare();
  fill(*General);
  callInstead(*General);
  return General;
}

/// Variables of the function that calls \p General, if nobody else knows them,
/// become its own. Others are handed by address, and the caller need not fear
/// that it is kept.
void moveVariables(Function &General) {
  // The branch may have turned out never to lead there.
  if (General.use_empty())
    return;
  auto *Call = cast<CallInst>(*General.user_begin());
  for (Use &U : Call->args()) {
    Argument *Param = General.getArg(Call->getArgOperandNo(&U));
    auto *Variable = dyn_cast<AllocaInst>(U.get());
    if (Variable && Variable->hasOneUse() && Variable->isStaticAlloca()) {
      U.set(PoisonValue::get(U->getType()));
      BasicBlock &Entry = General.getEntryBlock();
      Variable->moveBefore(Entry, Entry.begin());
      Variable->setDebugLoc(DebugLoc()); // it was of the other function
      Param->replaceAllUsesWith(Variable);
    } else if (Param->getType()->isPointerTy() &&
               !PointerMayBeCaptured(Param, /*ReturnCaptures=*/true,
                                     /*StoreCaptures=*/true)) {
      Param->addAttr(Attribute::NoCapture);
    }
  }
}

/// The first branch that is marked: all is reached by it that is reached by the
/// others, which lead back.
Instruction *findTest(Function &F) {
  for (BasicBlock *B : depth_first(&F))
    if (B->getTerminator()->hasMetadata(DerivedVersionsName))
      return B->getTerminator();
  return nullptr;
}

unsigned markedSuccessor(const Instruction &Test) {
  const MDNode *Mark = Test.getMetadata(DerivedVersionsName);
  return mdconst::extract<ConstantInt>(Mark->getOperand(0))->getZExtValue();
}

} // namespace

void forgetVersions(Function &F) {
  for (BasicBlock &B : F)
    B.getTerminator()->setMetadata(DerivedVersionsName, nullptr);
}

Function *separateGeneral(Function &F, FunctionAnalysisManager &FAM) {
  Instruction *Test = findTest(F);
  // The threads of a device share one way through the code.
  if (!Test || FAM.getResult<TargetIRAnalysis>(F).hasBranchDivergence(&F))
    return nullptr;
  Separation S(*Test, markedSuccessor(*Test));
  forgetVersions(F);
  if (!S.isPossible())
    return nullptr;
  Function *General = S.make();
  for (Function *Each : {&F, General}) {
    FAM.invalidate(*Each, PreservedAnalyses::none());
    FAM.invalidate(*Each, SCCPPass().run(*Each, FAM));
  }
  moveVariables(*General);
  return General;
}

void leaveGeneralAsItIs(Module &M) {
  for (Function &F : M)
    if (F.hasFnAttribute(GeneralMark)) {
      F.removeFnAttr(Attribute::MinSize); // they exclude each other
      F.removeFnAttr(Attribute::OptimizeForSize);
      F.addFnAttr(Attribute::OptimizeNone);
    }
}

} // namespace adze
