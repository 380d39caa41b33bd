// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A number that is encoded by a table, byte by byte, and decoded again is
// constant. A table of values, and a hash table that floats are the keys of, are
// not told of.
//
// RUN: %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -Xclang -load -Xclang %plugin -mllvm -adze-text=error -c %s -o %t.o 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: %clang -O2 -g %adze -Xclang -load -Xclang %plugin -mllvm -adze-text=cut -c %s -o %t.o 2>&1 | FileCheck --allow-empty --check-prefix=SILENT %s
// SILENT-NOT: the derivative
#include <stdint.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);

static const char Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static uint8_t Values[256];

__attribute__((noinline)) static void encode(double x, char *text) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  // CHECK: tables.c:[[#@LINE+3]]:{{[0-9]+}}: warning: the derivative ends here: bits of an active number choose an entry of a table, and a number is made of it
  // REFUSED: tables.c:[[#@LINE+2]]:{{[0-9]+}}: error: the derivative would end here: bits of an active number choose an entry of a table
  for (int i = 0; i < 11; i++)
    text[i] = Digits[bits >> (6 * i) & 63];
}
__attribute__((noinline)) static double decode(const char *text) {
  uint64_t bits = 0;
  for (int i = 0; i < 11; i++)
    bits |= (uint64_t)Values[(uint8_t)text[i]] << (6 * i);
  double x;
  memcpy(&x, &bits, 8);
  return x;
}
double base64(double x) {
  char text[16];
  encode(x * x, text);
  return decode(text);
}

// CHECK-NOT: in the derivative that {{.*}} asks for in 'others'
static const double Inverse[128];
static uint32_t Bucket[256];
static double Entries[256];
double computed(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return x * Inverse[bits >> 45 & 127];
}
double hashed(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return x * Entries[Bucket[(bits ^ bits >> 32) * 0x9E3779B97F4A7C15u >> 56] & 255];
}

double others(double x) {
  return __enzyme_autodiff((void *)computed, x) + __enzyme_autodiff((void *)hashed, x);
}
double gradient(double x) {
  for (int i = 0; i < 64; i++)
    Values[(uint8_t)Digits[i]] = i;
  return __enzyme_autodiff((void *)base64, x);
}
