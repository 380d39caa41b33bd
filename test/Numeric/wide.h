// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shapes of check.h with ADZE_WIDTH directions at once. What a shape is given, and gives
// back, is the first direction; the others are multiples of it, and so must be what comes of
// them. Part of check.h.
#ifndef ADZE_TEST_NUMERIC_WIDE_H
#define ADZE_TEST_NUMERIC_WIDE_H

#define ADZE_SHADOWS_(T, p, n, scaled)                                                   \
  struct adze_wide w##p = adze_wide_begin(ADZE_TYPE_##T, p, n, scaled)
#define ADZE_DUPV_(T, p, s) enzyme_dupv, w##s.stride, (T *)p, (T *)w##s.at
#define ADZE_TANGENTS_(T, i)                                                             \
  ADZE_X_(T, i), ADZE_DX_(T, i), (T)(ADZE_DX_(T, i) * (T)2),                             \
      (T)(ADZE_DX_(T, i) * (T) - 1), (T)(ADZE_DX_(T, i) * (T)0.5)
#define ADZE_5_(T) T, T, T, T, T

#define ADZE_CALL_MAP_(marker, T, f, N, M)                                               \
  ADZE_SHADOWS_(T, dx, N, 1);                                                            \
  ADZE_SHADOWS_(T, dy, M, 1);                                                            \
  marker((void *)f, enzyme_width, ADZE_WIDTH, ADZE_DUPV_(T, x, dx),                      \
         ADZE_DUPV_(T, y, dy));                                                          \
  adze_wide_end(&wdx);                                                                   \
  adze_wide_end(&wdy)
#define ADZE_CALL_INPLACE_(marker, T, f, N)                                              \
  ADZE_SHADOWS_(T, dx, N, 1);                                                            \
  marker((void *)f, enzyme_width, ADZE_WIDTH, ADZE_DUPV_(T, x, dx));                     \
  adze_wide_end(&wdx)
#define ADZE_REVERSE_ARRAY_(T, f, N)                                                     \
  ADZE_SHADOWS_(T, dx, N, 0);                                                            \
  __enzyme_autodiff_void((void *)f, enzyme_width, ADZE_WIDTH, ADZE_DUPV_(T, x, dx),      \
                         enzyme_const, (int)(N));                                        \
  adze_wide_end(&wdx)

#define ADZE_FORWARD_RESULT_(T)                                                    \
  adze_wide_compare(ADZE_TYPE_##T, adze_lanes.d, sizeof(T), 1, 1);                            \
  *(T *)dy = adze_lanes.d[0][0]
#define ADZE_REVERSE_RESULT_(T, count)                                                   \
  for (int i = 0; i < (count); ++i) {                                                    \
    adze_wide_compare(ADZE_TYPE_##T, adze_lanes.d[i], sizeof(T), 1, 0);                       \
    ADZE_DX_(T, i) = adze_lanes.d[i][0];                                                      \
  }

#define ADZE_DEFINE_FORWARD_ARRAY_(T, f, N)                                              \
  struct f##_adze_tangents {                                                             \
    T d[1][ADZE_WIDTH];                                                                  \
  };                                                                                     \
  ADZE_EXTERN struct f##_adze_tangents __enzyme_fwddiff_array_##f(void *, ...);          \
  ADZE_WRAP_(f, forward, ADZE_SHADOWS_(T, dx, N, 1);                                     \
             struct f##_adze_tangents adze_lanes = __enzyme_fwddiff_array_##f(                \
                 (void *)f, enzyme_width, ADZE_WIDTH, ADZE_DUPV_(T, x, dx),              \
                 enzyme_const, (int)(N));                                                \
             adze_wide_end(&wdx); ADZE_FORWARD_RESULT_(T))

#define ADZE_DEFINE_REVERSE_SCALARS_(T, f, count, TYPES, VALUES)                         \
  struct f##_adze_adjoints {                                                             \
    T d[count][ADZE_WIDTH];                                                              \
  };                                                                                     \
  ADZE_EXTERN struct f##_adze_adjoints __enzyme_autodiff_s_##f(void *, int, int,         \
                                                               ADZE_ID_ TYPES);          \
  ADZE_WRAP_(f, reverse,                                                                 \
             struct f##_adze_adjoints adze_lanes = __enzyme_autodiff_s_##f(                   \
                 (void *)f, enzyme_width, ADZE_WIDTH, ADZE_ID_ VALUES);                  \
             ADZE_REVERSE_RESULT_(T, count))
#define ADZE_DEFINE_FORWARD_SCALARS_(T, f, TYPES, VALUES)                                \
  struct f##_adze_tangents {                                                             \
    T d[1][ADZE_WIDTH];                                                                  \
  };                                                                                     \
  ADZE_EXTERN struct f##_adze_tangents __enzyme_fwddiff_s_##f(void *, int, int,          \
                                                              ADZE_ID_ TYPES);           \
  ADZE_WRAP_(f, forward,                                                                 \
             struct f##_adze_tangents adze_lanes = __enzyme_fwddiff_s_##f(                    \
                 (void *)f, enzyme_width, ADZE_WIDTH, ADZE_ID_ VALUES);                  \
             ADZE_FORWARD_RESULT_(T))

#define ADZE_REVERSE_SCALAR1_(T, f)                                                      \
  ADZE_DEFINE_REVERSE_SCALARS_(T, f, 1, (T), (ADZE_X_(T, 0)))
#define ADZE_FORWARD_SCALAR1_(T, f)                                                      \
  ADZE_DEFINE_FORWARD_SCALARS_(T, f, (ADZE_5_(T)), (ADZE_TANGENTS_(T, 0)))
#define ADZE_REVERSE_SCALAR2_(T, f)                                                      \
  ADZE_DEFINE_REVERSE_SCALARS_(T, f, 2, (T, T), (ADZE_X_(T, 0), ADZE_X_(T, 1)))
#define ADZE_FORWARD_SCALAR2_(T, f)                                                      \
  ADZE_DEFINE_FORWARD_SCALARS_(T, f, (ADZE_5_(T), ADZE_5_(T)),                           \
                               (ADZE_TANGENTS_(T, 0), ADZE_TANGENTS_(T, 1)))
#define ADZE_REVERSE_SCALAR3_(T, f)                                                      \
  ADZE_DEFINE_REVERSE_SCALARS_(T, f, 3, (T, T, T),                                       \
                               (ADZE_X_(T, 0), ADZE_X_(T, 1), ADZE_X_(T, 2)))
#define ADZE_FORWARD_SCALAR3_(T, f)                                                      \
  ADZE_DEFINE_FORWARD_SCALARS_(                                                          \
      T, f, (ADZE_5_(T), ADZE_5_(T), ADZE_5_(T)),                                        \
      (ADZE_TANGENTS_(T, 0), ADZE_TANGENTS_(T, 1), ADZE_TANGENTS_(T, 2)))

#endif
