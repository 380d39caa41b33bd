// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the bitcode of a GPU's library is.
#ifndef ADZE_LIB_PLUGIN_FINDDEVICELIBRARY_H
#define ADZE_LIB_PLUGIN_FINDDEVICELIBRARY_H

#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace adze {

/// Files that together hold the library of the target of \p M, best first: what
/// the option names; what the compiler was given on its command line
/// (-mlink-builtin-bitcode, --cuda-path, --rocm-device-lib-path); what
/// environment variables lead to; the usual folders. Empty if there is none.
std::vector<std::string> findDeviceLibrary(const llvm::Module &M);

} // namespace adze

#endif
