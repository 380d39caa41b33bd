// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module without what some of its markers do not need.
#ifndef ADZE_CHECK_REDUCEMODULE_H
#define ADZE_CHECK_REDUCEMODULE_H

#include <string>
#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace adze {

/// The markers that stand in one function and differentiate one function: the
/// halves of split mode belong together, and derivatives of one function mostly
/// fail together.
struct MarkerGroup {
  std::string Caller;
  std::string Primal;            // "": not known
  std::vector<unsigned> Markers; // as findMarkers() numbers them
};

/// The groups of \p M, in the order of their first markers.
std::vector<MarkerGroup> markerGroups(llvm::Module &M);

enum class Reduction {
  /// To the group's markers, the function around them, and what is reached from
  /// the function that they differentiate.
  ToMarkers,
  /// To what is reached from the function around the markers.
  ToCaller
};

/// Takes all else away from \p M. What is still called becomes a declaration.
/// Debug information of what is left is left. The result need not be valid if
/// \p M is odd: it has to be verified.
void reduceModule(llvm::Module &M, const MarkerGroup &To, Reduction Kind);

} // namespace adze
#endif
