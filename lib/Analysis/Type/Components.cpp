// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Analysis/Type/Components.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace adze;

namespace {

class Tarjan {
public:
  explicit Tarjan(const Successors &Graph)
      : Graph(Graph), Index(Graph.size(), 0), Low(Graph.size(), 0),
        OnStack(Graph.size(), false) {}

  std::vector<std::vector<unsigned>> run() {
    for (unsigned N = 0; N != Graph.size(); ++N)
      if (Index[N] == 0)
        visit(N);
    return std::move(Found);
  }

private:
  void enter(unsigned N) {
    Index[N] = Low[N] = ++Clock;
    Stack.push_back(N);
    OnStack[N] = true;
    Path.push_back({N, 0});
  }

  void visit(unsigned Root) {
    enter(Root);
    while (!Path.empty()) {
      unsigned N = Path.back().first;
      if (Path.back().second < Graph[N].size()) {
        unsigned S = Graph[N][Path.back().second++];
        if (Index[S] == 0)
          enter(S);
        else if (OnStack[S])
          Low[N] = std::min(Low[N], Index[S]);
        continue;
      }
      Path.pop_back();
      if (!Path.empty())
        Low[Path.back().first] = std::min(Low[Path.back().first], Low[N]);
      if (Low[N] == Index[N])
        leave(N);
    }
  }

  void leave(unsigned Root) {
    std::vector<unsigned> Component;
    unsigned N;
    do {
      N = Stack.back();
      Stack.pop_back();
      OnStack[N] = false;
      Component.push_back(N);
    } while (N != Root);
    if (Component.size() == 1 && !is_contained(Graph[Root], Root))
      return;
    std::sort(Component.begin(), Component.end());
    Found.push_back(std::move(Component));
  }

  const Successors &Graph;
  std::vector<unsigned> Index, Low;
  std::vector<bool> OnStack;
  std::vector<unsigned> Stack;
  std::vector<std::pair<unsigned, unsigned>> Path; // node, next successor
  std::vector<std::vector<unsigned>> Found;
  unsigned Clock = 0;
};

} // namespace

std::vector<std::vector<unsigned>>
adze::cyclicComponents(const Successors &Graph) {
  return Tarjan(Graph).run();
}
