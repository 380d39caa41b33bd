// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string.h>
struct Big {
  double numbers[40];
  char text[33];
};
struct Big copied(struct Big b) {
  b.text[32] = 0;
  return b;
}
void moved(struct Big *all, int n) {
  for (int i = n - 1; i > 0; --i)
    all[i] = copied(all[i - 1]);
  memmove(all, all + 1, sizeof *all * (unsigned)n);
}
int same(const struct Big *a, const struct Big *b) { return !memcmp(a, b, sizeof *a); }
