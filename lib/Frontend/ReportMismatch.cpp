// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands that fit no assignment are walked once more as a reader of the
// source would, one argument after the other, up to the first that does not
// fit.
#include "Frontend/Activities.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;
using namespace adze;

namespace {

class MismatchReporter {
public:
  MismatchReporter(const MarkerCall &C, Diagnostics &Diags, const Origin &From)
      : C(C), F(*C.Primal), DL(C.layout()), Diags(Diags), From(From) {}

  void run() {
    if (!C.TagWithoutValue.empty()) {
      Diags.report(Diag::TagWithoutValue, From, C.Call,
                   {C.TagWithoutValue.str(), "a value", ""});
      return;
    }
    for (unsigned P = 0; P != F.arg_size(); ++P) {
      if (F.hasParamAttribute(P, Attribute::StructRet))
        continue;
      if (!walkArgument(P))
        return;
    }
    if (At != C.Operands.size())
      return countMismatch();
    Diags.report(Diag::AmbiguousArguments, From, C.Call, {sourceName(F)});
  }

private:
  bool walkArgument(unsigned P) {
    Tag T = Tag::None;
    StringRef TagName;
    unsigned Wanted = C.Width; // shadows
    if (At != C.Operands.size() && C.Operands[At].T != Tag::None) {
      T = C.Operands[At].T;
      if (C.Operands[At].Stride)
        Wanted = 1;
      TagName = C.Operands[At++].TagName;
    }
    bool Shadow = wantsShadow(C, classesOf(C, P, 1), T);
    if (!hasValue()) {
      if (T == Tag::None)
        return countMismatch(), false;
      Diags.report(Diag::TagWithoutValue, From, C.Call,
                   {TagName.str(), "a value", Shadow ? " and its shadow" : ""});
      return false;
    }
    if (!walkValue(P, ""))
      return false;
    for (unsigned K = 0; Shadow && K != Wanted; ++K) {
      if (!hasValue()) {
        if (T == Tag::None)
          return countMismatch(), false;
        reportMissingShadow(TagName, K, Wanted);
        return false;
      }
      if (!walkValue(P, "the shadow of "))
        return false;
    }
    return true;
  }

  void reportMissingShadow(StringRef TagName, unsigned Given, unsigned Wanted) {
    if (Wanted == 1)
      Diags.report(Diag::TagWithoutValue, From, C.Call,
                   {TagName.str(), "a shadow", " and its shadow"});
    else
      Diags.report(Diag::TagWithoutValue, From, C.Call,
                   {TagName.str(),
                    std::to_string(Wanted) + " shadows, only by " +
                        std::to_string(Given),
                    " and a shadow for each direction"});
  }

  bool hasValue() const {
    return At != C.Operands.size() && C.Operands[At].T == Tag::None;
  }

  bool walkValue(unsigned P, StringRef What) {
    const Operand &O = C.Operands[At++];
    Type *Expected = F.getArg(P)->getType();
    Type *Memory = memoryType(F, P);
    if (Memory ? O.V->getType()->isPointerTy() : isConvertible(O, Expected, DL))
      return true;
    Type *Passed = O.ByVal ? O.ByVal : O.V->getType();
    Diags.report(Diag::ArgumentType, From, C.Call,
                 {What.str() + argumentInWords(C, P), sourceName(F),
                  typeInWords(Memory ? Memory : Expected, DL),
                  typeInWords(Passed, DL)});
    return false;
  }

  void countMismatch() {
    unsigned Parameters = 0, Shadows = 0, Values = 0;
    std::string Signature;
    for (unsigned P = 0; P != F.arg_size(); ++P) {
      if (F.hasParamAttribute(P, Attribute::StructRet))
        continue;
      Type *Memory = memoryType(F, P);
      Signature += Signature.empty() ? "(" : ", ";
      Signature += typeInWords(Memory ? Memory : F.getArg(P)->getType(), DL);
      ++Parameters;
      Shadows += wantsShadow(C, classesOf(C, P, 1), Tag::None);
    }
    Signature += Signature.empty() ? "()" : ")";
    bool Tags = false;
    for (const Operand &O : C.Operands) {
      Values += O.T == Tag::None;
      Tags |= O.T != Tag::None;
    }
    std::string Counts = "it takes " + std::to_string(Parameters) +
                         (Parameters == 1 ? " parameter" : " parameters");
    if (Shadows && !Tags)
      Counts += " (" + std::to_string(Parameters + Shadows * C.Width) +
                " values with the shadows of pointers" +
                (C.isForward() ? " and floats" : "") +
                (C.Width == 1
                     ? ")"
                     : ", each in " + std::to_string(C.Width) + " directions)");
    else if (C.Width != 1)
      Counts += ", in " + std::to_string(C.Width) + " directions";
    Type *Returned = sourceResult(F);
    if (C.Kind == MarkerKind::Reverse && Returned && !C.NoReturn &&
        scalarClasses(Returned).Floats > 1)
      Counts += ", then the adjoint of its result (" +
                typeInWords(Returned, DL) + ")";
    Counts += ", and " + std::to_string(Values) +
              (Values == 1 ? " value is passed" : " values are passed");
    Diags.report(Diag::ArgumentCount, From, C.Call,
                 {sourceName(F), Counts, Signature});
  }

  const MarkerCall &C;
  const Function &F;
  const DataLayout &DL;
  Diagnostics &Diags;
  const Origin &From;
  unsigned At = 0;
};

} // namespace

void adze::reportMismatch(const MarkerCall &C, Diagnostics &Diags,
                          const Origin &From) {
  MismatchReporter(C, Diags, From).run();
}
