// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pointers of packed records: a word on the grid of words is a part of one, or
// of two, and does not look like an address.
#ifndef ADZE_OFFGRIDPOINTERS_H
#define ADZE_OFFGRIDPOINTERS_H

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace adze {

class TypeInfo;

/// Types see a pointer in bytes [\p Begin, \p End) behind \p Ptr, in part at
/// least, that does not stand at a multiple of its size from \p Ptr.
bool seesPointerOffGrid(const TypeInfo &Types, const llvm::Value *Ptr,
                        uint64_t Begin, uint64_t End);

} // namespace adze
#endif
