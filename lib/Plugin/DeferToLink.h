// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Markers that the compile step of a full LTO build leaves to the link step.
#ifndef ADZE_LIB_PLUGIN_DEFERTOLINK_H
#define ADZE_LIB_PLUGIN_DEFERTOLINK_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class Module;
}

namespace adze {

/// \p M is the compile step of a full LTO build.
bool goesIntoFullLink(const llvm::Module &M);

/// True if the markers of \p M are to be left as they are because \p M goes
/// into a full LTO link and a derivative needs a function whose body stands in
/// another file. A warning then says so, for a link without the plugin would
/// end with an undefined symbol. \p M is not changed.
bool deferToLink(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

} // namespace adze

#endif
