// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AccessOrder against what programs do: random nests of loops with accesses to
// one array are written as IR and walked through here for several sizes. What
// the analysis calls untouched must be, and it has to prove its share of what
// is true for all of these sizes.
#include "Loops/LoopMemory.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

#include <random>

using namespace adze;
using namespace llvm;

namespace {

constexpr unsigned MaxLoops = 3;

/// A number in the sizes n and m and the counters of the loops around.
struct Linear {
  int64_t Constant = 0, N = 0, M = 0;
  int64_t Counter[MaxLoops] = {};
  int64_t CounterN[MaxLoops] = {}; // counter * n
  // counter * (counter + Beside) / 2, which cuts off a half unless Beside is
  // odd
  int64_t Triangle[MaxLoops] = {};
  int64_t Beside = 1;
};

struct Sizes {
  int64_t N, M;
};

int64_t value(const Linear &L, Sizes S, const int64_t *Counters) {
  int64_t V = L.Constant + L.N * S.N + L.M * S.M;
  for (unsigned I = 0; I < MaxLoops; ++I)
    V += (L.Counter[I] + L.CounterN[I] * S.N) * Counters[I] +
         L.Triangle[I] * (Counters[I] * (Counters[I] + L.Beside) / 2);
  return V;
}

struct Access {
  bool IsStore;
  int64_t Bytes; // 4 or 8
  Linear Address;
  int Than = -1; // executed where the counter of its loop is not this one
  bool Less = false;
};

/// for (c = Begin; c < End; c += Step) { Before; Inner; After }
struct Level {
  Linear Begin, End;
  int64_t Step = 1;
  bool IsBlock = false; // ends before Most, too
  Linear Most;
  std::vector<Access> Before, After;
};

enum class Shape { Plain, Triangles, Blocks };

class Program {
public:
  Program(uint64_t Seed, Shape Kind)
      : Random(Seed), HasTriangles(Kind == Shape::Triangles) {
    Levels.resize(1 + pick(MaxLoops));
    for (unsigned I = 0; I < Levels.size(); ++I) {
      Level &L = Levels[I];
      L.Begin.Constant = pick(2);
      switch (pick(I ? 5 : 3)) {
      case 0:
        L.End.N = 1;
        break;
      case 1:
        L.End.M = 1;
        break;
      case 2:
        L.End.Constant = 1 + pick(4);
        break;
      case 3:
        L.End.Counter[pick(I)] = 1;
        L.End.Constant = pick(2);
        break;
      default:
        L.End.N = 1;
        L.Begin.Counter[pick(I)] = 1;
      }
      if (Kind == Shape::Blocks)
        makeBlock(I);
      L.Before = accesses(I);
      L.After = accesses(I);
    }
  }

  /// With an object that has just the bytes that the runs for \p Of access, or,
  /// if there are none, with a pointer that leads anywhere.
  std::string text(ArrayRef<Sizes> Of);
  /// Each execution in order: the number of the access and its address.
  std::vector<std::pair<unsigned, int64_t>> run(Sizes S) const {
    std::vector<std::pair<unsigned, int64_t>> Trace;
    int64_t Counters[MaxLoops] = {};
    run(0, 0, S, Counters, Trace);
    return Trace;
  }
  std::vector<const Access *> all() const {
    std::vector<const Access *> Found;
    for (const Level &L : Levels) {
      for (const Access &A : L.Before)
        Found.push_back(&A);
      for (const Access &A : L.After)
        Found.push_back(&A);
    }
    return Found;
  }

  /// Their numbers, as they stand in the text: what comes behind an inner loop
  /// is behind the accesses in it.
  std::vector<unsigned> inOrderOfText() const {
    std::vector<unsigned> Order, Behind;
    unsigned Number = 0;
    for (const Level &L : Levels) {
      for (size_t I = 0; I < L.Before.size(); ++I)
        Order.push_back(Number++);
      Number += L.After.size();
      for (size_t I = L.After.size(); I > 0; --I)
        Behind.push_back(Number - (L.After.size() - I + 1));
    }
    Order.insert(Order.end(), Behind.rbegin(), Behind.rend());
    return Order;
  }

private:
  unsigned pick(unsigned Below) { return Random() % Below; }

  /// for (b = ..; b < ..; b += 3) for (i = b; i < min(b + 3, n); i++), perhaps
  /// with blocks that overlap, or from the end of one.
  void makeBlock(unsigned I) {
    Level &L = Levels[I];
    if (I + 1 < Levels.size() && pick(2)) {
      L.Step = 2 + pick(2);
      return;
    }
    L.IsBlock = I && pick(4);
    if (!L.IsBlock)
      return;
    const unsigned Block = pick(I);
    L.Most.Counter[Block] = 1;
    L.Most.Constant = Levels[Block].Step + int64_t(pick(4) ? 0 : pick(3)) - 1 +
                      (pick(4) ? 1 : 0);
    if (pick(3)) {
      L.Begin = Linear();
      L.Begin.Counter[Block] = 1;
    }
  }

  std::vector<Access> accesses(unsigned Depth) {
    std::vector<Access> Some(pick(Depth + 1 == Levels.size() ? 3 : 2));
    for (Access &A : Some) {
      A.IsStore = pick(2);
      A.Bytes = pick(8) ? 8 : 4;
      int64_t Unit = pick(8) ? 8 : 4;
      A.Address.Constant = Unit * (int64_t(pick(5)) - 2);
      for (unsigned I = 0; I <= Depth; ++I)
        switch (pick(HasTriangles ? 6 : 5)) {
        case 5:
          A.Address.Triangle[I] = Unit;
          A.Address.Beside = pick(4) ? 1 : 2;
          break;
        case 0:
          A.Address.CounterN[I] = Unit;
          break;
        case 1:
          A.Address.Counter[I] = Unit * (int64_t(pick(7)) - 3);
          break;
        case 2:
        case 3:
          A.Address.Counter[I] = Unit;
          break;
        default:
          break;
        }
      if (pick(6) == 0)
        A.Address.N = Unit * (int64_t(pick(3)) - 1);
      if (Depth && pick(4) == 0) {
        A.Than = int(pick(Depth));
        A.Less = pick(2);
      }
    }
    return Some;
  }

  void run(unsigned Depth, unsigned First, Sizes S, int64_t *Counters,
           std::vector<std::pair<unsigned, int64_t>> &Trace) const {
    if (Depth == Levels.size())
      return;
    const Level &L = Levels[Depth];
    auto visit = [&](const std::vector<Access> &Some, unsigned Number) {
      for (const Access &A : Some) {
        int64_t Own = Counters[Depth];
        if (A.Than < 0 ||
            (A.Less ? Own < Counters[A.Than] : Own != Counters[A.Than]))
          Trace.push_back({Number, value(A.Address, S, Counters)});
        ++Number;
      }
    };
    int64_t End = value(L.End, S, Counters);
    if (L.IsBlock)
      End = std::min(End, value(L.Most, S, Counters));
    for (int64_t C = value(L.Begin, S, Counters); C < End; C += L.Step) {
      Counters[Depth] = C;
      visit(L.Before, First);
      run(Depth + 1, First + L.Before.size() + L.After.size(), S, Counters,
          Trace);
      Counters[Depth] = C;
      visit(L.After, First + L.Before.size());
    }
    Counters[Depth] = 0;
  }

  std::string number(const Linear &L);
  void write(const std::vector<Access> &Some, unsigned Depth);
  void write(unsigned Depth);
  std::string fresh() { return "%t" + std::to_string(Names++); }

  std::mt19937_64 Random;
  bool HasTriangles;
  std::vector<Level> Levels;
  std::string Text;
  unsigned Names = 0, Blocks = 0;
};

std::string Program::number(const Linear &L) {
  std::string Sum = std::to_string(L.Constant);
  auto add = [&](int64_t Factor, const std::string &What) {
    if (!Factor)
      return;
    std::string Product = fresh(), Next = fresh();
    Text += "  " + Product + " = mul nsw i64 " + std::to_string(Factor) + ", " +
            What + "\n  " + Next + " = add nsw i64 " + Sum + ", " + Product +
            "\n";
    Sum = Next;
  };
  add(L.N, "%n");
  add(L.M, "%m");
  for (unsigned I = 0; I < MaxLoops; ++I) {
    std::string Counter = "%c" + std::to_string(I);
    add(L.Counter[I], Counter);
    if (L.CounterN[I]) {
      std::string Row = fresh();
      Text += "  " + Row + " = mul nsw i64 " + Counter + ", %n\n";
      add(L.CounterN[I], Row);
    }
    if (!L.Triangle[I])
      continue;
    std::string Next = fresh(), Square = fresh(), Half = fresh();
    Text += "  " + Next + " = add nsw i64 " + Counter + ", " +
            std::to_string(L.Beside) + "\n  " + Square + " = mul nsw i64 " +
            Counter + ", " + Next + "\n  " + Half + " = lshr i64 " + Square +
            ", 1\n";
    add(L.Triangle[I], Half);
  }
  return Sum;
}

void Program::write(const std::vector<Access> &Some, unsigned Depth) {
  for (const Access &A : Some) {
    std::string Block = std::to_string(Blocks++);
    if (A.Than >= 0) {
      std::string Is = fresh();
      Text += "  " + Is + " = icmp " + (A.Less ? "slt" : "ne") + " i64 %c" +
              std::to_string(Depth) + ", %c" + std::to_string(A.Than) +
              "\n  br i1 " + Is + ", label %do" + Block + ", label %skip" +
              Block + "\ndo" + Block + ":\n";
    }
    std::string Offset = number(A.Address), Address = fresh();
    Text += "  " + Address + " = getelementptr inbounds i8, ptr %a, i64 " +
            Offset + "\n";
    std::string Type = A.Bytes == 8 ? "double" : "float";
    if (A.IsStore)
      Text += "  store " + Type + " 1.0, ptr " + Address + "\n";
    else
      Text += "  " + fresh() + " = load " + Type + ", ptr " + Address + "\n";
    if (A.Than >= 0)
      Text += "  br label %skip" + Block + "\nskip" + Block + ":\n";
  }
}

// Guarded and tested at the bottom, as the optimizer leaves loops.
void Program::write(unsigned Depth) {
  if (Depth == Levels.size())
    return;
  const Level &L = Levels[Depth];
  std::string D = std::to_string(Depth), Is = fresh();
  std::string Begin = number(L.Begin), End = number(L.End);
  if (L.IsBlock) {
    std::string Most = number(L.Most), Least = fresh();
    Text += "  " + Least + " = call i64 @llvm.smin.i64(i64 " + End + ", i64 " +
            Most + ")\n";
    End = Least;
  }
  Text += "  " + Is + " = icmp slt i64 " + Begin + ", " + End + "\n  br i1 " +
          Is + ", label %before" + D + ", label %out" + D + "\nbefore" + D +
          ":\n  br label %loop" + D + "\nloop" + D + ":\n  %c" + D +
          " = phi i64 [ " + Begin + ", %before" + D + " ], [ %next" + D +
          ", %latch" + D + " ]\n";
  write(L.Before, Depth);
  write(Depth + 1);
  write(L.After, Depth);
  Text += "  br label %latch" + D + "\nlatch" + D + ":\n  %next" + D +
          " = add nsw i64 %c" + D + ", " + std::to_string(L.Step) +
          "\n  %more" + D + " = icmp slt i64 %next" + D + ", " + End +
          "\n  br i1 %more" + D + ", label %loop" + D + ", label %exit" + D +
          "\nexit" + D + ":\n  br label %out" + D + "\nout" + D + ":\n";
}

std::string Program::text(ArrayRef<Sizes> Of) {
  int64_t Least = 0, End = 0;
  for (Sizes S : Of)
    for (auto [Number, At] : run(S)) {
      Least = std::min(Least, At);
      End = std::max(End, At + all()[Number]->Bytes);
    }
  Text = Of.empty() ? "define void @f(ptr %a, i64 %n, i64 %m) {\n"
                    : "@o = internal global [" + std::to_string(End - Least) +
                          " x i8] zeroinitializer\n"
                          "define void @f(i64 %n, i64 %m) {\n"
                          "  %a = getelementptr i8, ptr @o, i64 " +
                          std::to_string(-Least) + "\n";
  Text += "  %positive = icmp sgt i64 %n, 0\n"
          "  br i1 %positive, label %start, label %none\n"
          "none:\n  ret void\nstart:\n";
  write(0);
  Text += "  ret void\n}\n";
  return Text;
}

struct Count {
  unsigned Proved = 0, True = 0;
};

void check(uint64_t Seed, Shape Kind, bool IsBounded, Count &Total) {
  Program Random(Seed, Kind);
  std::vector<Sizes> Runs;
  for (int64_t N : {1, 2, 3, 5})
    for (int64_t Other : {0, 1, 4})
      Runs.push_back({N, Other});
  std::string Text = Random.text(IsBounded ? ArrayRef(Runs) : std::nullopt);
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(Text, Error, Context);
  ASSERT_TRUE(M) << Error.getMessage().str() << "\n" << Text;
  Primal P;
  P.F = P.Source = M->getFunction("f");
  ASSERT_FALSE(verifyFunction(*P.F, &errs())) << Text;
  P.DT = std::make_unique<DominatorTree>(*P.F);
  P.LI = std::make_unique<LoopInfo>(*P.DT);
  LoopMemory Memory(P, /*Budget=*/1000);
  AccessOrder &Order = Memory.Order;

  std::vector<const Access *> Accesses = Random.all();
  std::vector<const Instruction *> Code(Accesses.size());
  std::vector<unsigned> Numbers = Random.inOrderOfText();
  unsigned Next = 0;
  for (const Instruction &I : instructions(*P.F))
    if (isa<LoadInst, StoreInst>(I))
      Code[Numbers[Next++]] = &I;
  ASSERT_EQ(Next, Code.size());

  std::vector<std::vector<bool>> Touched(Code.size(),
                                         std::vector<bool>(Code.size(), false));
  for (Sizes S : Runs) {
    auto Trace = Random.run(S);
    for (size_t J = 0; J < Trace.size(); ++J)
      for (size_t I = 0; I < J; ++I) {
        auto [First, At] = Trace[I];
        auto [Later, To] = Trace[J];
        if (Accesses[Later]->IsStore && At < To + Accesses[Later]->Bytes &&
            To < At + Accesses[First]->Bytes)
          Touched[First][Later] = true;
      }
  }
  for (unsigned First = 0; First < Code.size(); ++First)
    for (unsigned Later = 0; Later < Code.size(); ++Later) {
      if (!Accesses[Later]->IsStore)
        continue;
      bool Proved = Order.neverAfter(Code[First], Code[Later]);
      EXPECT_FALSE(Proved && Touched[First][Later])
          << "seed " << Seed << ": access " << First << ", then " << Later
          << "\n"
          << Text;
      Total.Proved += Proved;
      Total.True += !Touched[First][Later];
    }
}

Count checkAll(Shape Kind, bool IsBounded) {
  Count Total;
  for (uint64_t Seed = 0; Seed < 1500 && !testing::Test::HasFailure(); ++Seed)
    check(Seed, Kind, IsBounded, Total);
  return Total;
}

TEST(AccessOrder, IsRightOnRandomNests) {
  Count Total = checkAll(Shape::Plain, /*IsBounded=*/false);
  EXPECT_GE(Total.Proved * 100, Total.True * 70)
      << Total.Proved << " of " << Total.True;
}

TEST(AccessOrder, IsRightOnBlocks) {
  Count Total = checkAll(Shape::Blocks, /*IsBounded=*/false);
  EXPECT_GE(Total.Proved * 100, Total.True * 60)
      << Total.Proved << " of " << Total.True;
}

TEST(AccessOrder, IsRightInObjects) {
  Count Total = checkAll(Shape::Triangles, /*IsBounded=*/true);
  EXPECT_GE(Total.Proved * 100, Total.True * 60)
      << Total.Proved << " of " << Total.True;
}

TEST(AccessOrder, IsRightOnTriangles) {
  Count Total = checkAll(Shape::Triangles, /*IsBounded=*/false);
  EXPECT_GE(Total.Proved * 100, Total.True * 60)
      << Total.Proved << " of " << Total.True;
}

} // namespace
