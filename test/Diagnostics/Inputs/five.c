// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Five markers that are refused, each for a reason of its own and at another
// stage, beside one that is not, and code that none of them needs.
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double outside(double);
double missing(double x) { return outside(x) * x; }

double assembly(double x) {
  double y = x;
  __asm__("addsd %0, %0; addsd %0, %0" : "+x"(y));
  return y * x;
}

double __attribute__((const)) unknown(double);
__attribute__((noinline)) double helper(double x) { return unknown(x); }
double chain(double x) { return x * helper(x); }

double fine(double x) { return x * x; }
void nothing(double x) { (void)x; }

static int unrelated(int n) {
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += i * i % 7;
  return s;
}

double several(double x, int n) {
  double r = unrelated(n);
  r += __enzyme_autodiff((void *)missing, x);
  r += __enzyme_autodiff((void *)assembly, x);
  r += __enzyme_autodiff((void *)chain, x);
  r += __enzyme_autodiff((void *)fine, x);
  return r;
}

double pointer(double (*g)(double), double x) {
  return __enzyme_autodiff((void *)g, x) + unrelated(3);
}

// The last one differentiates a function that contains a marker: it has to wait
// for that one, and is wrong all the same.
double slope(double x) { return __enzyme_autodiff((void *)fine, x); }
double curvature(double x) { return __enzyme_fwddiff((void *)slope, x); }
