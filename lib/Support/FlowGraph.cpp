// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dinic's algorithm with explicit stacks; see FlowGraph.h.
#include "adze/FlowGraph.h"

#include <algorithm>

using namespace adze;

FlowGraph::Node FlowGraph::addNode() {
  Edges.emplace_back();
  return Edges.size() - 1;
}

void FlowGraph::addEdge(Node From, Node To, uint64_t Capacity) {
  if (From == To || Capacity == 0)
    return;
  unsigned Here = Edges[From].size(), There = Edges[To].size();
  Edges[From].push_back({To, Capacity, There});
  Edges[To].push_back({From, 0, Here});
}

FlowGraph::SplitNode FlowGraph::addSplitNode(uint64_t Weight) {
  SplitNode N{addNode(), addNode()};
  addEdge(N.In, N.Out, Weight);
  return N;
}

/// One run: the residual graph and the search state over it.
class FlowGraph::Solver {
public:
  Solver(const std::vector<std::vector<Edge>> &Edges, Node Source, Node Sink)
      : Residual(Edges), Source(Source), Sink(Sink) {}

  /// False if the flow is unbounded.
  bool maximize() {
    while (assignLevels())
      if (!saturateLevels())
        return false;
    return true;
  }

  uint64_t flow() const { return Flow; }

  /// What the source still reaches after maximize().
  llvm::BitVector reachedFromSource() const {
    llvm::BitVector Reached(Residual.size());
    std::vector<Node> Work{Source};
    Reached.set(Source);
    while (!Work.empty()) {
      Node N = Work.back();
      Work.pop_back();
      for (const Edge &E : Residual[N])
        if (E.Capacity && !Reached[E.To]) {
          Reached.set(E.To);
          Work.push_back(E.To);
        }
    }
    return Reached;
  }

  /// What still reaches the sink after maximize().
  llvm::BitVector reachesSink() const {
    llvm::BitVector Reaches(Residual.size());
    std::vector<Node> Work{Sink};
    Reaches.set(Sink);
    while (!Work.empty()) {
      Node N = Work.back();
      Work.pop_back();
      // An edge of N seen from its other end.
      for (const Edge &E : Residual[N])
        if (Residual[E.To][E.Reverse].Capacity && !Reaches[E.To]) {
          Reaches.set(E.To);
          Work.push_back(E.To);
        }
    }
    return Reaches;
  }

private:
  static constexpr unsigned Unreached = ~0u;

  /// Breadth-first distances from the source; false if the sink is cut off.
  bool assignLevels() {
    Level.assign(Residual.size(), Unreached);
    Level[Source] = 0;
    std::vector<Node> Queue{Source};
    for (size_t Head = 0; Head != Queue.size(); ++Head)
      for (const Edge &E : Residual[Queue[Head]])
        if (E.Capacity && Level[E.To] == Unreached) {
          Level[E.To] = Level[Queue[Head]] + 1;
          Queue.push_back(E.To);
        }
    return Level[Sink] != Unreached;
  }

  /// Blocking flow: paths that climb one level an edge, until none is left.
  /// Next[N] is the first edge of N that may still lead to the sink.
  bool saturateLevels() {
    Next.assign(Residual.size(), 0);
    std::vector<Edge *> Path;
    Node At = Source;
    while (true) {
      if (At == Sink) {
        if (!augment(Path))
          return false;
        // Go on from the tail of the first edge that is full now.
        auto Full = std::find_if(Path.begin(), Path.end(),
                                 [](Edge *E) { return E->Capacity == 0; });
        At = tail(**Full);
        Path.erase(Full, Path.end());
        continue;
      }
      if (Edge *E = climb(At)) {
        Path.push_back(E);
        At = E->To;
        continue;
      }
      if (At == Source)
        return true;
      // Dead end: the edge that led here leads nowhere.
      At = tail(*Path.back());
      Path.pop_back();
      ++Next[At];
    }
  }

  Edge *climb(Node N) {
    std::vector<Edge> &Out = Residual[N];
    for (unsigned &I = Next[N]; I != Out.size(); ++I)
      if (Out[I].Capacity && Level[Out[I].To] == Level[N] + 1)
        return &Out[I];
    return nullptr;
  }

  Node tail(const Edge &E) const { return Residual[E.To][E.Reverse].To; }

  /// Sends as much as \p Path carries; false if that is without bound.
  bool augment(const std::vector<Edge *> &Path) {
    uint64_t Amount = Infinite;
    for (const Edge *E : Path)
      Amount = std::min(Amount, E->Capacity);
    if (Amount == Infinite)
      return false;
    for (Edge *E : Path) {
      Edge &Back = Residual[E->To][E->Reverse];
      if (E->Capacity != Infinite)
        E->Capacity -= Amount;
      Back.Capacity = saturatingAdd(Back.Capacity, Amount);
    }
    Flow = saturatingAdd(Flow, Amount);
    return true;
  }

  static uint64_t saturatingAdd(uint64_t A, uint64_t B) {
    if (A == Infinite)
      return A;
    // One below Infinite: a sum of finite amounts never becomes unbounded.
    return A > Infinite - 1 - B ? Infinite - 1 : A + B;
  }

  std::vector<std::vector<Edge>> Residual;
  Node Source, Sink;
  uint64_t Flow = 0;
  std::vector<unsigned> Level, Next;
};

FlowGraph::Cut FlowGraph::minCut(Node Source, Node Sink, Nearest Side) const {
  Cut C;
  if (Source == Sink)
    return C;
  Solver S(Edges, Source, Sink);
  if (!S.maximize())
    return C;
  C.Finite = true;
  C.Value = S.flow();
  if (Side == Nearest::Source) {
    C.SourceSide = S.reachedFromSource();
  } else {
    C.SourceSide = S.reachesSink();
    C.SourceSide.flip();
  }
  return C;
}
