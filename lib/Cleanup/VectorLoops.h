// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops LLVM will make vector code of.
#ifndef ADZE_LIB_CLEANUP_VECTORLOOPS_H
#define ADZE_LIB_CLEANUP_VECTORLOOPS_H

namespace llvm {
class Loop;
class LoopAccessInfoManager;
class ScalarEvolution;
} // namespace llvm

namespace adze {

/// LLVM's vectorizer may take the loop, with a gain.
bool mayVectorize(llvm::Loop &L, llvm::LoopAccessInfoManager &Accesses,
                  llvm::ScalarEvolution &SE);

} // namespace adze
#endif
