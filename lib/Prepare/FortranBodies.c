// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What flang's runtime does with whole arrays, as LibraryBodies.c has it for
// other functions of libraries. Arrays come by descriptors, as Fortran 2018
// has them for C (18.5.3). What comes out of an expression lies in memory that
// is allocated here, and that the program releases.
#include <stddef.h>

extern void *malloc(size_t Bytes);
extern void free(void *Block);
extern void *memcpy(void *To, const void *From, size_t Bytes);
extern double sqrt(double X);
extern void _FortranAReportFatalUserError(const char *Why, const char *File,
                                          int Line);

struct Dimension {
  ptrdiff_t Lower, Extent, Step; // from one element to the next, in bytes
};

enum { Allocatable = 2, HasMore = 1, MaxRank = 15 };

/// Of elements: CFI_type_float, and so on.
enum {
  FloatElement = 27,
  DoubleElement = 28,
  FloatComplex = 34,
  DoubleComplex = 35
};

#define ALWAYS_INLINE __attribute__((always_inline))

struct Descriptor {
  char *Base;
  size_t Bytes; // of an element
  int Version;
  unsigned char Rank;
  signed char Type;
  unsigned char Attribute;
  unsigned char Extra;
  struct Dimension Dim[MaxRank]; // as many as there are
};

static size_t countOf(const struct Descriptor *A) {
  size_t Count = 1;
  for (int K = 0; K < A->Rank; ++K)
    Count *= A->Dim[K].Extent > 0 ? (size_t)A->Dim[K].Extent : 0;
  return Count;
}

/// Where element number \p At of \p A stands, in bytes.
static ptrdiff_t placeOf(const struct Descriptor *A, size_t At) {
  ptrdiff_t Place = 0;
  for (int K = 0; K < A->Rank; ++K) {
    size_t Extent = (size_t)A->Dim[K].Extent;
    Place += (ptrdiff_t)(At % Extent) * A->Dim[K].Step;
    At /= Extent;
  }
  return Place;
}

static void refuse(const char *Why, const char *File, int Line) {
  _FortranAReportFatalUserError(Why, File, Line);
}

/// \p Type is what the caller is supposed to have.
static void check(const struct Descriptor *A, int Type, const char *File,
                  int Line) {
  const _Bool Float = A->Type == FloatElement || A->Type == DoubleElement ||
                      A->Type == FloatComplex || A->Type == DoubleComplex;
  if (Float ? A->Type != Type : Type != 0 || (A->Extra & HasMore))
    refuse("adze: no derivative of a function on whole arrays of which the "
           "compiler cannot tell the type, or with components that are "
           "allocatable",
           File, Line);
}

/// Memory for as many elements as \p A has now, one after the other.
static void allocate(struct Descriptor *A) {
  ptrdiff_t Step = (ptrdiff_t)A->Bytes;
  for (int K = 0; K < A->Rank; ++K) {
    A->Dim[K].Lower = 1;
    A->Dim[K].Step = Step;
    Step *= A->Dim[K].Extent;
  }
  A->Base = malloc(Step > 0 ? (size_t)Step : 1);
}

//===-- Products ----------------------------------------------------------===//

#define MATMUL(NAME, TYPE)                                                     \
  void body_fortran_matmul_##NAME(                                             \
      struct Descriptor *Result, const struct Descriptor *A,                   \
      const struct Descriptor *B, const char *File, int Line) {                \
    (void)File, (void)Line;                                                    \
    const _Bool Matrix = A->Rank == 2;                                         \
    const ptrdiff_t Rows = Matrix ? A->Dim[0].Extent : 1;                      \
    const ptrdiff_t Inner = B->Dim[0].Extent;                                  \
    const ptrdiff_t Columns = B->Rank == 2 ? B->Dim[1].Extent : 1;             \
    const ptrdiff_t Down = Matrix ? A->Dim[0].Step : 0;                        \
    const ptrdiff_t Along = Matrix ? A->Dim[1].Step : A->Dim[0].Step;          \
    const ptrdiff_t Across = B->Rank == 2 ? B->Dim[1].Step : 0;                \
    const ptrdiff_t Step = B->Dim[0].Step;                                     \
    Result->Dim[0].Extent = Matrix ? Rows : Columns;                           \
    if (Result->Rank == 2)                                                     \
      Result->Dim[1].Extent = Columns;                                         \
    allocate(Result);                                                          \
    TYPE *To = (TYPE *)Result->Base;                                           \
    const char *Left = A->Base, *Right = B->Base;                              \
    for (ptrdiff_t J = 0; J < Columns; ++J)                                    \
      for (ptrdiff_t I = 0; I < Rows; ++I) {                                   \
        TYPE Sum = 0;                                                          \
        for (ptrdiff_t K = 0; K < Inner; ++K)                                  \
          Sum += *(const TYPE *)(Left + I * Down + K * Along) *                \
                 *(const TYPE *)(Right + K * Step + J * Across);               \
        To[J * Rows + I] = Sum;                                                \
      }                                                                        \
  }

MATMUL(double, double)
MATMUL(float, float)

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

//===-- Sums --------------------------------------------------------------===//

static const char *const Masks =
    "adze: no derivative of this function with a mask";

#define SUM(NAME, TYPE)                                                        \
  TYPE body_fortran_sum_##NAME(const struct Descriptor *A, const char *File,   \
                               int Line, int Along,                            \
                               const struct Descriptor *Mask) {                \
    (void)Along;                                                               \
    if (Mask)                                                                  \
      refuse(Masks, File, Line);                                               \
    TYPE Sum = 0;                                                              \
    const char *From = A->Base;                                                \
    for (size_t I = 0, Count = countOf(A); I < Count; ++I)                     \
      Sum += *(const TYPE *)(From + placeOf(A, I));                            \
    return Sum;                                                                \
  }

SUM(double, double)
SUM(float, float)

#define NORM(NAME, TYPE)                                                       \
  TYPE body_fortran_norm2_##NAME(const struct Descriptor *A, const char *File, \
                                 int Line, int Along) {                        \
    (void)File, (void)Line, (void)Along;                                       \
    double Sum = 0;                                                            \
    const char *From = A->Base;                                                \
    for (size_t I = 0, Count = countOf(A); I < Count; ++I) {                   \
      double X = *(const TYPE *)(From + placeOf(A, I));                        \
      Sum += X * X;                                                            \
    }                                                                          \
    return (TYPE)sqrt(Sum);                                                    \
  }

NORM(double, double)
NORM(float, float)

//===-- Copies ------------------------------------------------------------===//

/// Element by element, to memory that is not \p From's; \p As says where each
/// goes, null for one after the other.
#define COPY(TYPE)                                                             \
  for (size_t I = 0; I < Count; ++I)                                           \
    *(TYPE *)(To + (As ? placeOf(As, I) : (ptrdiff_t)(I * sizeof(TYPE)))) =    \
        *(const TYPE *)(Source + (From->Rank ? placeOf(From, I) : 0));

/// \p Type is that of the elements. Bodies are told of it where they are called
/// (LibraryBodies.cpp), and there is a copy of them for each
/// (ChooseOperations.cpp).
ALWAYS_INLINE static void copy(char *To, const struct Descriptor *As,
                               const struct Descriptor *From, size_t Count,
                               int Type) {
  const size_t Bytes = From->Bytes;
  const char *Source = From->Base;
  switch (Type) {
  case FloatElement:
    COPY(float)
    return;
  case DoubleElement:
    COPY(double)
    return;
  case FloatComplex:
    COPY(float _Complex)
    return;
  case DoubleComplex:
    COPY(double _Complex)
    return;
  default:
    for (size_t I = 0; I < Count; ++I)
      memcpy(To + (As ? placeOf(As, I) : (ptrdiff_t)(I * Bytes)),
             Source + (From->Rank ? placeOf(From, I) : 0), Bytes);
  }
}

/// Bytes [*Begin, *End) have all elements of \p A.
static void rangeOf(const struct Descriptor *A, const char **Begin,
                    const char **End) {
  *Begin = A->Base;
  *End = A->Base + A->Bytes;
  for (int K = 0; K < A->Rank; ++K) {
    ptrdiff_t Last = (A->Dim[K].Extent - 1) * A->Dim[K].Step;
    *(Last < 0 ? Begin : End) += Last;
  }
}

static _Bool overlap(const struct Descriptor *A, const struct Descriptor *B) {
  const char *BeginA, *EndA, *BeginB, *EndB;
  rangeOf(A, &BeginA, &EndA);
  rangeOf(B, &BeginB, &EndB);
  return BeginA < EndB && BeginB < EndA;
}

static _Bool hasShapeOf(const struct Descriptor *To,
                        const struct Descriptor *From) {
  for (int K = 0; K < From->Rank; ++K)
    if (To->Dim[K].Extent != From->Dim[K].Extent)
      return 0;
  return 1;
}

ALWAYS_INLINE static void assign(struct Descriptor *To,
                                 const struct Descriptor *From, int Type) {
  char *Old = To->Base;
  if (To->Attribute == Allocatable && (!Old || !hasShapeOf(To, From))) {
    for (int K = 0; K < From->Rank; ++K)
      To->Dim[K].Extent = From->Dim[K].Extent;
    allocate(To);
    for (int K = 0; K < From->Rank; ++K)
      To->Dim[K].Lower = From->Dim[K].Lower;
    copy(To->Base, NULL, From, countOf(To), Type);
    free(Old);
    return;
  }
  const size_t Count = countOf(To);
  if (Count == 0)
    return;
  if (From->Rank == 0 || !overlap(To, From)) {
    copy(Old, To, From, Count, Type);
    return;
  }
  struct Descriptor Between;
  Between.Base = malloc(Count * From->Bytes);
  Between.Bytes = From->Bytes;
  Between.Rank = 1;
  Between.Dim[0].Extent = (ptrdiff_t)Count;
  Between.Dim[0].Step = (ptrdiff_t)From->Bytes;
  copy(Between.Base, NULL, From, Count, Type);
  copy(Old, To, &Between, Count, Type);
  free(Between.Base);
}

void body_fortran_assign(struct Descriptor *To, const struct Descriptor *From,
                         const char *File, int Line, int Type) {
  check(From, Type, File, Line);
  if (To->Bytes != From->Bytes || To->Type != From->Type)
    refuse("adze: no derivative of an assignment that converts", File, Line);
  assign(To, From, Type);
}

static ptrdiff_t integerAt(const struct Descriptor *A, ptrdiff_t K) {
  const char *At = A->Base + K * A->Dim[0].Step;
  return A->Bytes == sizeof(long) ? *(const long *)At : *(const int *)At;
}

ALWAYS_INLINE static void reshape(struct Descriptor *Result,
                                  const struct Descriptor *From,
                                  const struct Descriptor *Shape, int Type) {
  for (ptrdiff_t K = 0; K < Shape->Dim[0].Extent; ++K)
    Result->Dim[K].Extent = integerAt(Shape, K);
  allocate(Result);
  copy(Result->Base, NULL, From, countOf(Result), Type);
}

void body_fortran_reshape(struct Descriptor *Result,
                          const struct Descriptor *From,
                          const struct Descriptor *Shape,
                          const struct Descriptor *Pad,
                          const struct Descriptor *Order, const char *File,
                          int Line, int Type) {
  check(From, Type, File, Line);
  if (Pad || Order)
    refuse("adze: no derivative of reshape with pad or order", File, Line);
  reshape(Result, From, Shape, Type);
}

ALWAYS_INLINE static void transpose(struct Descriptor *Result,
                                    const struct Descriptor *From, int Type) {
  struct Descriptor Turned;
  Turned.Base = From->Base;
  Turned.Bytes = From->Bytes;
  Turned.Rank = 2;
  for (int K = 0; K < 2; ++K) {
    Result->Dim[K].Extent = From->Dim[1 - K].Extent;
    Turned.Dim[K] = From->Dim[1 - K];
  }
  allocate(Result);
  copy(Result->Base, NULL, &Turned, countOf(Result), Type);
}

void body_fortran_transpose(struct Descriptor *Result,
                            const struct Descriptor *From, const char *File,
                            int Line, int Type) {
  check(From, Type, File, Line);
  transpose(Result, From, Type);
}
