// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Maximum flow and minimum cut on integers.
//
// The planner asks: which values must be kept so that everything the reverse
// pass needs can be recomputed from them, at the least cost? That is a minimum
// vertex cut between what is available (source side) and what is needed (sink
// side). A vertex of weight w becomes two nodes joined by an edge of capacity
// w (addSplitNode); dependences are edges of infinite capacity, so only
// vertices are ever cut.
//
// Method: Dinic's algorithm (E. A. Dinic, 1970), shortest augmenting paths
// found in levelled residual graphs, O(V^2 E) in general and far less on the
// unit-like graphs made here. By the theorem of Ford and Fulkerson (1956) the
// value of a maximum flow is the weight of a minimum cut. Among the minimum
// cuts one is nearest the source (its source side is what the residual graph
// reaches from the source, the smallest of all) and one nearest the sink (its
// sink side is what reaches the sink); both are unique, so the answer does
// not depend on the order in which nodes and edges were added.
//
//   FlowGraph G;
//   unsigned S = G.addNode(), T = G.addNode();
//   FlowGraph::SplitNode A = G.addSplitNode(8), B = G.addSplitNode(4);
//   G.addEdge(S, A.In, FlowGraph::Infinite);
//   G.addEdge(A.Out, B.In, FlowGraph::Infinite);
//   G.addEdge(B.Out, T, FlowGraph::Infinite);
//   FlowGraph::Cut C = G.minCut(S, T);  // C.Value == 4, C.cuts(B)
#ifndef ADZE_FLOWGRAPH_H
#define ADZE_FLOWGRAPH_H

#include "llvm/ADT/BitVector.h"
#include <cstdint>
#include <vector>

namespace adze {

class FlowGraph {
public:
  using Node = unsigned;
  /// A capacity that no cut can pay. Finite capacities should stay below 2^63
  /// in sum; larger sums saturate.
  static constexpr uint64_t Infinite = UINT64_MAX;

  /// A vertex with a weight: edges into it go to In, edges out leave Out.
  struct SplitNode {
    Node In = 0, Out = 0;
  };

  enum class Nearest { Source, Sink };

  struct Cut {
    /// False when source and sink are joined by a path of infinite capacity
    /// (or are the same node): then no cut exists and the rest is empty.
    bool Finite = false;
    /// Sum of the capacities cut, which equals the maximum flow.
    uint64_t Value = 0;
    /// One bit per node: on the source's side of the cut.
    llvm::BitVector SourceSide;

    /// The vertex lies on the cut: this is what to pay for.
    bool cuts(SplitNode N) const {
      return Finite && SourceSide[N.In] && !SourceSide[N.Out];
    }
  };

  Node addNode();
  /// Parallel edges add up; an edge of capacity 0 or from a node to itself
  /// changes nothing.
  void addEdge(Node From, Node To, uint64_t Capacity);
  SplitNode addSplitNode(uint64_t Weight);
  unsigned size() const { return Edges.size(); }

  /// The minimum cut between \p Source and \p Sink; among equal ones the one
  /// nearest the given end. Does not change the graph: it may be asked again,
  /// for other ends too.
  Cut minCut(Node Source, Node Sink, Nearest Side = Nearest::Source) const;

private:
  struct Edge {
    Node To;
    uint64_t Capacity;
    unsigned Reverse; // index of the opposite edge among Edges[To]
  };
  std::vector<std::vector<Edge>> Edges;

  class Solver;
};

} // namespace adze
#endif
