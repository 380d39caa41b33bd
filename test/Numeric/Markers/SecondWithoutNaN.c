// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same where the program promises that there is no NaN, though infinities
// are: nothing is guarded then.
// ADZE: modes=forward flags="-fno-honor-nans"
#include "SecondRegrouped.c"
