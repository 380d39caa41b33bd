// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of flang's runtime, for the bodies that stand for its functions. They
// come by descriptors, as Fortran 2018 has them for C (18.5.3). What comes out
// of an expression lies in memory that is allocated here, and that the program
// releases.
#ifndef ADZE_LIB_PREPARE_FORTRANDESCRIPTOR_H
#define ADZE_LIB_PREPARE_FORTRANDESCRIPTOR_H

#include <stddef.h>

extern void *malloc(size_t Bytes);
extern void free(void *Block);
extern void *memcpy(void *To, const void *From, size_t Bytes);
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

/// The end of flang's table of a derived type (runtime/type-info.h).
struct DerivedType {
  char Components[424];
  unsigned Special;
  _Bool HasParent, NoInitialization, NoDestruction, NoFinalization;
};

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

static inline size_t countOf(const struct Descriptor *A) {
  size_t Count = 1;
  for (int K = 0; K < A->Rank; ++K)
    Count *= A->Dim[K].Extent > 0 ? (size_t)A->Dim[K].Extent : 0;
  return Count;
}

/// Where element number \p At of \p A stands, in bytes.
static inline ptrdiff_t placeOf(const struct Descriptor *A, size_t At) {
  if (A->Rank == 0)
    return 0;
  ptrdiff_t Place = 0;
  const int Last = A->Rank - 1;
  for (int K = 0; K < Last; ++K) {
    size_t Extent = (size_t)A->Dim[K].Extent;
    Place += (ptrdiff_t)(At % Extent) * A->Dim[K].Step;
    At /= Extent;
  }
  return Place + (ptrdiff_t)At * A->Dim[Last].Step;
}

/// Element number \p At of an array of logicals.
static inline _Bool isTrue(const struct Descriptor *Mask, size_t At) {
  const char *Place = Mask->Base + placeOf(Mask, At);
  switch (Mask->Bytes) {
  case 1:
    return *(const signed char *)Place != 0;
  case 2:
    return *(const short *)Place != 0;
  case 4:
    return *(const int *)Place != 0;
  default:
    return *(const long *)Place != 0;
  }
}

static inline void refuse(const char *Why, const char *File, int Line) {
  _FortranAReportFatalUserError(Why, File, Line);
}

/// The table of the elements' type, null for those of the language itself.
static inline const struct DerivedType *typeOf(const struct Descriptor *A) {
  return A->Extra & HasMore
             ? *(const struct DerivedType *const *)(A->Dim + A->Rank)
             : NULL;
}

/// Elements are their bytes: no component is allocatable, none has a procedure
/// that is called at its end.
static inline _Bool isPlain(const struct Descriptor *A) {
  const struct DerivedType *Type = typeOf(A);
  return !Type || (Type->NoDestruction && Type->NoFinalization);
}

/// \p Type is what the caller is supposed to have.
static inline void check(const struct Descriptor *A, int Type, const char *File,
                         int Line) {
  const _Bool Float = A->Type == FloatElement || A->Type == DoubleElement ||
                      A->Type == FloatComplex || A->Type == DoubleComplex;
  if (Float ? A->Type != Type : Type != 0 || !isPlain(A))
    refuse("adze: no derivative of a function on whole arrays of which the "
           "compiler cannot tell the type, or with components that are "
           "allocatable",
           File, Line);
}

/// Memory for as many elements as \p A has now, one after the other.
static inline void allocate(struct Descriptor *A) {
  ptrdiff_t Step = (ptrdiff_t)A->Bytes;
  for (int K = 0; K < A->Rank; ++K) {
    A->Dim[K].Lower = 1;
    A->Dim[K].Step = Step;
    Step *= A->Dim[K].Extent;
  }
  A->Base = malloc(Step > 0 ? (size_t)Step : 1);
}

/// Element by element, to memory that is not \p From's; \p As says where each
/// goes, null for one after the other.
#define COPY(TYPE)                                                             \
  for (size_t I = 0; I < Count; ++I)                                           \
    *(TYPE *)(To + (As ? placeOf(As, I) : (ptrdiff_t)(I * sizeof(TYPE)))) =    \
        *(const TYPE *)(Source + placeOf(From, I));

/// \p Type is that of the elements. Bodies are told of it where they are called
/// (LibraryBodies.cpp), and there is a copy of them for each
/// (ChooseOperations.cpp).
ALWAYS_INLINE static inline void copy(char *To, const struct Descriptor *As,
                                      const struct Descriptor *From,
                                      size_t Count, int Type) {
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
             Source + placeOf(From, I), Bytes);
  }
}

#endif
