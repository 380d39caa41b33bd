// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters of 32 bits, before all optimization.
#ifndef ADZE_LIB_PLUGIN_WIDENVARIABLES_H
#define ADZE_LIB_PLUGIN_WIDENVARIABLES_H

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// Where one of them goes from block to block, `for (int b = 0; b < n; b +=
/// 24)`, makes local variables of \p F that count as wide as an address, and so
/// what is copied or computed from them, `int e = b + 24 < n ? b + 24 : n`, and
/// compared with them. They do not overflow, so that makes no difference to the
/// program. The optimizer widens most of that, too, but leaves truncations,
/// min(n, 24 + 24 * k) in 32 bits for one, of which nothing says any more that
/// they do not wrap around; then nobody knows the number of iterations, or
/// whether two blocks meet. True if \p F is changed.
bool widenVariables(llvm::Function &F);

} // namespace adze

#endif
