// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a tree (all evidence) to a layout (the one answer): at each byte the
// surest fact wins; facts of the same certainty that differ leave the byte
// Unknown.
#ifndef ADZE_LIB_ANALYSIS_TYPE_LAYOUT_H
#define ADZE_LIB_ANALYSIS_TYPE_LAYOUT_H

#include "adze/TypeInfo.h"

namespace adze {

/// The layout of the first \p Bytes bytes that \p Tree describes; UINT64_MAX
/// for a block of unknown size.
BlockLayout layoutOf(const TypeTree &Tree, uint64_t Bytes);

} // namespace adze
#endif
