// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code for GPUs calls: every function of libdevice and ocml, and every
// intrinsic of NVPTX and AMDGPU on floats, has a row, is lowered, or stands in
// the list of gaps; and what partials call is in the library.
#include "Known/KnownTable.h"
#include "KnownReference.h"
#include "Prepare/Stages.h"
#include "adze/ExprEmitter.h"
#include "adze/ParallelRuntime.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace adze;
using namespace llvm;

namespace {

const Real Pi = 3.14159265358979323846264338327950288L;

/// The root of \p F = \p Y, \p F rising.
Real solve(const std::function<Real(Real)> &F, Real Y) {
  Real Low = -20, High = 20;
  for (int K = 0; K < 200; ++K) {
    const Real Middle = (Low + High) / 2;
    (F(Middle) < Y ? Low : High) = Middle;
  }
  return (Low + High) / 2;
}

/// Modified Bessel functions by their series.
Real besselI(int Order, Real X) {
  Real Term = Order ? X / 2 : 1, Sum = 0;
  for (int K = 1; K < 200; ++K) {
    Sum += Term;
    Term *= X * X / 4 / K / (K + Order);
  }
  return Sum;
}

Real normal(Real X) { return erfcl(-X / sqrtl(2)) / 2; }

Real xorsign(Real Magnitude, const Reals &X) {
  return std::copysign(Magnitude, X[0]) * std::copysign(1.0L, X[1]);
}

/// As each of these writes in one line.
#define FORMULA(NAME, POINTS, ...)                                             \
  {NAME, [](const Reals &X) -> Real { return __VA_ARGS__; }, POINTS}

std::vector<Reference> specialReferences() {
  const std::vector<Reals> Anywhere = {{-2.3L}, {-0.4L}, {0.3L}, {1.9L}};
  const std::vector<Reals> InsideOne = {{-0.9L}, {-0.2L}, {0.1L}, {0.75L}};
  const std::vector<Reals> InsideTwo = {{0.1L}, {0.8L}, {1.3L}, {1.9L}};
  const std::vector<Reals> Shares = {{0.05L}, {0.4L}, {0.93L}};
  return {
      FORMULA("erfcx", Anywhere, expl(X[0] * X[0]) * erfcl(X[0])),
      FORMULA("erfinv", InsideOne, solve([](Real V) { return erfl(V); }, X[0])),
      FORMULA("erfcinv", InsideTwo,
              -solve([](Real V) { return erfcl(-V); }, X[0])),
      FORMULA("normcdf", Anywhere, normal(X[0])),
      FORMULA("normcdfinv", Shares, solve(normal, X[0])),
      FORMULA("cyl_bessel_i0", Anywhere, besselI(0, X[0])),
      FORMULA("cyl_bessel_i1", Anywhere, besselI(1, X[0])),
      FORMULA("amd_sincos", Anywhere, sinl(X[0])),
      FORMULA("amd_sincos 1", Anywhere, cosl(X[0])),
      FORMULA("amd_sincospi", Anywhere, sinl(Pi * X[0])),
      FORMULA("amd_sincospi 1", Anywhere, cosl(Pi * X[0])),
      FORMULA("amd_fract", Anywhere, X[0] - floorl(X[0])),
      FORMULA("amd_fract 1", Anywhere, floorl(X[0])),
      FORMULA("amdgcn_sin", Anywhere, sinl(2 * Pi * X[0])),
      FORMULA("amdgcn_cos", Anywhere, cosl(2 * Pi * X[0])),
      FORMULA("amdgcn_fract", Anywhere, X[0] - floorl(X[0])),
  };
}

std::vector<Reference> normReferences() {
  const std::vector<Reals> Pairs = {{0.7L, 1.3L}, {-1.2L, 0.4L}};
  const std::vector<Reals> Triples = {{0.7L, 1.3L, -2}, {-1.2L, 0.4L, 3}};
  const std::vector<Reals> Fours = {{0.7L, 1.3L, -2, 0.1L}, {-1.2L, 0, 3, 2}};
  auto norm = [](const Reals &X) {
    Real Sum = 0;
    for (Real V : X)
      Sum += V * V;
    return sqrtl(Sum);
  };
  auto inverse = [norm](const Reals &X) { return 1 / norm(X); };
  return {
      {"rhypot", inverse, Pairs},    {"norm3d", norm, Triples},
      {"rnorm3d", inverse, Triples}, {"norm4d", norm, Fours},
      {"rnorm4d", inverse, Fours},
  };
}

} // namespace

std::vector<Reference> adze::deviceReferences() {
  const std::vector<Reals> Anywhere = {{-2.3L}, {-0.4L}, {0.3L}, {1.9L}};
  const std::vector<Reals> Positive = {{0.02L}, {0.7L}, {1.0L}, {5.5L}};
  const std::vector<Reals> Bases = {{0.7L, 1.3L}, {2.2L, -0.4L}, {1.5L, 0}};
  const std::vector<Reals> Pairs = {
      {0.7L, 1.3L}, {-1.2L, 0.4L}, {2.6L, -0.9L}, {-0.3L, -1.8L}};
  const std::vector<Reals> Medians = {
      {0.7L, 1.3L, -2}, {5, 0.4L, 3}, {1, 2, 9}};
  const std::vector<Reals> Sums = {
      {0.7L, 1.3L, -2}, {0.2L, 0.4L, 0.3L}, {-1.2L, -2, 3}};
  std::vector<Reference> All = {
      FORMULA("fast_sin", Anywhere, sinl(X[0])),
      FORMULA("fast_cos", Anywhere, cosl(X[0])),
      FORMULA("fast_sincos 1", Anywhere, sinl(X[0])),
      FORMULA("fast_sincos 2", Anywhere, cosl(X[0])),
      FORMULA("fast_log", Positive, logl(X[0])),
      FORMULA("fast_pow", Bases, powl(X[0], X[1])),
      FORMULA("rcp", Positive, 1 / X[0]),
      FORMULA("rcbrt", Anywhere, 1 / cbrtl(X[0])),
      FORMULA("saturate", Anywhere, fminl(fmaxl(X[0], 0), 1)),
      FORMULA("maxmag", Pairs, fabsl(X[0]) > fabsl(X[1]) ? X[0] : X[1]),
      FORMULA("minmag", Pairs, fabsl(X[0]) < fabsl(X[1]) ? X[0] : X[1]),
      FORMULA("amdgcn_rsq_clamp", Positive, 1 / sqrtl(X[0])),
      FORMULA("amdgcn_fmed3", Medians,
              fmaxl(fminl(X[0], X[1]), fminl(fmaxl(X[0], X[1]), X[2]))),
      FORMULA("nvvm_fmax_xorsign", Pairs,
              xorsign(fmaxl(fabsl(X[0]), fabsl(X[1])), X)),
      FORMULA("nvvm_fmin_xorsign", Pairs,
              xorsign(fminl(fabsl(X[0]), fabsl(X[1])), X)),
      FORMULA("nvvm_fma_sat", Sums, fminl(fmaxl(X[0] * X[1] + X[2], 0), 1)),
      FORMULA("nvvm_fma_relu", Sums, fmaxl(X[0] * X[1] + X[2], 0)),
  };
  for (auto &&More : {specialReferences(), normReferences()})
    All.insert(All.end(), More.begin(), More.end());
  return All;
}

namespace {

struct LibraryFunction {
  const char *Name, *Signature;
};
const LibraryFunction Libdevice[] = {
#define ADZE_LIBDEVICE(NAME, SIGNATURE) {NAME, SIGNATURE},
#include "Libdevice.def"
};
const LibraryFunction Ocml[] = {
#define ADZE_OCML(NAME, SIGNATURE) {NAME, SIGNATURE},
#include "Ocml.def"
};

class KnownDevice : public ::testing::Test {
protected:
  LLVMContext Ctx;

  Type *typeOf(char Letter) {
    switch (Letter) {
    case 'd':
      return Type::getDoubleTy(Ctx);
    case 'f':
      return Type::getFloatTy(Ctx);
    case 'h':
      return Type::getHalfTy(Ctx);
    case 'H':
      return FixedVectorType::get(Type::getHalfTy(Ctx), 2);
    case 'F':
      return FixedVectorType::get(Type::getFloatTy(Ctx), 2);
    case 'S':
      return FixedVectorType::get(Type::getInt16Ty(Ctx), 2);
    case 'I':
      return FixedVectorType::get(Type::getInt32Ty(Ctx), 2);
    case 'p':
      return PointerType::getUnqual(Ctx);
    case 'v':
      return Type::getVoidTy(Ctx);
    default:
      return Type::getIntNTy(Ctx, Letter == 'b'   ? 1
                                  : Letter == 'c' ? 8
                                  : Letter == 's' ? 16
                                  : Letter == 'i' ? 32
                                                  : 64);
    }
  }

  Function *declare(Module &M, const LibraryFunction &F) {
    auto [Result, Operands] = StringRef(F.Signature).split(':');
    SmallVector<Type *, 4> Params;
    for (char Letter : Operands)
      Params.push_back(typeOf(Letter));
    return Function::Create(FunctionType::get(typeOf(Result[0]), Params, false),
                            GlobalValue::ExternalLinkage, F.Name, M);
  }

  /// Integers alone: not inlined only where the library is not linked.
  static bool isOfIntegers(const LibraryFunction &F) {
    return StringRef(F.Signature).find_first_of("dfhHFp") == StringRef::npos;
  }

  /// Every partial of \p Known on \p Ty is valid IR for \p M.
  void emitPartials(Module &M, const KnownFunction &Known, FunctionType *FT) {
    std::vector<const ScalarRow *> Rows;
    if (!Known.Row.Partials.empty())
      Rows.push_back(&Known.Row);
    for (const OutputRow &Output : Known.Outputs)
      Rows.push_back(&Output.Row);
    Type *Ty = FT->getReturnType();
    if (!Ty->isFPOrFPVectorTy())
      Ty = FT->getParamType(0);
    for (const ScalarRow *Row : Rows)
      for (const Expr &E : Row->Partials) {
        if (!E)
          continue;
        EXPECT_TRUE(canEmitExpr(M, E, Ty)) << Known.Family;
        auto *F = Function::Create(FT->get(Type::getVoidTy(Ctx), FT->params(),
                                           /*isVarArg=*/false),
                                   GlobalValue::ExternalLinkage, "f", M);
        IRBuilder<> B(BasicBlock::Create(Ctx, "", F));
        SmallVector<Value *, 4> Args;
        for (Argument &A : F->args())
          Args.push_back(&A);
        EXPECT_TRUE(emitExpr(B, E, Args, PoisonValue::get(Ty), Ty))
            << Known.Family;
        B.CreateRetVoid();
      }
  }

  void checkLibrary(const char *Triple, ArrayRef<LibraryFunction> Library,
                    StringRef Prefix) {
    Module M("m", Ctx);
    M.setTargetTriple(Triple);
    std::map<std::string, FunctionType *> Types;
    for (const LibraryFunction &L : Library)
      Types[L.Name] = declare(M, L)->getFunctionType();
    for (const LibraryFunction &L : Library) {
      Function *F = M.getFunction(L.Name);
      if (isOfIntegers(L) || isLoweredOnDevice(F->getName()) || deviceGap(*F))
        continue;
      const KnownFunction *Known = lookupKnown(*F);
      EXPECT_TRUE(Known) << L.Name << ' ' << L.Signature;
      if (Known)
        emitPartials(M, *Known, F->getFunctionType());
    }
    EXPECT_FALSE(verifyModule(M, &errs()));
    for (Function &F : M)
      if (F.isDeclaration() && F.getName().starts_with(Prefix))
        EXPECT_TRUE(Types.count(F.getName().str()) &&
                    Types[F.getName().str()] == F.getFunctionType())
            << F.getName().str() << " is not in the library";
  }
};

} // namespace

TEST_F(KnownDevice, EveryFunctionOfLibdevice) {
  checkLibrary("nvptx64-nvidia-cuda", Libdevice, "__nv_");
}

TEST_F(KnownDevice, EveryFunctionOfOcml) {
  std::vector<LibraryFunction> Real;
  for (const LibraryFunction &F :
       Ocml) // complex functions: no header calls them
    if (!StringRef(F.Signature).contains('F') ||
        StringRef(F.Name).contains("ma"))
      Real.push_back(F);
  checkLibrary("amdgcn-amd-amdhsa", Real, "__ocml_");
}

TEST_F(KnownDevice, EveryIntrinsicOnFloats) {
  using Descriptor = Intrinsic::IITDescriptor;
  Module M("m", Ctx);
  unsigned Rows = 0, Gaps = 0, Lowered = 0;
  for (Intrinsic::ID ID = 1; ID != Intrinsic::num_intrinsics; ++ID) {
    StringRef Name = Intrinsic::getBaseName(ID);
    if (!Name.starts_with("llvm.nvvm.") && !Name.starts_with("llvm.amdgcn.") &&
        !Name.starts_with("llvm.r600."))
      continue;
    SmallVector<Descriptor> Types;
    Intrinsic::getIntrinsicInfoTableEntries(ID, Types);
    const bool OnFloats = any_of(Types, [](const Descriptor &D) {
      return D.Kind == Descriptor::Half || D.Kind == Descriptor::BFloat ||
             D.Kind == Descriptor::Float || D.Kind == Descriptor::Double ||
             (D.Kind == Descriptor::Argument &&
              (D.getArgumentKind() == Descriptor::AK_Any ||
               D.getArgumentKind() == Descriptor::AK_AnyFloat));
    });
    // How threads exchange values is no matter of tables.
    const bool Exchanges =
        Intrinsic::getAttributes(Ctx, ID).hasFnAttr(Attribute::Convergent);
    if (!OnFloats || Exchanges)
      continue;
    Function *F =
        Function::Create(FunctionType::get(Type::getVoidTy(Ctx), false),
                         GlobalValue::ExternalLinkage, "probe", M);
    F->setName(Name.str() + ".f32");
    Function *Plain =
        Function::Create(F->getFunctionType(), F->getLinkage(), Name, M);
    const bool IsGap = deviceGap(*Plain) || deviceGap(*F);
    const bool IsRow = KnownTable::get().byIntrinsic(ID);
    const bool IsLowered = isLoweredOnDevice(ID);
    EXPECT_TRUE(IsGap || IsRow || IsLowered) << Name.str();
    EXPECT_FALSE(IsRow && IsLowered) << Name.str();
    Rows += IsRow;
    Lowered += IsLowered;
    Gaps += !IsRow && !IsLowered;
    F->eraseFromParent();
    Plain->eraseFromParent();
  }
  EXPECT_GT(Rows, 300u);
  EXPECT_GT(Lowered, 15u);
  EXPECT_GT(Gaps, 300u);
}

TEST_F(KnownDevice, ChoicesAtKinks) {
  struct Choice {
    const char *Family;
    Reals X;
    unsigned Operand;
    Real Expected;
  };
  const Choice Choices[] = {
      {"saturate", {0}, 0, 1},
      {"saturate", {1}, 0, 1},
      {"saturate", {-0.5L}, 0, 0},
      {"saturate", {NAN}, 0, 0},
      {"norm3d", {0, 0, 0}, 1, 0},
      {"norm4d", {0, 0, 0, 0}, 3, 0},
      {"cyl_bessel_i1", {0}, 0, 0.5L},
      {"amdgcn_fmed3", {2, 2, 1}, 0, 1},
      {"amdgcn_fmed3", {2, 2, 1}, 1, 0},
      {"maxmag", {-2, 2}, 1, 1},
      {"minmag", {-2, 2}, 0, 1},
      {"maxmag", {3, NAN}, 0, 1},
      {"nvvm_fma_sat", {1, 1, 1}, 2, 0},
      {"nvvm_fmax_xorsign", {2, -2}, 0, -1},
      {"nvvm_fmax_xorsign", {2, -2}, 1, 0},
      {"rnorm3d", {1e1500L, 0, 0}, 0, -1e-3000L},
  };
  for (const Choice &C : Choices) {
    Real Result = referenceOf(C.Family)->Function(C.X);
    Real Partial =
        evaluate(lookupFamily(C.Family)->Row.Partials[C.Operand], C.X, Result);
    EXPECT_LE(std::fabs(Partial - C.Expected), 1e-15L * std::fabs(C.Expected))
        << C.Family << " by " << C.Operand << ": " << double(Partial);
  }
}
