// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of __enzyme_call_inactive.
#ifndef ADZE_LIB_FRONTEND_INACTIVECALLS_H
#define ADZE_LIB_FRONTEND_INACTIVECALLS_H

#include "adze/Marker.h"

namespace adze {

/// Parses a call of __enzyme_call_inactive: operands of the function and the
/// place of its result; nullopt after a report.
std::optional<Marker> parseInactiveCall(llvm::CallBase &Call,
                                        Diagnostics &Diags);

/// Makes each call of __enzyme_call_inactive(f, ...) one of f itself, which is
/// marked inactive. True if there were any.
bool replaceInactiveCalls(llvm::Module &M, Diagnostics &Diags);

} // namespace adze
#endif
