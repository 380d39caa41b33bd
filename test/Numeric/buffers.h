// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of any floating type, read and written as long double. Part of check.c.
#ifndef ADZE_TEST_NUMERIC_BUFFERS_H
#define ADZE_TEST_NUMERIC_BUFFERS_H

#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t sizeOf(int type) {
  switch (type) {
  case ADZE_TYPE_double:
    return sizeof(double);
  case ADZE_TYPE_float:
    return sizeof(float);
  case ADZE_TYPE_ldouble:
    return sizeof(long double);
  default:
    return type == ADZE_TYPE_float128 ? 16 : 2;
  }
}

static long double load(int type, const void *p, int i) {
  switch (type) {
  case ADZE_TYPE_double:
    return ((const double *)p)[i];
  case ADZE_TYPE_float:
    return ((const float *)p)[i];
  case ADZE_TYPE_ldouble:
    return ((const long double *)p)[i];
#ifdef __x86_64__
  case ADZE_TYPE_float16:
    return (float)((const _Float16 *)p)[i];
  case ADZE_TYPE_bfloat16: {
    unsigned short bits = ((const unsigned short *)p)[i];
    unsigned wide = (unsigned)bits << 16;
    float f;
    memcpy(&f, &wide, sizeof f);
    return f;
  }
  case ADZE_TYPE_float128:
    return (long double)((const __float128 *)p)[i];
#endif
  }
  return NAN;
}

static void store(int type, void *p, int i, long double v) {
  switch (type) {
  case ADZE_TYPE_double:
    ((double *)p)[i] = (double)v;
    break;
  case ADZE_TYPE_float:
    ((float *)p)[i] = (float)v;
    break;
  case ADZE_TYPE_ldouble:
    ((long double *)p)[i] = v;
    break;
#ifdef __x86_64__
  case ADZE_TYPE_float16:
    ((_Float16 *)p)[i] = (_Float16)(float)v;
    break;
  case ADZE_TYPE_bfloat16: {
    // Truncated, not rounded: test values are exact in bfloat or it does not matter.
    float f = (float)v;
    unsigned wide;
    memcpy(&wide, &f, sizeof wide);
    ((unsigned short *)p)[i] = (unsigned short)(wide >> 16);
    break;
  }
  case ADZE_TYPE_float128:
    ((__float128 *)p)[i] = v;
    break;
#endif
  }
}

static void fill(int type, void *p, const long double *from, int n) {
  for (int i = 0; i < n; ++i)
    store(type, p, i, from[i]);
}

static void read(int type, const void *p, long double *to, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = load(type, p, i);
}

static long double *vec(int n) {
  long double *v = calloc((size_t)n, sizeof *v);
  if (!v)
    exit(99);
  return v;
}

#endif
