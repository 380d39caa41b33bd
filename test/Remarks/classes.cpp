// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Members of an object, references, and lines of another file.
//
// RUN: %clangxx -O2 -g %adze -I%S/Inputs -c %s -o %t.o -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck %s
// RUN: %clangxx -O0 -g %adze -I%S/Inputs -c %s -o %t.o -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck --check-prefix=O0 %s
#include "smooth.h"

template <typename T> T __enzyme_autodiff(void *, ...);
extern int enzyme_dup;

struct Field : Extent {
  double *values;

  __attribute__((noinline)) double energy(double *out) const {
    double s = 0;
    for (int i = 0; i < count; ++i)
      s += smooth(values[i], out[i]);
    return s;
  }
};

double call(const Field &field, double *out) { return field.energy(out); }

void go(Field &f, Field &df, double *out, double *dout) {
  __enzyme_autodiff<void>((void *)call, enzyme_dup, &f, &df, enzyme_dup,
                          out, dout);
}
// CHECK-NOT: adze.inspect
// CHECK: classes.cpp:14:1: remark: the split gradient of 'Field::energy(double*) const' has another version for arrays that overlap, chosen at run time: it needs a tape of 16 * this->count + 16 bytes; 'value' may be overwritten by the store to 'out' at smooth.h:9; to avoid this, declare 'out' restrict if it never overlaps 'this->values'
// Line 0 is no place.
// O0-NOT: could not determine
// O0: keeps in which iteration the loop at line 16 was left: 8 bytes in each call
