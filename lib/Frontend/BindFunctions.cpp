// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A marker differentiates a function that is passed another one:
//
//   double apply(double (*f)(double), double x) { return f(x); }
//   __enzyme_autodiff((void *)apply, enzyme_const, square, x);
//
// The derivative is made of a copy of apply in which f is square, so calls of
// it are direct, and a marker inside of apply that is told f knows it, too.
#include "adze/Marker.h"

#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "adze/OwnFunction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace adze;

namespace {

/// Copies that may be made of one module's functions: a function could pass
/// ever new copies of itself to a marker.
constexpr unsigned MaxCopies = 1000;

class Binder {
public:
  explicit Binder(Module &M) : M(M) {}

  void run() {
    // A copy may hold markers that are told a function now.
    for (bool Again = true; Again;) {
      Again = false;
      for (CallBase *Call : findMarkers(M))
        Again |= bind(*Call);
    }
    // Markers in a function that nobody calls any more are told nothing.
    SmallSetVector<Function *, 8> Left;
    for (const Bound &B : Copies)
      Left.insert(B.Of);
    for (Function *F : Left)
      if (F->use_empty() && F->isDiscardableIfUnused())
        F->eraseFromParent();
  }

private:
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
      Call.setArgOperand(First, Copy);
      return true;
    }
    return false;
  }

  Function *copyOf(Function &F, unsigned Param, Function &Passed) {
    auto Known = find_if(Copies, [&](const Bound &B) {
      return B.Of == &F && B.Param == Param && B.Passed == &Passed;
    });
    if (Known != Copies.end())
      return Known->Copy;
    if (Copies.size() == MaxCopies)
      return nullptr;
    ValueToValueMapTy Map;
    Function *Copy = CloneFunction(&F, Map);
    Copy->setName(HelperPrefix + F.getName());
    Copy->setLinkage(GlobalValue::InternalLinkage);
    Copy->setVisibility(GlobalValue::DefaultVisibility);
    Copy->setComdat(nullptr);
    markOwn(*Copy);
    Copy->getArg(Param)->replaceAllUsesWith(&Passed);
    Copies.push_back({&F, Param, &Passed, Copy});
    return Copy;
  }

  struct Bound {
    Function *Of;
    unsigned Param;
    Function *Passed;
    Function *Copy;
  };

  Module &M;
  std::vector<Bound> Copies;
};

} // namespace

void adze::bindFunctions(Module &M) { Binder(M).run(); }
