// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_LIB_FRONTEND_TAKEAPART_H
#define ADZE_LIB_FRONTEND_TAKEAPART_H

#include "Frontend/MarkerCall.h"

namespace adze {

/// Finds the function that \p C.Call names, and tells tags from values: fills
/// all of \p C but what comes of matching operands to parameters. False after
/// a report.
bool takeApart(MarkerCall &C, Diagnostics &Diags, const Origin &From);

} // namespace adze
#endif
