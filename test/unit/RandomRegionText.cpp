// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random regions as IR.
#include "RandomRegion.h"

using namespace random_region;

namespace {

class Writer {
public:
  std::string write(const std::vector<Node> &Nodes);

private:
  void write(const Node &N);
  void writeLoop(const Node &L);
  void writeIterations(const Node &L, const std::string &From,
                       const std::string &To, const std::string &Until,
                       const std::string &Next);
  void writeChunks(const Node &L, const std::string &Lower,
                   const std::string &Upper, const std::string &Last);
  void writeAsTheyCome(const Node &L, const std::string &Parts);
  void writeAccess(const Node &A);
  std::string pointerOf(const Node &A);
  std::string number(const Linear &L);
  std::string op(const std::string &What) {
    std::string Name = "%t" + std::to_string(Names++);
    Text += "  " + Name + " = " + What + "\n";
    return Name;
  }
  std::string label(const char *What) { return What + std::to_string(Names++); }
  void begin(const std::string &Label) { Text += Label + ":\n"; }
  void go(const std::string &Label) { Text += "  br label %" + Label + "\n"; }
  void choose(const std::string &If, const std::string &A,
              const std::string &B) {
    Text += "  br i1 " + If + ", label %" + A + ", label %" + B + "\n";
  }
  /// A call of one of the functions that bounds pass through.
  std::string bound(const char *Which, const Node &L, const std::string &Of,
                    const std::string &Parts) {
    const std::string Type = L.Is32 ? "i32" : "i64";
    return op("call " + Type + " @adze.team." + Which + (L.Is32 ? ".4" : ".8") +
              "(" + Type + " " + Of + ", " + Type + " " + Parts + ")");
  }

  std::string Text;
  unsigned Names = 0;
};

std::string Writer::number(const Linear &L) {
  std::string Sum = std::to_string(L.Constant);
  auto add = [&](int64_t Factor, const std::string &What) {
    if (Factor)
      Sum = op("add nsw i64 " + Sum + ", " +
               op("mul nsw i64 " + std::to_string(Factor) + ", " + What));
  };
  add(L.N, "%n");
  add(L.M, "%m");
  add(L.Thread, "%thread");
  for (auto [C, F] : L.By)
    add(F, "%c" + std::to_string(C));
  for (auto [C, F] : L.ByN)
    add(F, op("mul nsw i64 %c" + std::to_string(C) + ", %n"));
  return Sum;
}

std::string Writer::pointerOf(const Node &A) {
  std::string Offset = number(A.At);
  if (A.ByIndex) {
    std::string Place = op("and i64 " + op("sdiv i64 " + Offset + ", 8") +
                           ", " + std::to_string(IndexTable - 1));
    std::string At = op("getelementptr inbounds i64, ptr %index, i64 " + Place);
    Offset = op("mul nsw i64 " + std::to_string(A.ByIndex) + ", " +
                op("load i64, ptr " + At));
  }
  std::string Base;
  switch (A.Of) {
  case Array::A:
    Base = "%a";
    break;
  case Array::B:
    Base = "%b";
    break;
  case Array::Global:
    Base = "@global";
    break;
  case Array::Row:
    Base = op("load ptr, ptr " + op("getelementptr inbounds ptr, ptr %rows, " +
                                    ("i64 " + number(A.RowNumber))));
    break;
  case Array::Private:
    Base = "%private";
  }
  return op("getelementptr inbounds i8, ptr " + Base + ", i64 " + Offset);
}

void Writer::writeAccess(const Node &A) {
  const std::string At = pointerOf(A);
  const std::string Type = A.Bytes == 8 ? "double" : "float";
  const std::string Name = "%access" + std::to_string(A.Number);
  if (A.K == Kind::Store) {
    std::string V = op("load double, ptr %sum");
    if (A.Bytes == 4)
      V = op("fptrunc double " + V + " to float");
    Text += "  store " + Type + " " + V + ", ptr " + At + "\n";
    return;
  }
  std::string Read = Name;
  if (A.K == Kind::Copy) {
    Text += "  " + Name + " = getelementptr i8, ptr " + At +
            ", i64 0\n  call void @llvm.memcpy.p0.p0.i64(ptr %pair, ptr " +
            Name + ", i64 16, i1 false)\n";
    Read = op("load double, ptr %pair");
  } else {
    Text += "  " + Name + " = load " + Type + ", ptr " + At + "\n";
    if (A.Bytes == 4)
      Read = op("fpext float " + Read + " to double");
  }
  std::string Sum =
      op("fadd double " + op("load double, ptr %sum") + ", " + Read);
  Text += "  store double " + op("fmul double " + Sum + ", " + Sum) +
          ", ptr %sum\n";
}

/// for (i = From; i <= To; i += Step), which is entered. Iterations are
/// numbered from 0, or stand for themselves where the step is 1.
void Writer::writeIterations(const Node &L, const std::string &From,
                             const std::string &To, const std::string &Until,
                             const std::string &Next) {
  const std::string K = std::to_string(L.Number), Type = L.Is32 ? "i32" : "i64";
  begin("before" + K);
  Text += "  %last" + K + " = sub " + Type + " " + To + ", " + From + "\n";
  go("loop" + K);
  begin("loop" + K);
  Text += "  %i" + K + " = phi " + Type + " [ " + From + ", %before" + K +
          " ], [ %next" + K + ", %latch" + K + " ]\n";
  std::string I = "%i" + K;
  if (L.Is32)
    I = op("sext i32 " + I + " to i64");
  Text +=
      "  %c" + K + " = mul nsw i64 " + I + ", " + std::to_string(L.Step) + "\n";
  for (const Node &N : L.Body)
    write(N);
  if (L.EndsEarly) {
    std::string At =
        op("getelementptr inbounds i64, ptr %index, i64 " +
           op("and i64 %c" + K + ", " + std::to_string(IndexTable - 1)));
    std::string Odd = op("trunc i64 " + op("load i64, ptr " + At) + " to i1");
    choose(Odd, Until, "latch" + K);
  } else {
    go("latch" + K);
  }
  begin("latch" + K);
  Text += "  %next" + K + " = add nsw " + Type + " %i" + K + ", 1\n";
  choose(op("icmp slt " + Type + " %i" + K + ", " + To), "loop" + K, Next);
}

/// The runtime's bounds are calculated of the count and the thread's number;
/// how, nobody looks at.
void Writer::writeLoop(const Node &L) {
  const std::string K = std::to_string(L.Number), Type = L.Is32 ? "i32" : "i64",
                    Out = "out" + K;
  std::string End = number(L.End), Thread = "%thread";
  if (L.Step != 1)
    End = op("sdiv i64 " +
             op("add nsw i64 " + End + ", " + std::to_string(L.Step - 1)) +
             ", " + std::to_string(L.Step));
  if (L.Is32) {
    End = op("trunc i64 " + End + " to i32");
    Thread = "%thread32";
  }
  const std::string Last = op("sub nsw " + Type + " " + End + ", 1");
  if (L.How == Share::Nothing) {
    choose(op("icmp sgt " + Type + " " + End + ", 0"), "before" + K, Out);
    writeIterations(L, "0", Last, Out, Out);
    begin(Out);
    return;
  }
  if (L.How == Share::AsTheyCome)
    return writeAsTheyCome(L, End);
  const std::string Each = op("mul " + Type + " " + Thread + ", " + End);
  const std::string Lower = bound("lower", L, Each, End);
  std::string Upper =
      bound("upper", L, op("add " + Type + " " + Each + ", 1"), End);
  if (L.How == Share::Chunks)
    return writeChunks(L, Lower, Upper, Last);
  Upper = op("call " + Type + " @llvm.smin." + Type + "(" + Type + " " + Upper +
             ", " + Type + " " + Last + ")");
  choose(op("icmp sle " + Type + " " + Lower + ", " + Upper), "before" + K,
         Out);
  writeIterations(L, Lower, Upper, Out, Out);
  begin(Out);
}

void Writer::writeChunks(const Node &L, const std::string &Lower,
                         const std::string &Upper, const std::string &Last) {
  const std::string K = std::to_string(L.Number), Type = L.Is32 ? "i32" : "i64";
  const std::string Enter = label("enter"), Head = "chunks" + K,
                    Done = "done" + K, Out = "out" + K;
  const std::string Stride =
      bound("stride", L,
            op("mul " + Type + " " + (L.Is32 ? "%threads32" : "%threads") +
               ", " + std::to_string(L.Chunk)),
            Last);
  go(Enter);
  begin(Enter);
  const std::string First =
      op("call " + Type + " @llvm.smin." + Type + "(" + Type + " " + Upper +
         ", " + Type + " " + Last + ")");
  const std::string Before = label("chunked");
  choose(op("icmp sle " + Type + " " + Lower + ", " + First), Before, Out);
  begin(Before);
  go(Head);
  begin(Head);
  Text += "  %lower" + K + " = phi " + Type + " [ " + Lower + ", %" + Before +
          " ], [ %lowernext" + K + ", %" + Done + " ]\n  %upper" + K +
          " = phi " + Type + " [ " + First + ", %" + Before +
          " ], [ %uppernext" + K + ", %" + Done + " ]\n";
  choose(op("icmp sle " + Type + " %lower" + K + ", %upper" + K), "before" + K,
         Done);
  writeIterations(L, "%lower" + K, "%upper" + K, Done, Done);
  begin(Done);
  Text += "  %lowernext" + K + " = add nsw " + Type + " %lower" + K + ", " +
          Stride + "\n";
  std::string Further = op("add nsw " + Type + " %upper" + K + ", " + Stride);
  Text += "  %uppernext" + K + " = call " + Type + " @llvm.smin." + Type + "(" +
          Type + " " + Further + ", " + Type + " " + Last + ")\n";
  choose(op("icmp sle " + Type + " %lowernext" + K + ", %uppernext" + K), Head,
         Out);
  begin(Out);
}

void Writer::writeAsTheyCome(const Node &L, const std::string &Parts) {
  const std::string K = std::to_string(L.Number), Type = L.Is32 ? "i32" : "i64",
                    Kind = L.Is32 ? "4" : "8";
  const std::string Variables = ", ptr %lastof" + K + ", ptr %lowerof" + K +
                                ", ptr %upperof" + K + ", ptr %stepof" + K;
  Text += "  call void @__kmpc_dispatch_init_" + Kind +
          "(ptr null, i32 0, i32 35, " + Type + " 0, " + Type + " " + Parts +
          ", " + Type + " 1, " + Type + " " + std::to_string(L.Chunk) + ")\n";
  go("take" + K);
  begin("take" + K);
  std::string Any = op("call i32 @__kmpc_dispatch_next_" + Kind +
                       "(ptr null, i32 0" + Variables + ")");
  choose(op("icmp eq i32 " + Any + ", 0"), "out" + K, "taken" + K);
  begin("taken" + K);
  const std::string Lower =
      bound("lower", L, op("load " + Type + ", ptr %lowerof" + K), Parts);
  const std::string Upper =
      bound("upper", L, op("load " + Type + ", ptr %upperof" + K), Parts);
  choose(op("icmp sle " + Type + " " + Lower + ", " + Upper), "before" + K,
         "again" + K);
  writeIterations(L, Lower, Upper, "again" + K, "again" + K);
  begin("again" + K);
  go("take" + K);
  begin("out" + K);
}

void Writer::write(const Node &N) {
  switch (N.K) {
  case Kind::Loop:
    return writeLoop(N);
  case Kind::Barrier:
    Text += "  call void @__kmpc_barrier(ptr null, i32 0)\n";
    return;
  case Kind::If: {
    const std::string Then = label("then"), Else = label("else");
    std::string C = number(N.Condition);
    if (N.IsEven)
      C = op("and i64 " + C + ", 1");
    choose(op("icmp eq i64 " + C + ", 0"), Then, Else);
    begin(Then);
    for (const Node &In : N.Body)
      write(In);
    go(Else);
    begin(Else);
    return;
  }
  case Kind::Load:
  case Kind::Store:
  case Kind::Copy:
    return writeAccess(N);
  }
}

void declareVariables(const std::vector<Node> &Nodes, std::string &Text) {
  for (const Node &N : Nodes) {
    if (N.How == Share::AsTheyCome)
      for (const char *Of : {"last", "lower", "upper", "step"})
        Text += std::string("  %") + Of + "of" + std::to_string(N.Number) +
                " = alloca i64\n";
    declareVariables(N.Body, Text);
  }
}

std::string Writer::write(const std::vector<Node> &Nodes) {
  Text = R"(@global = internal global [64 x double] zeroinitializer
declare i32 @omp_get_thread_num()
declare i32 @omp_get_num_threads()
declare void @__kmpc_barrier(ptr, i32)
declare void @__kmpc_dispatch_init_4(ptr, i32, i32, i32, i32, i32, i32)
declare void @__kmpc_dispatch_init_8(ptr, i32, i32, i64, i64, i64, i64)
declare i32 @__kmpc_dispatch_next_4(ptr, i32, ptr, ptr, ptr, ptr)
declare i32 @__kmpc_dispatch_next_8(ptr, i32, ptr, ptr, ptr, ptr)
declare i32 @llvm.smin.i32(i32, i32)
declare i64 @llvm.smin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @adze.team.lower.4(i32, i32) nounwind willreturn memory(none)
declare i32 @adze.team.upper.4(i32, i32) nounwind willreturn memory(none)
declare i32 @adze.team.stride.4(i32, i32) nounwind willreturn memory(none)
declare i64 @adze.team.lower.8(i64, i64) nounwind willreturn memory(none)
declare i64 @adze.team.upper.8(i64, i64) nounwind willreturn memory(none)
declare i64 @adze.team.stride.8(i64, i64) nounwind willreturn memory(none)
define void @f(ptr %global, ptr %bound, ptr %a, ptr %b, ptr noalias readonly %rows, ptr noalias readonly %index, ptr %out, i32 %n32, i64 %m) {
  %n = zext i32 %n32 to i64
  %sum = alloca double
  %pair = alloca [2 x double]
  %private = alloca [64 x double]
)";
  declareVariables(Nodes, Text);
  Text += "  store double 0.0, ptr %sum\n";
  Text += "  %thread32 = call i32 @omp_get_thread_num()\n"
          "  %thread = sext i32 %thread32 to i64\n"
          "  %threads32 = call i32 @omp_get_num_threads()\n"
          "  %threads = sext i32 %threads32 to i64\n";
  for (const Node &N : Nodes)
    write(N);
  std::string Own = op("getelementptr inbounds double, ptr %out, i64 %thread");
  Text += "  store double " + op("load double, ptr %sum") + ", ptr " + Own +
          "\n  ret void\n}\n";
  return Text;
}

} // namespace

std::string Region::text() const { return Writer().write(Top); }
