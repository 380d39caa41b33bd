// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strongly connected components of a small directed graph on integers.
#ifndef ADZE_LIB_ANALYSIS_TYPE_COMPONENTS_H
#define ADZE_LIB_ANALYSIS_TYPE_COMPONENTS_H

#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace adze {

using Successors = std::vector<llvm::SmallVector<unsigned, 4>>;

/// The components that contain a cycle (more than one node, or a node that is
/// its own successor), each with its nodes in ascending order, by R. Tarjan's
/// algorithm (1972) without recursion.
std::vector<std::vector<unsigned>> cyclicComponents(const Successors &Graph);

} // namespace adze
#endif
