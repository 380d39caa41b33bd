// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guards that are shared compute what the guards of each product do, whatever
// is zero, infinite or NaN; and they are shared only where that is allowed.
#include "KnownJit.h"
#include "Managers.h"
#include "adze/Cleanup.h"
#include "adze/GuardedProduct.h"
#include "adze/OwnFunction.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace adze;

namespace {

unsigned countTests(const Function &F) {
  return count_if(instructions(F), [](const Instruction &I) {
    auto *Compare = dyn_cast<FCmpInst>(&I);
    return Compare && Compare->getPredicate() == FCmpInst::FCMP_UNO;
  });
}

class CleanupGuards : public testing::Test {
protected:
  LLVMContext Context;
  std::unique_ptr<Module> M;
  Managers Of;

  Function &parse(const std::string &Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(
        Text + "declare double @adze.product.double(double, double) "
               "memory(none) nounwind willreturn nofree nosync speculatable",
        Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
    Function &F = *M->getFunction("adze.grad.f");
    markOwn(F);
    return F;
  }
  unsigned testsAfter(const std::string &Text) {
    Function &F = parse(Text);
    EXPECT_FALSE(errorToBool(lowerProducts(*M, Of.FAM)));
    EXPECT_FALSE(M->getFunction("adze.product.double"));
    return countTests(F);
  }
};

const char *Recurrence = "phi double [ %seed, %entry ], [ %c, %loop ]";

/// A loop of guarded products, \p Flags on them; an iteration starts with the
/// adjoint \p Start.
std::string loop(const char *Flags, const char *Start) {
  std::string Text = R"(
define void @adze.grad.f(ptr noalias %p, ptr noalias %g, i64 %n, double %seed) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %d = START
  %at = getelementptr double, ptr %p, i64 %i
  %q = load double, ptr %at
  %a = call FLAGS double @adze.product.double(double %q, double %d)
  %b = call FLAGS double @adze.product.double(double %q, double %a)
  %c = call FLAGS double @adze.product.double(double %q, double %b)
  %place = getelementptr double, ptr %g, i64 %i
  %old = load double, ptr %place
  %new = fadd reassoc nsz contract double %old, %c
  store double %new, ptr %place
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
})";
  auto Put = [&](StringRef Name, const char *By) {
    for (size_t At; (At = Text.find(Name)) != std::string::npos;)
      Text.replace(At, Name.size(), By);
  };
  Put("FLAGS", Flags);
  Put("START", Start);
  return Text;
}

TEST_F(CleanupGuards, ShareATestOfTheLast) {
  Function &F = parse(loop("contract", Recurrence));
  EXPECT_FALSE(errorToBool(lowerProducts(*M, Of.FAM)));
  EXPECT_EQ(countTests(F), 1u);
  // The products are there with guards and without.
  EXPECT_EQ(count_if(instructions(F),
                     [](Instruction &I) { return isa<SelectInst>(I); }),
            3);
  EXPECT_EQ(F.size(), 5u);
}

TEST_F(CleanupGuards, StayInLoopsForVectors) {
  EXPECT_EQ(testsAfter(loop("contract", "fneg double %seed")), 0u);
}

/// An inner loop that fills three arrays; all have the attribute \p Apart.
std::string rows(const char *Apart) {
  std::string A = Apart;
  return "define void @adze.grad.f(ptr " + A + " %p, ptr " + A + " %u, ptr " +
         A + " %v, ptr " + A + R"( %w, i64 %n, double %seed) {
entry:
  br label %row
row:
  %r = phi i64 [ 0, %entry ], [ %r.next, %row.end ]
  %start = mul i64 %r, %n
  br label %loop
loop:
  %i = phi i64 [ 0, %row ], [ %next, %loop ]
  %k = add i64 %start, %i
  %at.p = getelementptr double, ptr %p, i64 %k
  %q = load double, ptr %at.p
  %a = call contract double @adze.product.double(double %seed, double %q)
  %b = call contract double @adze.product.double(double %seed, double %a)
  %c = call contract double @adze.product.double(double %seed, double %b)
  %at.u = getelementptr double, ptr %u, i64 %k
  store double %c, ptr %at.u
  %at.v = getelementptr double, ptr %v, i64 %k
  store double %c, ptr %at.v
  %at.w = getelementptr double, ptr %w, i64 %k
  store double %c, ptr %at.w
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %row.end
row.end:
  %r.next = add nuw nsw i64 %r, 1
  %more.rows = icmp ult i64 %r.next, %n
  br i1 %more.rows, label %row, label %exit
exit:
  ret void
})";
}

TEST_F(CleanupGuards, StayInRowsThatNeedFewComparisons) {
  EXPECT_EQ(testsAfter(rows("noalias")), 0u);
  EXPECT_EQ(testsAfter(rows("")), 1u);
}

TEST_F(CleanupGuards, StayWhereNaNIsPoison) {
  EXPECT_EQ(testsAfter(loop("nnan contract", Recurrence)), 0u);
  EXPECT_EQ(testsAfter(loop("ninf", Recurrence)), 0u);
}

TEST_F(CleanupGuards, StayInSmallCode) {
  Function &F = parse(loop("contract", Recurrence));
  F.addFnAttr(Attribute::OptimizeForSize);
  EXPECT_FALSE(errorToBool(lowerProducts(*M, Of.FAM)));
  EXPECT_EQ(countTests(F), 0u);
}

/// Random blocks of guarded products, sums and accumulations. All numbers are
/// small or special: arithmetic is exact, however it is contracted.
class RandomBlock {
public:
  RandomBlock(unsigned Seed, Function &F)
      : Random(Seed), B(BasicBlock::Create(F.getContext(), "", &F)),
        Partials(F.getArg(0)), Sums(F.getArg(1)), Ty(B.getDoubleTy()) {}

  static constexpr unsigned Cells = 6;

  void build() {
    FastMathFlags Flags;
    Flags.setAllowContract();
    Flags.setNoSignedZeros();
    B.setFastMathFlags(Flags);
    Duals = {load(Sums), load(Sums)};
    for (unsigned N = 0; N < 30; ++N)
      add();
    B.CreateRetVoid();
  }

private:
  unsigned below(unsigned Limit) { return Random() % Limit; }
  Value *place(Value *Base) {
    return B.CreateConstGEP1_64(Ty, Base, below(Cells));
  }
  Value *load(Value *Base) { return B.CreateLoad(Ty, place(Base)); }
  /// One of the last few, so that there are chains.
  Value *dual() {
    unsigned Back = std::min<unsigned>(Duals.size(), 4);
    return Duals[Duals.size() - 1 - below(Back)];
  }
  Value *product(Value *Dual) {
    return guardedProduct(B, load(Partials), Dual, KeptZeros::OfSecond);
  }
  void add() {
    switch (below(12)) {
    case 0:
      return Duals.push_back(load(Sums));
    case 1:
      return Duals.push_back(B.CreateFAdd(dual(), dual()));
    case 2:
      return Duals.push_back(B.CreateFSub(dual(), dual()));
    case 3:
      return Duals.push_back(B.CreateFNeg(dual()));
    case 4: {
      Value *IsLess = B.CreateFCmpOLT(dual(), load(Partials));
      return Duals.push_back(B.CreateSelect(IsLess, dual(), dual()));
    }
    case 5:
    case 6: {
      Value *Place = place(Sums);
      Value *Old = B.CreateLoad(Ty, Place);
      B.CreateStore(B.CreateFAdd(Old, dual()), Place);
      return;
    }
    default:
      return Duals.push_back(product(dual()));
    }
  }

  std::mt19937 Random;
  IRBuilder<> B;
  Value *Partials, *Sums;
  Type *Ty;
  std::vector<Value *> Duals;
};

bool areSame(double A, double B) {
  return (std::isnan(A) && std::isnan(B)) || A == B;
}

TEST(CleanupGuardsRun, AreWhatTheyWereForAllNumbers) {
  constexpr unsigned Programs = 120, Runs = 200;
  KnownJit Jit;
  LLVMContext &Context = Jit.context();
  Type *Pointer = PointerType::getUnqual(Context);
  auto *Ty =
      FunctionType::get(Type::getVoidTy(Context), {Pointer, Pointer}, false);
  unsigned Shared = 0;
  {
    Managers Of;
    for (unsigned N = 0; N < Programs; ++N) {
      auto *Kept = Function::Create(Ty, GlobalValue::ExternalLinkage,
                                    "kept" + Twine(N), Jit.module());
      // Without it, no partial can be read before a sum is stored.
      if (N % 2)
        Kept->addParamAttr(0, Attribute::NoAlias);
      RandomBlock(N, *Kept).build();
      ValueToValueMapTy Map;
      Function *Other = CloneFunction(Kept, Map);
      Other->setName("shared" + Twine(N));
      markOwn(*Other);
    }
    ASSERT_FALSE(errorToBool(lowerProducts(Jit.module(), Of.FAM)));
    for (const Function &F : Jit.module())
      Shared += countTests(F) != 0;
  }
  EXPECT_GT(Shared, Programs / 2);
  ASSERT_TRUE(Jit.compile());

  constexpr unsigned Cells = RandomBlock::Cells;
  const double Numbers[] = {0,   0, 0,        -0.0,      1,  -2,
                            0.5, 3, INFINITY, -INFINITY, NAN};
  std::mt19937 Random(1);
  for (unsigned N = 0; N < Programs; ++N) {
    using Fn = void(const double *, double *);
    Fn *Kept = Jit.find<Fn>(("kept" + Twine(N)).str());
    Fn *Other = Jit.find<Fn>(("shared" + Twine(N)).str());
    ASSERT_TRUE(Kept && Other);
    for (unsigned Run = 0; Run < Runs; ++Run) {
      double Partials[Cells], Want[Cells], Got[Cells];
      for (unsigned I = 0; I < Cells; ++I) {
        // NaN in the sums hides all else: only now and then.
        Partials[I] = Numbers[Random() % 11];
        Want[I] = Got[I] = Numbers[Random() % (Run % 8 ? 8 : 11)];
      }
      Kept(Partials, Want);
      Other(Partials, Got);
      for (unsigned I = 0; I < Cells; ++I)
        ASSERT_TRUE(areSame(Want[I], Got[I]))
            << "program " << N << " run " << Run << " cell " << I << ": "
            << Want[I] << " became " << Got[I];
    }
  }
}

} // namespace
