// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that tape memory comes from, as the text of an IR module.
#ifndef ADZE_EMIT_TAPERUNTIME_H
#define ADZE_EMIT_TAPERUNTIME_H

#include <string>

namespace llvm {
class Triple;
} // namespace llvm

namespace adze {

constexpr const char *TapeAllocName = "adze.tape.alloc";
constexpr const char *TapeFreeName = "adze.tape.free";
constexpr const char *TapeGrowName = "adze.tape.grow";
constexpr const char *TapeShrinkName = "adze.tape.shrink";
/// void(): what the code calls where it cannot go on. It only declares them.
constexpr const char *TapeExhaustedName = "adze.tape.exhausted";
constexpr const char *TapeTooBigName = "adze.tape.too.big";

/// The module's text, for the target and the options of this run. Everything
/// it defines has a name that begins with `adze.tape.` and external linkage.
std::string tapeRuntime(const llvm::Triple &Target);

} // namespace adze
#endif
