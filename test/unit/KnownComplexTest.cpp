// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of complex functions against differences along both axes (which
// also tells whether they are holomorphic), what is emitted from them, and how
// complex numbers cross calls.
#include "KnownJit.h"
#include "KnownReference.h"
#include "adze/ComplexFunction.h"
#include "adze/ExprEmitter.h"
#include "adze/KnownFunction.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <complex>
#include <map>

using namespace adze;
using namespace llvm;

namespace {

using Complex = std::complex<Real>;
using Complexes = std::vector<Complex>;
using ComplexFn = std::function<Complex(const Complexes &)>;

const std::map<std::string, ComplexFn> &functions() {
#define ROW(NAME, VALUE)                                                       \
  {NAME, [](const Complexes &Z) -> Complex { return VALUE; }}
  static const std::map<std::string, ComplexFn> Map = {
      ROW("complex.mul", Z[0] * Z[1]),   ROW("complex.div", Z[0] / Z[1]),
      ROW("cexp", std::exp(Z[0])),       ROW("clog", std::log(Z[0])),
      ROW("clog10", std::log10(Z[0])),   ROW("csqrt", std::sqrt(Z[0])),
      ROW("cpow", std::pow(Z[0], Z[1])), ROW("csin", std::sin(Z[0])),
      ROW("ccos", std::cos(Z[0])),       ROW("ctan", std::tan(Z[0])),
      ROW("casin", std::asin(Z[0])),     ROW("cacos", std::acos(Z[0])),
      ROW("catan", std::atan(Z[0])),     ROW("csinh", std::sinh(Z[0])),
      ROW("ccosh", std::cosh(Z[0])),     ROW("ctanh", std::tanh(Z[0])),
      ROW("casinh", std::asinh(Z[0])),   ROW("cacosh", std::acosh(Z[0])),
      ROW("catanh", std::atanh(Z[0])),   ROW("cabs", std::abs(Z[0])),
      ROW("carg", std::arg(Z[0])),       ROW("creal", Z[0].real()),
      ROW("cimag", Z[0].imag()),         ROW("conj", std::conj(Z[0])),
      ROW("cproj", std::proj(Z[0])),
  };
#undef ROW
  return Map;
}

const Complexes Points = {{0.7L, 0.4L},   {-1.3L, 0.6L}, {2.1L, -1.4L},
                          {-0.5L, -2.2L}, {0.2L, 3.1L},  {-3, 0.1L}};

Complex evaluateComplex(const Expr &E, const Complexes &Args, Complex Result) {
  auto Of = [&](unsigned I) {
    return evaluateComplex(E->Operands[I], Args, Result);
  };
  switch (E->Kind) {
  case ExprKind::Arg:
    return Args.at(E->Index);
  case ExprKind::Result:
    return Result;
  case ExprKind::Constant:
    return Real(E->Number);
  case ExprKind::Add:
    return Of(0) + Of(1);
  case ExprKind::Sub:
    return Of(0) - Of(1);
  case ExprKind::Mul:
    return Of(0) * Of(1);
  case ExprKind::Div:
    return Of(0) / Of(1);
  case ExprKind::Neg:
    return -Of(0);
  case ExprKind::Select:
    return Of(0) != Real(0) ? Of(1) : Of(2);
  case ExprKind::Equal:
    return Real(Of(0) == Of(1));
  case ExprKind::Call: {
    Complexes Operands;
    for (unsigned I = 0; I != E->Operands.size(); ++I)
      Operands.push_back(Of(I));
    return functions().at(E->Family)(Operands);
  }
  default:
    ADD_FAILURE() << "not a complex expression";
    return 0;
  }
}

/// Fourth-order difference of \p F by operand \p K along \p Direction.
Complex difference(const ComplexFn &F, Complexes Z, unsigned K,
                   Complex Direction) {
  const Real H = 1e-4L;
  const Complex At = Z[K];
  auto Step = [&](Real S) {
    Z[K] = At + S * H * Direction;
    return F(Z);
  };
  return (Real(8) * (Step(1) - Step(-1)) - (Step(2) - Step(-2))) / (12 * H);
}

Complexes operandsAt(const ComplexRow &Row, unsigned I) {
  Complexes Z{Points[I]};
  if (Row.NumOperands == 2)
    Z.push_back(Points[(I + 2) % Points.size()]);
  return Z;
}

void expectNear(Complex Got, Complex Wanted, const char *Family,
                double Tolerance = 1e-9) {
  EXPECT_LE(double(std::abs(Got - Wanted)),
            Tolerance * std::max(1.0, double(std::abs(Wanted))))
      << Family << ": " << double(Got.real()) << ' ' << double(Got.imag())
      << " for " << double(Wanted.real()) << ' ' << double(Wanted.imag());
}

} // namespace

TEST(KnownComplex, RowsAgreeWithDifferences) {
  for (const ComplexRow &Row : complexRows()) {
    ASSERT_TRUE(functions().count(Row.Family)) << Row.Family;
    const ComplexFn &F = functions().at(Row.Family);
    for (unsigned I = 0; I != Points.size(); ++I) {
      const Complexes Z = operandsAt(Row, I);
      const Complex Result = F(Z);
      for (unsigned K = 0; K != Row.NumOperands; ++K) {
        const Complex ByRe = difference(F, Z, K, 1);
        const Complex ByIm = difference(F, Z, K, Complex(0, 1));
        if (Row.isHolomorphic()) {
          Complex Partial = evaluateComplex(Row.Partials[K], Z, Result);
          expectNear(Partial, ByRe, Row.Family);
          expectNear(Partial * Complex(0, 1), ByIm, Row.Family);
          continue;
        }
        Reals Parts{Z[0].real(), Z[0].imag()};
        auto Entry = [&](unsigned Part, unsigned C) {
          const Expr &E = Row.Jacobian[Part][C];
          return E ? evaluate(E, Parts, Result.real()) : 0;
        };
        const bool Two = !Row.RealResult;
        expectNear({Entry(0, 0), Two ? Entry(1, 0) : 0}, ByRe, Row.Family);
        expectNear({Entry(0, 1), Two ? Entry(1, 1) : 0}, ByIm, Row.Family);
      }
    }
  }
}

TEST(KnownComplex, Edges) {
  auto At = [](const char *Family, unsigned K, Complexes Z) {
    return evaluateComplex(complexRow(Family)->Partials[K], Z,
                           functions().at(Family)(Z));
  };
  EXPECT_EQ(At("cpow", 1, {0, 2}), Complex(0));
  EXPECT_EQ(At("cpow", 0, {0, 0}), Complex(0));
  for (const char *Family : {"cabs", "carg"})
    for (unsigned C : {0, 1})
      EXPECT_EQ(evaluate(complexRow(Family)->Jacobian[0][C], {0, 0}, 0), 0);
}

namespace {

template <typename T>
void runComplex(Type *(*TypeOf)(LLVMContext &), double Tolerance) {
  KnownJit Jit;
  Type *Ty = TypeOf(Jit.context());
  struct Check {
    std::string Symbol;
    const ComplexRow *Row;
    unsigned Operand;
  };
  std::vector<Check> Checks;
  for (const ComplexRow &Row : complexRows())
    for (unsigned K = 0; K != Row.Partials.size(); ++K) {
      Checks.push_back({"check" + std::to_string(Checks.size()), &Row, K});
      auto *F = Function::Create(
          FunctionType::get(Type::getVoidTy(Jit.context()),
                            {PointerType::getUnqual(Jit.context())}, false),
          GlobalValue::ExternalLinkage, Checks.back().Symbol, Jit.module());
      IRBuilder<> B(BasicBlock::Create(Jit.context(), "", F));
      auto Address = [&](unsigned I) {
        return B.CreateConstGEP1_32(Ty, F->getArg(0), I);
      };
      auto Load = [&](unsigned I) -> ComplexValue {
        return {B.CreateLoad(Ty, Address(2 * I)),
                B.CreateLoad(Ty, Address(2 * I + 1))};
      };
      SmallVector<ComplexValue, 2> Args;
      for (unsigned I = 0; I != Row.NumOperands; ++I)
        Args.push_back(Load(I));
      ASSERT_TRUE(canEmitComplexExpr(Jit.module(), Row.Partials[K], Ty));
      ComplexValue D = emitComplexExpr(B, Row.Partials[K], Args, Load(2), Ty);
      ASSERT_TRUE(D) << Row.Family;
      B.CreateStore(D.Re, Address(6));
      B.CreateStore(D.Im, Address(7));
      B.CreateRetVoid();
    }
  ASSERT_FALSE(verifyModule(Jit.module(), &errs()));
  ASSERT_TRUE(Jit.compile());
  for (const Check &C : Checks) {
    auto *Run = Jit.find<void(T *)>(C.Symbol);
    ASSERT_TRUE(Run);
    for (unsigned I = 0; I != Points.size(); ++I) {
      const Complexes Z = operandsAt(*C.Row, I);
      const Complex Result = functions().at(C.Row->Family)(Z);
      T Block[8] = {T(Z[0].real()),     T(Z[0].imag()),   T(Z.back().real()),
                    T(Z.back().imag()), T(Result.real()), T(Result.imag())};
      Run(Block);
      expectNear({Block[6], Block[7]},
                 evaluateComplex(C.Row->Partials[C.Operand], Z, Result),
                 C.Row->Family, Tolerance);
    }
  }
}

} // namespace

#if defined(__x86_64__) || defined(__aarch64__)
TEST(KnownComplex, RunsInDouble) {
  runComplex<double>([](LLVMContext &C) { return Type::getDoubleTy(C); },
                     1e-12);
}
TEST(KnownComplex, RunsInFloat) {
  runComplex<float>([](LLVMContext &C) { return Type::getFloatTy(C); }, 2e-4);
}
#endif
#ifdef __x86_64__
TEST(KnownComplex, RunsInLongDouble) {
  runComplex<long double>([](LLVMContext &C) { return Type::getX86_FP80Ty(C); },
                          1e-15);
}
#endif

// ---- Calls as clang makes them ---------------------------------------------
// ------------------------------------------------

namespace {

const char *const Calls = R"(
target triple = "x86_64-unknown-linux-gnu"
declare { double, double } @cexp(double, double)
declare <2 x float> @cpowf(<2 x float>, <2 x float>)
declare { x86_fp80, x86_fp80 } @cexpl(ptr byval({ x86_fp80, x86_fp80 }) align 16)
declare <2 x float> @__mulsc3(float, float, float, float)
declare float @cabsf(<2 x float>)
declare void @csinh(ptr sret({ double, double }), double, double)
declare { double, double } @ccos(ptr)
define { double, double } @direct(double %a, double %b) {
  %r = call { double, double } @cexp(double %a, double %b)
  ret { double, double } %r
}
define <2 x float> @packed(<2 x float> %z, <2 x float> %w) {
  %r = call <2 x float> @cpowf(<2 x float> %z, <2 x float> %w)
  ret <2 x float> %r
}
define { x86_fp80, x86_fp80 } @copied(ptr %p) {
  %r = call { x86_fp80, x86_fp80 } @cexpl(ptr byval({ x86_fp80, x86_fp80 }) align 16 %p)
  ret { x86_fp80, x86_fp80 } %r
}
define <2 x float> @runtime(float %a, float %b) {
  %r = call <2 x float> @__mulsc3(float %a, float %b, float %b, float %a)
  ret <2 x float> %r
}
define float @length(<2 x float> %z) {
  %r = call float @cabsf(<2 x float> %z)
  ret float %r
}
define void @through(ptr %to, double %a) {
  call void @csinh(ptr sret({ double, double }) %to, double %a, double %a)
  ret void
}
define { double, double } @odd(ptr %p) {
  %r = call { double, double } @ccos(ptr %p)
  ret { double, double } %r
}
)";

CallInst *onlyComplexCall(Function &F) {
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I))
      return Call;
  return nullptr;
}

} // namespace

TEST(KnownComplex, CallsAreBroughtToParts) {
  LLVMContext Ctx;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(Calls, Error, Ctx);
  ASSERT_TRUE(M) << Error.getMessage().str();
  const std::pair<const char *, const char *> Expected[] = {
      {"direct", "cexp"},         {"packed", "cpow"}, {"copied", "cexp"},
      {"runtime", "complex.mul"}, {"length", "cabs"}, {"through", "csinh"}};
  for (auto [Name, Family] : Expected) {
    Function *F = M->getFunction(Name);
    lowerComplexCalls(*F);
    CallInst *Call = onlyComplexCall(*F);
    ASSERT_TRUE(Call) << Name;
    const ComplexRow *Row = complexRowOf(*Call);
    ASSERT_TRUE(Row) << Name;
    EXPECT_STREQ(Row->Family, Family);
    EXPECT_EQ(lookupKnown(*Call)->Kind, KnownKind::ComplexScalar);
    EXPECT_EQ(Call->arg_size(), 2 * Row->NumOperands);
    const bool Wrapped = !Call->getCalledFunction()->isDeclaration();
    EXPECT_EQ(Wrapped, StringRef(Name) != "direct") << Name;
  }
  Function *Odd = M->getFunction("odd");
  lowerComplexCalls(*Odd);
  EXPECT_FALSE(complexRowOf(*onlyComplexCall(*Odd)));
  EXPECT_FALSE(verifyModule(*M, &errs()));
}
