// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A marker differentiates a function that is passed another one:
//
//   double apply(double (*f)(double), double x) { return f(x); }
//   __enzyme_autodiff((void *)apply, enzyme_const, square, x);
//
// The derivative is made of a copy of apply in which f is square, so calls of
// it are direct, and a marker inside of apply that is told f knows it, too. So
// does one in a function that is no derivative, and that is called with square:
//
//   static double slope(double (*f)(double), double x) {
//     return __enzyme_autodiff((void *)f, x);
//   }
#include "adze/Marker.h"

#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "adze/InternalCopy.h"
#include "adze/OwnFunction.h"
#include "adze/RuntimeStop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace adze;

namespace {

/// Erases \p V if nobody uses it any more, and the variables that it went
/// through in unoptimized code: what is stored in them would seem to be needed.
void eraseUnread(Value *V) {
  SmallVector<WeakTrackingVH, 8> List{V};
  while (!List.empty()) {
    Value *Next = List.pop_back_val();
    auto *I = dyn_cast_or_null<Instruction>(Next);
    if (!I || !isa<LoadInst, CastInst, AllocaInst>(I))
      continue;
    const bool OnlyStored = all_of(I->users(), [&](const User *U) {
      const auto *S = dyn_cast<StoreInst>(U);
      return S && isa<AllocaInst>(I) && S->getValueOperand() != I;
    });
    if (!OnlyStored || I->mayHaveSideEffects())
      continue;
    while (!I->use_empty()) {
      auto *S = cast<StoreInst>(I->user_back());
      List.push_back(S->getValueOperand());
      S->eraseFromParent();
    }
    append_range(List, I->operands());
    I->eraseFromParent();
  }
}

/// Copies that may be made of one module's functions: a function could pass
/// ever new copies of itself to a marker.
constexpr unsigned MaxCopies = 1000;

class Binder {
public:
  Binder(Module &M, FunctionAnalysisManager &AM) : M(M), AM(AM) {}

  void run() {
    // A copy may hold markers that are told a function now.
    for (bool Again = true; Again;) {
      Again = false;
      for (CallBase *Call : findMarkers(M))
        Again |= bind(*Call) || bindCallers(*Call);
    }
    // Markers in a function that nobody calls any more are told nothing.
    SmallSetVector<Function *, 8> Left;
    for (const Bound &B : Copies)
      Left.insert(B.Of);
    while (Left.remove_if([&](Function *F) { return eraseUncalled(*F); }))
      ;
  }

private:
  bool eraseUncalled(Function &F) {
    const bool ByItselfAlone = all_of(F.users(), [&](const User *U) {
      const auto *I = dyn_cast<Instruction>(U);
      return I && I->getFunction() == &F;
    });
    if (!ByItselfAlone || !F.isDiscardableIfUnused())
      return false;
    AM.clear(F, F.getName());
    F.deleteBody();
    F.eraseFromParent();
    return true;
  }

  bool bind(CallBase &Call) {
    Function *F = markedFunction(Call);
    if (!F || F->isDeclaration() || F->isInterposable() || F->isVarArg())
      return false;
    unsigned First = Call.paramHasAttr(0, Attribute::StructRet) ? 1 : 0;
    unsigned Param = F->hasStructRetAttr() ? 1 : 0;
    // Arguments with a tag before each are parameters one by one, as long as
    // each is constant; which parameters later ones are is for the parser.
    for (unsigned At = First + 1; At + 1 < Call.arg_size(); ++Param, At += 2) {
      StringRef Name;
      if (tagOf(Call.getArgOperand(At), Name) == Tag::Width) {
        At += 2; // a number, and no parameter
        if (At + 1 >= Call.arg_size())
          return false;
      }
      if (tagOf(Call.getArgOperand(At), Name) != Tag::Const ||
          Param >= F->arg_size())
        return false;
      Argument &A = *F->getArg(Param);
      Value *Given = Call.getArgOperand(At + 1);
      if (!Given->getType()->isPointerTy() || A.hasByValAttr() ||
          Given->getType() != A.getType())
        return false;
      Function *Passed = functionBehind(Given);
      if (!Passed || A.use_empty())
        continue;
      Function *Copy = copyOf(*F, Param, *Passed);
      if (!Copy)
        return false;
      Value *Marked = Call.getArgOperand(First);
      Call.setArgOperand(First, Copy);
      // The copy does not read it, and the function itself may go.
      Call.setArgOperand(At + 1, Constant::getNullValue(Given->getType()));
      eraseUnread(Marked);
      Call.removeParamAttrs(At + 1, ofPassed());
      return true;
    }
    return false;
  }

  /// Where a marker differentiates what its function is passed: calls that pass
  /// a known function get a copy each, and so do calls of those that pass on
  /// what they are passed.
  bool bindCallers(const CallBase &Marker) {
    const unsigned First = Marker.paramHasAttr(0, Attribute::StructRet) ? 1 : 0;
    if (Marker.arg_size() <= First || markedFunction(Marker))
      return false;
    bool Changed = false;
    SmallSetVector<const Value *, 8> PassedOn;
    PassedOn.insert(lookThrough(Marker.getArgOperand(First)));
    for (size_t I = 0; I != PassedOn.size(); ++I)
      if (const auto *A = dyn_cast<Argument>(PassedOn[I]))
        for (CallBase *Call : callsOf(*A->getParent())) {
          const unsigned Param = A->getArgNo();
          Changed |= callCopy(*Call, Param);
          PassedOn.insert(lookThrough(Call->getArgOperand(Param)));
        }
    return Changed;
  }
  static SmallVector<CallBase *, 8> callsOf(const Function &F) {
    SmallVector<CallBase *, 8> Calls;
    if (F.isInterposable() || F.isVarArg())
      return Calls;
    for (const Use &U : F.uses())
      if (auto *Call = dyn_cast<CallBase>(U.getUser());
          Call && Call->isCallee(&U) &&
          Call->getFunctionType() == F.getFunctionType())
        Calls.push_back(Call);
    return Calls;
  }
  bool callCopy(CallBase &Call, unsigned Param) {
    Value *Given = Call.getArgOperand(Param);
    Function *Passed = functionBehind(Given);
    Function *Copy =
        Passed ? copyOf(*Call.getCalledFunction(), Param, *Passed) : nullptr;
    if (!Copy)
      return false;
    Call.setCalledFunction(Copy);
    Call.setArgOperand(Param, Constant::getNullValue(Given->getType()));
    Call.removeParamAttrs(Param, ofPassed());
    return true;
  }

  /// What was true of the function, and is not of null.
  static AttributeMask ofPassed() {
    AttributeMask Mask = AttributeFuncs::getUBImplyingAttributes();
    Mask.addAttribute(Attribute::NonNull);
    Mask.addAttribute(Attribute::Returned);
    return Mask;
  }

  Function *copyOf(Function &F, unsigned Param, Function &Passed) {
    auto Known = find_if(Copies, [&](const Bound &B) {
      return B.Of == &F && B.Param == Param && B.Passed == &Passed;
    });
    if (Known != Copies.end())
      return Known->Copy;
    if (Copies.size() == MaxCopies)
      return nullptr;
    Function *Copy = internalCopy(F, HelperPrefix + F.getName());
    markOwn(*Copy);
    Copy->removeParamAttrs(Param, ofPassed());
    Copy->getArg(Param)->replaceAllUsesWith(&Passed);
    inlineCalls(*Copy, Passed);
    Copies.push_back({&F, Param, &Passed, Copy});
    return Copy;
  }

  /// As if the compiler had seen the call: it would have inlined it into a
  /// function that does little else, before anything was differentiated.
  static void inlineCalls(Function &Copy, Function &Passed) {
    if (Passed.isDeclaration() || Passed.isInterposable() ||
        Passed.hasFnAttribute(Attribute::NoInline))
      return;
    SmallVector<CallBase *, 4> Calls;
    for (User *U : Passed.users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledFunction() == &Passed &&
          Call->getFunction() == &Copy &&
          Call->hasFnAttr(Attribute::AlwaysInline))
        Calls.push_back(Call);
    for (CallBase *Call : Calls) {
      InlineFunctionInfo Info;
      InlineFunction(*Call, Info);
    }
  }

  struct Bound {
    Function *Of;
    unsigned Param;
    Function *Passed;
    Function *Copy;
  };

  Module &M;
  FunctionAnalysisManager &AM;
  std::vector<Bound> Copies;
};

} // namespace

/// i1: \p V points into a virtual table of the file. Null if there is none.
static Value *isVirtualTable(IRBuilderBase &B, Value *V, Module &M) {
  const DataLayout &DL = M.getDataLayout();
  Type *Int = DL.getIntPtrType(V->getType());
  Value *Is = nullptr;
  for (GlobalVariable &Table : M.globals()) {
    if (!Table.getName().starts_with("_ZTV"))
      continue;
    Value *Behind =
        B.CreateSub(B.CreatePtrToInt(V, Int), B.CreatePtrToInt(&Table, Int));
    Value *Here = B.CreateICmpULT(
        Behind,
        ConstantInt::get(Int, DL.getTypeAllocSize(Table.getValueType())));
    Is = Is ? B.CreateOr(Is, Here) : Here;
  }
  return Is;
}

/// __enzyme_virtualreverse of a virtual table: which function an object calls
/// is seen from the object itself, so any table serves its shadow. What is
/// loaded from an object, nobody else knows while compiling.
static void answerForVirtualTables(Module &M) {
  for (CallBase *Call : findMarkers(M)) {
    if (markerKind(*functionBehind(Call->getCalledOperand())) !=
            MarkerKind::Table ||
        Call->arg_empty())
      continue;
    Value *Table = const_cast<Value *>(lookThrough(Call->getArgOperand(0)));
    if (Table->getType() != Call->getType() || !Table->getType()->isPointerTy())
      continue;
    if (!getUnderlyingObject(Table)->getName().starts_with("_ZTV")) {
      IRBuilder<> B(Call);
      Value *Is = isa<LoadInst>(Table) ? isVirtualTable(B, Table, M) : nullptr;
      if (!Is)
        continue;
      emitRuntimeStopIf(B, B.CreateNot(Is),
                        "__enzyme_virtualreverse of a pointer that was loaded "
                        "and is no virtual table of this file");
    }
    Call->replaceAllUsesWith(Table);
    eraseMarkerCall(*Call);
  }
}

void adze::bindFunctions(Module &M, FunctionAnalysisManager &AM) {
  answerForVirtualTables(M);
  Binder(M, AM).run();
}
