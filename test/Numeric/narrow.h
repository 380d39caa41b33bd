// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of check.h with one direction. Part of check.h; see wide.h.
#ifndef ADZE_TEST_NUMERIC_NARROW_H
#define ADZE_TEST_NUMERIC_NARROW_H

#define ADZE_CALL_MAP_(marker, T, f, N, M)                                               \
  marker((void *)f, enzyme_dup, (T *)x, (T *)dx, enzyme_dup, (T *)y, (T *)dy)
#define ADZE_CALL_INPLACE_(marker, T, f, N)                                              \
  marker((void *)f, enzyme_dup, (T *)x, (T *)dx)

#define ADZE_REVERSE_ARRAY_(T, f, N)                                                     \
  __enzyme_autodiff_void((void *)f, enzyme_dup, (T *)x, (T *)dx, enzyme_const, (int)(N))
#define ADZE_DEFINE_FORWARD_ARRAY_(T, f, N)                                              \
  ADZE_EXTERN T __enzyme_fwddiff_array_##T(void *, ...);                                 \
  ADZE_WRAP_(f, forward,                                                                 \
             *(T *)dy = __enzyme_fwddiff_array_##T((void *)f, enzyme_dup, (T *)x,        \
                                                   (T *)dx, enzyme_const, (int)(N)))

#define ADZE_REVERSE_SCALAR1_(T, f)                                                      \
  ADZE_EXTERN T __enzyme_autodiff_s1_##T(void *, T);                                     \
  ADZE_WRAP_(f, reverse, *(T *)dx = __enzyme_autodiff_s1_##T((void *)f, ADZE_X_(T, 0)))
#define ADZE_FORWARD_SCALAR1_(T, f)                                                      \
  ADZE_EXTERN T __enzyme_fwddiff_s1_##T(void *, T, T);                                   \
  ADZE_WRAP_(f, forward,                                                                 \
             *(T *)dy = __enzyme_fwddiff_s1_##T((void *)f, ADZE_X_(T, 0),                \
                                                ADZE_DX_(T, 0)))
#define ADZE_REVERSE_SCALAR2_(T, f)                                                      \
  struct f##_adze_grad {                                                                 \
    T d[2];                                                                              \
  };                                                                                     \
  ADZE_EXTERN struct f##_adze_grad __enzyme_autodiff_s2_##f(void *, T, T);               \
  ADZE_WRAP_(f, reverse,                                                                 \
             *(struct f##_adze_grad *)dx = __enzyme_autodiff_s2_##f(                     \
                 (void *)f, ADZE_X_(T, 0), ADZE_X_(T, 1)))
#define ADZE_FORWARD_SCALAR2_(T, f)                                                      \
  ADZE_EXTERN T __enzyme_fwddiff_s2_##T(void *, T, T, T, T);                             \
  ADZE_WRAP_(f, forward,                                                                 \
             *(T *)dy = __enzyme_fwddiff_s2_##T((void *)f, ADZE_X_(T, 0), ADZE_DX_(T, 0),\
                                                ADZE_X_(T, 1), ADZE_DX_(T, 1)))
#define ADZE_REVERSE_SCALAR3_(T, f)                                                      \
  struct f##_adze_grad {                                                                 \
    T d0, d1, d2;                                                                        \
  };                                                                                     \
  ADZE_EXTERN struct f##_adze_grad __enzyme_autodiff_s3_##f(void *, T, T, T);            \
  ADZE_WRAP_(f, reverse,                                                                 \
             struct f##_adze_grad g = __enzyme_autodiff_s3_##f(                          \
                 (void *)f, ADZE_X_(T, 0), ADZE_X_(T, 1), ADZE_X_(T, 2));                \
             ADZE_DX_(T, 0) = g.d0; ADZE_DX_(T, 1) = g.d1; ADZE_DX_(T, 2) = g.d2)
#define ADZE_FORWARD_SCALAR3_(T, f)                                                      \
  ADZE_EXTERN T __enzyme_fwddiff_s3_##T(void *, T, T, T, T, T, T);                       \
  ADZE_WRAP_(f, forward,                                                                 \
             *(T *)dy = __enzyme_fwddiff_s3_##T(                                         \
                 (void *)f, ADZE_X_(T, 0), ADZE_DX_(T, 0), ADZE_X_(T, 1),                \
                 ADZE_DX_(T, 1), ADZE_X_(T, 2), ADZE_DX_(T, 2)))

#endif
