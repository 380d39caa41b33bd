// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What two ends of a copy say together of the block that is copied.
#ifndef ADZE_RULES_BLOCKLAYOUTS_H
#define ADZE_RULES_BLOCKLAYOUTS_H

#include "adze/TypeInfo.h"
#include "llvm/ADT/BitVector.h"

namespace adze {

/// The 80-bit float is stored in 16 bytes, of which it uses ten.
constexpr uint64_t X87Size = 10, X87Stride = 16;

/// Blocks and periods up to this size are compared byte by byte.
constexpr uint64_t MaxComparedBytes = 1u << 14;

/// What types say of one end. \p Pointers: the bytes, of the first
/// MaxComparedBytes, where a pointer was seen; where they are Unknown in the
/// layout, types contradict themselves (a buffer for records of two kinds).
struct CopyEnd {
  BlockLayout Layout;
  llvm::BitVector Pointers;
};

/// Byte by byte: of a number and a float it is the float, as long as all of
/// the float fits (its place was used for both, and the shadow of a number is
/// not looked at). Where only one end knows, it speaks for both; but of a copy
/// of \p Bytes = UINT64_MAX, whose length only the run knows, a number is
/// believed only if both ends say so: what is moved may be something else each
/// time. Bytes on which the ends do not agree are Unknown, and so are those
/// where one end is a pointer or something else: that is not nothing, which the
/// other end could speak for.
BlockLayout bothLayouts(const CopyEnd &To, const CopyEnd &From, uint64_t Bytes);

} // namespace adze
#endif
