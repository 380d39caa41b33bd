// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Request identity: equal requests have equal keys, and every part counts.
#include "adze/Request.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"
#include <functional>

using namespace adze;

namespace {

struct RequestTest : testing::Test {
  llvm::LLVMContext C;
  llvm::Module M{"m", C};

  llvm::Function *function(llvm::StringRef Name) {
    auto *T = llvm::FunctionType::get(llvm::Type::getVoidTy(C), false);
    return llvm::Function::Create(T, llvm::GlobalValue::ExternalLinkage, Name,
                                  M);
  }

  Request base() {
    Request R;
    R.Primal = M.getFunction("f") ? M.getFunction("f") : function("f");
    R.Args = {ArgActivity::Const, ArgActivity::Dup};
    return R;
  }
};

TEST_F(RequestTest, EqualRequestsHaveEqualKeys) {
  EXPECT_TRUE(base() == base());
  EXPECT_EQ(base().key(), base().key());
}

TEST_F(RequestTest, EveryPartCounts) {
  llvm::Function *G = function("g");
  const std::vector<std::function<void(Request &)>> Changes = {
      [&](Request &R) { R.Primal = G; },
      [](Request &R) { R.Kind = DerivativeKind::Forward; },
      [](Request &R) { R.Kind = DerivativeKind::Split; },
      [](Request &R) { R.Args[0] = ArgActivity::Out; },
      [](Request &R) { R.Args[0] = ArgActivity::OutDup; },
      [](Request &R) { R.Args[0] = ArgActivity::DupNoNeed; },
      [](Request &R) { R.Args[1] = ArgActivity::Const; },
      [](Request &R) { R.Args.push_back(ArgActivity::Const); },
      [](Request &R) { R.Ret = RetActivity::Active; },
      [](Request &R) { R.Ret = RetActivity::Dup; },
      [](Request &R) { R.Ret = RetActivity::ActiveDup; },
      [](Request &R) { R.ReturnPrimal = true; },
      [](Request &R) { R.Width = 2; },
      [](Request &R) { R.Width = 4; },
      [](Request &R) { R.RuntimeActivity = true; },
      [](Request &R) { R.RunsAgain = true; },
      [](Request &R) { R.Descriptions = {"", "8 0+8d@MPI_Send"}; },
      [](Request &R) { R.Descriptions = {"8 0+8d@MPI_Send", ""}; },
      [](Request &R) { R.ArgumentFlags = {MayBeSelfShadowed, 0}; },
      [](Request &R) { R.ArgumentFlags = {0, MayBeSelfShadowed}; },
      [](Request &R) { R.ArgumentFlags = {MayHoldSelfShadowed, 0}; },
      [](Request &R) { R.MayBeOverwritten.Arguments = {false, true}; },
      [](Request &R) { R.MayBeOverwritten.Arguments = {true, false}; },
      [](Request &R) { R.MayBeOverwritten.Elsewhere = true; },
      [](Request &R) { R.Copied = {0}; },
      [](Request &R) { R.Copied = {1}; },
      [](Request &R) { R.Copied = {0, 1}; },
      [](Request &R) { R.Types.Arguments = {"", "{[-1]:Float}"}; },
      [](Request &R) { R.Types.Arguments = {"{[-1]:Float}", ""}; },
      [](Request &R) { R.Types.Result = "{[-1]:Float}"; },
  };
  std::vector<Request> All{base()};
  for (const auto &Change : Changes) {
    All.push_back(base());
    Change(All.back());
  }
  for (size_t I = 0; I != All.size(); ++I)
    for (size_t J = 0; J != All.size(); ++J) {
      EXPECT_EQ(I == J, All[I] == All[J]) << I << " and " << J;
      EXPECT_EQ(I == J, All[I].key() == All[J].key())
          << I << ": " << All[I].key() << ", " << J << ": " << All[J].key();
    }
}

// Type texts that hold the key's own separators must not run together.
TEST_F(RequestTest, TypesCannotImitateEachOther) {
  Request A = base(), B = base();
  A.Types.Arguments = {"a1:b", ""};
  B.Types.Arguments = {"a", "b"};
  EXPECT_NE(A.key(), B.key());
}

} // namespace
