// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that are all that the threads of a launch do to memory which they
// share.
#ifndef ADZE_FRONTEND_WORKOFLAUNCH_H
#define ADZE_FRONTEND_WORKOFLAUNCH_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
class Value;
} // namespace llvm

namespace adze {

/// \p Marker stands in a kernel that does nothing else that could add to a
/// shadow while other threads run the derivative, and all threads give it the
/// same \p Operands.
bool isWorkOfLaunch(const llvm::CallBase &Marker,
                    llvm::ArrayRef<llvm::Value *> Operands);

} // namespace adze
#endif
