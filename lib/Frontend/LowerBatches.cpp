// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Frontend/Activities.h"
#include "Frontend/Batches.h"
#include "Frontend/Resolve.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace adze;

namespace {

constexpr uint64_t MostSets = 1u << 20;

class BatchParser {
public:
  BatchParser(CallBase &Call, Diagnostics &Diags) : Diags(Diags) {
    const Function *Marker = functionBehind(Call.getCalledOperand());
    B.C.Call = &Call;
    B.C.Kind = MarkerKind::Batch;
    B.C.Name = markerName(*Marker);
    auto Origin = std::make_shared<adze::Origin>();
    Origin->Place = sourcePlace(&Call);
    Origin->Callee = B.C.Name.str();
    Origin->Caller = Call.getFunction()->getName().str();
    Origin->In = Call.getFunction();
    Origin->Location = Call.getDebugLoc().get();
    From = Origin;
  }

  bool run() {
    return findFunction() && takeApart() && match() &&
           emitBatch(B, From, Diags);
  }

private:
  bool refuse(const Twine &Why, const Twine &Cure) {
    Diags.report(Diag::BatchUse, *From, B.C.Call,
                 {B.C.Name.str(), Why.str(), Cure.str()});
    return false;
  }

  bool findFunction() {
    CallBase &Call = *B.C.Call;
    if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet)) {
      B.C.SRet = Call.getArgOperand(0);
      B.C.SRetType = Call.getParamStructRetType(0);
      At = 1;
    }
    Function *F = markedFunction(Call);
    if (!F)
      return refuse("its first argument is no function that is known at "
                    "compile time",
                    "pass the function's name itself");
    if (F->isVarArg())
      return refuse("'" + sourceName(*F) +
                        "' takes a variable number of "
                        "arguments",
                    "call it from a function with fixed parameters");
    B.C.Primal = F;
    ++At;
    return true;
  }

  bool takeApart() {
    CallBase &Call = *B.C.Call;
    BatchTag T = BatchTag::None;
    Value *Stride = nullptr;
    while (At != Call.arg_size()) {
      Operand O;
      O.V = Call.getArgOperand(At);
      O.ByVal = Call.getParamByValType(At);
      const bool IsTag = tagOf(O.V, O.TagName) != Tag::None;
      ++At;
      if (!IsTag) {
        B.C.Operands.push_back(O);
        B.TagBefore.push_back(T);
        B.StrideBefore.push_back(Stride);
        T = BatchTag::None;
        Stride = nullptr;
      } else if (T != BatchTag::None) {
        return refuse("no value follows a tag", "write the tag, then values");
      } else if (!readTag(O.TagName, T, Stride)) {
        return false;
      }
    }
    return T == BatchTag::None ||
           refuse("no value follows a tag", "write the tag, then values");
  }

  /// \p Name and the number that may follow.
  bool readTag(StringRef Name, BatchTag &T, Value *&Stride) {
    CallBase &Call = *B.C.Call;
    T = StringSwitch<BatchTag>(Name)
            .Case("enzyme_vector", BatchTag::Vector)
            .Case("enzyme_scalar", BatchTag::Scalar)
            .Case("enzyme_buffer", BatchTag::Buffer)
            .Default(BatchTag::None);
    if (T == BatchTag::Vector || T == BatchTag::Scalar)
      return true;
    if (T != BatchTag::Buffer && Name != "enzyme_width")
      return refuse("'" + Name + "' has no meaning here",
                    "write enzyme_width, enzyme_vector, enzyme_scalar and "
                    "enzyme_buffer");
    Value *Number = At != Call.arg_size() ? Call.getArgOperand(At++) : nullptr;
    if (!Number || !Number->getType()->isIntegerTy())
      return refuse("no number follows '" + Name + "'",
                    "write the tag, then the number");
    if (T == BatchTag::Buffer) {
      Stride = Number;
      return true;
    }
    auto *Width = dyn_cast<ConstantInt>(lookThrough(Number));
    if (!Width || Width->isNegative() || Width->isZero() ||
        Width->getValue().ugt(MostSets))
      return refuse("the number of sets is not known at compile time, or not "
                    "between 1 and " +
                        Twine(MostSets),
                    "write a constant after enzyme_width");
    B.Width = Width->getZExtValue();
    return true;
  }

  bool match() {
    switch (matchBatch(B)) {
    case Match::Unique:
      return true;
    case Match::Ambiguous:
      return refuse("several assignments of its values to the parameters of '" +
                        sourceName(*B.C.Primal) + "' are possible",
                    "write a tag before every argument, or pass structures by "
                    "address");
    case Match::None:
      break;
    }
    return refuse(Twine(B.C.Operands.size()) +
                      " values are passed, and they do not fit the parameters "
                      "of '" +
                      sourceName(*B.C.Primal) + "' " + Twine(B.Width) +
                      " times",
                  "after enzyme_vector write one value for each set, after "
                  "enzyme_scalar one, after enzyme_buffer the bytes between "
                  "two values and the address of the first");
  }

  Diagnostics &Diags;
  Batch B;
  std::shared_ptr<const Origin> From;
  unsigned At = 0; // operand of the call
};

bool isBatch(const CallBase &Call) {
  const Function *F =
      Call.isInlineAsm() ? nullptr : functionBehind(Call.getCalledOperand());
  return F && markerKind(*F) == MarkerKind::Batch;
}

} // namespace

bool adze::lowerBatches(Module &M, Diagnostics *Diags) {
  if (none_of(M, [](const Function &F) {
        return markerKind(F) == MarkerKind::Batch;
      }))
    return false;
  Diagnostics Unheard;
  Unheard.mute();
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && isBatch(*Call))
        Calls.push_back(Call);
  bool Changed = false;
  for (CallBase *Call : Calls)
    Changed |= BatchParser(*Call, Diags ? *Diags : Unheard).run();
  return Changed;
}
