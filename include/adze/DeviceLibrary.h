// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libdevice and ocml in a module: clang links those that the
// program calls, with internal linkage.
#ifndef ADZE_DEVICELIBRARY_H
#define ADZE_DEVICELIBRARY_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace adze {

/// \p F has the name of a function of a device's library, and a body.
bool isOfDeviceLibrary(const llvm::Function &F);

/// \p F has a body, is of a device's library, and has a row in our tables: that
/// counts, and not the body.
bool isKnownOfDeviceLibrary(const llvm::Function &F);

/// Declares what derivatives of \p Calls, of any order, may call of the
/// library of their module's target. The names.
std::vector<std::string>
declareCompanions(llvm::ArrayRef<llvm::CallBase *> Calls);

/// \p F is a function of a device's library without a body.
bool lacksDeviceBody(const llvm::Function &F);

} // namespace adze
#endif
