/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Products of numbers, real or complex, for MPI_PROD. A complex number is two
 * floats, and of y = p x
 *
 *   tangent   y. = p x.
 *   adjoint   x' = conj(p) y'
 */
#ifndef ADZE_RUNTIME_MPIPRODUCTS_H
#define ADZE_RUNTIME_MPIPRODUCTS_H

#include "MpiLayout.h"

struct Number {
  long double Real, Imaginary;
};

/* \p Each: floats of a number. */
static struct Number numberAt(enum Kind K, size_t Each, const void *Array,
                              size_t I) {
  return (struct Number){at(K, Array, I), Each == 2 ? at(K, Array, I + 1) : 0};
}

static void putNumber(enum Kind K, size_t Each, void *Array, size_t I,
                      struct Number N) {
  put(K, Array, I, N.Real);
  if (Each == 2)
    put(K, Array, I + 1, N.Imaginary);
}

static struct Number times(struct Number A, struct Number B) {
  if (A.Imaginary == 0 && B.Imaginary == 0)
    return (struct Number){A.Real * B.Real, 0};
  return (struct Number){A.Real * B.Real - A.Imaginary * B.Imaginary,
                         A.Real * B.Imaginary + A.Imaginary * B.Real};
}

/* What partial derivatives are, and how they are multiplied by. */
enum Partial { OfReal, OfComplex, Conjugate };

static enum Partial tangentOf(const struct Layout *L) {
  return L->IsComplex ? OfComplex : OfReal;
}
static enum Partial adjointOf(const struct Layout *L) {
  return L->IsComplex ? Conjugate : OfReal;
}

static long double timesPart(long double Value, long double By) {
  return By == 0 ? 0 : Value * By;
}

static void multiplyComplex(enum Kind K, size_t N, void *Values, const void *By,
                            enum Partial How) {
  for (size_t I = 0; I + 1 < N; I += 2) {
    const struct Number V = numberAt(K, 2, Values, I);
    struct Number P = numberAt(K, 2, By, I);
    if (How == Conjugate)
      P.Imaginary = -P.Imaginary;
    const struct Number Product = {
        timesPart(V.Real, P.Real) - timesPart(V.Imaginary, P.Imaginary),
        timesPart(V.Imaginary, P.Real) + timesPart(V.Real, P.Imaginary)};
    putNumber(K, 2, Values, I, Product);
  }
}

/* What is multiplied by 0 becomes 0, also infinities. */
static void multiply(enum Kind K, size_t N, void *Values, const void *By,
                     enum Partial How) {
  if (How != OfReal) {
    multiplyComplex(K, N, Values, By, How);
    return;
  }
  for (size_t I = 0; I < N; ++I)
    if (at(K, By, I) == 0)
      put(K, Values, I, 0);
    else if (K == Double)
      ((double *)Values)[I] *= ((const double *)By)[I];
    else if (K == Float)
      ((float *)Values)[I] *= ((const float *)By)[I];
    else
      ((long double *)Values)[I] *= ((const long double *)By)[I];
}

#endif
