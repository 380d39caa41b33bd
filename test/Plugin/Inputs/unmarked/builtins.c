// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>
#include <string.h>
int overflow(int a, int b, int *sum) { return __builtin_add_overflow(a, b, sum); }
unsigned turn(unsigned x) { return __builtin_bswap32(x) ^ __builtin_bitreverse32(x); }
void *aligned(void *p) { return __builtin_assume_aligned(p, 64); }
double chosen(double x) { return __builtin_expect(x > 0, 1) ? x : -x; }
size_t known(void) {
  char buffer[24];
  memset(buffer, 1, sizeof buffer);
  return __builtin_object_size(buffer + 4, 0) + (size_t)buffer[3];
}
void never(int x) {
  if (x > 4)
    __builtin_unreachable();
  __builtin_prefetch(&x);
}
