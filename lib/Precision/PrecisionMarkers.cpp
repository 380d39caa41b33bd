// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   __enzyme_truncate_func(f, from, to)       a version of f that computes in a
//   __enzyme_truncate_op_func(f, from, to)    narrower format
//   __enzyme_truncate_mem_func(f, from, to)   and keeps no other in memory
//   __enzyme_truncate_mem_value(x, from, to)  x as that finds it in memory
//   __enzyme_expand_mem_value(x, from, to)    and back
//
// A narrow number is kept in the type that it had. So the last marker has
// nothing to do, and what the program forgets to convert is rounded where it
// is used.
#include "adze/Precision.h"

#include "Precision/Narrower.h"
#include "Precision/Rounding.h"

#include "Frontend/MarkerCall.h"
#include "Frontend/Names.h"
#include "Frontend/Resolve.h"
#include "adze/Diagnostics.h"
#include "adze/Marker.h"
#include "adze/Options.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;
using namespace adze;

namespace {

/// Attribute of a function that an option has narrowed.
constexpr char NarrowedMark[] = "adze.narrowed";

/// A name as the user writes it: mangled, or without its parameters.
bool isNamed(const Function &F, StringRef Name) {
  std::string Source = sourceName(F);
  return F.getName() == Name || Source == Name ||
         StringRef(Source).split('(').first == Name;
}

class PrecisionMarkers {
public:
  PrecisionMarkers(Module &M, Diagnostics &Diags) : M(M), Diags(Diags) {}

  /// Calls in two branches would become one of a function that depends on them.
  bool keepApart() {
    bool Changed = false;
    for (CallBase *Call : markers()) {
      Changed |= !Call->cannotMerge();
      Call->addFnAttr(Attribute::NoMerge);
    }
    return Changed;
  }

  bool run() {
    std::vector<CallBase *> Functions;
    bool Changed = false;
    for (CallBase *Call : markers()) {
      MarkerKind Kind = kindOf(*Call);
      if (Kind == MarkerKind::TruncateFunction ||
          Kind == MarkerKind::TruncateMemory)
        Functions.push_back(Call);
      else
        convert(*Call);
      Changed = true;
    }
    // What a function asks for is made before the function is narrowed.
    for (bool Progress = true; Progress && !Functions.empty();) {
      Progress = false;
      for (CallBase *&Call : Functions)
        if (!waits(*Call, Functions)) {
          replace(*Call);
          Call = nullptr;
          Progress = true;
          break;
        }
      erase(Functions, nullptr);
    }
    for (CallBase *Call : Functions)
      replace(*Call);
    return narrowNamed() || Changed;
  }

  /// Functions that the option names compute so themselves.
  bool narrowNamed() {
    bool Changed = false;
    SmallVector<StringRef, 4> Rows;
    StringRef(Options::get().Truncate).split(Rows, ',', -1, false);
    for (StringRef Row : Rows)
      Changed |= narrowRow(Row);
    return Changed;
  }

private:
  static MarkerKind kindOf(const CallBase &Call) {
    const Function *F = functionBehind(Call.getCalledOperand());
    return F ? markerKind(*F) : MarkerKind::None;
  }

  std::vector<CallBase *> markers() {
    std::vector<CallBase *> Calls;
    if (none_of(M, [](Function &F) { return asksForPrecision(markerKind(F)); }))
      return Calls;
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I);
            Call && !Call->isInlineAsm() && asksForPrecision(kindOf(*Call)))
          Calls.push_back(Call);
    return Calls;
  }

  std::shared_ptr<const Origin> origin(CallBase &Call) const {
    return originOf(Call, *functionBehind(Call.getCalledOperand()));
  }

  /// Another of \p Calls stands in what \p Call narrows.
  static bool waits(CallBase &Call, ArrayRef<CallBase *> Calls) {
    Function *F = functionBehind(Call.getArgOperand(0));
    if (!F || F->isDeclaration())
      return false;
    std::vector<Function *> Reached = reachedFrom(*F);
    return any_of(Calls, [&](CallBase *Other) {
      return Other && is_contained(Reached, Other->getFunction());
    });
  }

  std::optional<FloatFormat> formatOf(CallBase &Call) {
    SmallVector<uint64_t, 4> Numbers;
    for (Value *Given : drop_begin(Call.args())) {
      const auto *C = dyn_cast<ConstantInt>(lookThrough(Given));
      if (!C) {
        badFormat(Call, "operand " + utostr(Numbers.size() + 1) +
                            " is not known at compile time");
        return std::nullopt;
      }
      Numbers.push_back(C->getLimitedValue(1000));
    }
    Expected<FloatFormat> Format = FloatFormat::of(Numbers);
    if (Format)
      return *Format;
    badFormat(Call, toString(Format.takeError()));
    return std::nullopt;
  }

  void badFormat(CallBase &Call, const std::string &What) {
    auto From = origin(Call);
    Diags.report(Diag::BadFormat, *From, &Call, {From->Callee, What});
  }

  void convert(CallBase &Call) {
    std::optional<FloatFormat> Format;
    if (Call.arg_empty())
      return badFormat(Call, "no number is given");
    if (Format = formatOf(Call); !Format)
      return;
    Value *Given = Call.getArgOperand(0);
    Type *Wide = Format->fromType(M.getContext());
    if (!Given->getType()->isFloatingPointTy() ||
        !(Call.getType()->isFloatingPointTy() || Call.use_empty()))
      return badFormat(Call, "it converts one floating-point number");
    IRBuilder<> B(&Call);
    Value *Result = B.CreateFPCast(Given, Wide);
    if (kindOf(Call) == MarkerKind::TruncateValue)
      Result = roundTo(*Format, Result, B);
    if (!Call.use_empty())
      Call.replaceAllUsesWith(B.CreateFPCast(Result, Call.getType()));
    eraseMarkerCall(Call);
  }

  void replace(CallBase &Call) {
    if (Call.arg_empty() || !Call.getArgOperand(0)->getType()->isPointerTy())
      return badFormat(Call, "no function is given");
    std::optional<FloatFormat> Format = formatOf(Call);
    if (!Format)
      return;
    auto From = origin(Call);
    Function *F = functionBehind(Call.getArgOperand(0));
    if (!F || F->isDeclaration()) {
      Diags.report(Diag::NotNarrowed, *From, &Call,
                   {F ? sourceName(*F) : From->Callee,
                    F ? "its body is not visible here"
                      : "the function is not known at compile time",
                    "give the marker a function of this file"});
      return;
    }
    const bool Memory = kindOf(Call) == MarkerKind::TruncateMemory;
    Function *Narrow = narrowed(*F, {*Format, Memory}, *From);
    if (!Narrow)
      return;
    if (!Call.use_empty())
      Call.replaceAllUsesWith(Narrow);
    eraseMarkerCall(Call);
  }

  Function *narrowed(Function &F, const NarrowForm &Form, const Origin &From) {
    Narrower &Copies = Narrowers.try_emplace(Form.text(), Form).first->second;
    return Copies.narrowed(
        F, [&](Instruction &At, std::string What, std::string Cure) {
          Diags.report(Diag::NotNarrowed, From, &At,
                       {sourceName(F), std::move(What), std::move(Cure)});
        });
  }

  bool narrowRow(StringRef Row) {
    auto [Name, Numbers] = splitRow(Row);
    Origin From;
    From.Callee = "-adze-truncate=" + Row.str();
    Expected<FloatFormat> Format = FloatFormat::of(Numbers);
    if (!Format) {
      Diags.report(Diag::BadFormat, From, nullptr,
                   {From.Callee, toString(Format.takeError())});
      return false;
    }
    SmallVector<Function *, 2> Named;
    for (Function &F : M)
      if (!F.isDeclaration() && !F.hasFnAttribute(NarrowedMark) &&
          isNamed(F, Name))
        Named.push_back(&F);
    bool Changed = false;
    for (Function *F : Named)
      Changed |= narrowInPlace(*F, {*Format, false}, From);
    return Changed;
  }

  bool narrowInPlace(Function &F, const NarrowForm &Form, Origin &From) {
    From.In = &F;
    if (F.isVarArg()) {
      Diags.report(Diag::NotNarrowed, From, nullptr,
                   {sourceName(F), "it has a variable number of arguments",
                    "leave it out"});
      return false;
    }
    Function *Narrow = narrowed(F, Form, From);
    if (!Narrow)
      return false;
    F.addFnAttr(NarrowedMark);
    const GlobalValue::LinkageTypes Linkage = F.getLinkage();
    F.deleteBody();
    F.setLinkage(Linkage);
    IRBuilder<> B(BasicBlock::Create(F.getContext(), "", &F));
    SmallVector<Value *, 8> Args(make_pointer_range(F.args()));
    CallInst *Call = B.CreateCall(Narrow, Args);
    Call->setCallingConv(F.getCallingConv());
    Call->setAttributes(F.getAttributes().removeFnAttributes(F.getContext()));
    if (F.getReturnType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(Call);
    return true;
  }

  /// The name may hold colons of C++; the numbers stand behind the last ones.
  static std::pair<StringRef, SmallVector<uint64_t, 4>>
  splitRow(StringRef Row) {
    SmallVector<uint64_t, 4> Numbers;
    for (;;) {
      auto [Rest, Last] = Row.rsplit(':');
      uint64_t N = 0;
      if (Rest.size() == Row.size() || Last.getAsInteger(10, N))
        break;
      Numbers.insert(Numbers.begin(), N);
      Row = Rest;
    }
    return {Row, Numbers};
  }

  Module &M;
  Diagnostics &Diags;
  std::map<std::string, Narrower> Narrowers;
};

} // namespace

bool adze::prepareNarrowing(Module &M) {
  Diagnostics Diags(&M.getContext());
  PrecisionMarkers Markers(M, Diags);
  const bool Kept = Markers.keepApart();
  return Markers.narrowNamed() || Kept;
}

bool adze::narrowFunctions(Module &M, Diagnostics &Diags) {
  return PrecisionMarkers(M, Diags).run();
}
