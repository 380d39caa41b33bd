// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A primal may have two versions: one for arrays that lie apart, one for arrays
// that meet (Prepare/VersionByAliasing.cpp), and so has its derivative. The
// second one seldom runs, but as a part of the same function it is optimized
// and compiled as the first one is, which takes half of the compile time, and
// its variables stand in the first one's way. So it becomes a function:
//
//   if (apart) {                    if (apart) {
//     forward; reverse;       =>      forward; reverse;
//   } else {                        } else {
//     forward'; reverse';             return general(...);
//   }                               }
//
// It is right, and short. It is not made fast.
#ifndef ADZE_CLEANUP_SEPARATEVERSIONS_H
#define ADZE_CLEANUP_SEPARATEVERSIONS_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
} // namespace llvm

namespace adze {

/// Makes a function of the way for arrays that meet and of all that follows on
/// it, which \p F returns the result of. Null if \p F has no such way, or if it
/// can stay only where it is. Variables of \p F should be in registers by then.
llvm::Function *separateGeneral(llvm::Function &F,
                                llvm::FunctionAnalysisManager &FAM);

} // namespace adze
#endif
