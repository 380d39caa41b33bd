// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RandomRegion.h"

#include <algorithm>

using namespace random_region;

//===-- Making one --------------------------------------------------------===//

Region::Region(uint64_t Seed) : Random(Seed) {
  Apart = pick(2);
  IsRegular = pick(2);
  HasRows = pick(2);
  Top = body({}, -1, 0);
}

Linear Region::end(const std::vector<unsigned> &Around, bool IsUniform) {
  Linear End;
  switch (pick(IsUniform || Around.empty() ? 4 : 6)) {
  case 0:
  case 1:
    End.N = 1;
    break;
  case 2:
    End.M = 1;
    break;
  case 3:
    End.Constant = 1 + pick(4);
    break;
  default:
    End.By[Around[pick(Around.size())]] = 1;
    End.Constant = pick(2);
  }
  return End;
}

Node Region::loop(std::vector<unsigned> Around, int SharedLoop,
                  unsigned Depth) {
  Node L;
  L.K = Kind::Loop;
  L.Number = Loops++;
  const bool IsOutside = SharedLoop < 0;
  if (IsOutside && (Depth > 0 || pick(2))) {
    L.How = Share(1 + pick(3));
    L.Chunk = L.How == Share::Block ? 0 : 1 + pick(3);
    SharedLoop = int(L.Number);
  }
  // What threads share out they share out alike.
  L.End = end(Around, /*IsUniform=*/false);
  L.Step = pick(6) ? 1 : 2;
  L.Is32 = pick(3) == 0;
  L.EndsEarly = !IsOutside && pick(5) == 0;
  Around.push_back(L.Number);
  L.Body = body(Around, SharedLoop, Depth + 1);
  return L;
}

std::vector<Node> Region::body(const std::vector<unsigned> &Around,
                               int SharedLoop, unsigned Depth) {
  constexpr unsigned MaxDepth = 3;
  const bool IsOutside = SharedLoop < 0;
  std::vector<Node> Nodes;
  for (unsigned K = 1 + pick(3); K > 0; --K)
    switch (pick(IsOutside ? 6 : 8)) {
    case 0:
    case 1:
    case 2:
      if (Depth < MaxDepth) {
        Nodes.push_back(loop(Around, SharedLoop, Depth));
        break;
      }
      [[fallthrough]];
    case 3:
      if (IsOutside) {
        Nodes.emplace_back();
        break;
      }
      [[fallthrough]];
    case 4:
      if (Depth < MaxDepth && pick(2)) {
        Node If;
        If.K = Kind::If;
        If.IsEven = pick(2);
        if (IsOutside || pick(4) == 0)
          If.Condition.Thread = 1;
        else if (!Around.empty())
          If.Condition.By[Around[pick(Around.size())]] = 1;
        // No meetings or shared loops where only some threads come.
        If.Body.push_back(access(Around, SharedLoop));
        Nodes.push_back(If);
        break;
      }
      [[fallthrough]];
    default:
      Nodes.push_back(access(Around, SharedLoop));
    }
  return Nodes;
}

Linear Region::address(const std::vector<unsigned> &Around, int SharedLoop,
                       int64_t Unit) {
  Linear At;
  if (IsRegular && SharedLoop >= 0 && pick(10)) {
    const auto Shared = unsigned(SharedLoop);
    (HasRows ? At.ByN : At.By)[Shared] = Unit;
    if (HasRows && Around.back() != Shared)
      At.By[Around.back()] = Unit;
    if (HasRows && pick(3) == 0)
      At.N = Unit * (int64_t(pick(3)) - 1);
    if (pick(2))
      At.Constant = Unit * (int64_t(pick(3)) - 1);
    return At;
  }
  At.Constant = pick(2) ? 0 : Unit * (int64_t(pick(5)) - 2);
  for (unsigned L : Around)
    switch (pick(9)) {
    case 0:
    case 1:
      At.ByN[L] = Unit;
      break;
    case 2:
      At.By[L] = Unit * (int64_t(pick(9)) - 3);
      break;
    case 3:
    case 4:
    case 5:
    case 6:
      At.By[L] = Unit;
      break;
    default:
      break;
    }
  if (pick(8) == 0)
    At.N = Unit * (int64_t(pick(3)) - 1);
  if (pick(8) == 0)
    At.M = Unit;
  if (pick(12) == 0)
    At.Thread = Unit * (1 + pick(3));
  return At;
}

Node Region::access(const std::vector<unsigned> &Around, int SharedLoop) {
  Node A;
  auto fits = [&](const Node &Old) {
    auto has = [&](const std::map<unsigned, int64_t> &Factors) {
      return std::all_of(Factors.begin(), Factors.end(), [&](auto &F) {
        return std::find(Around.begin(), Around.end(), F.first) != Around.end();
      });
    };
    return has(Old.At.By) && has(Old.At.ByN) && has(Old.RowNumber.By);
  };
  std::vector<Node> Fitting;
  std::copy_if(Earlier.begin(), Earlier.end(), std::back_inserter(Fitting),
               fits);
  if (!Fitting.empty() && pick(3) == 0) {
    A = Fitting[pick(Fitting.size())];
    if (pick(3) == 0)
      A.At.Constant += A.Bytes * (int64_t(pick(3)) - 1);
  } else {
    A.Of = Array(IsRegular && pick(3) ? 0 : pick(5));
    A.Bytes = pick(8) ? 8 : 4;
    A.At = address(Around, SharedLoop, pick(12) ? A.Bytes : 4);
    if (pick(IsRegular ? 30 : 8) == 0)
      A.ByIndex = 8 * (1 + pick(2));
    if (A.Of == Array::Row && !Around.empty() && pick(2))
      A.RowNumber.By[Around[pick(Around.size())]] = 1;
    A.RowNumber.Constant = pick(2);
  }
  A.K = pick(4) ? Kind::Load : pick(4) ? Kind::Store : Kind::Copy;
  A.Number = Accesses++;
  SharedLoops.push_back(SharedLoop);
  Earlier.push_back(A);
  return A;
}

//===-- Walking through it ------------------------------------------------===//

namespace {

class Walker {
public:
  Walker(const Setting &S, unsigned Thread, Trace &T)
      : S(S), Thread(Thread), T(T) {}

  void walk(const std::vector<Node> &Nodes) {
    for (const Node &N : Nodes)
      walk(N);
  }

private:
  void walk(const Node &N);
  void walkLoop(const Node &L);
  void walkInterval(const Node &L, int64_t First, int64_t Count);
  bool iterate(const Node &L, int64_t Value);
  void touch(const Node &A);
  int64_t addressOf(const Node &A);
  uint64_t mix(uint64_t Key) const {
    std::mt19937_64 R(S.Seed * 1000003 + Key);
    return R();
  }
  int64_t index(int64_t K) const {
    const int64_t Entry = ((K % IndexTable) + IndexTable) % IndexTable;
    return int64_t(mix(uint64_t(Entry)) % 8);
  }
  int64_t value(const Linear &L) const {
    int64_t V = L.Constant + L.N * S.N + L.M * S.M + L.Thread * Thread;
    for (auto [C, F] : L.By)
      V += F * Variables.at(C);
    for (auto [C, F] : L.ByN)
      V += F * S.N * Variables.at(C);
    return V;
  }

  const Setting &S;
  const unsigned Thread;
  Trace &T;
  unsigned Phase = 0;
  unsigned Constructs = 0; // loops that were shared out
  std::map<unsigned, int64_t> Variables;
  // Of the shared loop around.
  int64_t Before = -1, Behind = -1, Number = 0;
  std::vector<int64_t> Instance;
};

void Walker::walk(const Node &N) {
  switch (N.K) {
  case Kind::Loop:
    return walkLoop(N);
  case Kind::Barrier:
    ++Phase;
    return;
  case Kind::If: {
    const int64_t C = value(N.Condition);
    if (N.IsEven ? C % 2 == 0 : C == 0)
      walk(N.Body);
    return;
  }
  case Kind::Load:
  case Kind::Store:
  case Kind::Copy:
    return touch(N);
  }
}

/// False: it ends.
bool Walker::iterate(const Node &L, int64_t Value) {
  Variables[L.Number] = Value;
  walk(L.Body);
  return !(L.EndsEarly && index(Value) % 2 == 1);
}

void Walker::walkInterval(const Node &L, int64_t First, int64_t Count) {
  for (int64_t K = 0; K < Count; ++K) {
    Before = K;
    Behind = Count - 1 - K;
    Number = First + K;
    T.Iterations.push_back({L.Number, Thread, Instance, Number});
    iterate(L, (First + K) * L.Step);
  }
  Before = Behind = -1;
}

void Walker::walkLoop(const Node &L) {
  const int64_t End = value(L.End);
  const int64_t Count = End > 0 ? (End + L.Step - 1) / L.Step : 0;
  if (L.How == Share::Nothing) {
    for (int64_t K = 0; K < Count; ++K)
      if (!iterate(L, K * L.Step))
        break;
  } else {
    Instance.clear();
    for (auto [C, V] : Variables)
      Instance.push_back(V);
    const int64_t Threads = S.Threads;
    if (L.How == Share::Block) {
      const int64_t Rest = Count % Threads, Each = Count / Threads;
      const int64_t Own = Thread;
      walkInterval(L, Each * Own + std::min(Own, Rest), Each + (Own < Rest));
    }
    ++Constructs;
    for (int64_t Chunk = 0; L.Chunk && Chunk * L.Chunk < Count; ++Chunk) {
      const int64_t Owner =
          L.How == Share::Chunks
              ? Chunk % Threads
              : int64_t(mix(Constructs * 1000 + Chunk) % uint64_t(Threads));
      if (Owner == Thread)
        walkInterval(L, Chunk * L.Chunk,
                     std::min(L.Chunk, Count - Chunk * L.Chunk));
    }
  }
  Variables.erase(L.Number);
}

/// Arrays are megabytes apart, unless they overlap.
int64_t Walker::addressOf(const Node &A) {
  constexpr int64_t Far = 1 << 24;
  int64_t Offset = A.ByIndex ? A.ByIndex * index(value(A.At) / 8) : value(A.At);
  const bool Overlap = S.Overlap;
  switch (A.Of) {
  case Array::A:
    return Far + Offset;
  case Array::B:
    return (Overlap ? Far + 8 * int64_t(mix(100) % 4) : 2 * Far) + Offset;
  case Array::Global:
    return 3 * Far + Offset;
  case Array::Row: {
    const uint64_t Row = uint64_t(value(A.RowNumber));
    return (mix(200 + Row) % 3 == 0 && Overlap ? Far + 8 * int64_t(Row % 4)
                                               : (4 + int64_t(Row % 8)) * Far) +
           Offset;
  }
  case Array::Private:
    return (20 + int64_t(Thread)) * Far + Offset;
  }
  return 0;
}

void Walker::touch(const Node &A) {
  T.Touches.push_back({Phase, Thread, A.Number, addressOf(A),
                       A.K == Kind::Copy ? 16 : A.Bytes, A.K == Kind::Store,
                       Before, Behind, Instance, Number});
}

} // namespace

Trace Region::run(const Setting &S) const {
  Trace T;
  for (unsigned Thread = 0; Thread < S.Threads; ++Thread)
    Walker(S, Thread, T).walk(Top);
  return T;
}

bool Trace::hasRace() const {
  // Who touches a byte in a phase: one thread, or several (-1).
  struct State {
    int By = -2, Writer = -2;
  };
  std::map<std::pair<unsigned, int64_t>, State> Bytes;
  for (const Touch &A : Touches)
    for (int64_t K = 0; K < A.Bytes; K += Grain) {
      State &B = Bytes[{A.Phase, A.Address + K}];
      const int Own = int(A.Thread);
      B.By = B.By == -2 || B.By == Own ? Own : -1;
      if (A.IsWrite)
        B.Writer = Own;
      if (B.Writer != -2 && B.By == -1)
        return true;
    }
  return false;
}
