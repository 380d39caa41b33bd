// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One computation in several spellings. Each file of this folder describes a
// computation, a scalar function of one vector of inputs, and has spellings of
// it, forms, that differ in nothing but how they are written:
//
//   FORM(ijk_in_memory, double, n * n) {      numbers of work space: n * n
//     ... work[i * n + j] += ...              n, index, x and work are at hand
//     return half_sum_of_squares(...);
//   }
//   COMPUTATION = {"matmul", 160, 9, inputs, NULL, NULL, NULL, hand};
//
// The file is compiled twice: without the plugin, which gives the primals and
// the adjoint by hand, and with it and -DFORMS_GRADIENT, which gives the
// gradients. So no primal is compiled otherwise because it is differentiated.

#ifndef ADZE_BENCHMARKS_FORMS_H
#define ADZE_BENCHMARKS_FORMS_H

#include "adze/adze.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is computed. A computation has the same inputs, data and value in all
/// its forms.
typedef struct {
  const char *name;
  int size, quick;             ///< n, and n with --quick.
  size_t (*num_inputs)(int n); ///< How many numbers x has.
  size_t (*num_indices)(int n);
  void (*make_indices)(int n, int *index); ///< Null: no indices.
  void (*make_inputs)(int n, double *x);   ///< Null: standard normal numbers.
  /// The adjoint of the best form by hand; adds to d_x, which is zero. Null:
  /// gradients are compared with that of the first form.
  void (*hand)(int n, const int *index, const double *x, double *d_x);
} computation;

/// How a form is called. x and work are arrays of its type of float.
typedef double (*form_primal)(int n, const int *index, const void *x,
                              void *work);
typedef void (*form_gradient)(int n, const int *index, const void *x, void *d_x,
                              void *work, void *d_work);

/// Called before main, once for each form by the object without and once by
/// the object with the plugin; one of the functions is null in each call.
void forms_add(const char *name, size_t float_bytes, size_t (*num_work)(int n),
               form_primal primal, form_gradient gradient);

extern computation forms_computation;

#ifdef __cplusplus
}
extern "C" void __enzyme_autodiff(void *, ...);
#else
extern void __enzyme_autodiff(void *, ...);
#endif

#define FORMS_UNUSED __attribute__((unused))

/// The value of most computations, given what they compute: y . y / 2.
FORMS_UNUSED static inline double half_squares(size_t count, const double *y) {
  double sum = 0.0;
  for (size_t i = 0; i < count; i++)
    sum += y[i] * y[i];
  return 0.5 * sum;
}

FORMS_UNUSED static inline float half_squares_single(size_t count,
                                                     const float *y) {
  float sum = 0.0f;
  for (size_t i = 0; i < count; i++)
    sum += y[i] * y[i];
  return 0.5f * sum;
}

#ifdef FORMS_GRADIENT

#define COMPUTATION computation forms_computation_again

#define FORM_REGISTER(NAME, FLOAT)                                             \
  static void NAME##_gradient(int n, const int *index, const void *x,          \
                              void *d_x, void *work, void *d_work) {           \
    __enzyme_autodiff((void *)NAME, enzyme_const, n, enzyme_const, index,      \
                      enzyme_dup, x, d_x, enzyme_dup, work, d_work);           \
  }                                                                            \
  __attribute__((constructor)) static void NAME##_add(void) {                  \
    forms_add(#NAME, sizeof(FLOAT), NAME##_work, NULL, NAME##_gradient);       \
  }

#else

#define COMPUTATION computation forms_computation

#define FORM_REGISTER(NAME, FLOAT)                                             \
  static double NAME##_primal(int n, const int *index, const void *x,          \
                              void *work) {                                    \
    return NAME(n, index, (const FLOAT *)x, (FLOAT *)work);                    \
  }                                                                            \
  __attribute__((constructor)) static void NAME##_add(void) {                  \
    forms_add(#NAME, sizeof(FLOAT), NAME##_work, NAME##_primal, NULL);         \
  }

#endif

/// A form: its name, its type of float, and how many numbers of work space the
/// caller hands to it, an expression in n.
#define FORM(NAME, FLOAT, WORK)                                                \
  static FLOAT NAME(int n, const int *index, const FLOAT *x, FLOAT *work);     \
  static size_t NAME##_work(int n FORMS_UNUSED) { return (size_t)(WORK); }     \
  FORM_REGISTER(NAME, FLOAT)                                                   \
  static FLOAT NAME(int n FORMS_UNUSED, const int *index FORMS_UNUSED,         \
                    const FLOAT *x, FLOAT *work FORMS_UNUSED)

#endif
