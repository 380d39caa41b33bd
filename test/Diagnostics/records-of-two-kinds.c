// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of two kinds go through one buffer of bytes: where one has doubles
// alone, the other has an address. Of a record of the second kind types see both
// in one word, of the buffer the doubles alone: that is no reason to take the
// address for a double. The reverse pass is right or ends the program.
// RUN: %clang -O0 %adze %s -o %t && not --crash %t 1 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not --crash %t 8 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O1 %adze %s -o %t && %t 1 | FileCheck %s
// STOP: adze: bytes of unknown type are copied that may be floats or pointers
// CHECK: 1.5 1 1 1.5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

struct Link {
  double v;
  const double *p;
  double rest;
};
struct __attribute__((packed)) Row {
  double m[3], v;
};

static char *put(char *to, int mark, int kind, const void *p, size_t bytes) {
  *to = (char)kind;
  memcpy(to + mark, p, bytes);
  return to + mark + bytes;
}

static const char *take(const char *from, int mark, int *kind, void *link,
                        void *row) {
  *kind = *from;
  size_t bytes = *kind == 1 ? sizeof(struct Link) : sizeof(struct Row);
  if (*kind == 1)
    memcpy(link, from + mark, bytes);
  else
    memcpy(row, from + mark, bytes);
  return from + mark + bytes;
}

static double through(const double *x, int n, int mark) {
  char buffer[400], *to = buffer;
  struct Link link;
  struct Row row;
  for (int i = 0; i < n; i++) {
    if (i == 0 || i == 3) {
      link.v = x[i];
      link.p = x + i;
      to = put(to, mark, 1, &link, sizeof link);
    } else {
      for (int k = 0; k < 3; k++)
        row.m[k] = k * x[i];
      row.v = x[i];
      to = put(to, mark, 2, &row, sizeof row);
    }
  }
  double r = 0;
  const char *from = buffer;
  while (from < to) {
    int kind = 0;
    from = take(from, mark, &kind, &link, &row);
    r += kind == 1 ? link.v + 0.5 * link.p[0] : row.v;
  }
  return r;
}

int main(int argc, char **argv) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff((void *)through, x, d, enzyme_const, 4, enzyme_const,
                    atoi(argv[1]));
  printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
}
