// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/Components.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace {

struct Node {
  unsigned Number;
  SmallVector<Node *, 4> Next;
};

} // namespace

template <> struct llvm::GraphTraits<Node *> {
  using NodeRef = Node *;
  using ChildIteratorType = SmallVectorImpl<Node *>::iterator;
  static NodeRef getEntryNode(Node *N) { return N; }
  static ChildIteratorType child_begin(Node *N) { return N->Next.begin(); }
  static ChildIteratorType child_end(Node *N) { return N->Next.end(); }
};

std::vector<std::vector<unsigned>>
adze::cyclicComponents(const Successors &Graph) {
  // The last leads to all others.
  std::vector<Node> Nodes(Graph.size() + 1);
  for (unsigned N = 0; N != Graph.size(); ++N) {
    Nodes[N].Number = N;
    for (unsigned S : Graph[N])
      Nodes[N].Next.push_back(&Nodes[S]);
    Nodes.back().Next.push_back(&Nodes[N]);
  }
  std::vector<std::vector<unsigned>> Found;
  for (auto C = scc_begin(&Nodes.back()); !C.isAtEnd(); ++C)
    if (C.hasCycle()) {
      Found.emplace_back();
      for (const Node *N : *C)
        Found.back().push_back(N->Number);
      sort(Found.back());
    }
  return Found;
}
