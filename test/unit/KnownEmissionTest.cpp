// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions as IR: every partial on every type is valid, and, compiled and
// run, gives what the expression means.
#include "Known/KnownTable.h"
#include "KnownJit.h"
#include "KnownReference.h"
#include "adze/ComplexFunction.h"
#include "adze/ExprEmitter.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <complex>

using namespace adze;
using namespace llvm;

namespace {

/// Everything in the tables that has partials: name, signature, row.
struct Row {
  std::string Name;
  StringRef Operands;
  const ScalarRow *Partials;
};
std::vector<Row> allRows() {
  std::vector<Row> Rows;
  for (const FamilyRecord &R : KnownTable::get().records()) {
    if (!R.Known.Signature)
      continue;
    StringRef Operands = StringRef(R.Known.Signature).split(':').second;
    if (!R.Known.Row.Partials.empty())
      Rows.push_back({R.Known.Family, Operands, &R.Known.Row});
    for (const OutputRow &Output : R.Known.Outputs) {
      std::string Name = R.Known.Family;
      if (Output.Place != OutputRow::Returned)
        Name += " " + std::to_string(Output.Place);
      Rows.push_back({Name, Operands, &Output.Row});
    }
  }
  return Rows;
}

/// C23's functions: in no C library that the tests may count on.
bool isInCLibrary(const Expr &E) {
  if (E->Kind == ExprKind::Call) {
    StringRef Family(E->Family);
    if (Family.ends_with("pi") || Family.contains("rootn"))
      return false;
  }
  return all_of(E->Operands, isInCLibrary);
}

/// A partial that calls what only libraries of GPUs have.
bool isForDevices(const Expr &E) {
  if (E->Kind == ExprKind::Call) {
    const FamilyRecord *R = KnownTable::get().byFamily(E->Family);
    if (R->Nvidia || R->Amd || R->AmdIntrinsic)
      return !R->InLibrary && R->Intrinsic == Intrinsic::not_intrinsic;
  }
  return any_of(E->Operands, isForDevices);
}

/// void SYMBOL(ptr): reads the operands and the result from a block of \p Ty,
/// writes the partial behind them. Integer operands come as floats.
void writePartial(Module &M, const std::string &Symbol, const Row &R,
                  const Expr &E, Type *Ty) {
  LLVMContext &Ctx = M.getContext();
  auto *F =
      Function::Create(FunctionType::get(Type::getVoidTy(Ctx),
                                         {PointerType::getUnqual(Ctx)}, false),
                       GlobalValue::ExternalLinkage, Symbol, M);
  IRBuilder<> B(BasicBlock::Create(Ctx, "", F));
  auto Load = [&](unsigned I) {
    return B.CreateLoad(Ty, B.CreateConstGEP1_32(Ty, F->getArg(0), I));
  };
  SmallVector<Value *, 3> Args;
  for (unsigned I = 0; I != R.Operands.size(); ++I) {
    Value *V = Load(I);
    if (R.Operands[I] == 'i') // int, or long
      V = B.CreateFPToSI(V, Ty->getWithNewType(R.Name == "scalbln"
                                                   ? B.getInt64Ty()
                                                   : B.getInt32Ty()));
    Args.push_back(R.Operands[I] == 'p' ? nullptr : V);
  }
  Value *Partial = emitExpr(B, E, Args, Load(R.Operands.size()), Ty);
  EXPECT_TRUE(Partial) << R.Name;
  if (Partial)
    B.CreateStore(
        Partial, B.CreateConstGEP1_32(Ty, F->getArg(0), R.Operands.size() + 1));
  B.CreateRetVoid();
}

template <typename T> Type *typeFor(LLVMContext &Ctx);
template <> Type *typeFor<float>(LLVMContext &Ctx) {
  return Type::getFloatTy(Ctx);
}
template <> Type *typeFor<double>(LLVMContext &Ctx) {
  return Type::getDoubleTy(Ctx);
}
template <> Type *typeFor<long double>(LLVMContext &Ctx) {
  return Type::getX86_FP80Ty(Ctx);
}

/// Compiles all partials for type T and compares with evaluate().
template <typename T> void runPartials(double Tolerance) {
  KnownJit Jit;
  struct Check {
    std::string Symbol;
    Row R;
    Expr E;
  };
  std::vector<Check> Checks;
  for (const Row &R : allRows())
    for (const Expr &E : R.Partials->Partials)
      if (E && isInCLibrary(E) && !isForDevices(E) && referenceOf(R.Name)) {
        Checks.push_back({"check" + std::to_string(Checks.size()), R, E});
        writePartial(Jit.module(), Checks.back().Symbol, R, E,
                     typeFor<T>(Jit.context()));
      }
  ASSERT_GT(Checks.size(), 100u);
  ASSERT_TRUE(Jit.compile());
  for (const Check &C : Checks) {
    auto *Run = Jit.find<void(T *)>(C.Symbol);
    ASSERT_TRUE(Run) << C.R.Name;
    for (const Reals &Point : referenceOf(C.R.Name)->Points) {
      Reals X;
      for (Real V : Point)
        X.push_back(T(V));
      const Real Result = referenceOf(C.R.Name)->Function(X);
      T Block[7] = {};
      std::copy(X.begin(), X.end(), Block);
      Block[C.R.Operands.size()] = T(Result);
      Run(Block);
      const double Expected = evaluate(C.E, X, T(Result));
      EXPECT_NEAR(double(Block[C.R.Operands.size() + 1]), Expected,
                  Tolerance * std::max(1.0, std::fabs(Expected)))
          << C.R.Name << " at " << double(X[0]);
    }
  }
}

} // namespace

TEST(KnownEmission, ValidOnEveryType) {
  LLVMContext Ctx;
  Type *Scalars[] = {Type::getHalfTy(Ctx),     Type::getBFloatTy(Ctx),
                     Type::getFloatTy(Ctx),    Type::getDoubleTy(Ctx),
                     Type::getX86_FP80Ty(Ctx), Type::getFP128Ty(Ctx)};
  for (Type *Scalar : Scalars)
    for (unsigned Lanes : {0, 2, 4}) {
      Type *Ty = Lanes ? FixedVectorType::get(Scalar, Lanes) : Scalar;
      Module M("m", Ctx);
      M.setTargetTriple("x86_64-unknown-linux-gnu");
      unsigned Count = 0;
      for (const Row &R : allRows())
        for (const Expr &E : R.Partials->Partials)
          if (E && !isForDevices(E)) {
            EXPECT_TRUE(canEmitExpr(M, E, Ty)) << R.Name;
            writePartial(M, "f" + std::to_string(Count++), R, E, Ty);
          }
      EXPECT_FALSE(verifyModule(M, &errs()));
    }
}

TEST(KnownEmission, RunsInDouble) { runPartials<double>(1e-10); }
TEST(KnownEmission, RunsInFloat) { runPartials<float>(2e-5); }
#ifdef __x86_64__
TEST(KnownEmission, RunsInLongDouble) { runPartials<long double>(1e-10); }
#endif

TEST(KnownEmission, SharedSubexpressionsOnce) {
  LLVMContext Ctx;
  Module M("m", Ctx);
  Type *D = Type::getDoubleTy(Ctx);
  auto *F = Function::Create(FunctionType::get(D, {D}, false),
                             GlobalValue::ExternalLinkage, "f", M);
  IRBuilder<> B(BasicBlock::Create(Ctx, "", F));
  const Expr Sin = call("sin", arg(0));
  B.CreateRet(emitExpr(B, Sin * Sin + Sin, {F->getArg(0)}, nullptr, D));
  EXPECT_EQ(F->getEntryBlock().size(), 4u); // sin, *, +, ret
  auto *Call = cast<CallInst>(&F->getEntryBlock().front());
  EXPECT_TRUE(Call->doesNotAccessMemory());
}

TEST(KnownEmission, NamesThatTheProgramHasTaken) {
  LLVMContext Ctx;
  Module M("m", Ctx);
  M.setTargetTriple("x86_64-unknown-linux-gnu");
  Type *D = Type::getDoubleTy(Ctx);
  auto *Private = Function::Create(FunctionType::get(D, {}, false),
                                   GlobalValue::InternalLinkage, "erf", M);
  FunctionCallee Erf = declareScalar(M, "erf", D);
  ASSERT_TRUE(Erf.getCallee());
  EXPECT_NE(Erf.getCallee(), Private);
  EXPECT_EQ(Erf.getCallee()->getName(), "erf");
  new GlobalVariable(M, D, false, GlobalValue::ExternalLinkage,
                     ConstantFP::get(D, 0), "jn");
  EXPECT_FALSE(declareScalar(M, "jn", D).getCallee());
  const Expr Partial = lookupFamily("j0")->Row.Partials[0];
  EXPECT_FALSE(canEmitExpr(M, Partial, D));
}

TEST(KnownEmission, DeviceLibrary) {
  LLVMContext Ctx;
  Module M("m", Ctx);
  M.setTargetTriple("nvptx64-nvidia-cuda");
  Type *D = Type::getDoubleTy(Ctx);
  auto NameOf = [&](StringRef Family, Type *Ty) {
    return declareScalar(M, Family, Ty).getCallee()->getName();
  };
  EXPECT_EQ(NameOf("cos", D), "__nv_cos");
  EXPECT_EQ(NameOf("cos", Type::getFloatTy(Ctx)), "__nv_cosf");
  EXPECT_EQ(NameOf("fabs", D), "llvm.fabs.f64");
  Module A("a", Ctx);
  A.setTargetTriple("amdgcn-amd-amdhsa");
  EXPECT_EQ(declareScalar(A, "exp", D).getCallee()->getName(),
            "__ocml_exp_f64");
}

// ---- digamma ---------------------------------------------------------------

TEST(KnownEmission, Digamma) {
  KnownJit Jit;
  for (Type *Ty :
       {Type::getFloatTy(Jit.context()), Type::getDoubleTy(Jit.context())}) {
    auto Callee = declareScalar(Jit.module(), "adze.digamma", Ty);
    cast<Function>(Callee.getCallee())
        ->setLinkage(GlobalValue::ExternalLinkage);
  }
  ASSERT_TRUE(Jit.compile());
  auto *Psi = Jit.find<double(double)>("adze.digamma.f64");
  auto *PsiF = Jit.find<float(float)>("adze.digamma.f32");
  ASSERT_TRUE(Psi && PsiF);
  const double Euler = 0.57721566490153286061, Log2 = std::log(2.0);
  const std::pair<double, double> Known[] = {
      {1, -Euler},
      {0.5, -Euler - 2 * Log2},
      {0.25, -Euler - M_PI / 2 - 3 * Log2},
      {2, 1 - Euler},
      {4, 11.0 / 6 - Euler},
      {-0.5, 2 - Euler - 2 * Log2},
      {1e-3, -1000.5755719318103005},
      {1e10, std::log(1e10) - 5e-11},
      {1.4616321449683623413, 0}};
  for (auto [X, Expected] : Known) {
    EXPECT_NEAR(Psi(X), Expected, 3e-15 * std::max(1.0, std::fabs(Expected)))
        << X;
    EXPECT_NEAR(PsiF(X), Psi(float(X)),
                6e-8 * std::max(1.0, std::fabs(Expected)));
  }
  // psi(x + 1) = psi(x) + 1 / x on both sides of every threshold.
  for (double X = -6.75; X < 30; X += 0.5)
    EXPECT_NEAR(Psi(X + 1), Psi(X) + 1 / X, 2e-14) << X;
  EXPECT_TRUE(std::isinf(Psi(0)));
  EXPECT_TRUE(std::isinf(Psi(-3)));
  EXPECT_TRUE(std::isnan(Psi(NAN)));
  EXPECT_EQ(Psi(INFINITY), INFINITY);
}
