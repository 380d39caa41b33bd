// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The activity analysis of a function f in a module given as text.
#ifndef ADZE_TEST_UNIT_ACTIVITYFIXTURE_H
#define ADZE_TEST_UNIT_ACTIVITYFIXTURE_H
#include "adze/Analyses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <map>

using namespace adze;
using namespace llvm;

namespace activity_test {

const ArgActivity Const = ArgActivity::Const;
const ArgActivity Dup = ArgActivity::Dup;
const ArgActivity Out = ArgActivity::Out;

inline const char *const Prelude =
    "declare ptr @malloc(i64)\n"
    "declare void @free(ptr)\n"
    "declare double @sin(double)\n"
    "declare i32 @printf(ptr, ...)\n"
    "declare double @unknown(double)\n"
    "declare ptr @get()\n"
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n";

/// Parses a module and analyzes its function f.
class Activity {
public:
  Activity(const std::string &Text, ArrayRef<ArgActivity> Args,
           RetActivity Ret = RetActivity::Active,
           DerivativeKind Kind = DerivativeKind::Fused)
      : Kind(Kind) {
    Context.setDiagnosticHandlerCallBack(
        [](const DiagnosticInfo *Info, void *This) {
          std::string Message;
          raw_string_ostream OS(Message);
          DiagnosticPrinterRawOStream Printer(OS);
          Info->print(Printer);
          static_cast<Activity *>(This)->Messages += OS.str() + "\n";
        },
        this);
    SMDiagnostic Error;
    M = parseAssemblyString(Prelude + Text, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << ": "
                    << Error.getLineContents().str();
      return;
    }
    Request R;
    R.Primal = M->getFunction("f");
    R.Kind = Kind;
    R.Args.assign(Args.begin(), Args.end());
    R.Ret = Ret;
    auto Callees = [this](Function &F) { return primal(F); };
    const Primal &P = *primal(*R.Primal);
    Types = analyzeTypes(P, {}, Callees);
    Info = analyzeActivity(P, R, *Types, Callees, Diags, Origin());
  }

  const Primal *primal(Function &F) {
    if (F.isDeclaration())
      return nullptr;
    std::unique_ptr<Primal> &P = Primals[F.getName().str()];
    if (!P) {
      P = std::make_unique<Primal>();
      P->F = P->Source = &F;
      P->DT = std::make_unique<DominatorTree>(F);
      P->LI = std::make_unique<LoopInfo>(*P->DT);
    }
    return P.get();
  }

  const Value *named(StringRef Name) const {
    const Function &F = *M->getFunction("f");
    if (const Value *V = F.getValueSymbolTable()->lookup(Name))
      return V;
    if (const Value *V = M->getNamedGlobal(Name))
      return V;
    ADD_FAILURE() << "no value " << Name.str();
    return nullptr;
  }
  bool active(StringRef Name) const { return Info->isActiveValue(named(Name)); }
  bool shadow(StringRef Name) const { return Info->hasShadow(named(Name)); }
  bool plain(StringRef Name) const {
    return Info->mayBeSelfShadowed(named(Name));
  }
  bool takesPart(StringRef Name) const {
    return Info->isActiveInstruction(cast<Instruction>(named(Name)));
  }
  CallActivity call(StringRef Name) const {
    return activityOfCall(*Info, *cast<Instruction>(named(Name)), Kind);
  }
  unsigned errors() const { return Diags.errors(); }
  std::string text() const {
    std::string Text;
    raw_string_ostream OS(Text);
    Info->print(OS);
    return OS.str();
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::map<std::string, std::unique_ptr<Primal>> Primals;
  std::string Messages;
  Diagnostics Diags;
  std::unique_ptr<TypeInfo> Types;
  std::unique_ptr<ActivityInfo> Info;
  DerivativeKind Kind;
};

using Kinds = SmallVector<ArgActivity, 8>;

} // namespace activity_test
#endif
