// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs with arrays, tables of pointers, records of both, globals,
// loops that swap buffers, branches, block copies, allocations, calls, and
// recursion.
#ifndef ADZE_TEST_UNIT_RANDOMPROGRAM_H
#define ADZE_TEST_UNIT_RANDOMPROGRAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <vector>

using namespace adze;
using namespace llvm;

namespace analysis_random {

/// Writes functions of type (ptr %d0, ptr %d1, ptr %t0, double %x, i64 %k):
/// d are arrays of four doubles, t is a table of four pointers to such. A
/// record is {double, array, double, array}.
class Generator {
public:
  explicit Generator(uint64_t Seed)
      : State(Seed * 2654435761u + 88172645463u) {}

  std::string program(unsigned Callees) {
    std::string Text =
        "declare noalias ptr @malloc(i64)\n"
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
        "@table = internal constant [4 x double] [double 1.0, double 2.0, "
        "double 3.0, double 4.0]\n"
        "@state = internal global [4 x double] zeroinitializer\n"
        "@kept = internal global ptr @state\n"
        "@taken = global ptr @f\n"; // as a marker does
    for (unsigned I = 0; I < Callees; ++I)
      Returns.push_back(Result(pick(3)));
    for (unsigned I = 0; I < Callees; ++I)
      Text += function("g" + std::to_string(I), I, Returns[I]);
    return Text + function("f", Callees, Float);
  }

  unsigned pick(unsigned N) {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return unsigned((State >> 11) % N);
  }

private:
  struct Scope {
    std::vector<std::string> Floats, Arrays, Tables, Records, Counters;
  };
  enum Result { Float, Array, Pair };
  static const char *typeOf(Result R) {
    static const char *const Types[] = {"double", "ptr", "{ double, ptr }"};
    return Types[R];
  }

  std::string function(const std::string &Name, unsigned Callees, Result Kind) {
    Body.clear();
    NumCallees = Callees;
    Outermost = Name == "f";
    Scope S{
        {"%x", "1.5"}, {"%d0", "%d1", "@table", "@state"}, {"%t0"}, {}, {"%k"}};
    Block = "entry";
    newArray(S);
    newTable(S);
    newRecord(S);
    statements(S, 12, 2);
    if (!Outermost && pick(2))
      recursion(S);
    std::string Type = typeOf(Kind);
    std::string Result = Kind == Float   ? any(S.Floats)
                         : Kind == Array ? any(S.Arrays)
                                         : pair(S);
    return "define " + Type + " @" + Name +
           "(ptr %d0, ptr %d1, ptr %t0, double %x, i64 %k) {\nentry:\n" + Body +
           "  ret " + Type + " " + Result + "\n}\n";
  }

  std::string pair(const Scope &S) {
    std::string A = fresh(), B = fresh();
    line(A + " = insertvalue { double, ptr } poison, double " + any(S.Floats) +
         ", 0");
    line(B + " = insertvalue { double, ptr } " + A + ", ptr " + any(S.Arrays) +
         ", 1");
    return B;
  }

  const std::string &any(const std::vector<std::string> &From) {
    // Prefer what is new.
    if (From.size() > 3 && pick(2))
      return From[From.size() - 1 - pick(3)];
    return From[pick(From.size())];
  }
  std::string fresh() { return "%v" + std::to_string(Number++); }
  void line(const std::string &Text) { Body += "  " + Text + "\n"; }
  void label(const std::string &Name) {
    Body += Name + ":\n";
    Block = Name;
  }

  std::string element(const Scope &S, const std::string &Base) {
    std::string P = fresh();
    if (pick(3)) {
      line(P + " = getelementptr i8, ptr " + Base + ", i64 " +
           std::to_string(8 * pick(4)));
      return P;
    }
    std::string I = fresh();
    line(I + " = and i64 " + any(S.Counters) + ", 3");
    line(P + " = getelementptr double, ptr " + Base + ", i64 " + I);
    return P;
  }

  std::string allocate() {
    std::string P = fresh();
    // Variables of a callee must not be returned: only f has some.
    if (pick(2) || Depth > 0 || !Outermost)
      line(P + " = call noalias ptr @malloc(i64 32)");
    else
      line(P + " = alloca [4 x double]");
    return P;
  }

  void newArray(Scope &S) {
    std::string P = allocate();
    for (unsigned I = 0; I < 4; ++I) {
      std::string E = fresh();
      line(E + " = getelementptr i8, ptr " + P + ", i64 " +
           std::to_string(8 * I));
      line("store double 0.5, ptr " + E);
    }
    S.Arrays.push_back(P);
  }

  void newTable(Scope &S) {
    std::string P = allocate();
    for (unsigned I = 0; I < 4; ++I) {
      std::string E = fresh();
      line(E + " = getelementptr i8, ptr " + P + ", i64 " +
           std::to_string(8 * I));
      line("store ptr " + any(S.Arrays) + ", ptr " + E);
    }
    S.Tables.push_back(P);
  }

  std::string condition(const Scope &S) {
    std::string I = fresh(), C = fresh();
    line(I + " = and i64 " + any(S.Counters) + ", 1");
    line(C + " = icmp eq i64 " + I + ", 0");
    return C;
  }

  void newRecord(Scope &S) {
    std::string P = allocate();
    for (unsigned I = 0; I < 4; ++I) {
      std::string E = fresh();
      line(E + " = getelementptr i8, ptr " + P + ", i64 " +
           std::to_string(8 * I));
      line((I % 2 ? "store ptr " + any(S.Arrays) : "store double 0.25") +
           ", ptr " + E);
    }
    S.Records.push_back(P);
  }

  /// Reads or writes a member of a record, always at a constant place.
  void record(Scope &S) {
    std::string E = fresh(), V = fresh(),
                &R = S.Records[pick(S.Records.size())];
    unsigned Member = pick(4);
    line(E + " = getelementptr i8, ptr " + R + ", i64 " +
         std::to_string(8 * Member));
    bool Pointer = Member % 2;
    if (pick(2)) {
      line(Pointer ? "store ptr " + array(S) + ", ptr " + E
                   : "store double " + any(S.Floats) + ", ptr " + E);
      return;
    }
    line(V + " = load " + (Pointer ? "ptr" : "double") + ", ptr " + E);
    (Pointer ? S.Arrays : S.Floats).push_back(V);
  }

  /// The pointer in a global variable.
  void kept(Scope &S) {
    if (pick(2)) {
      line("store ptr " + array(S) + ", ptr @kept");
      return;
    }
    std::string V = fresh();
    line(V + " = load ptr, ptr @kept");
    S.Arrays.push_back(V);
  }

  /// A float that moves from memory to memory as an integer.
  void moveBits(Scope &S) {
    std::string From = element(S, any(S.Arrays)), V = fresh();
    line(V + " = load i64, ptr " + From);
    std::string To = element(S, array(S));
    line("store i64 " + V + ", ptr " + To);
  }

  /// The result of a call of g\p Callee, in the scope if \p Visible.
  std::string callOf(Scope &S, unsigned Callee, const std::string &Counter) {
    std::string V = fresh();
    // One after the other: in one expression each compiler has its own order.
    const std::string A = array(S), B = array(S), T = any(S.Tables),
                      F = any(S.Floats);
    line(V + " = call " + typeOf(Returns[Callee]) + " @g" +
         std::to_string(Callee) + "(ptr " + A + ", ptr " + B + ", ptr " + T +
         ", double " + F + ", i64 " + Counter + ")");
    return V;
  }

  void take(Scope &S, Result Kind, const std::string &V) {
    if (Kind != Pair) {
      (Kind == Array ? S.Arrays : S.Floats).push_back(V);
      return;
    }
    std::string F = fresh(), A = fresh();
    line(F + " = extractvalue { double, ptr } " + V + ", 0");
    line(A + " = extractvalue { double, ptr } " + V + ", 1");
    S.Floats.push_back(F);
    S.Arrays.push_back(A);
  }

  void call(Scope &S) {
    unsigned Callee = pick(NumCallees);
    take(S, Returns[Callee], callOf(S, Callee, any(S.Counters)));
  }

  /// Any function, also this one and those behind it, as long as %k lasts.
  void recursion(Scope &S) {
    unsigned Callee = pick(Returns.size());
    std::string N = std::to_string(Number++), Less = fresh(), More = fresh();
    line(Less + " = add i64 %k, -1");
    line(More + " = icmp slt i64 0, %k");
    line("br i1 " + More + ", label %then" + N + ", label %join" + N);
    std::string Before = Block;
    label("then" + N);
    Scope Inner = S;
    take(Inner, Returns[Callee], callOf(Inner, Callee, Less));
    std::string F = any(Inner.Floats), A = any(Inner.Arrays);
    std::string F0 = any(S.Floats), A0 = any(S.Arrays);
    line("br label %join" + N);
    label("join" + N);
    S.Floats.push_back(fresh());
    S.Arrays.push_back(fresh());
    line(S.Floats.back() + " = phi double [ " + F + ", %then" + N + " ], [ " +
         F0 + ", %" + Before + " ]");
    line(S.Arrays.back() + " = phi ptr [ " + A + ", %then" + N + " ], [ " + A0 +
         ", %" + Before + " ]");
  }

  /// An array that may be written, as far as can be seen here; programs that
  /// write to the constant one after all are not compared.
  const std::string &array(const Scope &S) {
    for (;;)
      if (const std::string &A = any(S.Arrays); A != "@table")
        return A;
  }

  void copy(const std::string &To, const std::string &From) {
    line("call void @llvm.memcpy.p0.p0.i64(ptr " + To + ", ptr " + From +
         ", i64 " + std::to_string(8 + 8 * pick(4)) + ", i1 false)");
  }

  void simple(Scope &S) {
    std::string V = fresh();
    switch (pick(NumCallees ? 16 : 15)) {
    case 0:
    case 1: {
      const std::string X = any(S.Floats), Y = any(S.Floats);
      line(V + " = fmul double " + X + ", " + Y);
      S.Floats.push_back(V);
      return;
    }
    case 2:
    case 3: {
      std::string P = element(S, any(S.Arrays));
      line(V + " = load double, ptr " + P);
      S.Floats.push_back(V);
      return;
    }
    case 4:
    case 5: {
      std::string P = element(S, array(S));
      line("store double " + any(S.Floats) + ", ptr " + P);
      return;
    }
    case 6: {
      std::string P = element(S, any(S.Tables));
      line(V + " = load ptr, ptr " + P);
      S.Arrays.push_back(V);
      return;
    }
    case 7: {
      std::string P = element(S, any(S.Tables));
      line("store ptr " + array(S) + ", ptr " + P);
      return;
    }
    case 8: {
      std::string C = condition(S);
      const std::string A = any(S.Arrays), B = any(S.Arrays);
      line(V + " = select i1 " + C + ", ptr " + A + ", ptr " + B);
      S.Arrays.push_back(V);
      return;
    }
    case 9: {
      bool OfTables = pick(3) == 0;
      const std::string To = OfTables ? any(S.Tables) : array(S);
      const std::string From = any(OfTables ? S.Tables : S.Arrays);
      return copy(To, From);
    }
    case 10:
      return pick(3) ? newArray(S) : pick(2) ? newTable(S) : newRecord(S);
    case 11:
      return record(S);
    case 12:
      return kept(S);
    case 13:
      return moveBits(S);
    case 14: {
      const std::string To = S.Records[pick(S.Records.size())];
      const std::string From = S.Records[pick(S.Records.size())];
      return copy(To, From);
    }
    default:
      return call(S);
    }
  }

  void branch(Scope &S, unsigned Nested) {
    std::string N = std::to_string(Number++), C = condition(S);
    line("br i1 " + C + ", label %then" + N + ", label %else" + N);
    std::string Ends[2], Floats[2], Arrays[2];
    for (unsigned Side = 0; Side < 2; ++Side) {
      label((Side ? "else" : "then") + N);
      Scope Inner = S;
      statements(Inner, 3, Nested);
      Ends[Side] = Block;
      Floats[Side] = any(Inner.Floats);
      Arrays[Side] = any(Inner.Arrays);
      line("br label %join" + N);
    }
    label("join" + N);
    std::string F = fresh(), A = fresh();
    line(F + " = phi double [ " + Floats[0] + ", %" + Ends[0] + " ], [ " +
         Floats[1] + ", %" + Ends[1] + " ]");
    line(A + " = phi ptr [ " + Arrays[0] + ", %" + Ends[0] + " ], [ " +
         Arrays[1] + ", %" + Ends[1] + " ]");
    S.Floats.push_back(F);
    S.Arrays.push_back(A);
  }

  /// Three rounds that carry a float and swap two arrays.
  void loop(Scope &S, unsigned Nested) {
    std::string N = std::to_string(Number++), Before = Block;
    std::string I = "%i" + N, F = "%f" + N, A = "%a" + N, B = "%b" + N;
    std::string F0 = any(S.Floats), A0 = array(S), B0 = array(S);
    line("br label %loop" + N);
    label("loop" + N);
    size_t Place = Body.size();
    Scope Inner = S;
    Inner.Counters.push_back(I);
    Inner.Floats.push_back(F);
    Inner.Arrays.insert(Inner.Arrays.end(), {A, B});
    ++Depth;
    statements(Inner, 5, Nested);
    --Depth;
    std::string Next = fresh(), More = fresh(), Carried = any(Inner.Floats);
    std::string NewA = pick(2) ? B : any(Inner.Arrays);
    line(Next + " = add nuw nsw i64 " + I + ", 1");
    line(More + " = icmp ult i64 " + Next + ", 3");
    line("br i1 " + More + ", label %loop" + N + ", label %exit" + N);
    auto Phi = [&](const char *Type, const std::string &Name,
                   const std::string &First, const std::string &Later) {
      return "  " + Name + " = phi " + Type + " [ " + First + ", %" + Before +
             " ], [ " + Later + ", %" + Block + " ]\n";
    };
    if (NewA == "@table")
      NewA = B;
    Body.insert(Place, Phi("i64", I, "0", Next) +
                           Phi("double", F, F0, Carried) +
                           Phi("ptr", A, A0, NewA) + Phi("ptr", B, B0, A));
    label("exit" + N);
    S.Floats.push_back(F);
    S.Arrays.insert(S.Arrays.end(), {A, B});
  }

  void statements(Scope &S, unsigned Count, unsigned Nested) {
    for (unsigned I = 0; I < Count; ++I) {
      unsigned Kind = Nested ? pick(10) : 9;
      if (Kind == 0)
        branch(S, Nested - 1);
      else if (Kind == 1)
        loop(S, Nested - 1);
      else
        simple(S);
    }
  }

  uint64_t State;
  std::string Body, Block;
  unsigned Number = 0, NumCallees = 0, Depth = 0;
  bool Outermost = false;
  std::vector<Result> Returns;
};

} // namespace analysis_random
#endif
