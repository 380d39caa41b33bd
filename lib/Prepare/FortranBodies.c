// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What flang's runtime does with whole arrays without computing, as
// LibraryBodies.c has it for other functions of libraries: copies, sections and
// shapes. (Sums are in FortranSums.c, allocations in FortranMemory.c.)
#include "FortranDescriptor.h"

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

static ptrdiff_t integerAt(const struct Descriptor *A, size_t K) {
  const char *At = A->Base + placeOf(A, K);
  return A->Bytes == sizeof(long) ? *(const long *)At : *(const int *)At;
}

ALWAYS_INLINE static void reshape(struct Descriptor *Result,
                                  const struct Descriptor *From,
                                  const struct Descriptor *Shape, int Type) {
  for (size_t K = 0; K < (size_t)Shape->Dim[0].Extent; ++K)
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

//===-- Shifts ------------------------------------------------------------===//

static const char *const Shifts =
    "adze: no derivative of cshift or eoshift with a shift for each row";

/// The result of a shift by \p Shift along dimension \p Dim (1 is the first),
/// around the end, or with \p Boundary or zeros behind it.
#define SHIFT(TYPE)                                                            \
  for (size_t I = 0; I < Count; ++I) {                                         \
    const size_t Place = I / Inner % Extent;                                   \
    const ptrdiff_t At = (ptrdiff_t)Place + Shift;                             \
    TYPE *To = (TYPE *)Result->Base + I;                                       \
    if (Around || (At >= 0 && At < (ptrdiff_t)Extent)) {                       \
      const size_t From = Around ? (Place + Turn) % Extent : (size_t)At;       \
      *To = *(const TYPE *)(Source->Base +                                     \
                            placeOf(Source, I + (From - Place) * Inner));      \
    } else {                                                                   \
      *To = Boundary ? *(const TYPE *)Boundary->Base : (TYPE)0;                \
    }                                                                          \
  }

ALWAYS_INLINE static void shift(struct Descriptor *Result,
                                const struct Descriptor *Source,
                                ptrdiff_t Shift, int Dim, _Bool Around,
                                const struct Descriptor *Boundary, int Type,
                                const char *File, int Line) {
  for (int K = 0; K < Source->Rank; ++K)
    Result->Dim[K].Extent = Source->Dim[K].Extent;
  allocate(Result);
  const size_t Count = countOf(Source);
  if (Count == 0)
    return;
  size_t Inner = 1; // elements from one place along the dimension to the next
  for (int K = 0; K + 1 < Dim; ++K)
    Inner *= (size_t)Source->Dim[K].Extent;
  const size_t Extent = (size_t)Source->Dim[Dim - 1].Extent;
  const ptrdiff_t Rest = Shift % (ptrdiff_t)Extent;
  const size_t Turn = (size_t)(Rest < 0 ? Rest + (ptrdiff_t)Extent : Rest);
  switch (Type) {
  case FloatElement:
    SHIFT(float)
    return;
  case DoubleElement:
    SHIFT(double)
    return;
  case FloatComplex:
    SHIFT(float _Complex)
    return;
  case DoubleComplex:
    SHIFT(double _Complex)
    return;
  default:
    if (Source->Bytes == sizeof(long)) {
      SHIFT(long)
    } else if (Source->Bytes == sizeof(int)) {
      SHIFT(int)
    } else {
      refuse("adze: no derivative of a shift of elements of this type", File,
             Line);
    }
  }
}

void body_fortran_cshift_vector(struct Descriptor *Result,
                                const struct Descriptor *Source, long Shift,
                                const char *File, int Line, int Type) {
  check(Source, Type, File, Line);
  shift(Result, Source, Shift, 1, 1, NULL, Type, File, Line);
}

void body_fortran_cshift(struct Descriptor *Result,
                         const struct Descriptor *Source,
                         const struct Descriptor *Shift, int Dim,
                         const char *File, int Line, int Type) {
  check(Source, Type, File, Line);
  if (Shift->Rank != 0)
    refuse(Shifts, File, Line);
  shift(Result, Source, integerAt(Shift, 0), Dim, 1, NULL, Type, File, Line);
}

void body_fortran_eoshift_vector(struct Descriptor *Result,
                                 const struct Descriptor *Source, long Shift,
                                 const struct Descriptor *Boundary,
                                 const char *File, int Line, int Type) {
  check(Source, Type, File, Line);
  shift(Result, Source, Shift, 1, 0, Boundary, Type, File, Line);
}

void body_fortran_eoshift(struct Descriptor *Result,
                          const struct Descriptor *Source,
                          const struct Descriptor *Shift,
                          const struct Descriptor *Boundary, int Dim,
                          const char *File, int Line, int Type) {
  check(Source, Type, File, Line);
  if (Shift->Rank != 0 || (Boundary && Boundary->Rank != 0))
    refuse(Shifts, File, Line);
  shift(Result, Source, integerAt(Shift, 0), Dim, 0, Boundary, Type, File,
        Line);
}

//===-- Spread, pack, unpack ----------------------------------------------===//

/// \p Source with another dimension \p Dim (1 is the first), along which its
/// elements are \p Copies times the same ones.
void body_fortran_spread(struct Descriptor *Result,
                         const struct Descriptor *Source, int Dim, long Copies,
                         const char *File, int Line, int Type) {
  check(Source, Type, File, Line);
  struct Descriptor Wide;
  Wide.Base = Source->Base;
  Wide.Bytes = Source->Bytes;
  Wide.Rank = Source->Rank + 1;
  for (int K = 0; K < Wide.Rank; ++K)
    if (K + 1 != Dim)
      Wide.Dim[K] = Source->Dim[K - (K + 1 > Dim)];
  Wide.Dim[Dim - 1].Extent = Copies > 0 ? Copies : 0;
  Wide.Dim[Dim - 1].Step = 0;
  for (int K = 0; K < Wide.Rank; ++K)
    Result->Dim[K].Extent = Wide.Dim[K].Extent;
  allocate(Result);
  copy(Result->Base, NULL, &Wide, countOf(Result), Type);
}

/// One element of \p Bytes bytes.
ALWAYS_INLINE static void copyOne(char *To, const char *From, size_t Bytes,
                                  int Type) {
  switch (Type) {
  case FloatElement:
    *(float *)To = *(const float *)From;
    return;
  case DoubleElement:
    *(double *)To = *(const double *)From;
    return;
  case FloatComplex:
    *(float _Complex *)To = *(const float _Complex *)From;
    return;
  case DoubleComplex:
    *(double _Complex *)To = *(const double _Complex *)From;
    return;
  default:
    memcpy(To, From, Bytes);
  }
}

void body_fortran_pack(struct Descriptor *Result,
                       const struct Descriptor *Source,
                       const struct Descriptor *Mask,
                       const struct Descriptor *Vector, const char *File,
                       int Line, int Type) {
  check(Source, Type, File, Line);
  const size_t Count = countOf(Source), Bytes = Source->Bytes;
  size_t True = 0;
  for (size_t I = 0; I < Count; ++I)
    True += isTrue(Mask, I);
  Result->Dim[0].Extent = Vector ? Vector->Dim[0].Extent : (ptrdiff_t)True;
  allocate(Result);
  size_t At = 0;
  for (size_t I = 0; I < Count; ++I)
    if (isTrue(Mask, I)) {
      copyOne(Result->Base + At * Bytes, Source->Base + placeOf(Source, I),
              Bytes, Type);
      ++At;
    }
  if (Vector)
    for (size_t I = True; I < (size_t)Vector->Dim[0].Extent; ++I)
      copyOne(Result->Base + I * Bytes, Vector->Base + placeOf(Vector, I),
              Bytes, Type);
}

void body_fortran_unpack(struct Descriptor *Result,
                         const struct Descriptor *Vector,
                         const struct Descriptor *Mask,
                         const struct Descriptor *Field, const char *File,
                         int Line, int Type) {
  check(Vector, Type, File, Line);
  const size_t Count = countOf(Mask), Bytes = Vector->Bytes;
  for (int K = 0; K < Mask->Rank; ++K)
    Result->Dim[K].Extent = Mask->Dim[K].Extent;
  allocate(Result);
  size_t At = 0;
  for (size_t I = 0; I < Count; ++I)
    if (isTrue(Mask, I)) {
      copyOne(Result->Base + I * Bytes, Vector->Base + placeOf(Vector, At),
              Bytes, Type);
      ++At;
    } else {
      copyOne(Result->Base + I * Bytes, Field->Base + placeOf(Field, I), Bytes,
              Type);
    }
}

//===-- Array constructors ------------------------------------------------===//

/// Where an array constructor writes (flang's Runtime/array-constructor.h).
struct Vector {
  struct Descriptor *To;
  long Filled, Room; // elements
  const char *File;
  int Line;
  _Bool HasLengths; // of characters
};

void body_fortran_vector_begin(struct Vector *V, struct Descriptor *To,
                               _Bool HasLengths, int Bytes, const char *File,
                               int Line) {
  (void)Bytes;
  V->To = To;
  V->Filled = 0;
  V->Room = To->Base ? To->Dim[0].Extent : 0;
  V->File = File;
  V->Line = Line;
  V->HasLengths = HasLengths;
}

/// Room for \p Count elements more.
ALWAYS_INLINE static void grow(struct Vector *V, long Count, int Type) {
  struct Descriptor *To = V->To;
  const long Needed = V->Filled + Count;
  if (Needed > V->Room) {
    struct Descriptor Old;
    Old.Base = To->Base;
    Old.Bytes = To->Bytes;
    Old.Rank = 1;
    Old.Dim[0].Extent = V->Filled;
    Old.Dim[0].Step = (ptrdiff_t)To->Bytes;
    V->Room = 2 * V->Room > Needed ? 2 * V->Room : Needed;
    To->Dim[0].Extent = V->Room;
    allocate(To);
    copy(To->Base, NULL, &Old, (size_t)V->Filled, Type);
    free(Old.Base);
    To->Dim[0].Extent = Needed;
  } else if (To->Dim[0].Extent < Needed) {
    To->Dim[0].Extent = Needed;
  }
}

void body_fortran_vector_push(struct Vector *V, const struct Descriptor *From,
                              int Type) {
  check(From, Type, V->File, V->Line);
  const long Count = (long)countOf(From);
  grow(V, Count, Type);
  copy(V->To->Base + (size_t)V->Filled * From->Bytes, NULL, From, (size_t)Count,
       Type);
  V->Filled += Count;
}

void body_fortran_vector_push_scalar(struct Vector *V, const char *From,
                                     int Type) {
  check(V->To, Type, V->File, V->Line);
  grow(V, 1, Type);
  const size_t Bytes = V->To->Bytes;
  copyOne(V->To->Base + (size_t)V->Filled * Bytes, From, Bytes, Type);
  ++V->Filled;
}
