// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shadows of variables that a block of threads on a GPU has (__shared__).
#ifndef ADZE_EMIT_SHAREDSHADOWS_H
#define ADZE_EMIT_SHAREDSHADOWS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace adze {

/// In front of \p Call, of a derivative, all threads of the block together make
/// those shadows zero that it uses; they are named by their \p Suffix. That is
/// behind a barrier, for a derivative before may still use them, and in front
/// of another one. All of them come there, since they meet in the derivative
/// (DeviceLimits.h).
void resetSharedShadowsBefore(llvm::CallBase &Call, llvm::StringRef Suffix);

} // namespace adze
#endif
