// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdatomic.h>
static _Atomic long counter;
atomic_flag lock = ATOMIC_FLAG_INIT;
long next(void) { return atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed); }
void enter(void) {
  while (atomic_flag_test_and_set(&lock))
    ;
}
int replace(_Atomic double *place, double from, double to) {
  return atomic_compare_exchange_strong(place, &from, to);
}
