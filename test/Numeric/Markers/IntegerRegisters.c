// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that the calling convention puts into integer registers, beside integers: as arguments, as
// results and as adjoints of these.
#include "check.h"

extern int adze_seed, enzyme_const;
struct counted {
  int k;
  float f;
};
struct mixed {
  float f;
  int k;
  double d;
};
struct shorts {
  double d;
  short s;
  float f;
};
struct ends {
  int a;
  float b;
  int c;
};
struct text {
  char c[4];
  float x, y, z;
};
struct counted scaled(struct counted v, double s) {
  return (struct counted){v.k, v.f * v.f * (float)s};
}
struct mixed products(struct mixed v) { return (struct mixed){v.f * v.d, v.k, v.d * v.d}; }
struct shorts powers(double x) { return (struct shorts){x * x, 1, (float)(x * x * x)}; }
struct ends middle(float x) { return (struct ends){1, x * x, 2}; }
struct text turned(struct text v) {
  return (struct text){{0}, v.x * v.y, v.y * v.z, v.z * v.x};
}
float times(struct counted v) { return v.f * v.k; }
double configured(double x, struct counted c) { return x * x * c.f + c.k; }

#if ADZE_REVERSE
struct counted_and_number {
  struct counted v;
  double s;
};
struct number_and_counted {
  double x;
  struct counted c;
};
struct number_and_counted __enzyme_autodiff_configured(void *, ...);
struct tape_and_counted {
  void *tape;
  struct counted r;
};
struct counted_and_number __enzyme_autodiff_scaled(void *, ...);
struct mixed __enzyme_autodiff_mixed(void *, ...);
double __enzyme_autodiff(void *, ...);
float __enzyme_autodiff_float(void *, ...);
struct text __enzyme_autodiff_text(void *, ...);
struct counted __enzyme_autodiff_counted(void *, ...);
struct tape_and_counted __enzyme_augmentfwd_counted(void *, ...);
struct counted_and_number __enzyme_reverse_counted(void *, ...);

ADZE_TEST_REVERSE(reverse) {
  struct counted v = {3, 2};
  struct counted_and_number r = __enzyme_autodiff_scaled((void *)scaled, enzyme_out, v, enzyme_out, 5.0);
  adze_near("one float", r.v.f, 20, 0);
  adze_near("and a number", r.s, 4, 0);
  struct mixed w = {2, 1, 3}, seed = {1, 0, 10};
  struct mixed g = __enzyme_autodiff_mixed((void *)products, enzyme_out, w, seed);
  adze_near("float", g.f, 3, 0);
  adze_near("double", g.d, 2 + 60, 0);
  struct shorts t = {1, 0, 10};
  adze_near("second register", __enzyme_autodiff((void *)powers, 2.0, t), 4 + 120, 0);
  adze_near("between integers", __enzyme_autodiff_float((void *)middle, 3.0f), 6, 0);
  struct text q = {{1, 2, 3, 4}, 2, 3, 4}, u = {{0}, 1, 10, 100};
  struct text h = __enzyme_autodiff_text((void *)turned, enzyme_out, q, u);
  adze_near("x", h.x, 3 + 400, 0);
  adze_near("y", h.y, 2 + 40, 0);
  adze_near("z", h.z, 30 + 200, 0);
  adze_near("argument alone", __enzyme_autodiff_counted((void *)times, enzyme_out, v).f, 3, 0);
  struct tape_and_counted a = __enzyme_augmentfwd_counted((void *)scaled, v, 5.0);
  adze_near("value", a.r.f, 20, 0);
  adze_near("integer", a.r.k, 3, 0);
  struct counted two = {0, 2};
  r = __enzyme_reverse_counted((void *)scaled, v, 5.0, two, a.tape);
  adze_near("split", r.v.f, 40, 0);
  adze_near("split number", r.s, 8, 0);
  // An integer without a tag, for who does not ask for its derivative.
  adze_near("not asked for", __enzyme_autodiff((void *)configured, 5.0, v), 20, 0);
  struct number_and_counted c = __enzyme_autodiff_configured((void *)configured, 5.0, v);
  adze_near("number", c.x, 20, 0);
  adze_near("asked for", c.c.f, 25, 0);
}
#endif
#if ADZE_FORWARD
double __enzyme_fwddiff(void *, ...);
struct counted __enzyme_fwddiff_counted(void *, ...);
struct mixed __enzyme_fwddiff_mixed(void *, ...);
struct shorts __enzyme_fwddiff_shorts(void *, ...);
struct ends __enzyme_fwddiff_ends(void *, ...);
struct text __enzyme_fwddiff_text(void *, ...);

ADZE_TEST_FORWARD(forward) {
  struct counted v = {3, 2}, dv = {0, 1};
  struct counted f =
      __enzyme_fwddiff_counted((void *)scaled, enzyme_dup, v, dv, enzyme_const, 5.0);
  adze_near("tagged", f.f, 20, 0);
  f = __enzyme_fwddiff_counted((void *)scaled, v, dv, 5.0, 1.0);
  adze_near("untagged", f.f, 24, 0);
  adze_near("constant", __enzyme_fwddiff((void *)configured, 5.0, 1.0, v), 20, 0);
  adze_near("with tangent", __enzyme_fwddiff((void *)configured, 5.0, 1.0, v, dv), 45, 0);
  struct mixed w = {2, 1, 3}, dw = {1, 0, 0};
  struct mixed g = __enzyme_fwddiff_mixed((void *)products, w, dw);
  adze_near("float", g.f, 3, 0);
  adze_near("double", g.d, 0, 0);
  struct shorts y = __enzyme_fwddiff_shorts((void *)powers, 2.0, 1.0);
  adze_near("second register", y.f, 12, 0);
  adze_near("between integers", __enzyme_fwddiff_ends((void *)middle, 3.0f, 1.0f).b, 6, 0);
  struct text q = {{1, 2, 3, 4}, 2, 3, 4}, dq = {{0}, 1, 0, 0};
  struct text h = __enzyme_fwddiff_text((void *)turned, q, dq);
  adze_near("x", h.x, 3, 0);
  adze_near("z", h.z, 4, 0);
}
#endif
