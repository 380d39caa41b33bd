// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "nbody.h"
#include "nbody_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void nbody::generated(Body *bodies, Body *d_bodies, int count,
                      const Method &method, const Vector *target) {
  GRADIENT(reinterpret_cast<void *>(objective), enzyme_dup, bodies, d_bodies,
           enzyme_const, count, enzyme_const, &method, enzyme_const, target);
}
