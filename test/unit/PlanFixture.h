// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans of functions written as text, on the real analyses. Arguments whose
// names begin with "const" are inactive, pointers are dup, floats are out.
#ifndef ADZE_TEST_UNIT_PLANFIXTURE_H
#define ADZE_TEST_UNIT_PLANFIXTURE_H

#include "adze/Analyses.h"
#include "adze/Plan.h"
#include "adze/Prepare.h"
#include "adze/Rule.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace adze {

/// Plans f of a module; f and all it calls with bodies.
class Planned final : public CalleeProvider {
public:
  explicit Planned(const std::string &Text,
                   DerivativeKind Kind = DerivativeKind::Fused)
      : Diags(&Context), Primals(Diags) {
    llvm::SMDiagnostic Error;
    M = llvm::parseAssemblyString(Text, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str() << ": "
                    << Error.getLineContents().str();
      return;
    }
    Context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *Info, void *Texts) {
          llvm::raw_string_ostream OS(*static_cast<std::string *>(Texts));
          llvm::DiagnosticPrinterRawOStream Printer(OS);
          Info->print(Printer);
          OS << '\n';
        },
        &Reports);
    Request R;
    R.Primal = M->getFunction("f");
    R.Kind = Kind;
    for (const llvm::Argument &A : R.Primal->args())
      R.Args.push_back(A.getName().starts_with("const") ? ArgActivity::Const
                       : A.getType()->isPointerTy()     ? ArgActivity::Dup
                       : A.getType()->isDoubleTy()      ? ArgActivity::Out
                                                        : ArgActivity::Const);
    R.Ret = R.Primal->getReturnType()->isDoubleTy() ? RetActivity::Active
                                                    : RetActivity::Const;
    auto It = Entries.try_emplace(R.key(), nullptr).first;
    Main = make(It->second, R);
  }

  const Derivative *derivative(const Request &R,
                               const llvm::CallBase &) override {
    auto [It, New] = Entries.try_emplace(R.key(), nullptr);
    if (New)
      make(It->second, R);
    return &It->second->D;
  }
  const Plan *planOf(const Derivative &D) override {
    return Entries.find(D.Req.key())->second->P.get();
  }
  const Primal *primalOf(llvm::Function &F) override {
    return F.isDeclaration() ? nullptr : Primals.get(F, Origin());
  }

  const Plan &plan() const { return *Main->P; }
  Plan &plan() { return *Main->P; }
  bool failed() const { return !Main || !Main->P; }
  const Facts &facts() const { return Main->F; }

  const llvm::Value *value(llvm::StringRef Name) const {
    const llvm::Function &F = *Main->F.P->F;
    for (const llvm::Argument &A : F.args())
      if (A.getName() == Name)
        return &A;
    for (const llvm::Instruction &I : llvm::instructions(F))
      if (I.getName() == Name)
        return &I;
    ADD_FAILURE() << "no value " << Name.str() << " in\n" << text();
    return nullptr;
  }
  /// "available", "recompute", "reload", "keep", or "none" if the plan does not
  /// read it.
  std::string source(llvm::StringRef Name, Part Which = Part::Primal) const {
    const Decision *D = plan().find(value(Name), Which);
    if (!D)
      return "none";
    switch (D->From) {
    case Source::Available:
      return "available";
    case Source::Recompute:
      return "recompute";
    case Source::Reload:
      return "reload";
    case Source::Cache:
      return "keep";
    }
    return "";
  }
  const Slot *slot(llvm::StringRef Name, Part Which = Part::Primal) const {
    const Decision *D = plan().find(value(Name), Which);
    if (!D || D->Slot == NoSlot) {
      ADD_FAILURE() << "no slot for " << Name.str() << " in\n" << text();
      return nullptr;
    }
    return &plan().Slots[D->Slot];
  }
  std::string text() const {
    std::string Text;
    llvm::raw_string_ostream OS(Text);
    Main->F.P->F->print(OS);
    if (Main->P)
      Main->P->print(OS);
    return OS.str();
  }

  std::string Reports;
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  Diagnostics Diags;

private:
  struct Entry {
    Facts F;
    Derivative D;
    std::unique_ptr<Plan> P;
  };

  Entry *make(std::unique_ptr<Entry> &Place, const Request &R) {
    Place = std::make_unique<Entry>();
    Entry *E = Place.get();
    E->D.Req = E->F.R = R;
    E->F.P = Primals.get(*R.Primal, Origin());
    auto lookup = [&](llvm::Function &F) { return primalOf(F); };
    auto From = std::make_shared<Origin>();
    E->F.Types = analyzeTypes(*E->F.P, R.Types, lookup);
    E->F.Activity =
        analyzeActivity(*E->F.P, R, *E->F.Types, lookup, Diags, *From);
    E->F.Memory = analyzeMemory(*E->F.P, R, needsRuleIfInactive);
    E->D.TapeType = llvm::StructType::create(Context, "tape");
    E->P = R.Kind.isForward() ? makeForwardPlan(E->F, *this, Diags, From)
                              : makePlan(E->F, *this, Diags, From);
    if (E->P) {
      llvm::SmallVector<llvm::Type *, 8> Fields;
      for (const Slot &S : E->P->Slots)
        if (S.Base == NoSlot)
          Fields.push_back(S.Element);
      E->D.TapeType->setBody(Fields);
      E->D.Planned = true;
      EXPECT_EQ(toString(verifyPlan(*E->P)), "");
    }
    return E;
  }

  PrimalStore Primals;
  std::map<std::string, std::unique_ptr<Entry>> Entries;
  Entry *Main = nullptr;
};

} // namespace adze
#endif
