// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives that the program registers for functions of its own count, and
// not the bodies: each is another function's derivative. In loops with and
// without a known count, by address, with tapes of several types.
#include "check.h"
#include <math.h>
#include <stdlib.h>

// In place, and the tape is a block. d(x^2) is said to be 3 x.
static int released;
static void square(double *x) { x[0] = x[0] * x[0]; }
static void *augmentedSquare(double *x, double *dx) {
  double *kept = malloc(sizeof *kept);
  (void)dx;
  kept[0] = x[0];
  square(x);
  return kept;
}
static void reverseSquare(double *x, double *dx, void *tape) {
  (void)x;
  dx[0] *= 3 * ((double *)tape)[0];
  free(tape);
  ++released;
}
static void forwardSquare(double *x, double *dx) {
  dx[0] *= 3 * x[0];
  square(x);
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)augmentedSquare,
                                             (void *)reverseSquare};
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)forwardSquare};

// A number of a number, without tape. d(x / 2) is said to be cos(x).
static double half(double x) { return x / 2; }
static double reverseHalf(double x, double adjoint) { return adjoint * cos(x); }
static double forwardHalf(double x, double dx) { return cos(x) * dx; }
void *__enzyme_register_gradient_half[] = {(void *)half, (void *)half, (void *)reverseHalf};
void *__enzyme_register_derivative_half[] = {(void *)half, (void *)forwardHalf};

// Numbers of several types, a pointer and an integer; result and tape together.
struct Kept {
  int tape;
  float result;
};
struct Adjoints {
  double a;
  float b;
};
static float mix(double a, const double *p, float b, int n) {
  return (float)(a + p[n] + b);
}
static struct Kept augmentedMix(double a, const double *p, double *dp, float b, int n) {
  struct Kept kept = {n + 100, mix(a, p, b, n)};
  (void)dp;
  return kept;
}
static struct Adjoints reverseMix(double a, const double *p, double *dp, float b, int n,
                                  float adjoint, int tape) {
  struct Adjoints d = {adjoint * (2 + (tape - n - 100)), adjoint * 4};
  (void)a, (void)p, (void)b;
  dp[n] += 8 * adjoint;
  return d;
}
struct Both {
  float result, tangent;
};
static struct Both forwardMix(double a, double da, const double *p, const double *dp,
                              float b, float db, int n) {
  struct Both r = {mix(a, p, b, n), (float)(2 * da + 8 * dp[n] + 4 * db)};
  return r;
}
void *__enzyme_register_gradient_mix[] = {(void *)mix, (void *)augmentedMix,
                                          (void *)reverseMix};
void *__enzyme_register_derivative_mix[] = {(void *)mix, (void *)forwardMix};

// The tape is a structure, passed by value. d(x^3) is said to be x + 7.
typedef struct {
  double x, y, z;
} Three;
static void cube(double *x) { *x = *x * *x * *x; }
static Three augmentedCube(double *x, double *dx) {
  Three kept = {*x, 7, 0};
  (void)dx;
  cube(x);
  return kept;
}
static void reverseCube(double *x, double *dx, Three tape) {
  (void)x;
  *dx *= tape.x + tape.y + tape.z;
}
static void forwardCube(double *x, double *dx) {
  *dx *= *x + 7;
  cube(x);
}
void *__enzyme_register_gradient_cube[] = {(void *)cube, (void *)augmentedCube,
                                           (void *)reverseCube};
void *__enzyme_register_derivative_cube[] = {(void *)cube, (void *)forwardCube};

void program(const double *x, double *y) {
  double a = x[0], b = x[1];
  for (int i = 0; i < 3; ++i) // 1, 3 a; 9 a a^2; ...
    square(&a);
  while (b < 50)
    square(&b);
  y[0] = a;
  y[1] = b * half(x[0]) + half(half(x[1]));
  y[2] = mix(x[0], x, (float)x[1], 1) + mix(2 * x[0], x, 1, 0);
  double c = x[1];
  cube(&c);
  y[3] = c * x[0];
}

static void jacobian(const double *x, double *J) {
  const double p = x[0], q = x[1];
  J[0] = 27 * pow(p, 7), J[1] = 0;
  double b = q, db = 1;
  while (b < 50)
    db *= 3 * b, b *= b;
  J[2] = b * cos(p), J[3] = db * p / 2 + cos(q / 2) * cos(q);
  J[4] = 2 + 2 * 2 + 8, J[5] = 4 + 8;
  J[6] = q * q * q, J[7] = (q + 7) * p;
}
ADZE_TEST_MAP(program, 2, 4, ADZE_AT(0.9, 1.5, 1.1, 2.5), .jacobian = jacobian,
              .flags = ADZE_NO_DIFFERENCES)

// What is differentiated itself has given derivatives.
ADZE_TEST_SCALAR1(half, ADZE_AT(0.3, 2.0), .derivative = cos, .flags = ADZE_NO_DIFFERENCES)

#if ADZE_REVERSE
static double twice(double x) {
  square(&x);
  square(&x);
  return x;
}
extern double __enzyme_autodiff_d(void *, double);
ADZE_TEST_REVERSE(eachOnce) {
  released = 0;
  adze_near("slope", __enzyme_autodiff_d((void *)twice, 2.0), 3 * 2 * 3 * 4.0, 0);
  adze_near("reverse passes", released, 2, 0);
}
#endif
