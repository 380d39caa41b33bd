// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where arrays of the tape lie on a GPU (docs/Gpu.md, Tape).
//
// All lanes of a warp write element i of their arrays at about the same time.
// So these lie side by side: the memory of a warp is rows of one word of 8
// bytes for each lane, and what would be byte b of a lane's own memory is byte
// b % 8 of its word in row b / 8. An array of elements of n bytes has (n + 7) /
// 8 rows for each element.
#ifndef ADZE_EMIT_LANETAPE_H
#define ADZE_EMIT_LANETAPE_H

#include "TapeIO.h"

namespace adze {

/// Whether \p S has elements in an array of lanes.
bool isAmongLanes(const Slot &S, const llvm::Module &M);

/// Bytes of one element, or record, of an array of slot \p S in the lane's own
/// memory.
uint64_t strideOf(const Slot &S, const llvm::Module &M);

/// The address of \p S in element \p Index of the array at \p Base.
llvm::Value *laneAddress(llvm::IRBuilder<> &B, const Slot &S, llvm::Value *Base,
                         llvm::Value *Index);

/// An element of more than one word lies in several rows.
bool hasSeveralRows(const Slot &S, const llvm::Module &M);
void storeRows(llvm::IRBuilder<> &B, llvm::Value *V, llvm::Value *Address);
llvm::Value *loadRows(llvm::IRBuilder<> &B, llvm::Type *Ty,
                      llvm::Value *Address);

} // namespace adze
#endif
