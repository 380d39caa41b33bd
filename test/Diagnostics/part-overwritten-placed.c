// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles in a buffer of bytes, at places that only the run knows, and writes
// of all kinds that cut one: copies of blocks, bytes in a loop, callees, other
// floats, text of the library, in both modes, whatever the adjoint and whichever bytes. Reading the
// double stops the program. Beside doubles, over dead ones, and where all of
// one is replaced, derivatives are right.
// RUN: %clang -g -O0 %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O1 %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O3 %adze %s -o %t && %t 2>&1 | FileCheck %s
// CHECK-COUNT-26: placed.c:{{.*}}: a part of an active float was overwritten
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern int enzyme_dup;
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);
#define NOINLINE __attribute__((noinline)) static
typedef unsigned char Byte;

static volatile int first = 3, second = 21, tail = 8;
static volatile int number = 0x3ff12345;

NOINLINE void put(Byte *b, int at, double d) { memcpy(b + at, &d, sizeof d); }
NOINLINE double get(const Byte *b, int at) {
  double d;
  memcpy(&d, b + at, sizeof d);
  return d;
}

// The same double again, and one that may be cut; its adjoint is 1, which ends
// with zeros.
static double ends(const Byte *b, double *x) {
  return get(b, first) + get(b, second) * x[0];
}
static void begin(Byte *b, double *x) {
  put(b, first, x[0] * x[1]);
  put(b, second, x[1]);
}

static double copied(double *x) {
  Byte b[64] = {0}, text[16];
  begin(b, x);
  for (int i = 0; i < 16; ++i)
    text[i] = (Byte)(number + i);
  memcpy(b + first + tail, text, tail == 8 ? 0 : 3);
  return ends(b, x);
}

static double looped(double *x) {
  Byte b[64] = {0};
  begin(b, x);
  for (int i = 0; i < 2; ++i)
    b[first + tail + i] = 0x3f;
  return ends(b, x);
}

NOINLINE void putNumber(Byte *b, int at, int n) {
  memcpy(b + at, &n, sizeof n);
}
static double called(double *x) {
  Byte b[64] = {0};
  begin(b, x);
  putNumber(b, first + tail, number);
  return ends(b, x);
}

// Any block, of which the callee knows nothing.
NOINLINE void putBlock(Byte *b, int at, const void *from, size_t size) {
  memcpy(b + at, from, size);
}
static double blocks(double *x) {
  Byte b[64] = {0};
  double d = x[0] * x[1];
  int n = number;
  putBlock(b, first, &d, sizeof d);
  putBlock(b, second, &x[1], sizeof d);
  putBlock(b, first + tail, &n, sizeof n);
  return ends(b, x);
}

// Bytes of the mantissa alone, where the adjoint has zeros.
static double mantissa(double *x) {
  Byte *b = calloc(1, 64);
  begin(b, x);
  b[first + (tail == 8 ? 8 : 1)] = (Byte)number;
  double s = ends(b, x);
  free(b);
  return s;
}

// An aligned number in a double that need not be.
static double aligned(double *x) {
  Byte *b = calloc(1, 64);
  begin(b, x);
  *(int *)(b + (first + tail + 3) / 4 * 4) = number;
  double s = ends(b, x);
  free(b);
  return s;
}

static double filled(double *x) {
  Byte b[64] = {0};
  begin(b, x);
  memset(b + first + tail, number, tail == 8 ? 0 : 5);
  return ends(b, x);
}

// Another double.
static double floats(double *x) {
  Byte b[64] = {0};
  begin(b, x);
  put(b, first + tail, x[0]);
  return ends(b, x) + 0 * get(b, first + tail);
}

// Moved before it is cut.
static double moved(double *x) {
  Byte *b = calloc(1, 128);
  b = realloc(b, 64);
  put(b, first - 3, x[0] * x[1]);
  put(b, second - 3, x[1]);
  memmove(b + 3, b, 40);
  putNumber(b, first + tail, number);
  double s = ends(b, x);
  free(b);
  return s;
}

// Cut before it is moved.
static double movedCut(double *x) {
  Byte *b = calloc(1, 128);
  put(b, first + 64, x[0] * x[1]);
  put(b, second + 64, x[1]);
  putNumber(b, first + tail + 64, number);
  memcpy(b, b + 64, 40);
  double s = ends(b, x);
  free(b);
  return s;
}

// Text of the library, and an aligned number by a callee.
static const char *volatile text = "ab";
static double texts(double *x) {
  char b[64] = {0};
  begin((Byte *)b, x);
  strcpy(b + first + tail, text);
  return ends((Byte *)b, x);
}
static double formatted(double *x) {
  char b[64] = {0};
  begin((Byte *)b, x);
  snprintf(b + first + tail, 4, "%d", number);
  return ends((Byte *)b, x);
}
NOINLINE void setNumber(int *to, int n) { *to = n; }
static double given(double *x) {
  _Alignas(8) Byte b[64] = {0};
  begin(b, x);
  setNumber((int *)(b + (first + tail + 3) / 4 * 4), number);
  return ends(b, x);
}

// A double that is cut and dead, and one that is replaced piece by piece.
static double replaced(double *x) {
  Byte b[64] = {0};
  double c = 2;
  begin(b, x);
  double s = ends(b, x);
  putNumber(b, first + 2, number);
  put(b, first, x[0]);
  s += get(b, first);
  putNumber(b, second - 3, number);
  for (unsigned i = 0; i < sizeof c; ++i)
    b[second + i] = ((Byte *)&c)[i];
  return s + get(b, second) - 2 - x[0];
}

#define ROUND(F)                                                               \
  do {                                                                         \
    double x[2] = {1.5, 2.5}, d[2] = {0}, e[2] = {1, 0}, t = 5;                \
    if (mode != 'r')                                                           \
      t = __enzyme_fwddiff((void *)F, enzyme_dup, x, e);                       \
    if (mode != 'f')                                                           \
      __enzyme_autodiff((void *)F, enzyme_dup, x, d);                          \
    else                                                                       \
      d[0] = 5, d[1] = 3;                                                      \
    if (d[0] != 5 || d[1] != 3 || t != 5)                                      \
      return 1;                                                                \
  } while (0)
#define CASE(K, F)                                                             \
  if (!which || which == K)                                                    \
  ROUND(F)

enum { Cases = 13 };
static int run(int which, char mode) {
  tail = which ? 5 : 8;
  CASE(1, copied);
  CASE(2, looped);
  CASE(3, called);
  CASE(4, blocks);
  CASE(5, mantissa);
  CASE(6, aligned);
  CASE(7, filled);
  CASE(8, floats);
  CASE(9, moved);
  CASE(10, movedCut);
  CASE(11, texts);
  CASE(12, formatted);
  CASE(13, given);
  CASE(0, replaced);
  return 0;
}

int main(void) {
  if (run(0, 0))
    return 1;
  for (int which = 1; which <= Cases; ++which)
    for (const char *mode = "fr"; *mode; ++mode) {
      int status;
      pid_t child = fork();
      if (child == 0)
        _exit(run(which, *mode));
      waitpid(child, &status, 0);
      if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        return 10 * which + (*mode == 'f');
    }
  return 0;
}
