// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Totality and lookup of the tables of known functions.
#include "Known/KnownTable.h"
#include "adze/ComplexFunction.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "gtest/gtest.h"
#include <set>

using namespace adze;
using namespace llvm;

namespace {

class KnownTest : public ::testing::Test {
protected:
  LLVMContext Ctx;
  Module M{"m", Ctx};

  Type *typeOf(char Letter, Type *Float) {
    switch (Letter) {
    case 'i':
      return Type::getInt32Ty(Ctx);
    case 'p':
      return PointerType::getUnqual(Ctx);
    case 'v':
      return Type::getVoidTy(Ctx);
    case 'g':
      return Type::getX86_FP80Ty(Ctx);
    default:
      return Float;
    }
  }
  Function *declare(StringRef Name, StringRef Signature, Type *Float) {
    auto [Result, Operands] = Signature.split(':');
    SmallVector<Type *, 4> Params;
    for (char Letter : Operands)
      Params.push_back(typeOf(Letter, Float));
    return Function::Create(
        FunctionType::get(typeOf(Result[0], Float), Params, false),
        GlobalValue::ExternalLinkage, Name, M);
  }
  const KnownFunction *lookup(StringRef Name, StringRef Signature) {
    return lookupKnown(*declare(Name, Signature, Type::getDoubleTy(Ctx)));
  }
};

struct Listed {
  const char *Signature;
  std::vector<const char *> Names;
};

} // namespace

TEST_F(KnownTest, NoNameStandsInTwoRows) {
  for (const std::string &Name : KnownTable::get().duplicates())
    ADD_FAILURE() << Name;
  EXPECT_GT(KnownTable::get().records().size(), 300u);
}

TEST_F(KnownTest, MathHeaderIsComplete) {
  // C99, 7.12.
  const Listed WithDerivative[] = {
      {"f:f", {"acos",  "asin",  "atan",  "cos",    "sin",   "tan",  "acosh",
               "asinh", "atanh", "cosh",  "sinh",   "tanh",  "exp",  "exp2",
               "expm1", "log",   "log10", "log1p",  "log2",  "cbrt", "fabs",
               "sqrt",  "erf",   "erfc",  "lgamma", "tgamma"}},
      {"f:ff",
       {"atan2", "hypot", "pow", "fmod", "remainder", "copysign", "nextafter",
        "fdim", "fmax", "fmin"}},
      {"f:fff", {"fma"}},
      {"f:fi", {"ldexp", "scalbn", "scalbln"}},
      {"f:fg", {"nexttoward"}},
      {"f:fp", {"frexp", "modf"}},
      {"f:ffp", {"remquo"}}};
  const Listed WithoutDerivative[] = {
      {"f:f", {"logb", "ceil", "floor", "nearbyint", "rint", "round", "trunc"}},
      {"i:f", {"ilogb", "lrint", "llrint", "lround", "llround"}},
      {"f:p", {"nan"}}};
  const std::pair<const char *, Type *> Precisions[] = {
      {"", Type::getDoubleTy(Ctx)},
      {"f", Type::getFloatTy(Ctx)},
      {"l", Type::getX86_FP80Ty(Ctx)}};
  for (auto [Suffix, Float] : Precisions) {
    for (const Listed &L : WithDerivative)
      for (const char *Name : L.Names) {
        const KnownFunction *K = lookupKnown(
            *declare(Name + std::string(Suffix), L.Signature, Float));
        ASSERT_TRUE(K) << Name << Suffix;
        EXPECT_STREQ(K->Family, Name);
        EXPECT_TRUE(K->Kind == KnownKind::Scalar ||
                    K->Kind == KnownKind::OutScalar)
            << Name;
      }
    for (const Listed &L : WithoutDerivative)
      for (const char *Name : L.Names) {
        const KnownFunction *K = lookupKnown(
            *declare(Name + std::string(Suffix), L.Signature, Float));
        ASSERT_TRUE(K) << Name << Suffix;
        EXPECT_EQ(K->Kind, KnownKind::Constant) << Name;
      }
  }
}

TEST_F(KnownTest, ComplexHeaderIsComplete) {
  // C99, 7.3.
  for (const char *Name :
       {"cacos",  "casin",  "catan",  "ccos",  "csin",  "ctan",
        "cacosh", "casinh", "catanh", "ccosh", "csinh", "ctanh",
        "cexp",   "clog",   "cabs",   "cpow",  "csqrt", "carg",
        "cimag",  "conj",   "cproj",  "creal"})
    for (const char *Suffix : {"", "f", "l"}) {
      const KnownFunction *K = lookup(Name + std::string(Suffix), "f:ff");
      ASSERT_TRUE(K) << Name << Suffix;
      EXPECT_EQ(K->Kind, KnownKind::ComplexScalar);
      EXPECT_TRUE(complexRow(K->Family)) << K->Family;
    }
  EXPECT_STREQ(lookup("__muldc3", "f:ffff")->Family, "complex.mul");
  EXPECT_STREQ(lookup("__divsc3", "f:ffff")->Family, "complex.div");
}

TEST_F(KnownTest, EveryMathIntrinsicHasARow) {
  Type *D = Type::getDoubleTy(Ctx), *I32 = Type::getInt32Ty(Ctx);
  FunctionType *Shapes[] = {
      FunctionType::get(D, {D}, false),
      FunctionType::get(D, {D, D}, false),
      FunctionType::get(D, {D, D, D}, false),
      FunctionType::get(D, {D, I32}, false),
      FunctionType::get(I32, {D}, false),
      FunctionType::get(StructType::get(D, I32), {D}, false),
      FunctionType::get(StructType::get(D, D), {D}, false)};
  // Rules of their own, or no functions of floats.
  std::set<std::string> Structural = {"llvm.callbr.landingpad", "llvm.ptrmask"};
  unsigned Found = 0;
  for (unsigned ID = 1; ID != Intrinsic::num_intrinsics; ++ID) {
    if (Function::isTargetIntrinsic(ID))
      continue;
    SmallVector<Intrinsic::IITDescriptor, 8> Table;
    Intrinsic::getIntrinsicInfoTableEntries(ID, Table);
    bool Fits = false;
    for (FunctionType *FT : Shapes) {
      ArrayRef<Intrinsic::IITDescriptor> Left = Table;
      SmallVector<Type *, 4> Overloads;
      Fits |= Intrinsic::matchIntrinsicSignature(FT, Left, Overloads) ==
                  Intrinsic::MatchIntrinsicTypes_Match &&
              Left.empty();
    }
    std::string Name = Intrinsic::getBaseName(ID).str();
    if (!Fits || Structural.erase(Name))
      continue;
    ++Found;
    EXPECT_TRUE(KnownTable::get().byIntrinsic(ID)) << Name;
  }
  EXPECT_GT(Found, 40u);
  EXPECT_TRUE(Structural.empty()) << *Structural.begin() << " is no candidate";
}

TEST_F(KnownTest, ConstrainedIntrinsicsShareTheRows) {
  const std::set<std::string> Structural = {"fpext", "fptrunc"};
  for (unsigned ID = 1; ID != Intrinsic::num_intrinsics; ++ID) {
    StringRef Name = Intrinsic::getBaseName(ID);
    if (!Name.consume_front("llvm.experimental.constrained.") ||
        Structural.count(Name.str()))
      continue;
    EXPECT_TRUE(KnownTable::get().byIntrinsic(ID)) << Name.str();
  }
  Type *D = Type::getDoubleTy(Ctx);
  Function *F = Intrinsic::getDeclaration(
      &M, Intrinsic::experimental_constrained_fadd, {D});
  ASSERT_TRUE(lookupKnown(*F));
  EXPECT_EQ(&lookupKnown(*F)->Row, arithmeticRow(Instruction::FAdd));
}

TEST_F(KnownTest, SpellingsAreOneFamily) {
  const std::pair<const char *, const char *> Spellings[] = {
      {"sinf", "sin"},
      {"sinl", "sin"},
      {"sinf128", "sin"},
      {"sinf16", "sin"},
      {"__sin_finite", "sin"},
      {"__nv_sin", "sin"},
      {"__nv_fast_sinf", "fast_sin"},
      {"__ocml_sin_f64", "sin"},
      {"_ZGVdN4v_sin", "sin"},
      {"_ZGVbN4v_sinf", "sin"},
      {"\1sin", "sin"},
      {"pow10l", "exp10"},
      {"gammaf", "lgamma"}};
  for (auto [Name, Family] : Spellings) {
    const KnownFunction *K = lookup(Name, "f:f");
    ASSERT_TRUE(K) << Name;
    EXPECT_STREQ(K->Family, Family);
  }
  EXPECT_FALSE(lookup("_ZGVdM4v_cos", "f:f")); // masked
  EXPECT_FALSE(lookup("sinx", "f:f"));
}

TEST_F(KnownTest, TheProgramsOwnFunctionsAreNotKnown) {
  EXPECT_FALSE(lookup("y1", "f:pi")); // another signature
  EXPECT_FALSE(lookup("jn", "f:ff"));
  Function *F = declare("y0", "f:f", Type::getDoubleTy(Ctx));
  EXPECT_TRUE(lookupKnown(*F));
  IRBuilder<> B(BasicBlock::Create(Ctx, "", F));
  B.CreateRet(F->getArg(0));
  EXPECT_FALSE(lookupKnown(*F)); // a body
  F->setLinkage(GlobalValue::AvailableExternallyLinkage);
  EXPECT_TRUE(lookupKnown(*F)); // a header's
}

TEST_F(KnownTest, CallsAreCheckedByTheirOwnType) {
  Function *Sin = declare("sin", "f:f", Type::getDoubleTy(Ctx));
  Function *F = declare("caller", "v:f", Type::getDoubleTy(Ctx));
  IRBuilder<> B(BasicBlock::Create(Ctx, "", F));
  EXPECT_TRUE(lookupKnown(*B.CreateCall(Sin, {F->getArg(0)})));
  FunctionType *Other = FunctionType::get(B.getInt32Ty(), {}, false);
  EXPECT_FALSE(lookupKnown(*B.CreateCall(Other, Sin, {})));
}

TEST_F(KnownTest, SemanticsOfOtherFunctions) {
  const KnownFunction *K = lookup("calloc", "p:ii");
  ASSERT_TRUE(K);
  EXPECT_EQ(K->Kind, KnownKind::Allocate);
  EXPECT_EQ(K->Allocation.CountArg, 0);
  EXPECT_EQ(K->Allocation.SizeArg, 1);
  EXPECT_TRUE(K->Allocation.Zeroed);
  K = lookup("_ZnwmSt11align_val_t", "p:ii");
  EXPECT_EQ(K->Allocation.AlignArg, 1);
  EXPECT_STREQ(K->Allocation.Deallocator, "_ZdlPvSt11align_val_t");
  EXPECT_EQ(lookup(K->Allocation.Deallocator, "v:pi")->Kind, KnownKind::Free);
  EXPECT_EQ(lookup("posix_memalign", "i:pii")->Kind, KnownKind::AllocateTo);
  EXPECT_EQ(lookup("printf", "i:p")->Kind, KnownKind::Inactive);
  EXPECT_EQ(lookup("fread", "i:piip")->Kind, KnownKind::Overwrites);
  EXPECT_EQ(lookup("_ZNSolsEd", "p:pf")->Kind, KnownKind::Inactive);
  EXPECT_EQ(lookup("_ZNSirsERd", "p:pp")->Kind, KnownKind::Overwrites);
  EXPECT_EQ(lookup("_ZSt20__throw_out_of_rangePKc", "v:p")->Kind,
            KnownKind::NoReturn);
  EXPECT_FALSE(lookup("_ZSt__throw_", "v:p"));
  EXPECT_EQ(lookup("abort", "v:")->Kind, KnownKind::NoReturn);
  EXPECT_EQ(lookup("__memcpy_chk", "p:ppii")->Kind, KnownKind::BlockCopy);
  EXPECT_EQ(lookup("strlen", "i:p")->Kind, KnownKind::ReadOnly);
  EXPECT_FALSE(lookup("cblas_ddot", "f:ipipi"));
  for (const FamilyRecord &R : KnownTable::get().records()) {
    if (R.Known.Kind != KnownKind::Allocate)
      continue;
    const char *Deallocator = R.Known.Allocation.Deallocator;
    EXPECT_EQ(KnownTable::get().byName(Deallocator)->Known.Kind,
              KnownKind::Free)
        << R.Known.Family;
  }
}

TEST_F(KnownTest, ArithmeticInstructions) {
  const unsigned Opcodes[] = {Instruction::FAdd, Instruction::FSub,
                              Instruction::FMul, Instruction::FDiv,
                              Instruction::FRem, Instruction::FNeg};
  for (unsigned Opcode : Opcodes)
    ASSERT_TRUE(arithmeticRow(Opcode)) << Instruction::getOpcodeName(Opcode);
  EXPECT_FALSE(arithmeticRow(Instruction::Add));
  EXPECT_TRUE(readsOf(arithmeticRow(Instruction::FDiv)->Partials[1]).Result);
}
