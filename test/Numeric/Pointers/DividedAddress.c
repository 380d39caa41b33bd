// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The head of a chunk is found by rounding an address down to a multiple of the
// chunk's size, by division; the shadow of the chunk is no such multiple.
#include "check.h"
#include <stdint.h>
#include <stdlib.h>

#define SIZE 400
typedef struct {
  double scale;
  double v[20];
} chunk;

__attribute__((noinline)) static chunk *headOf(double *p) {
  return (chunk *)((uintptr_t)p / SIZE * SIZE);
}

// Aligned by a remainder: the shadow lies as far from the block's begin.
double rounded(const double *x, int n) {
  char *raw = (char *)malloc(sizeof(chunk) + SIZE);
  chunk *c = (chunk *)(raw + (SIZE - (uintptr_t)raw % SIZE));
  c->scale = x[0];
  double s = 0;
  for (int i = 0; i < n; ++i)
    c->v[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += headOf(&c->v[i])->scale * c->v[i];
  free(raw);
  return s;
}
ADZE_TEST_ARRAY(rounded, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

// Aligned by a division, the next multiple.
double next(const double *x, int n) {
  char *raw = (char *)malloc(sizeof(chunk) + SIZE);
  chunk *c = (chunk *)(((uintptr_t)raw / SIZE + 1) * SIZE);
  c->scale = x[0];
  double s = 0;
  for (int i = 0; i < n; ++i)
    c->v[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += headOf(&c->v[i])->scale * c->v[i];
  free(raw);
  return s;
}
ADZE_TEST_ARRAY(next, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))

// A power of two, by shifts.
double shifted(const double *x, int n) {
  char *raw = (char *)malloc(sizeof(chunk) + 512);
  chunk *c = (chunk *)(raw + (512 - ((uintptr_t)raw & 511)));
  c->scale = x[0];
  double s = 0;
  for (int i = 0; i < n; ++i)
    c->v[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s += ((chunk *)((uintptr_t)&c->v[i] >> 9 << 9))->scale * c->v[i];
  free(raw);
  return s;
}
ADZE_TEST_ARRAY(shifted, 5, ADZE_AT(0.5, 0.7, -0.4, 0.2, -1.1))
