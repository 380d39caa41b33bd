// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that a front end asks for without markers.
#include "adze/Derive.h"
#include "KnownJit.h"
#include "Managers.h"
#include "adze/Diagnostics.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace adze;

namespace {

class Derive : public testing::Test {
protected:
  Function *parse(const char *Text, const char *Name) {
    SMDiagnostic Error;
    auto Read = parseAssemblyString(Text, Error, Jit.context());
    EXPECT_TRUE(Read) << Error.getMessage().str();
    Read->setDataLayout(Jit.module().getDataLayout());
    Read->setTargetTriple(Jit.module().getTargetTriple());
    Linker::linkModules(Jit.module(), std::move(Read));
    return Jit.module().getFunction(Name);
  }

  /// void \p Name(double *out, ...): calls \p F and stores what it returns.
  void enter(Function *F, const char *Name) {
    auto *FT = F->getFunctionType();
    SmallVector<Type *, 4> Types{PointerType::getUnqual(Jit.context())};
    append_range(Types, FT->params());
    IRBuilder<> B(Jit.context());
    Function *Entry =
        Function::Create(FunctionType::get(B.getVoidTy(), Types, false),
                         GlobalValue::ExternalLinkage, Name, Jit.module());
    B.SetInsertPoint(BasicBlock::Create(Jit.context(), "", Entry));
    SmallVector<Value *, 4> Args;
    for (Argument &A : drop_begin(Entry->args()))
      Args.push_back(&A);
    B.CreateStore(B.CreateCall(F, Args), Entry->getArg(0));
    B.CreateRetVoid();
  }

  Managers Of;
  KnownJit Jit;
};

// double f(double x, const double *p) { return x * p[0] * p[0]; }
constexpr const char *Text = R"(
define double @f(double %x, ptr %p) {
  %p0 = load double, ptr %p, align 8
  %a = fmul double %x, %p0
  %b = fmul double %a, %p0
  ret double %b
})";
constexpr const char *Assembly = R"(
define double @g(double %x) {
  %r = call double asm "nop", "=x,x"(double %x)
  %s = fmul double %r, %x
  ret double %s
})";

TEST_F(Derive, MakesOneDerivativeForEachRequest) {
  Function *F = parse(Text, "f");
  Request Gradient;
  Gradient.Primal = F;
  Gradient.Args = {ArgActivity::Out, ArgActivity::Dup};
  Gradient.Ret = RetActivity::Active;
  Gradient.MayBeOverwritten.Arguments = {false, false};
  Request Tangent = Gradient;
  Tangent.Kind = DerivativeKind::Forward;
  Tangent.Args = {ArgActivity::Dup, ArgActivity::Dup};
  Diagnostics Diags(nullptr);
  auto Made = derive(Jit.module(), Of.MAM, {Gradient, Tangent}, Diags);
  ASSERT_EQ(Made.size(), 2u);
  EXPECT_EQ(Diags.errors(), 0u);
  EXPECT_FALSE(verifyModule(Jit.module(), &errs()));
  enter(Made[0].Fused, "gradient");
  enter(Made[1].Forward, "tangent");
  ASSERT_TRUE(Jit.compile());
  double Dx = 0, P = 3, Dp = 0;
  auto *Call =
      Jit.find<void(double *, double, double *, double *, double)>("gradient");
  ASSERT_TRUE(Call);
  Call(&Dx, 2, &P, &Dp, 1);
  EXPECT_DOUBLE_EQ(Dx, 9);
  EXPECT_DOUBLE_EQ(Dp, 12);
  auto *Push =
      Jit.find<void(double *, double, double, double *, double *)>("tangent");
  ASSERT_TRUE(Push);
  double Dy = 0, Direction = 0.5;
  Push(&Dy, 2, 1, &P, &Direction);
  EXPECT_DOUBLE_EQ(Dy, 9 + 6);
}

TEST_F(Derive, MakesNoneIfOneIsRefused) {
  parse(Text, "f");
  parse(Assembly, "g");
  Request Fine, Refused;
  Fine.Primal = Jit.module().getFunction("f");
  Fine.Args = {ArgActivity::Out, ArgActivity::Const};
  Fine.Ret = RetActivity::Active;
  Fine.MayBeOverwritten.Arguments = {false, false};
  Refused.Primal = Jit.module().getFunction("g");
  Refused.Args = {ArgActivity::Out};
  Refused.Ret = RetActivity::Active;
  Refused.MayBeOverwritten.Arguments = {false};
  Jit.context().setDiagnosticHandlerCallBack(
      [](const DiagnosticInfo *, void *) {});
  Diagnostics Diags(nullptr);
  EXPECT_TRUE(derive(Jit.module(), Of.MAM, {Fine, Refused}, Diags).empty());
  EXPECT_EQ(Diags.errors(), 1u);
  EXPECT_EQ(Jit.module().size(), 2u);
  EXPECT_FALSE(verifyModule(Jit.module(), &errs()));
}

} // namespace
