// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of flang's allocatable variables and pointers. Its own functions may
// release what is allocated here and the other way round.
#include "FortranDescriptor.h"

/// Of flang's runtime: with a word behind the block that it looks at when a
/// pointer is released.
extern void *AllocateValidatedPointerPayload(size_t Bytes);

static size_t setSteps(struct Descriptor *A) {
  ptrdiff_t Step = (ptrdiff_t)A->Bytes;
  for (int K = 0; K < A->Rank; ++K) {
    A->Dim[K].Step = Step;
    Step *= A->Dim[K].Extent;
  }
  return Step > 0 ? (size_t)Step : 1;
}

/// Components that are allocatable need flang's own tables.
static void checkPlain(const struct Descriptor *A, const char *File, int Line) {
  if (!isPlain(A))
    refuse("adze: no derivative of the release of a variable with components "
           "that are allocatable or have a final procedure",
           File, Line);
}

/// An allocation that fails, and a status that tells of it, are no part of a
/// derivative.
static void checkFree(const struct Descriptor *A, const char *File, int Line) {
  if (A->Attribute == Allocatable && A->Base)
    refuse("adze: allocate of a variable that is allocated", File, Line);
}

static void checkNew(const struct Descriptor *A, const char *File, int Line) {
  const struct DerivedType *Type = typeOf(A);
  if (Type && !Type->NoInitialization)
    refuse("adze: no derivative of the allocation of a variable with "
           "components that have initial values",
           File, Line);
  checkFree(A, File, Line);
}

void body_fortran_set_bounds(struct Descriptor *A, int K, long Lower,
                             long Upper) {
  A->Dim[K].Lower = Lower;
  A->Dim[K].Extent = Upper >= Lower ? Upper - Lower + 1 : 0;
}

int body_fortran_allocate(struct Descriptor *A, _Bool HasStatus,
                          const struct Descriptor *Message, const char *File,
                          int Line) {
  (void)HasStatus, (void)Message;
  checkNew(A, File, Line);
  A->Base = malloc(setSteps(A));
  return 0;
}

int body_fortran_allocate_pointer(struct Descriptor *A, _Bool HasStatus,
                                  const struct Descriptor *Message,
                                  const char *File, int Line) {
  (void)HasStatus, (void)Message;
  checkNew(A, File, Line);
  A->Base = AllocateValidatedPointerPayload(setSteps(A));
  return 0;
}

/// The values of \p Source in memory that \p ALLOCATE gives.
#define ALLOCATE_SOURCE(NAME, ALLOCATE)                                        \
  int body_fortran_##NAME(struct Descriptor *A,                                \
                          const struct Descriptor *Source, _Bool HasStatus,    \
                          const struct Descriptor *Message, const char *File,  \
                          int Line, int Type) {                                \
    (void)HasStatus, (void)Message;                                            \
    check(Source, Type, File, Line);                                           \
    checkFree(A, File, Line);                                                  \
    A->Base = ALLOCATE(setSteps(A));                                           \
    copy(A->Base, NULL, Source, countOf(A), Type);                             \
    return 0;                                                                  \
  }

ALLOCATE_SOURCE(allocate_source, malloc)
ALLOCATE_SOURCE(allocate_pointer_source, AllocateValidatedPointerPayload)

int body_fortran_deallocate(struct Descriptor *A, _Bool HasStatus,
                            const struct Descriptor *Message, const char *File,
                            int Line) {
  (void)HasStatus, (void)Message;
  checkPlain(A, File, Line);
  if (!A->Base)
    refuse("adze: deallocate of a variable that is not allocated", File, Line);
  free(A->Base);
  A->Base = NULL;
  return 0;
}

int body_fortran_move_alloc(struct Descriptor *To, struct Descriptor *From,
                            const void *DerivedType, _Bool HasStatus,
                            const struct Descriptor *Message, const char *File,
                            int Line) {
  (void)DerivedType, (void)HasStatus, (void)Message;
  checkPlain(From, File, Line);
  free(To->Base);
  To->Base = From->Base;
  To->Bytes = From->Bytes;
  for (int K = 0; K < From->Rank; ++K)
    To->Dim[K] = From->Dim[K];
  From->Base = NULL;
  return 0;
}

void body_fortran_associate_scalar(struct Descriptor *A, char *Target) {
  A->Base = Target;
}
