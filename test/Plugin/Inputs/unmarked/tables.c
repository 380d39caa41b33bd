// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
typedef double (*function)(double);
static double half(double x) { return x / 2; }
static double twice(double x) { return x + x; }
static const struct {
  const char *name;
  function f;
  double at[3];
} table[] = {{"half", half, {1, 2, 3}}, {"twice", twice, {.5, 0, -1}}};
double look_up(int i, int j) { return table[i & 1].f(table[i & 1].at[j % 3]); }
const char *name(int i) { return table[i & 1].name; }
int kind(int c) {
  switch (c) {
  case '0' ... '9': return 1;
  case 'a' ... 'z': return 2;
  case '+': case '-': case '*': return 3;
  }
  return 0;
}
