// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each advice is followed, and what it was about is kept no longer: with DO,
// the functions are as their remarks say.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-max-alias-checks=0
// RUN: %clang -O2 -g %{adze} -c %s -o %t.o -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck %s
// RUN: %clang -O2 -g %{adze} -c %s -o %t.o -DDO -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck --check-prefix=DONE --implicit-check-not="may be overwritten" %s
#ifdef DO
#define IF_DONE(A, B) A
#else
#define IF_DONE(A, B) B
#endif
#define AS_IT_WAS
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
void tick(int i);

double parameter(double *x, double *IF_DONE(restrict, AS_IT_WAS) y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i]; // line 20
    y[i] = s;
  }
  return s;
}
// CHECK: advice.c:20:10: remark: {{.*}} keeps {{.*}}; 'x' may be overwritten by the store to 'y' at line 21; to avoid this, declare 'y' restrict if it never overlaps 'x' [
// CHECK: the gradient of 'parameter' needs a tape of 8 * n bytes
// DONE: the gradient of 'parameter' needs no tape

double in_place(double *x, double *IF_DONE(restrict, AS_IT_WAS) y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i]; // line 32
    IF_DONE(y, x)[i] = s;
  }
  return s;
}
// CHECK: advice.c:32:10: remark: {{.*}} keeps {{.*}}; to avoid this, write to another array than 'x', unless what is stored is read here again [
// CHECK: the gradient of 'in_place' needs a tape of 8 * n bytes
// DONE: the gradient of 'in_place' needs no tape

struct grid {
  int cells;
  double *out;
};
extern IF_DONE(const, AS_IT_WAS) double table[64];

double members(double *IF_DONE(restrict, AS_IT_WAS) x, struct grid *g) {
  double s = 0;
  for (int i = 0; i < g->cells; ++i) {
    s += x[i] * x[i] * table[i & 63]; // line 50
    g->out[i] = s;
  }
  return s;
}
// CHECK: advice.c:50:10: remark: {{.*}} keeps the value loaded from 'x': 8 bytes per iteration of the loop at line 49, 8 * g->cells in all; 'x' may be overwritten by the store to 'g->out' at line 51; to avoid this, declare 'x' restrict if it never overlaps 'g->out' [
// CHECK: advice.c:50:24: remark: {{.*}} keeps the value loaded from 'table': {{.*}}; to avoid this, declare 'table' const if it is never written [
// CHECK: the gradient of 'members' needs a tape of 16 * g->cells bytes
// DONE: the gradient of 'members' needs no tape

struct arrays {
  int cells;
  double *in, *out;
};
double loaded(struct arrays *a, double *restrict out) {
  double s = 0;
  for (int i = 0; i < a->cells; ++i) {
    s += a->in[i] * a->in[i]; // line 67
    IF_DONE(out, a->out)[i] = s;
  }
  return s;
}
// CHECK: advice.c:67:10: remark: {{.*}} keeps the value loaded from 'a->in': {{.*}}; 'a->in' may be overwritten by the store to 'a->out' at line 68; to avoid this, hand 'a->out' to 'loaded' as a parameter of its own, declared restrict, if it never overlaps 'a->in' [
// CHECK: the gradient of 'loaded' needs a tape of 8 * a->cells bytes
// DONE: the gradient of 'loaded' needs no tape

double calls(double *IF_DONE(restrict, AS_IT_WAS) x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i]; // line 79
    tick(i);
  }
  return s;
}
// CHECK: advice.c:79:10: remark: {{.*}} keeps {{.*}}; 'x' may be overwritten by the call of 'tick' at line 80; to avoid this, declare 'x' restrict if 'tick' never writes to it [
// CHECK: the gradient of 'calls' needs a tape of 8 * n bytes
// DONE: the gradient of 'calls' needs no tape

IF_DONE(__attribute__((pure)), AS_IT_WAS) int pick(const int *keep, int i);
double passed(double *x, const int *keep, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * pick(keep, i); // line 92
  return s;
}
// CHECK: advice.c:92:10: remark: {{.*}} keeps the value loaded from 'x': {{.*}}; 'x' may be overwritten by the call of 'pick' at line 92; to avoid this, declare 'pick' __attribute__((pure)) if it writes no memory [
// CHECK: advice.c:92:24: remark: {{.*}} keeps the result of 'pick': 4 bytes per iteration of the loop at line 91, 4 * n in all; the call of 'pick' cannot be repeated [
// CHECK: the gradient of 'passed' needs a tape of 12 * n bytes
// DONE: the gradient of 'passed' needs a tape of 4 * n bytes

void go(double *x, double *dx, struct grid *g, struct grid *dg,
        struct arrays *a, struct arrays *da, int *keep, int n) {
  __enzyme_autodiff((void *)parameter, x, dx, x, dx, n);
  __enzyme_autodiff((void *)in_place, x, dx, x, dx, n);
  __enzyme_autodiff((void *)members, x, dx, g, dg);
  __enzyme_autodiff((void *)loaded, a, da, x, dx);
  __enzyme_autodiff((void *)calls, x, dx, n);
  __enzyme_autodiff((void *)passed, x, dx, enzyme_const, keep, n);
}
