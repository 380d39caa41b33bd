// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a tree (all evidence) to a layout (the one answer): at each byte the
// surest fact wins; facts of the same certainty that differ leave the byte
// Unknown, but for one case.
//
// Bytes that hold now a float and now a number (a tagged union, a buffer that
// is used twice, pieces of an arena) can be moved as if they held a float
// always: their shadow moves along, and what is in it while they hold a number
// is never looked at. (Not so where they may hold a pointer: its shadow is
// looked at.) What is read as a float, or as a number, tells that itself. So a
// float and a number together are a float.
#ifndef ADZE_LIB_ANALYSIS_TYPE_LAYOUT_H
#define ADZE_LIB_ANALYSIS_TYPE_LAYOUT_H

#include "adze/TypeInfo.h"

namespace adze {

/// Whether a float is also believed where a number is surer: right for all
/// moves. Otherwise an array of floats that is only extrapolated does not reach
/// over a number that was seen behind it.
enum class Doubt { SurerWins, FloatWins };

/// The layout of the first \p Bytes bytes that \p Tree describes; UINT64_MAX
/// for a block of unknown size.
BlockLayout layoutOf(const TypeTree &Tree, uint64_t Bytes,
                     Doubt Settle = Doubt::SurerWins);

/// The tree with every progression that reaches the end of a block of \p Bytes
/// bytes made unbounded, which it is as far as the block is concerned.
TypeTree openEnded(const TypeTree &Tree, uint64_t Bytes);

} // namespace adze
#endif
