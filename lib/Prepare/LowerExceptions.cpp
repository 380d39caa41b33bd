// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions as values (adze/Exceptions.h): no invoke, landing pad or resume is
// left, and control flow is ordinary.
#include "Prepare/ExceptionScopes.h"
#include "Prepare/Stages.h"
#include "adze/Exceptions.h"
#include "adze/HeaderBodies.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace adze {

namespace {

/// Statements on a result that do not hold of the zero which takes its place.
AttributeMask resultMask() {
  AttributeMask Mask;
  for (Attribute::AttrKind Kind :
       {Attribute::NonNull, Attribute::Dereferenceable, Attribute::NoUndef,
        Attribute::Range, Attribute::NoFPClass})
    Mask.addAttribute(Kind);
  return Mask;
}

class ExceptionLowering {
public:
  ExceptionLowering(Function &F, const Function &Source,
                    const ExceptionScopes &Scopes)
      : F(F), Scopes(Scopes), Scope(Scopes.of(Source)),
        IsStdAsync(isStdAsync(Source)) {}

  void run() {
    collect();
    for (CallInst *Call : Calls)
      lowerCall(*Call);
    for (InvokeInst *Invoke : Invokes)
      lowerInvoke(*Invoke);
    if (Scope == ExceptionScopes::None)
      return;
    for (LandingPadInst *Pad : Pads)
      numberTypes(*Pad);
    for (LandingPadInst *Pad : Pads)
      lowerPad(*Pad);
    for (ResumeInst *Resume : Resumes)
      lowerResume(*Resume);
    for (IntrinsicInst *Question : Questions)
      answer(*Question);
    if (!Types.empty())
      markCaught();
    // What comes back where an exception left is no result.
    F.removeFnAttr(Attribute::NoReturn);
    AttributeList List = F.getAttributes();
    F.setAttributes(List.removeRetAttributes(F.getContext(), resultMask()));
  }

private:
  void collect() {
    for (Instruction &I : instructions(F)) {
      if (auto *Invoke = dyn_cast<InvokeInst>(&I))
        Invokes.push_back(Invoke);
      else if (auto *Pad = dyn_cast<LandingPadInst>(&I))
        Pads.push_back(Pad);
      else if (auto *Resume = dyn_cast<ResumeInst>(&I))
        Resumes.push_back(Resume);
      else if (auto *Call = dyn_cast<CallInst>(&I))
        collectCall(*Call);
    }
  }

  void collectCall(CallInst &Call) {
    if (Call.getIntrinsicID() == Intrinsic::eh_typeid_for)
      Questions.push_back(cast<IntrinsicInst>(&Call));
    else if (Scopes.mayThrow(Call))
      Calls.push_back(&Call);
  }

  /// Where exceptions leave the function.
  BasicBlock *exit() {
    if (Exit)
      return Exit;
    Exit = BasicBlock::Create(F.getContext(), "adze.unwind", &F);
    Type *Ty = F.getReturnType();
    ReturnInst::Create(F.getContext(),
                       Ty->isVoidTy() ? nullptr : Constant::getNullValue(Ty),
                       Exit);
    return Exit;
  }

  /// From now on \p Call returns, whatever it said.
  static void mark(CallBase &Call) {
    LLVMContext &C = Call.getContext();
    Call.setAttributes(Call.getAttributes()
                           .removeRetAttributes(C, resultMask())
                           .removeFnAttribute(C, Attribute::NoReturn)
                           .addFnAttribute(C, exceptions::Catches));
    for (unsigned Kind : {LLVMContext::MD_range, LLVMContext::MD_nonnull,
                          LLVMContext::MD_noundef})
      Call.setMetadata(Kind, nullptr);
    if (auto *Callee = dyn_cast<Function>(
            Call.getCalledOperand()->stripPointerCastsAndAliases())) {
      Callee->removeFnAttr(Attribute::NoReturn);
      Callee->removeRetAttrs(resultMask());
    }
  }

  static bool neverReturns(const BasicBlock &Next) {
    return isa<UnreachableInst>(Next.getFirstNonPHIOrDbg());
  }

  /// Ends \p B, whose last call is \p Call.
  void branch(CallBase &Call, BasicBlock *B, BasicBlock *Unwind,
              BasicBlock *Normal) {
    IRBuilder<> Builder(B);
    Builder.SetCurrentDebugLocation(Call.getDebugLoc());
    mark(Call);
    if (neverReturns(*Normal)) {
      Normal->removePredecessor(B);
      Builder.CreateBr(Unwind);
      return;
    }
    Builder.CreateCondBr(exceptions::emitThrew(Builder), Unwind, Normal);
  }

  /// A real exception of code that is not lowered passes by; one that lowered
  /// code has left in flight is thrown here.
  void raiseAfter(CallBase &Call, Instruction *Next) {
    if (!Scopes.mayLeave(Call))
      return;
    mark(Call);
    Call.removeFnAttr(exceptions::Catches);
    IRBuilder<> Builder(Next);
    Builder.SetCurrentDebugLocation(Call.getDebugLoc());
    CallInst *Raise =
        Builder.CreateCall(exceptions::raiseFunction(*F.getParent()));
    if (Call.hasFnAttr(exceptions::Terminates))
      Raise->addFnAttr(Call.getFnAttr(exceptions::Terminates));
  }

  void lowerCall(CallInst &Call) {
    if (Call.isMustTailCall())
      Call.setTailCallKind(CallInst::TCK_None);
    Instruction *Next = Call.getNextNonDebugInstruction();
    if (Scope != ExceptionScopes::Whole)
      return raiseAfter(Call, Next);
    BasicBlock *B = Call.getParent();
    BasicBlock *Rest = B->splitBasicBlock(Next, B->getName() + ".went");
    B->getTerminator()->eraseFromParent();
    branch(Call, B, exit(), Rest);
  }

  /// What is noexcept: the exception ends the program.
  static bool terminates(const BasicBlock &Pad) {
    auto *Call = isa<UnreachableInst>(Pad.getTerminator())
                     ? dyn_cast_or_null<CallBase>(
                           Pad.getTerminator()->getPrevNonDebugInstruction())
                     : nullptr;
    const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
    return Known && Known->Facts.Result == Returns::Never &&
           (Call->doesNotThrow() || !Known->Throws);
  }

  void lowerInvoke(InvokeInst &Invoke) {
    bool Throws = Scopes.mayThrow(Invoke);
    BasicBlock *B = Invoke.getParent();
    if (Scope == ExceptionScopes::None || !Throws) {
      bool Ends = Throws && terminates(*Invoke.getUnwindDest());
      CallInst *Call = changeToCall(&Invoke);
      if (Ends)
        Call->addFnAttr(Attribute::get(F.getContext(), exceptions::Terminates));
      if (Throws)
        raiseAfter(*Call, B->getTerminator());
      F.removeFnAttr(Attribute::NoUnwind);
      return;
    }
    BasicBlock *Normal = Invoke.getNormalDest(), *Pad = Invoke.getUnwindDest();
    CallInst *Call = createCallMatchingInvoke(&Invoke);
    Call->takeName(&Invoke);
    Call->insertBefore(&Invoke);
    Invoke.replaceAllUsesWith(Call);
    Invoke.eraseFromParent();
    branch(*Call, B, Pad, Normal);
  }

  static bool isPointer(const Constant *Type) {
    return Type->getName().starts_with("_ZTIP");
  }
  static bool isClass(const Constant *Type) {
    auto *Info = dyn_cast<GlobalVariable>(Type);
    return !isPointer(Type) && (!Info || !Info->isDeclaration() ||
                                Type->getName().size() > strlen("_ZTIi"));
  }

  /// What is known of the objects that the function catches.
  void markCaught() {
    bool Pointers = any_of(Types, isPointer);
    bool Standard = all_of(Types, [](const Constant *Type) {
      return !isClass(Type) || isStandardException(*Type);
    });
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      const KnownFunction *Known = Call ? lookupKnown(*Call) : nullptr;
      if (!Known || Known->Facts.Exception != ExceptionStep::Catches)
        continue;
      if (Pointers)
        Call->addFnAttr(Attribute::get(F.getContext(), exceptions::ByPointer));
      if (Standard)
        Call->addFnAttr(Attribute::get(F.getContext(), exceptions::Standard));
    }
  }

  void numberTypes(const LandingPadInst &Pad) {
    for (unsigned I = 0; I != Pad.getNumClauses(); ++I)
      if (Pad.isCatch(I) && !Pad.getClause(I)->isNullValue())
        numberOf(Pad.getClause(I));
  }

  unsigned numberOf(const Constant *Type) {
    auto *At = find(Types, Type);
    unsigned Position = At - Types.begin();
    if (At == Types.end())
      Types.push_back(Type);
    return Position + 1;
  }

  void lowerPad(LandingPadInst &Pad) {
    IRBuilder<> B(&Pad);
    Value *Object = exceptions::emitTake(B);
    Value *Number =
        exceptions::emitSelect(B, Object, Pad, Types, F.getPersonalityFn());
    for (User *U : make_early_inc_range(Pad.users()))
      if (auto *Part = dyn_cast<ExtractValueInst>(U);
          Part && Part->getNumIndices() == 1) {
        Part->replaceAllUsesWith(Part->getIndices()[0] == 0 ? Object : Number);
        Part->eraseFromParent();
      }
    if (!Pad.use_empty()) {
      Value *Both = PoisonValue::get(Pad.getType());
      Both = B.CreateInsertValue(Both, Object, 0);
      Pad.replaceAllUsesWith(B.CreateInsertValue(Both, Number, 1));
    }
    Pad.eraseFromParent();
  }

  void lowerResume(ResumeInst &Resume) {
    IRBuilder<> B(&Resume);
    Value *Object = FindInsertedValue(Resume.getValue(), 0);
    exceptions::emitLeave(
        B, Object ? Object : B.CreateExtractValue(Resume.getValue(), 0));
    B.CreateBr(exit());
    Resume.eraseFromParent();
  }

  void answer(IntrinsicInst &Question) {
    auto *Type = cast<Constant>(Question.getArgOperand(0));
    if (IsStdAsync)
      denyMatch(Question);
    Question.replaceAllUsesWith(
        ConstantInt::get(Question.getType(), numberOf(Type)));
    Question.eraseFromParent();
  }

  /// The handler of std::async is for threads that cannot be had.
  static void denyMatch(IntrinsicInst &Question) {
    for (User *U : make_early_inc_range(Question.users()))
      if (auto *Equal = dyn_cast<ICmpInst>(U); Equal && Equal->isEquality()) {
        Equal->replaceAllUsesWith(ConstantInt::getBool(
            Equal->getType(), Equal->getPredicate() == ICmpInst::ICMP_NE));
        Equal->eraseFromParent();
      }
  }

  Function &F;
  const ExceptionScopes &Scopes;
  const ExceptionScopes::Scope Scope;
  const bool IsStdAsync;
  BasicBlock *Exit = nullptr;
  SmallVector<CallInst *, 16> Calls;
  SmallVector<InvokeInst *, 8> Invokes;
  SmallVector<LandingPadInst *, 8> Pads;
  SmallVector<ResumeInst *, 4> Resumes;
  SmallVector<IntrinsicInst *, 8> Questions;
  /// Those of all clauses; a type's number is its position plus one.
  SmallVector<const Constant *, 8> Types;
};

} // namespace

void lowerExceptions(Function &F, const Function &Source,
                     const ExceptionScopes &Scopes) {
  ExceptionLowering(F, Source, Scopes).run();
}

} // namespace adze
