// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells of the first number of a derivative that is not finite.
#include "Runtime.h"

int dprintf(int File, const char *Format, ...);

/// Not zero once something was told. All files of a program have one.
__attribute__((weak, visibility("hidden"))) int32_t adze_trap_done = 0;

/// The first call prints. \p Format has one %s: what the number is.
RARE void adze_trap_report(const char *Format, bool IsNaN) {
  if (!__atomic_exchange_n(&adze_trap_done, 1, __ATOMIC_RELAXED))
    dprintf(2, Format, IsNaN ? "NaN" : "infinite");
}

/// To be inlined: what only a bad number makes worth knowing is then computed
/// where it is bad.
__attribute__((always_inline)) void adze_trap(bool IsBad, bool IsExcused,
                                              bool IsNaN, const char *Format) {
  if (__builtin_expect(IsBad, 0))
    if (!IsExcused)
      adze_trap_report(Format, IsNaN);
}
