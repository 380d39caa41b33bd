// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one way in which a derivative ends a program.
#include "Runtime.h"

int dprintf(int File, const char *Format, ...);
_Noreturn void abort(void);

RARE _Noreturn void adze_stop(const char *Text) {
  dprintf(2, "%s\n", Text);
  abort();
}

/// For emitters of single instructions, which do not branch.
__attribute__((always_inline)) void adze_stop_if(bool Condition,
                                                 const char *Text) {
  if (__builtin_expect(Condition, 0))
    adze_stop(Text);
}
