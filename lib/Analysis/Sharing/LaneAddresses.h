// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses that the lanes of a warp of a GPU have in common.
#ifndef ADZE_LIB_ANALYSIS_SHARING_LANEADDRESSES_H
#define ADZE_LIB_ANALYSIS_SHARING_LANEADDRESSES_H

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Value;
} // namespace llvm

namespace adze {

/// Tells values that are calculated without the number of the thread in its row
/// of the block (threadIdx.x), nor of the lane, nor of what other threads
/// decide by their order. Lanes beside each other most likely have the same
/// there: no proof, but who adds for several of them looks whether it is so.
class LaneAddresses {
public:
  bool areLikelyAlike(const llvm::Value &V, unsigned Depth = 0);

private:
  llvm::DenseMap<const llvm::Value *, bool> Known;
};

} // namespace adze
#endif
