// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What flang's runtime computes of whole arrays: products, sums, extremes.
#include "FortranDescriptor.h"

#include <float.h>
#include <limits.h>

#pragma STDC CX_LIMITED_RANGE ON

extern double sqrt(double X);

//===-- Products ----------------------------------------------------------===//

/// The columns of \p B times what \p A holds, whose elements are \p Down bytes
/// apart in a column of the result and \p Along in a row.
#define MULTIPLY(TYPE, ROWS, DOWN, ALONG)                                      \
  const _Bool Matrix = A->Rank == 2;                                           \
  const ptrdiff_t Rows = Matrix ? ROWS : 1;                                    \
  const ptrdiff_t Down = Matrix ? DOWN : 0,                                    \
                  Along = Matrix ? ALONG : A->Dim[0].Step;                     \
  const ptrdiff_t Inner = B->Dim[0].Extent, Step = B->Dim[0].Step;             \
  const ptrdiff_t Columns = B->Rank == 2 ? B->Dim[1].Extent : 1;               \
  const ptrdiff_t Across = B->Rank == 2 ? B->Dim[1].Step : 0;                  \
  Result->Dim[0].Extent = Matrix ? Rows : Columns;                             \
  if (Result->Rank == 2)                                                       \
    Result->Dim[1].Extent = Columns;                                           \
  allocate(Result);                                                            \
  TYPE *To = (TYPE *)Result->Base;                                             \
  const char *Left = A->Base, *Right = B->Base;                                \
  for (ptrdiff_t J = 0; J < Columns; ++J)                                      \
    for (ptrdiff_t I = 0; I < Rows; ++I) {                                     \
      TYPE Sum = 0;                                                            \
      for (ptrdiff_t K = 0; K < Inner; ++K)                                    \
        Sum += *(const TYPE *)(Left + I * Down + K * Along) *                  \
               *(const TYPE *)(Right + K * Step + J * Across);                 \
      To[J * Rows + I] = Sum;                                                  \
    }

#define MATMUL(NAME, TYPE)                                                     \
  void body_fortran_matmul_##NAME(                                             \
      struct Descriptor *Result, const struct Descriptor *A,                   \
      const struct Descriptor *B, const char *File, int Line) {                \
    (void)File, (void)Line;                                                    \
    MULTIPLY(TYPE, A->Dim[0].Extent, A->Dim[0].Step, A->Dim[1].Step)           \
  }                                                                            \
  void body_fortran_matmul_transposed_##NAME(                                  \
      struct Descriptor *Result, const struct Descriptor *A,                   \
      const struct Descriptor *B, const char *File, int Line) {                \
    (void)File, (void)Line;                                                    \
    MULTIPLY(TYPE, A->Dim[1].Extent, A->Dim[1].Step, A->Dim[0].Step)           \
  }

MATMUL(double, double)
MATMUL(float, float)
MATMUL(double_complex, double _Complex)
MATMUL(float_complex, float _Complex)

#define DOT(NAME, TYPE)                                                        \
  TYPE body_fortran_dot_##NAME(const struct Descriptor *A,                     \
                               const struct Descriptor *B, const char *File,   \
                               int Line) {                                     \
    (void)File, (void)Line;                                                    \
    TYPE Sum = 0;                                                              \
    const char *Left = A->Base, *Right = B->Base;                              \
    for (ptrdiff_t K = 0; K < A->Dim[0].Extent; ++K)                           \
      Sum += *(const TYPE *)(Left + K * A->Dim[0].Step) *                      \
             *(const TYPE *)(Right + K * B->Dim[0].Step);                      \
    return Sum;                                                                \
  }

DOT(double, double)
DOT(float, float)

/// Of complex numbers the first factor is conjugate (Fortran 2018, 16.9.65).
#define COMPLEX_DOT(NAME, TYPE)                                                \
  void body_fortran_dot_##NAME(                                                \
      TYPE _Complex *Result, const struct Descriptor *A,                       \
      const struct Descriptor *B, const char *File, int Line) {                \
    (void)File, (void)Line;                                                    \
    TYPE Real = 0, Imaginary = 0;                                              \
    for (ptrdiff_t K = 0; K < A->Dim[0].Extent; ++K) {                         \
      const TYPE *X = (const TYPE *)(A->Base + K * A->Dim[0].Step);            \
      const TYPE *Y = (const TYPE *)(B->Base + K * B->Dim[0].Step);            \
      Real += X[0] * Y[0] + X[1] * Y[1];                                       \
      Imaginary += X[0] * Y[1] - X[1] * Y[0];                                  \
    }                                                                          \
    ((TYPE *)Result)[0] = Real;                                                \
    ((TYPE *)Result)[1] = Imaginary;                                           \
  }

COMPLEX_DOT(double_complex, double)
COMPLEX_DOT(float_complex, float)

/// z^n for an integer n, by squares.
#define POWER(NAME, TYPE, INTEGER)                                             \
  TYPE _Complex body_fortran_power_##NAME(TYPE _Complex Base, INTEGER N) {     \
    unsigned long Left = N < 0 ? -(unsigned long)N : (unsigned long)N;         \
    TYPE _Complex Result = 1;                                                  \
    for (; Left; Left >>= 1) {                                                 \
      if (Left & 1)                                                            \
        Result *= Base;                                                        \
      Base *= Base;                                                            \
    }                                                                          \
    return N < 0 ? 1 / Result : Result;                                        \
  }

POWER(double_int, double, int)
POWER(double_long, double, long)
POWER(float_int, float, int)
POWER(float_long, float, long)

//===-- Of all elements ---------------------------------------------------===//

/// STATEMENT for each element X of \p A that \p Mask does not leave out.
#define FOR_EACH(TYPE, STATEMENT)                                              \
  for (size_t I = 0, Count = countOf(A); I < Count; ++I) {                     \
    const TYPE X = *(const TYPE *)(A->Base + placeOf(A, I));                   \
    STATEMENT                                                                  \
  }
#define FOR_EACH_TRUE(TYPE, STATEMENT)                                         \
  if (Mask) {                                                                  \
    for (size_t I = 0, Count = countOf(A); I < Count; ++I)                     \
      if (isTrue(Mask, I)) {                                                   \
        const TYPE X = *(const TYPE *)(A->Base + placeOf(A, I));               \
        STATEMENT                                                              \
      }                                                                        \
  } else {                                                                     \
    FOR_EACH(TYPE, STATEMENT)                                                  \
  }

#define OF_ALL(NAME, TYPE, FIRST, STATEMENT)                                   \
  TYPE body_fortran_##NAME(const struct Descriptor *A, const char *File,       \
                           int Line, int Along,                                \
                           const struct Descriptor *Mask) {                    \
    (void)File, (void)Line, (void)Along;                                       \
    TYPE Result = FIRST;                                                       \
    FOR_EACH_TRUE(TYPE, STATEMENT)                                             \
    return Result;                                                             \
  }

OF_ALL(sum_double, double, 0, Result += X;)
OF_ALL(sum_float, float, 0, Result += X;)
OF_ALL(product_double, double, 1, Result *= X;)
OF_ALL(product_float, float, 1, Result *= X;)
OF_ALL(maxval_double, double, -DBL_MAX, if (X > Result) Result = X;)
OF_ALL(maxval_float, float, -FLT_MAX, if (X > Result) Result = X;)
OF_ALL(minval_double, double, DBL_MAX, if (X < Result) Result = X;)
OF_ALL(minval_float, float, FLT_MAX, if (X < Result) Result = X;)

#define COMPLEX_OF_ALL(NAME, TYPE, FIRST, STATEMENT)                           \
  void body_fortran_##NAME(TYPE *To, const struct Descriptor *A,               \
                           const char *File, int Line, int Along,              \
                           const struct Descriptor *Mask) {                    \
    (void)File, (void)Line, (void)Along;                                       \
    TYPE Result = FIRST;                                                       \
    FOR_EACH_TRUE(TYPE, STATEMENT)                                             \
    *To = Result;                                                              \
  }

COMPLEX_OF_ALL(sum_double_complex, double _Complex, 0, Result += X;)
COMPLEX_OF_ALL(sum_float_complex, float _Complex, 0, Result += X;)
COMPLEX_OF_ALL(product_double_complex, double _Complex, 1, Result *= X;)
COMPLEX_OF_ALL(product_float_complex, float _Complex, 1, Result *= X;)

#define NORM(NAME, TYPE)                                                       \
  TYPE body_fortran_norm2_##NAME(const struct Descriptor *A, const char *File, \
                                 int Line, int Along) {                        \
    (void)File, (void)Line, (void)Along;                                       \
    double Sum = 0;                                                            \
    FOR_EACH(TYPE, Sum += (double)X * X;)                                      \
    return (TYPE)sqrt(Sum);                                                    \
  }

NORM(double, double)
NORM(float, float)

//===-- Along one dimension -----------------------------------------------===//

enum Operation { Sum, Product, Largest, Smallest, Norm };

/// \p A without dimension \p Along: where the elements stand that are the first
/// ones along it.
static struct Descriptor without(const struct Descriptor *A, int Along) {
  struct Descriptor Left;
  Left.Base = A->Base;
  Left.Bytes = A->Bytes;
  Left.Rank = A->Rank - (A->Rank != 0);
  for (int K = 0; K < Left.Rank; ++K)
    Left.Dim[K] = A->Dim[K + (K >= Along)];
  return Left;
}

/// \p A with dimension \p Along as the last one. A scalar stays one.
static struct Descriptor withLast(const struct Descriptor *A, int Along) {
  struct Descriptor Turned = without(A, Along);
  if (A->Rank != 0)
    Turned.Dim[Turned.Rank++] = A->Dim[Along];
  return Turned;
}

/// NAME(From, Step, Extent, Mask, First, Apart, Op): the elements at From and
/// every Step bytes behind it; their logicals in Mask, if it is not null, are
/// number First and every Apart behind it.
#define ALONG(NAME, TYPE, LEAST, MOST)                                         \
  ALWAYS_INLINE static TYPE NAME(const char *From, ptrdiff_t Step,             \
                                 ptrdiff_t Extent,                             \
                                 const struct Descriptor *Mask, size_t First,  \
                                 size_t Apart, enum Operation Op) {            \
    TYPE Result = Op == Product    ? 1                                         \
                  : Op == Largest  ? LEAST                                     \
                  : Op == Smallest ? MOST                                      \
                                   : 0;                                        \
    for (ptrdiff_t K = 0; K < Extent; ++K) {                                   \
      if (Mask && !isTrue(Mask, First + (size_t)K * Apart))                    \
        continue;                                                              \
      const TYPE X = *(const TYPE *)(From + K * Step);                         \
      if (Op == Sum)                                                           \
        Result += X;                                                           \
      else if (Op == Norm)                                                     \
        Result += X * X;                                                       \
      else if (Op == Product)                                                  \
        Result *= X;                                                           \
      else if (Op == Largest ? X > Result : X < Result)                        \
        Result = X;                                                            \
    }                                                                          \
    return Op == Norm ? (TYPE)sqrt((double)Result) : Result;                   \
  }

ALONG(alongDoubles, double, -DBL_MAX, DBL_MAX)
ALONG(alongFloats, float, -FLT_MAX, FLT_MAX)
ALONG(alongInts, int, -INT_MAX - 1, INT_MAX)
ALONG(alongLongs, long, -LONG_MAX - 1, LONG_MAX)

#define EACH(TYPE, NAME)                                                       \
  for (size_t I = 0; I < Count; ++I)                                           \
    ((TYPE *)Result->Base)[I] =                                                \
        NAME(A->Base + placeOf(&Left, I), Step, Extent, Mask ? &Turned : 0, I, \
             Count, Op);

/// \p Dim: 1 is the first dimension.
ALWAYS_INLINE static void reduce(struct Descriptor *Result,
                                 const struct Descriptor *A, int Dim,
                                 const struct Descriptor *Mask, int Type,
                                 enum Operation Op) {
  const struct Descriptor Left = without(A, Dim - 1);
  struct Descriptor Turned;
  if (Mask)
    Turned = withLast(Mask, Dim - 1);
  const ptrdiff_t Extent = A->Dim[Dim - 1].Extent, Step = A->Dim[Dim - 1].Step;
  for (int K = 0; K < Left.Rank; ++K)
    Result->Dim[K].Extent = Left.Dim[K].Extent;
  allocate(Result);
  const size_t Count = countOf(&Left);
  switch (Type) {
  case FloatElement:
    EACH(float, alongFloats)
    return;
  case DoubleElement:
    EACH(double, alongDoubles)
    return;
  default:
    if (A->Bytes == sizeof(long)) {
      EACH(long, alongLongs)
    } else {
      EACH(int, alongInts)
    }
  }
}

/// Complex and short numbers have no code here.
ALWAYS_INLINE static void checkNumbers(const struct Descriptor *A, int Type,
                                       const char *File, int Line) {
  check(A, Type, File, Line);
  if (Type == FloatComplex || Type == DoubleComplex ||
      (A->Bytes != sizeof(int) && A->Bytes != sizeof(long)))
    refuse("adze: no derivative of a reduction along a dimension of elements "
           "of this type",
           File, Line);
}

#define ALONG_DIMENSION(NAME, OP)                                              \
  void body_fortran_##NAME##_along(                                            \
      struct Descriptor *Result, const struct Descriptor *A, int Dim,          \
      const char *File, int Line, const struct Descriptor *Mask, int Type) {   \
    checkNumbers(A, Type, File, Line);                                         \
    reduce(Result, A, Dim, Mask, Type, OP);                                    \
  }

ALONG_DIMENSION(sum, Sum)
ALONG_DIMENSION(product, Product)
ALONG_DIMENSION(maxval, Largest)
ALONG_DIMENSION(minval, Smallest)

void body_fortran_norm2_along(struct Descriptor *Result,
                              const struct Descriptor *A, int Dim,
                              const char *File, int Line, int Type) {
  checkNumbers(A, Type, File, Line);
  reduce(Result, A, Dim, 0, Type, Norm);
}

//===-- Places of extremes ------------------------------------------------===//

static void setInteger(const struct Descriptor *A, size_t At, long Value) {
  char *Place = A->Base + At * A->Bytes;
  if (A->Bytes == sizeof(long))
    *(long *)Place = Value;
  else
    *(int *)Place = (int)Value;
}

static void checkPlaces(const struct Descriptor *Result, const char *File,
                        int Line) {
  if (Result->Bytes != sizeof(int) && Result->Bytes != sizeof(long))
    refuse("adze: no derivative of a place of an extreme that is an integer "
           "of one or two bytes",
           File, Line);
}

/// NAME(A, Mask, Back): the number of the first (\p Back: last) element that
/// is BETTER than any before it, or the number of elements if there is none.
#define LOCATE(NAME, TYPE, BETTER)                                             \
  static size_t NAME(const struct Descriptor *A,                               \
                     const struct Descriptor *Mask, _Bool Back) {              \
    const size_t Count = countOf(A);                                           \
    size_t Best = Count;                                                       \
    TYPE Extreme = 0;                                                          \
    for (size_t I = 0; I < Count; ++I) {                                       \
      if (Mask && !isTrue(Mask, I))                                            \
        continue;                                                              \
      const TYPE X = *(const TYPE *)(A->Base + placeOf(A, I));                 \
      if (Best == Count || X BETTER Extreme || (Back && X == Extreme)) {       \
        Best = I;                                                              \
        Extreme = X;                                                           \
      }                                                                        \
    }                                                                          \
    return Best;                                                               \
  }

LOCATE(largestDouble, double, >)
LOCATE(largestFloat, float, >)
LOCATE(smallestDouble, double, <)
LOCATE(smallestFloat, float, <)

#define PLACE(NAME, FIND)                                                      \
  void body_fortran_##NAME(                                                    \
      struct Descriptor *Result, const struct Descriptor *A, int Kind,         \
      const char *File, int Line, const struct Descriptor *Mask, _Bool Back) { \
    (void)Kind;                                                                \
    checkPlaces(Result, File, Line);                                           \
    size_t At = FIND(A, Mask, Back);                                           \
    const _Bool Found = At < countOf(A);                                       \
    Result->Dim[0].Extent = A->Rank;                                           \
    allocate(Result);                                                          \
    for (size_t K = 0; K < A->Rank; ++K) {                                     \
      const size_t Extent = (size_t)A->Dim[K].Extent;                          \
      setInteger(Result, K, Found ? (long)(At % Extent) + 1 : 0);              \
      At = Found ? At / Extent : 0;                                            \
    }                                                                          \
  }

PLACE(maxloc_double, largestDouble)
PLACE(maxloc_float, largestFloat)
PLACE(minloc_double, smallestDouble)
PLACE(minloc_float, smallestFloat)

/// One row along dimension \p Along, from \p Base on.
static struct Descriptor rowOf(const struct Descriptor *A, char *Base,
                               int Along) {
  struct Descriptor Row;
  Row.Base = Base;
  Row.Bytes = A->Bytes;
  Row.Rank = A->Rank != 0;
  if (A->Rank != 0)
    Row.Dim[0] = A->Dim[Along];
  return Row;
}

#define PLACE_ALONG(NAME, DOUBLES, FLOATS)                                     \
  void body_fortran_##NAME##_along(                                            \
      struct Descriptor *Result, const struct Descriptor *A, int Kind,         \
      int Dim, const char *File, int Line, const struct Descriptor *Mask,      \
      _Bool Back, int Type) {                                                  \
    (void)Kind;                                                                \
    checkNumbers(A, Type, File, Line);                                         \
    checkPlaces(Result, File, Line);                                           \
    if (Type != DoubleElement && Type != FloatElement)                         \
      refuse("adze: no derivative beside a place of an extreme of integers "   \
             "along a dimension",                                              \
             File, Line);                                                      \
    const struct Descriptor Left = without(A, Dim - 1);                        \
    struct Descriptor True, MaskRow;                                           \
    if (Mask)                                                                  \
      True = without(Mask, Dim - 1);                                           \
    for (int K = 0; K < Left.Rank; ++K)                                        \
      Result->Dim[K].Extent = Left.Dim[K].Extent;                              \
    allocate(Result);                                                          \
    for (size_t I = 0, Count = countOf(&Left); I < Count; ++I) {               \
      const struct Descriptor Row =                                            \
          rowOf(A, A->Base + placeOf(&Left, I), Dim - 1);                      \
      if (Mask)                                                                \
        MaskRow = rowOf(Mask, Mask->Base + placeOf(&True, I), Dim - 1);        \
      const struct Descriptor *M = Mask ? &MaskRow : 0;                        \
      const size_t At = Type == DoubleElement ? DOUBLES(&Row, M, Back)         \
                                              : FLOATS(&Row, M, Back);         \
      setInteger(Result, I, At < countOf(&Row) ? (long)At + 1 : 0);            \
    }                                                                          \
  }

PLACE_ALONG(maxloc, largestDouble, largestFloat)
PLACE_ALONG(minloc, smallestDouble, smallestFloat)
