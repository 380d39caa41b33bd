// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The questions that other parts ask the type analysis, on small functions,
// and the cost of the analysis on large ones.
#include "adze/Analyses.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <ctime>
#include <map>

using namespace llvm;
using namespace adze;

namespace {

/// A module whose functions stand for their own canonical clones: what the
/// type analysis reads of a primal is its function.
class TypeTreeAnalysis : public testing::Test {
protected:
  void parse(const std::string &Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str() << " in line "
                   << Error.getLineNo();
  }

  const Primal *primal(Function &F) {
    std::unique_ptr<Primal> &P = Primals[&F];
    if (!P) {
      P = std::make_unique<Primal>();
      P->F = P->Source = &F;
    }
    return P.get();
  }

  void analyze(const CallerTypes &Known = {}, const char *Name = "f") {
    F = M->getFunction(Name);
    Types = analyzeTypes(*primal(*F), Known,
                         [&](Function &Callee) { return primal(Callee); });
  }

  const Value *value(StringRef Name) const {
    if (const Value *G = M->getNamedValue(Name))
      return G;
    return F->getValueSymbolTable()->lookup(Name);
  }

  static std::string text(const BlockLayout &L) {
    std::string S = std::to_string(L.Period) + ":";
    for (const TypedRange &R : L.Ranges)
      S += " [" + std::to_string(R.Begin) + "," + std::to_string(R.End) + ")" +
           R.Type.str();
    return S;
  }
  std::string memory(StringRef Name, uint64_t Bytes) const {
    return text(Types->memoryLayout(value(Name), Bytes));
  }
  std::string bits(StringRef Name) const {
    return text(Types->valueLayout(value(Name)));
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
  std::map<Function *, std::unique_ptr<Primal>> Primals;
  Function *F = nullptr;
  std::unique_ptr<TypeInfo> Types;
};

const std::string EndOfTime = std::to_string(UINT64_MAX);

} // namespace

TEST_F(TypeTreeAnalysis, ArraysRepeat) {
  parse(R"(
    define double @f(ptr %x, ptr %none, i64 %i) {
      %p = getelementptr inbounds double, ptr %x, i64 %i
      %v = load double, ptr %p
      ret double %v
    })");
  analyze();
  EXPECT_EQ(memory("x", 80), "8: [0,8)Float@double");
  EXPECT_EQ(memory("x", 1u << 24), "8: [0,8)Float@double");
  EXPECT_EQ(memory("x", UINT64_MAX), "8: [0,8)Float@double");
  EXPECT_EQ(memory("x", 12), "12: [0,8)Float@double [8,12)Unknown");
  EXPECT_EQ(memory("none", 80), "1: [0,1)Unknown");
  EXPECT_EQ(memory("none", UINT64_MAX), "1: [0,1)Unknown");
  EXPECT_EQ(Types->floatTypeOf(value("v")), Type::getDoubleTy(Context));
  EXPECT_EQ(Types->floatTypeOf(value("x")), nullptr);
  EXPECT_EQ(Types->scalarKind(value("x")), ConcreteType::Pointer);
  EXPECT_EQ(Types->scalarKind(value("i")), ConcreteType::Integer);
}

TEST_F(TypeTreeAnalysis, StructsRepeatWithTheirSize) {
  parse(R"(
    %S = type { double, i32, ptr }
    define double @f(ptr %s, i64 %i) {
      %a = getelementptr inbounds %S, ptr %s, i64 %i, i32 0
      %v = load double, ptr %a
      %b = getelementptr inbounds %S, ptr %s, i64 %i, i32 1
      %n = load i32, ptr %b
      %w = sitofp i32 %n to double
      %r = fadd double %v, %w
      ret double %r
    })");
  analyze();
  const char *Layout = "24: [0,8)Float@double [8,12)Integer [12,16)Anything "
                       "[16,24)Pointer";
  EXPECT_EQ(memory("s", 240), Layout);
  EXPECT_EQ(memory("s", 24u << 20), Layout);
  EXPECT_EQ(memory("s", UINT64_MAX), Layout);
  EXPECT_EQ(memory("s", 16),
            "16: [0,8)Float@double [8,12)Integer [12,16)Anything");
}

TEST_F(TypeTreeAnalysis, HeadersDoNotRepeat) {
  parse(R"(
    define double @f(ptr %s, i64 %i, ptr %one) {
      %n = load i64, ptr %s
      %q = getelementptr i8, ptr %s, i64 8
      %p = getelementptr inbounds double, ptr %q, i64 %n
      %v = load double, ptr %p
      %w = load double, ptr %one
      %r = fadd double %v, %w
      ret double %r
    })");
  analyze();
  EXPECT_EQ(memory("s", 32), "32: [0,8)Integer [8,32)Float@double");
  EXPECT_EQ(memory("s", 1u << 20),
            "1048576: [0,8)Integer [8,1048576)Float@double");
  EXPECT_EQ(memory("one", 16), "16: [0,8)Float@double [8,16)Unknown");
  EXPECT_EQ(memory("one", UINT64_MAX),
            EndOfTime + ": [0,8)Float@double [8," + EndOfTime + ")Unknown");
}

TEST_F(TypeTreeAnalysis, LargeLocalArrays) {
  parse(R"(
    define double @f(i64 %i) {
      %a = alloca [1000000 x double]
      %p = getelementptr inbounds [1000000 x double], ptr %a, i64 0, i64 %i
      %v = load double, ptr %p
      ret double %v
    })");
  analyze();
  EXPECT_EQ(memory("a", 8000000), "8: [0,8)Float@double");
}

TEST_F(TypeTreeAnalysis, IntegersCarryFloats) {
  parse(R"(
    define double @f(ptr %x, ptr %u, float %a) {
      %d = load double, ptr %x
      %bits = load i64, ptr %x
      %free = load i64, ptr %u
      %ai = bitcast float %a to i32
      %az = zext i32 %ai to i64
      %up = shl i64 %az, 32
      %two = or i64 %up, %az
      %wide = load i128, ptr %x
      ret double %d
    })");
  analyze();
  EXPECT_EQ(bits("bits"), "8: [0,8)Float@double");
  EXPECT_EQ(Types->floatTypeOf(value("bits")), Type::getDoubleTy(Context));
  EXPECT_EQ(Types->scalarKind(value("bits")),
            ConcreteType::floating(Type::getDoubleTy(Context)));
  EXPECT_EQ(bits("free"), "1: [0,1)Unknown");
  EXPECT_EQ(Types->scalarKind(value("free")), ConcreteType::Unknown);
  EXPECT_EQ(Types->floatTypeOf(value("free")), nullptr);
  EXPECT_EQ(bits("az"), "8: [0,4)Float@float [4,8)Anything");
  EXPECT_EQ(Types->floatTypeOf(value("az")), nullptr);
  EXPECT_EQ(bits("two"), "4: [0,4)Float@float");
  EXPECT_EQ(Types->floatTypeOf(value("two")), Type::getFloatTy(Context));
  EXPECT_EQ(bits("wide"), "16: [0,8)Float@double [8,16)Unknown");
  EXPECT_EQ(Types->scalarKind(value("wide")), ConcreteType::Unknown);
}

TEST_F(TypeTreeAnalysis, ConflictsAreUnknownAndTold) {
  parse(R"(
    define double @f(ptr %x, ptr %y) {
      %v = load double, ptr %x
      %p = load ptr, ptr %x
      %w = load double, ptr %y
      %r = fadd double %v, %w
      ret double %r
    })");
  analyze();
  EXPECT_EQ(memory("x", 8), "1: [0,1)Unknown");
  ASSERT_EQ(Types->conflicts().size(), 1u);
  TypeConflict C;
  EXPECT_FALSE(Types->conflictOf(value("y"), C));
  ASSERT_TRUE(Types->conflictOf(value("x"), C));
  EXPECT_EQ(C.Where, value("x"));
  EXPECT_EQ(C.Path, "[0][0]");
  EXPECT_EQ(C.A, ConcreteType::Pointer);
  EXPECT_EQ(C.WitnessA, value("p"));
  EXPECT_TRUE(C.B.isFloat());
  EXPECT_EQ(C.WitnessB, value("v"));
}

TEST_F(TypeTreeAnalysis, CallerTypesReachTheCallee) {
  parse(R"(
    define void @f(ptr %to, ptr %from, i64 %n) {
      %bits = load i64, ptr %from
      store i64 %bits, ptr %to
      ret void
    })");
  analyze();
  EXPECT_EQ(bits("bits"), "1: [0,1)Unknown");
  analyze({{"", "{[0]:Pointer -> {[*8]:Float@double}}", ""}, ""});
  EXPECT_EQ(bits("bits"), "8: [0,8)Float@double");
  EXPECT_EQ(memory("to", 8), "8: [0,8)Float@double");
  analyze({{"no tree", "", ""}, ""});
  EXPECT_EQ(bits("bits"), "1: [0,1)Unknown");
}

TEST_F(TypeTreeAnalysis, OnlyWhatACalleeNeedsIsPassed) {
  parse(R"(
    define double @f(ptr %x, ptr %y) {
      %v = load double, ptr %x
      call void @move(ptr %y, ptr %x)
      %w = call double @clear(ptr %x, i32 1)
      %r = fadd double %v, %w
      ret double %r
    }
    define void @move(ptr %to, ptr %from) {
      %bits = load i64, ptr %from
      store i64 %bits, ptr %to
      ret void
    }
    define double @clear(ptr %p, i32 %unused) {
      %v = load double, ptr %p
      ret double %v
    })");
  analyze();
  for (const Instruction &I : instructions(F)) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call)
      continue;
    auto [Args, Result] = Types->typesOfCall(*Call);
    bool Moves = Call->getCalledFunction()->getName() == "move";
    ASSERT_EQ(Args.size(), Moves ? 2u : 0u);
    EXPECT_EQ(Result, "");
    if (!Moves)
      continue;
    std::string Known = "{[0]:Pointer~ -> {[0]:Float@double~}}";
    EXPECT_EQ(Args[0], Known);
    EXPECT_EQ(Args[1], Known);
  }
}

TEST_F(TypeTreeAnalysis, ContextsOfRecursionsEnd) {
  parse(R"(
    define void @f(ptr %to, ptr %from, i64 %n) {
    entry:
      %done = icmp eq i64 %n, 0
      br i1 %done, label %exit, label %more
    more:
      %bits = load i64, ptr %from
      store i64 %bits, ptr %to
      %to8 = getelementptr i8, ptr %to, i64 8
      %from8 = getelementptr i8, ptr %from, i64 8
      %less = add i64 %n, -1
      call void @f(ptr %to8, ptr %from8, i64 %less)
      br label %exit
    exit:
      ret void
    })");
  std::string Array = "{[0]:Pointer -> {[*8]:Float@double}}";
  std::string Ten = "{[0]:Pointer -> {[*8x10]:Float@double}}";
  for (const std::string &Given : {Array, Ten}) {
    CallerTypes Context = {{"", Given, ""}, ""};
    analyze(Context);
    EXPECT_EQ(bits("bits"), "8: [0,8)Float@double");
    // The next call is made in this very context or in none.
    for (const Instruction &I : instructions(F))
      if (isa<CallInst>(I)) {
        CallerTypes Next = Types->typesOfCall(I);
        EXPECT_TRUE(Next == Context || Next.empty());
      }
  }
}

TEST_F(TypeTreeAnalysis, ResultsDoNotDependOnTheRun) {
  parse(R"(
    define double @f(ptr %x, ptr %y, i64 %n) {
      %bytes = shl i64 %n, 3
      call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 %bytes, i1 false)
      %p = getelementptr inbounds double, ptr %y, i64 %n
      %v = load double, ptr %p
      %q = load ptr, ptr %y
      ret double %v
    }
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1))");
  std::string First;
  for (int Run = 0; Run != 5; ++Run) {
    analyze();
    std::string Text;
    raw_string_ostream OS(Text);
    Types->print(OS);
    if (Run == 0)
      First = Text;
    EXPECT_EQ(Text, First);
  }
}

namespace {
double secondsOf(function_ref<void()> Work) {
  std::clock_t Begin = std::clock();
  Work();
  return double(std::clock() - Begin) / CLOCKS_PER_SEC;
}
} // namespace

TEST_F(TypeTreeAnalysis, LongFunctionsAreFast) {
  std::string Text = "define double @f(ptr %p, ptr %q, i64 %n) {\n";
  std::string Sum = "0.0";
  for (int I = 0; I != 2000; ++I) {
    std::string N = std::to_string(I);
    Text += "%g" + N + " = getelementptr { double, i64, ptr }, ptr %" +
            (I % 2 ? "p" : "q") + ", i64 " + std::to_string(I % 40) + ", i32 " +
            std::to_string(I % 3) + "\n";
    if (I % 3 == 0) {
      Text += "%v" + N + " = load double, ptr %g" + N + "\n%a" + N +
              " = fadd double " + Sum + ", %v" + N + "\n";
      Sum = "%a" + N;
    } else if (I % 3 == 1) {
      Text += "%v" + N + " = load i64, ptr %g" + N + "\n%m" + N +
              " = mul i64 %v" + N + ", %n\nstore i64 %m" + N + ", ptr %g" + N +
              "\n";
    } else {
      Text += "%v" + N + " = load ptr, ptr %g" + N + "\n%y" + N +
              " = getelementptr double, ptr %v" + N + ", i64 %n\n%z" + N +
              " = load double, ptr %y" + N + "\n";
    }
  }
  parse(Text + "ret double " + Sum + "\n}");
  double Seconds = secondsOf([&] { analyze(); });
  EXPECT_LT(Seconds, 1.0) << M->getFunction("f")->getInstructionCount();
}

TEST_F(TypeTreeAnalysis, ChainsOfDiamondsAreFast) {
  std::string Text = "define double @f(ptr %p, ptr %q, i1 %c, i64 %x) {\n"
                     "entry:\n  br label %b0\n";
  std::string Last = "%p";
  constexpr int Count = 60;
  for (int I = 0; I != Count; ++I) {
    std::string N = std::to_string(I);
    Text += "b" + N + ":\n br i1 %c, label %l" + N + ", label %r" + N + "\nl" +
            N + ":\n %gl" + N + " = getelementptr i8, ptr " + Last +
            ", i64 8\n %xl" + N + " = load i64, ptr %gl" + N +
            "\n br label %m" + N + "\nr" + N + ":\n %gr" + N +
            " = getelementptr i8, ptr " + Last + ", i64 16\n %xr" + N +
            " = load i64, ptr %q\n br label %m" + N + "\nm" + N + ":\n %s" + N +
            " = phi ptr [ %gl" + N + ", %l" + N + " ], [ %gr" + N + ", %r" + N +
            " ]\n %t" + N + " = phi i64 [ %xl" + N + ", %l" + N + " ], [ %xr" +
            N + ", %r" + N + " ]\n store i64 %t" + N + ", ptr %s" + N +
            "\n br label %b" + std::to_string(I + 1) + "\n";
    Last = "%s" + N;
  }
  Text += "b" + std::to_string(Count) + ":\n %d = load double, ptr " + Last +
          "\n ret double %d\n}";
  parse(Text);
  double Seconds = secondsOf([&] { analyze(); });
  EXPECT_LT(Seconds, 1.0);
}

TEST_F(TypeTreeAnalysis, LongCallChainsAreFast) {
  // Each function calls the next one twice: 2^100 paths, 100 functions.
  std::string Text = "define void @f(ptr %a, ptr %b) {\n"
                     "  %v = load double, ptr %a\n"
                     "  call void @g0(ptr %a, ptr %b)\n  ret void\n}\n";
  constexpr int Count = 100;
  for (int I = 0; I != Count; ++I) {
    std::string Next = "@g" + std::to_string(I + 1);
    Text += "define void @g" + std::to_string(I) + "(ptr %a, ptr %b) {\n" +
            "  call void " + Next + "(ptr %a, ptr %b)\n  call void " + Next +
            "(ptr %b, ptr %a)\n  ret void\n}\n";
  }
  Text += "define void @g" + std::to_string(Count) +
          "(ptr %a, ptr %b) {\n  %x = load i64, ptr %a\n"
          "  store i64 %x, ptr %b\n  ret void\n}\n";
  parse(Text);
  double Seconds = secondsOf([&] { analyze(); });
  EXPECT_LT(Seconds, 2.0);
  EXPECT_EQ(memory("b", 8), "8: [0,8)Float@double");
}
