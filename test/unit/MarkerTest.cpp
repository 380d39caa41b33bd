// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replacing markers: every form of result, and invokes. The derivatives are
// declarations with the signatures that Request.h promises.
#include "adze/Marker.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace adze;

namespace {

const char Prelude[] = R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@enzyme_dup = external global i32
@enzyme_const = external global i32
@enzyme_out = external global i32
@enzyme_primal_return = external global i32
define double @product(double noundef %x, double noundef %y) {
  %p = fmul double %x, %y
  ret double %p
}
define float @fproduct(float noundef %x, float noundef %y) {
  %p = fmul float %x, %y
  ret float %p
}
%triple = type { double, double, double }
define double @of_triple(ptr noundef byval(%triple) align 8 %t) {
  %a = load double, ptr %t
  ret double %a
}
define void @to_triple(ptr sret(%triple) align 8 %r, double noundef %x) {
  store double %x, ptr %r
  ret void
}
)";

/// Takes what is reported; the default handler would end the program.
struct Silent : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

class MarkerTest : public testing::Test {
protected:
  void SetUp() override { C.setDiagnosticHandler(std::make_unique<Silent>()); }

  void parse(const std::string &Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Prelude + Text, Error, C);
    ASSERT_TRUE(M) << Error.getMessage().str();
  }

  /// A declaration with the signature of \p R's derivative.
  Function *declare(const Request &R) {
    SmallVector<Type *, 8> Params, Returned;
    Type *Ty = R.Primal->getReturnType();
    if (R.ReturnPrimal)
      Returned.push_back(Ty);
    bool Forward = R.Kind.isForward();
    if (Forward && R.Ret != RetActivity::Const)
      Returned.push_back(Ty);
    for (auto [Arg, Activity] : zip(R.Primal->args(), R.Args)) {
      Params.push_back(Arg.getType());
      if (hasShadowParam(Activity))
        Params.push_back(Arg.getType());
      if (returnsAdjoint(Activity))
        Returned.push_back(Arg.getType());
    }
    if (!Forward && retTakesAdjoint(R.Ret))
      Params.push_back(Ty);
    Type *Ret = Returned.empty() ? Type::getVoidTy(C)
                                 : (Type *)StructType::get(C, Returned);
    return Function::Create(FunctionType::get(Ret, Params, false),
                            GlobalValue::ExternalLinkage, "derivative", *M);
  }

  /// Replaces all markers; false if one is refused.
  bool replaceAll() {
    Diagnostics Diags(&C);
    for (CallBase *Call : findMarkers(*M)) {
      std::optional<Marker> Parsed = parseMarker(*Call, Diags);
      if (!Parsed)
        return false;
      Derivative D;
      D.Req = Parsed->Req;
      D.Forward = D.Fused = declare(Parsed->Req);
      replaceMarker(*Parsed, D, Diags);
    }
    reportLeftovers(*M, Diags);
    return Diags.errors() == 0;
  }

  void expectValid() {
    std::string Wrong;
    raw_string_ostream OS(Wrong);
    EXPECT_FALSE(verifyModule(*M, &OS)) << OS.str();
    for (Function &F : *M)
      EXPECT_FALSE(F.getName().contains("__enzyme")) << F.getName().str();
  }

  std::string text(StringRef Function) {
    std::string Text;
    raw_string_ostream OS(Text);
    M->getFunction(Function)->print(OS);
    return OS.str();
  }

  unsigned count(StringRef Name, unsigned Opcode) {
    unsigned N = 0;
    for (Instruction &I : instructions(*M->getFunction(Name)))
      N += I.getOpcode() == Opcode;
    return N;
  }

  LLVMContext C;
  std::unique_ptr<Module> M;
};

TEST_F(MarkerTest, ScalarIsTakenFromTheStructure) {
  parse(R"(
declare double @__enzyme_autodiff(ptr, ...)
define double @caller(double noundef %x) {
  %c = load i32, ptr @enzyme_const
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr noundef @product, double noundef %x, i32 noundef %c, double noundef 2.0)
  ret double %d
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  EXPECT_EQ(0u, count("caller", Instruction::Alloca));
  EXPECT_NE(std::string::npos,
            text("caller").find("call { double } @derivative(double %x, double "
                                "2.000000e+00, double 1.000000e+00)"))
      << text("caller");
}

TEST_F(MarkerTest, StructureMemberByMember) {
  parse(R"(
declare { double, double } @__enzyme_autodiff(ptr, ...)
define { double, double } @caller(double noundef %x) {
  %d = call { double, double } (ptr, ...) @__enzyme_autodiff(ptr noundef @product, double noundef %x, double noundef %x)
  ret { double, double } %d
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  EXPECT_EQ(0u, count("caller", Instruction::Alloca));
  EXPECT_EQ(2u, count("caller", Instruction::InsertValue));
}

TEST_F(MarkerTest, TwoFloatsInOneRegister) {
  parse(R"(
declare <2 x float> @__enzyme_autodiff(ptr, ...)
define <2 x float> @caller(float noundef %x) {
  %e = fpext float %x to double
  %d = call <2 x float> (ptr, ...) @__enzyme_autodiff(ptr noundef @fproduct, double noundef %e, double noundef %e)
  ret <2 x float> %d
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  // Through memory: the optimizer makes registers of it.
  EXPECT_EQ(2u, count("caller", Instruction::Store));
  EXPECT_NE(std::string::npos, text("caller").find("load <2 x float>"));
}

TEST_F(MarkerTest, ResultInTheMarkersMemory) {
  parse(R"(
declare void @__enzyme_autodiff(ptr sret(%triple), ptr, ...)
define void @caller(ptr sret(%triple) %r, double noundef %x) {
  %p = load i32, ptr @enzyme_primal_return
  call void (ptr, ptr, ...) @__enzyme_autodiff(ptr sret(%triple) %r, ptr noundef @product, i32 noundef %p, double noundef %x, double noundef %x)
  ret void
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  EXPECT_EQ(3u, count("caller", Instruction::Store));
}

TEST_F(MarkerTest, StructureByValueIsCopiedAndItsAdjointReturned) {
  parse(R"(
declare void @__enzyme_autodiff(ptr sret(%triple), ptr, ...)
define void @caller(ptr sret(%triple) %r, ptr byval(%triple) %t) {
  call void (ptr, ptr, ...) @__enzyme_autodiff(ptr sret(%triple) %r, ptr noundef @of_triple, ptr byval(%triple) %t)
  ret void
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  EXPECT_EQ(2u, count("caller", Instruction::Alloca));
  EXPECT_EQ(std::string::npos, text("caller").find("@derivative(ptr %t"));
  EXPECT_NE(std::string::npos, text("caller").find("i64 24, i1 false)"));
}

TEST_F(MarkerTest, TangentOfAStructureThatIsReturnedInMemory) {
  parse(R"(
declare void @__enzyme_fwddiff(ptr sret(%triple), ptr, ...)
define void @caller(ptr sret(%triple) %r, double noundef %x) {
  call void (ptr, ptr, ...) @__enzyme_fwddiff(ptr sret(%triple) %r, ptr noundef @to_triple, double noundef %x, double noundef 1.0)
  ret void
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
}

TEST_F(MarkerTest, PrecisionIsConverted) {
  parse(R"(
declare double @__enzyme_fwddiff(ptr, ...)
define double @caller(float noundef %x) {
  %e = fpext float %x to double
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr noundef @fproduct, double noundef %e, double noundef 1.0, double noundef 2.0, double noundef 0.0)
  ret double %d
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  EXPECT_NE(std::string::npos,
            text("caller").find("@derivative(float %x, float 1.000000e+00, "
                                "float 2.000000e+00, float 0.000000e+00)"))
      << text("caller");
}

TEST_F(MarkerTest, InvokeKeepsItsHandlers) {
  parse(R"(
declare double @__enzyme_autodiff(ptr, ...)
declare i32 @__gxx_personality_v0(...)
define double @caller(double noundef %x, i1 %b) personality ptr @__gxx_personality_v0 {
entry:
  %c = load i32, ptr @enzyme_const
  br i1 %b, label %call, label %join
call:
  %d = invoke double (ptr, ...) @__enzyme_autodiff(ptr noundef @product, double noundef %x, i32 noundef %c, double noundef 2.0)
          to label %join unwind label %pad
join:
  %r = phi double [ %d, %call ], [ 0.0, %entry ]
  ret double %r
pad:
  %u = phi double [ 3.0, %call ]
  %l = landingpad { ptr, i32 } catch ptr null
  ret double %u
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
  EXPECT_EQ(1u, count("caller", Instruction::Invoke));
  EXPECT_EQ(1u, count("caller", Instruction::ExtractValue));
}

TEST_F(MarkerTest, MarkerBehindAVariable) {
  parse(R"(
declare double @__enzyme_autodiff(ptr, ...)
define double @caller(double noundef %x) {
  %variable = alloca ptr
  store ptr @__enzyme_autodiff, ptr %variable
  %c = load i32, ptr @enzyme_const
  %marker = load ptr, ptr %variable
  %d = call double (ptr, ...) %marker(ptr noundef @product, double noundef %x, i32 noundef %c, double noundef 2.0)
  ret double %d
})");
  ASSERT_TRUE(replaceAll());
  expectValid();
}

TEST_F(MarkerTest, EscapedMarkerIsRefused) {
  parse(R"(
declare double @__enzyme_autodiff(ptr, ...)
declare void @use(ptr)
define void @caller() {
  call void @use(ptr @__enzyme_autodiff)
  ret void
})");
  EXPECT_FALSE(replaceAll());
}

TEST_F(MarkerTest, InnerMarkersComeInEarlierRounds) {
  parse(R"(
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
define double @outer(double noundef %x) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr noundef @through, double noundef %x, double noundef 1.0)
  ret double %d
}
define double @through(double noundef %x) {
  %d = call double @slope(double %x)
  ret double %d
}
define double @slope(double noundef %x) {
  %c = load i32, ptr @enzyme_const
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr noundef @product, double noundef %x, i32 noundef %c, double noundef 2.0)
  ret double %d
}
define double @itself(double noundef %x) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr noundef @itself, double noundef %x, double noundef 1.0)
  ret double %d
}
define double @beside(double noundef %x) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr noundef @slope, double noundef %x, double noundef 1.0)
  ret double %d
})");
  std::vector<std::string> Names;
  for (const auto &Round : markerRounds(findMarkers(*M))) {
    Names.emplace_back();
    for (CallBase *Call : Round)
      Names.back() += Call->getFunction()->getName().str() + " ";
  }
  EXPECT_EQ((std::vector<std::string>{"slope ", "outer beside ", "itself "}),
            Names);
}

TEST_F(MarkerTest, ModuleWithoutMarkersIsLeftAlone) {
  parse("");
  std::string Before, After;
  raw_string_ostream(Before) << *M;
  EXPECT_TRUE(findMarkers(*M).empty());
  Diagnostics Diags;
  reportLeftovers(*M, Diags);
  raw_string_ostream(After) << *M;
  EXPECT_EQ(Before, After);
}

} // namespace
