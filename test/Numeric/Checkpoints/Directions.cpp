// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops with adze_checkpoint in 2, 3 and 8 directions: one set of states, and
// the shadows of each direction. The tangents, and what goes back, are compared
// with those of single directions.
#include "swapped.h"

#include "directions.h" // of Size

extern int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_width, enzyme_tape;
template <class... T> void __enzyme_autodiff(T...);
template <class... T> void __enzyme_fwddiff(T...);
template <class... T> void *__enzyme_augmentfwd(T...);
template <class... T> void __enzyme_reverse(T...);

// Loops within each other, one of a count that is not known.
static void nested(const double *x, double *y) {
  double u[Size];
  memcpy(u, x, sizeof u);
  for (int t = 0; t < 5; ++t) {
    adze_checkpoint(2);
    double norm = 1;
    while (norm > 0.2) {
      adze_checkpoint(1);
      double v[Size];
      step(u, v, 0.05);
      memcpy(u, v, sizeof u);
      norm *= 0.5;
    }
  }
  memcpy(y, u, sizeof u);
}

// The pointers that change places stand in a structure that is named.
struct State {
  double *u, *v;
  double scale;
};
static APART void advance(State *s) {
  step(s->u, s->v, s->scale);
  double *w = s->u;
  s->u = s->v;
  s->v = w;
  s->scale *= 1 + 0.01 * s->u[0];
}
static void pointers(const double *x, double *y) {
  double a[Size], b[Size];
  State s = {a, b, 0.1};
  memcpy(a, x, sizeof a);
  for (int t = 0; t < 7; ++t) {
    adze_checkpoint(2, &s, sizeof s, a, sizeof a, b, sizeof b);
    advance(&s);
  }
  memcpy(y, s.u, sizeof a);
}

#if ADZE_REVERSE
template <void (*F)(const double *, double *), int W> static void back() {
  double x[Size], y[Size];
  for (int i = 0; i < Size; ++i)
    x[i] = point(i);
  Block<W> got, want, halves, seeds;
  got.zero(), want.zero(), halves.zero();
  for (int k = 0; k < W; ++k)
    __enzyme_autodiff((void *)F, enzyme_dup, x, want.of[k], enzyme_dup, y,
                      seeds.of[k]);
  Block<W> wide;
  __enzyme_autodiff((void *)F, enzyme_width, W, enzyme_dupv, sizeof wide.of[0],
                    x, got.of[0], enzyme_dupv, sizeof wide.of[0], y,
                    wide.of[0]);
  compare<W>("back", got, want);
  Block<W> split;
  void *tape = __enzyme_augmentfwd(
      (void *)F, enzyme_width, W, enzyme_dupv, sizeof split.of[0], x,
      halves.of[0], enzyme_dupv, sizeof split.of[0], y, split.of[0]);
  __enzyme_reverse((void *)F, enzyme_width, W, enzyme_dupv, sizeof split.of[0],
                   x, halves.of[0], enzyme_dupv, sizeof split.of[0], y,
                   split.of[0], enzyme_tape, tape);
  compare<W>("split", halves, want);
}
template <void (*F)(const double *, double *)> static void backAll() {
  back<F, 2>();
  back<F, 3>();
  back<F, 8>();
}
ADZE_TEST_REVERSE(directions_back) {
  backAll<swapped>();
  backAll<nested>();
  backAll<pointers>();
}
#endif

#if ADZE_FORWARD
template <void (*F)(const double *, double *), int W> static void along() {
  double x[Size], y[Size];
  for (int i = 0; i < Size; ++i)
    x[i] = point(i);
  Block<W> seeds, got, want;
  for (int k = 0; k < W; ++k)
    __enzyme_fwddiff((void *)F, enzyme_dup, x, seeds.of[k], enzyme_dup, y,
                     want.of[k]);
  __enzyme_fwddiff((void *)F, enzyme_width, W, enzyme_dupv, sizeof got.of[0], x,
                   seeds.of[0], enzyme_dupv, sizeof got.of[0], y, got.of[0]);
  compare<W>("along", got, want);
}
ADZE_TEST_FORWARD(directions_along) {
  along<swapped, 3>();
  along<nested, 8>();
  along<pointers, 2>();
}
#endif
