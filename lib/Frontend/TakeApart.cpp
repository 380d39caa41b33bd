// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/TakeApart.h"

#include "Frontend/Activities.h"
#include "Frontend/Callers.h"
#include "Frontend/Resolve.h"
#include "Frontend/ResultType.h"
#include "Frontend/SplitOperands.h"
#include "Frontend/SplitParameters.h"
#include "adze/AggregateParts.h"
#include "adze/GivenDerivatives.h"
#include "adze/KnownFunction.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

namespace {

class CallReader {
public:
  CallReader(MarkerCall &C, Diagnostics &Diags, const Origin &From)
      : C(C), Diags(Diags), From(From) {}

  bool run() {
    CallBase &Call = *C.Call;
    unsigned At = 0;
    if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet)) {
      C.SRet = Call.getArgOperand(0);
      C.SRetType = Call.getParamStructRetType(0);
      At = 1;
    }
    if (At == Call.arg_size()) {
      Diags.report(Diag::NoFunction, From, &Call,
                   {C.Name.str(), "there is none"});
      return false;
    }
    if (!findFunction(Call.getArgOperand(At)))
      return false;
    for (++At; At != Call.arg_size(); ++At)
      if (!addOperand(At))
        return false;
    leaveOutEmptyClasses();
    return true;
  }

private:
  /// Of an object of an empty class, such as a lambda that captures nothing,
  /// the tag is all that is passed. Calls of tags alone are another matter.
  void leaveOutEmptyClasses() {
    auto isTag = [](const Operand &O) { return O.T != Tag::None; };
    if (all_of(C.Operands, isTag))
      return;
    SmallVector<Operand, 8> Kept;
    for (unsigned I = 0; I != C.Operands.size(); ++I) {
      const Operand &O = C.Operands[I];
      const bool Alone = O.T == Tag::Const && (I + 1 == C.Operands.size() ||
                                               isTag(C.Operands[I + 1]));
      if (!Alone) {
        Kept.push_back(O);
        continue;
      }
      C.TagWithoutValue = O.TagName;
      if (C.SeedFrom && *C.SeedFrom > Kept.size())
        --*C.SeedFrom;
    }
    C.Operands = std::move(Kept);
  }

  bool findFunction(Value *First) {
    Function *F = functionBehind(First);
    const Value *Found = lookThrough(First);
    if (!F && isa<Constant>(Found)) {
      std::string What =
          isa<ConstantPointerNull>(Found) ? "it is null"
          : isa<GlobalVariable>(Found)
              ? "it is the variable " + describe(Found)
              : "it is " + typeInWords(Found->getType(),
                                       C.Call->getModule()->getDataLayout());
      Diags.report(Diag::NoFunction, From, C.Call, {C.Name.str(), What});
      return false;
    }
    if (!F && !Found->getType()->isPointerTy()) {
      Diags.report(
          Diag::NoFunction, From, C.Call,
          {C.Name.str(),
           "it is " + typeInWords(Found->getType(),
                                  C.Call->getModule()->getDataLayout())});
      return false;
    }
    if (!F) {
      Diags.report(Diag::UnknownFunction, From, C.Call, {describe(Found)});
      return false;
    }
    if (C.isInactive()) {
      C.Primal = F;
      return true;
    }
    if (F->isVarArg()) {
      Diags.report(Diag::VariadicFunction, From, C.Call, {sourceName(*F)});
      return false;
    }
    if (!F->hasName())
      F->setName("adze.unnamed");
    // What the program declares of a function holds for calls of it.
    bool Declared = isDeclaredInactive(*F) ||
                    F->hasFnAttribute(declared::Like) || given::hasAny(*F);
    const bool AsValue = F->hasStructRetAttr() && C.half() != SplitHalf::None;
    if (AsValue && !checkReturned(*F))
      return false;
    const bool NeedsCaller =
        F->isDeclaration() || Declared || AsValue || hidesFloats(*F);
    C.Primal = NeedsCaller ? callerOf(*F, AsValue) : F;
    return true;
  }

  /// A value of too many members would keep LLVM busy.
  bool checkReturned(const Function &F) {
    const unsigned Limit = 256;
    if (countParts(sourceResult(F), Limit) <= Limit)
      return true;
    Diags.report(Diag::SplitUse, From, C.Call,
                 {C.Name.str(),
                  "'" + sourceName(F) + "' returns a structure of more than " +
                      std::to_string(Limit) + " members",
                  "differentiate a function that stores it through a pointer "
                  "argument"});
    return false;
  }

  bool addOperand(unsigned &At) {
    CallBase &Call = *C.Call;
    Operand O;
    O.V = Call.getArgOperand(At);
    O.T = C.isInactive() ? Tag::None : tagOf(O.V, O.TagName);
    switch (O.T) {
    case Tag::Unsupported:
      Diags.report(Diag::UnsupportedTag, From, &Call, {O.TagName.str()});
      return false;
    case Tag::Allocated:
    case Tag::Tape:
    case Tag::NoFree:
      return addSplitTag(C, O.T, O.TagName, At, Diags, From);
    case Tag::Width:
      return addWidth(O.TagName, At);
    case Tag::DupV:
    case Tag::DupNoNeedV:
      if (!addStride(O, At))
        return false;
      break;
    case Tag::NoReturn:
      C.NoReturn = true;
      return true;
    case Tag::PrimalReturn:
      C.PrimalReturn = true;
      return true;
    case Tag::ActiveReturn:
    case Tag::DupReturn:
    case Tag::DupNoNeedReturn:
      return addReturnTag(O);
    case Tag::Seed:
      return addSeedTag();
    case Tag::RuntimeActivity:
      C.RuntimeActivity = true;
      return true;
    case Tag::StrongZero:
      C.StrongZero = true;
      return true;
    case Tag::SharedShadows:
      C.SharedShadows = true;
      return true;
    default:
      break;
    }
    if (O.T == Tag::None) {
      O.ByVal = Call.getParamByValType(At);
      O.NoUndef = Call.paramHasAttr(At, Attribute::NoUndef);
    }
    C.Operands.push_back(O);
    return true;
  }

  /// The number that follows the tag at \p At; null, after a report, if none
  /// does.
  Value *numberAfter(StringRef Name, unsigned &At, StringRef What) {
    const CallBase &Call = *C.Call;
    Value *V = ++At < Call.arg_size() ? Call.getArgOperand(At) : nullptr;
    if (V && V->getType()->isIntegerTy())
      return V;
    Diags.report(Diag::TagWithoutValue, From, C.Call,
                 {Name.str(), What.str(), " after it"});
    return nullptr;
  }

  bool addWidth(StringRef Name, unsigned &At) {
    Value *V = numberAfter(Name, At, "a number of directions");
    if (!V)
      return false;
    auto *Number = dyn_cast<ConstantInt>(lookThrough(V));
    auto wrong = [&](const Twine &Why) {
      Diags.report(Diag::Width, From, C.Call,
                   {Why.str(), std::to_string(MaxWidth)});
      return false;
    };
    if (!Number)
      return wrong("it is not known at compile time: " + describe(V));
    if (Number->isNegative() || Number->isZero() ||
        Number->getValue().ugt(MaxWidth))
      return wrong("it is " + toString(Number->getValue(), 10, true));
    unsigned Width = Number->getZExtValue();
    if (C.Width != 1 && C.Width != Width)
      return wrong("it is said twice, as " + Twine(C.Width) + " and " +
                   Twine(Width));
    C.Width = Width;
    return true;
  }

  /// From here on the tag is one that shadows follow.
  bool addStride(Operand &O, unsigned &At) {
    O.T = O.T == Tag::DupV ? Tag::Dup : Tag::DupNoNeed;
    O.Stride = numberAfter(O.TagName, At, "the bytes between two shadows");
    return O.Stride;
  }

  bool addReturnTag(const Operand &O) {
    if (C.Return != Tag::None && C.Return != O.T) {
      Diags.report(Diag::SplitUse, From, C.Call,
                   {O.TagName.str(),
                    "'" + C.ReturnTagName.str() + "' is said as well",
                    "say one of them"});
      return false;
    }
    C.Return = O.T;
    C.ReturnTagName = O.TagName;
    return true;
  }

  bool addSeedTag() {
    const bool GoesBack =
        C.Kind == MarkerKind::Reverse || C.Kind == MarkerKind::ReverseHalf;
    if (GoesBack && !C.SeedFrom) {
      C.SeedFrom = C.Operands.size();
      return true;
    }
    Diags.report(Diag::SplitUse, From, C.Call,
                 {"adze_seed",
                  GoesBack ? "it stands there twice"
                           : "'" + C.Name.str() + "' has no reverse pass",
                  "leave it out"});
    return false;
  }

  MarkerCall &C;
  Diagnostics &Diags;
  const Origin &From;
};

} // namespace

bool adze::takeApart(MarkerCall &C, Diagnostics &Diags, const Origin &From) {
  return CallReader(C, Diags, From).run();
}
