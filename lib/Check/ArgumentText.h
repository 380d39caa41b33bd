// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How messages of the compiled program name an argument.
#ifndef ADZE_CHECK_ARGUMENTTEXT_H
#define ADZE_CHECK_ARGUMENTTEXT_H

#include <string>

namespace llvm {
class Argument;
} // namespace llvm

namespace adze {

/// "argument 2 ('x')"
std::string argumentText(const llvm::Argument &Arg);

} // namespace adze
#endif
