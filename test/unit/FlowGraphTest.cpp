// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The min-cut against brute force over all cuts of small random graphs.
#include "adze/FlowGraph.h"

#include "gtest/gtest.h"
#include <random>

using namespace adze;

namespace {

struct PlainEdge {
  unsigned From, To;
  uint64_t Capacity;
};

struct Expected {
  bool Finite = false;
  uint64_t Value = 0;
  unsigned Smallest = 0, Largest = 0; // source sides as bit masks
};

/// Tries every set that holds the source (node 0) and not the sink (node 1).
/// The intersection and the union of minimum cuts are minimum cuts again, so
/// the nearest ones are the bitwise and/or of all.
Expected bruteForce(unsigned Nodes, const std::vector<PlainEdge> &Edges) {
  Expected Best;
  for (unsigned Set = 0; Set != 1u << Nodes; ++Set) {
    if (!(Set & 1) || (Set & 2))
      continue;
    uint64_t Value = 0;
    bool Finite = true;
    for (const PlainEdge &E : Edges)
      if ((Set >> E.From & 1) && !(Set >> E.To & 1)) {
        Finite &= E.Capacity != FlowGraph::Infinite;
        Value += E.Capacity;
      }
    if (!Finite)
      continue;
    if (!Best.Finite || Value < Best.Value)
      Best = {true, Value, Set, Set};
    else if (Value == Best.Value) {
      Best.Smallest &= Set;
      Best.Largest |= Set;
    }
  }
  return Best;
}

unsigned mask(const llvm::BitVector &Bits) {
  unsigned M = 0;
  for (unsigned I : Bits.set_bits())
    M |= 1u << I;
  return M;
}

std::vector<PlainEdge> randomEdges(std::mt19937 &Random, unsigned Nodes,
                                   unsigned Count) {
  std::vector<PlainEdge> Edges;
  for (unsigned I = 0; I != Count; ++I) {
    uint64_t Capacity = Random() % 8;
    if (Capacity == 7)
      Capacity = FlowGraph::Infinite;
    Edges.push_back(
        {unsigned(Random() % Nodes), unsigned(Random() % Nodes), Capacity});
  }
  return Edges;
}

FlowGraph build(unsigned Nodes, const std::vector<PlainEdge> &Edges) {
  FlowGraph G;
  for (unsigned I = 0; I != Nodes; ++I)
    G.addNode();
  for (const PlainEdge &E : Edges)
    G.addEdge(E.From, E.To, E.Capacity);
  return G;
}

TEST(FlowGraph, AgreesWithBruteForce) {
  std::mt19937 Random(19);
  unsigned FiniteOnes = 0, Ambiguous = 0;
  for (unsigned Round = 0; Round != 3000; ++Round) {
    unsigned Nodes = 2 + Random() % 7;
    auto Edges = randomEdges(Random, Nodes, Random() % 20);
    Expected Want = bruteForce(Nodes, Edges);
    FlowGraph G = build(Nodes, Edges);
    FlowGraph::Cut Near = G.minCut(0, 1);
    FlowGraph::Cut Far = G.minCut(0, 1, FlowGraph::Nearest::Sink);
    ASSERT_EQ(Want.Finite, Near.Finite) << "round " << Round;
    ASSERT_EQ(Want.Finite, Far.Finite) << "round " << Round;
    if (!Want.Finite)
      continue;
    ++FiniteOnes;
    Ambiguous += Want.Smallest != Want.Largest;
    ASSERT_EQ(Want.Value, Near.Value) << "round " << Round;
    ASSERT_EQ(Want.Value, Far.Value) << "round " << Round;
    ASSERT_EQ(Want.Smallest, mask(Near.SourceSide)) << "round " << Round;
    ASSERT_EQ(Want.Largest, mask(Far.SourceSide)) << "round " << Round;
  }
  // The rounds must have covered what they are for.
  EXPECT_GT(FiniteOnes, 1000u);
  EXPECT_GT(Ambiguous, 300u);
}

TEST(FlowGraph, OrderOfEdgesDoesNotMatter) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round != 200; ++Round) {
    auto Edges = randomEdges(Random, 8, 24);
    FlowGraph::Cut First = build(8, Edges).minCut(0, 1);
    std::shuffle(Edges.begin(), Edges.end(), Random);
    FlowGraph::Cut Second = build(8, Edges).minCut(0, 1);
    ASSERT_EQ(First.Finite, Second.Finite);
    ASSERT_EQ(First.SourceSide, Second.SourceSide);
  }
}

TEST(FlowGraph, VertexCutTakesTheCheapWaist) {
  // S -> a,b (8 each) -> c (4) -> d,e (8 each) -> T
  FlowGraph G;
  auto S = G.addNode(), T = G.addNode();
  auto A = G.addSplitNode(8), B = G.addSplitNode(8), C = G.addSplitNode(4),
       D = G.addSplitNode(8), E = G.addSplitNode(8);
  const uint64_t Inf = FlowGraph::Infinite;
  G.addEdge(S, A.In, Inf);
  G.addEdge(S, B.In, Inf);
  G.addEdge(A.Out, C.In, Inf);
  G.addEdge(B.Out, C.In, Inf);
  G.addEdge(C.Out, D.In, Inf);
  G.addEdge(C.Out, E.In, Inf);
  G.addEdge(D.Out, T, Inf);
  G.addEdge(E.Out, T, Inf);
  FlowGraph::Cut Cut = G.minCut(S, T);
  ASSERT_TRUE(Cut.Finite);
  EXPECT_EQ(4u, Cut.Value);
  EXPECT_TRUE(Cut.cuts(C));
  for (auto N : {A, B, D, E})
    EXPECT_FALSE(Cut.cuts(N));
}

TEST(FlowGraph, EqualWeightsCutAtTheChosenEnd) {
  FlowGraph G;
  auto S = G.addNode(), T = G.addNode();
  auto A = G.addSplitNode(8), B = G.addSplitNode(8);
  G.addEdge(S, A.In, FlowGraph::Infinite);
  G.addEdge(A.Out, B.In, FlowGraph::Infinite);
  G.addEdge(B.Out, T, FlowGraph::Infinite);
  EXPECT_TRUE(G.minCut(S, T).cuts(A));
  EXPECT_TRUE(G.minCut(S, T, FlowGraph::Nearest::Sink).cuts(B));
}

TEST(FlowGraph, NoCutThroughInfinity) {
  FlowGraph G;
  auto S = G.addNode(), T = G.addNode();
  G.addEdge(S, T, FlowGraph::Infinite);
  EXPECT_FALSE(G.minCut(S, T).Finite);
  EXPECT_FALSE(G.minCut(S, S).Finite);
}

TEST(FlowGraph, Unconnected) {
  FlowGraph G;
  auto S = G.addNode(), T = G.addNode(), Other = G.addNode();
  FlowGraph::Cut Near = G.minCut(S, T);
  EXPECT_TRUE(Near.Finite);
  EXPECT_EQ(0u, Near.Value);
  EXPECT_FALSE(Near.SourceSide[Other]);
  EXPECT_TRUE(G.minCut(S, T, FlowGraph::Nearest::Sink).SourceSide[Other]);
}

TEST(FlowGraph, LongChainNeedsNoStack) {
  FlowGraph G;
  auto S = G.addNode(), T = G.addNode();
  FlowGraph::Node Last = S;
  FlowGraph::SplitNode Cheap;
  const unsigned Length = 100000;
  for (unsigned I = 0; I != Length; ++I) {
    auto N = G.addSplitNode(I == Length / 2 ? 1 : 2);
    if (I == Length / 2)
      Cheap = N;
    G.addEdge(Last, N.In, FlowGraph::Infinite);
    Last = N.Out;
  }
  G.addEdge(Last, T, FlowGraph::Infinite);
  FlowGraph::Cut C = G.minCut(S, T);
  EXPECT_EQ(1u, C.Value);
  EXPECT_TRUE(C.cuts(Cheap));
}

TEST(FlowGraph, HugeSumsSaturate) {
  FlowGraph G;
  auto S = G.addNode(), T = G.addNode();
  for (unsigned I = 0; I != 3; ++I) {
    auto N = G.addNode();
    G.addEdge(S, N, FlowGraph::Infinite - 1);
    G.addEdge(N, T, FlowGraph::Infinite - 1);
  }
  FlowGraph::Cut C = G.minCut(S, T);
  EXPECT_TRUE(C.Finite);
  EXPECT_EQ(FlowGraph::Infinite - 1, C.Value);
}

} // namespace
