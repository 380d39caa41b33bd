/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The floats of a datatype. Adjoints and tangents travel as one array of
 * floats, one after the other and of one type, whatever the datatype is.
 */
#ifndef ADZE_RUNTIME_MPILAYOUT_H
#define ADZE_RUNTIME_MPILAYOUT_H

#include "MpiLibrary.h"

/* In the order of their precision. */
enum Kind { NoFloats, Float, Double, Long };

struct Layout {
  const char *Function; // whose derivative this is
  enum Kind Kind;
  size_t Floats; // of an element, at its begin
  size_t Extent; // bytes from one element to the next
  _Bool Bytes;   // the datatype does not tell what they hold
  _Bool Pair;    // a float and its place
};

static const size_t SizeOf[] = {0, sizeof(float), sizeof(double),
                                sizeof(long double)};

static MPI_Datatype typeOf(enum Kind K) {
  return K == Float ? TypeFloat : K == Double ? TypeDouble : TypeLong;
}

#ifdef ADZE_MPI_NUMBERED
#define HANDLE(NAME, MPICH) MPICH
#else
#define HANDLE(NAME, MPICH) (MPI_Datatype) ompi_mpi_##NAME
#endif

struct Predefined {
  MPI_Datatype Type;
  enum Kind Kind;
  unsigned char Floats;
  _Bool Bytes, Pair;
};

static const struct Predefined Types[] = {
#define ADZE_MPI_NUMBERS(NAME, MPICH) {HANDLE(NAME, MPICH), NoFloats, 0, 0, 0},
#define ADZE_MPI_FLOATS(NAME, MPICH, KIND, COUNT)                              \
  {HANDLE(NAME, MPICH), KIND, COUNT, 0, 0},
#define ADZE_MPI_PAIR(NAME, MPICH, KIND) {HANDLE(NAME, MPICH), KIND, 1, 0, 1},
#define ADZE_MPI_BYTES(NAME, MPICH) {HANDLE(NAME, MPICH), NoFloats, 0, 1, 0},
#include "MpiTypes.def"
};

static struct Layout layoutOf(const char *Function, MPI_Datatype Type) {
  for (size_t I = 0; I < sizeof Types / sizeof *Types; ++I) {
    const struct Predefined *T = &Types[I];
    if (!T->Type || T->Type != Type)
      continue;
    size_t Size = SizeOf[T->Kind];
    // The int of a pair is padded as in a structure.
    size_t Extent = T->Pair && T->Kind != Float ? 2 * Size
                    : T->Pair                   ? Size + sizeof(int)
                                                : T->Floats * Size;
    return (struct Layout){Function, T->Kind,  T->Floats,
                           Extent,   T->Bytes, T->Pair};
  }
  refuse(Function, "a datatype that is not one of MPI's predefined ones, or a "
                   "float of 16 or 128 bits, is not supported yet");
}

/* The shadow of \p Buffer, or null where there is none: nothing comes in, and
 * zeros go out. */
static void *shadowOf(const struct Layout *L, const void *Buffer,
                      void *Shadow) {
  if (!Shadow || Shadow == Buffer || Shadow == InPlace)
    return 0;
  if (L->Bytes)
    refuse(L->Function, "MPI_BYTE and MPI_PACKED do not tell what is active in "
                        "a message: use the type of the data");
  return Shadow;
}

/* The floats of \p Count elements, as a count for MPI. */
static int floatsIn(const struct Layout *L, int Count) {
  size_t Floats = L->Floats * (size_t)(Count > 0 ? Count : 0);
  if (Floats > INT_MAX)
    refuse(L->Function, "more than 2147483647 floats in a message");
  return (int)Floats;
}

/* Zeros for the floats of \p Count elements. */
static void *zerosFor(const struct Layout *L, size_t Count) {
  return allocate(L->Function, Count * L->Floats, SizeOf[L->Kind]);
}

static _Bool isDense(const struct Layout *L) {
  return L->Floats * SizeOf[L->Kind] == L->Extent;
}

/* Copies the floats of \p Count elements to \p Packed, or back. */
static void gatherFloats(const struct Layout *L, size_t Count, void *Packed,
                         const void *Elements) {
  size_t Size = L->Floats * SizeOf[L->Kind];
  if (isDense(L)) {
    memcpy(Packed, Elements, Count * Size);
    return;
  }
  for (size_t I = 0; I < Count; ++I)
    memcpy((char *)Packed + I * Size, (const char *)Elements + I * L->Extent,
           Size);
}

static void scatterFloats(const struct Layout *L, size_t Count, void *Elements,
                          const void *Packed) {
  size_t Size = L->Floats * SizeOf[L->Kind];
  if (isDense(L)) {
    memcpy(Elements, Packed, Count * Size);
    return;
  }
  for (size_t I = 0; I < Count; ++I)
    memcpy((char *)Elements + I * L->Extent, (const char *)Packed + I * Size,
           Size);
}

/* An array of the floats of \p Count elements: to be freed. Zeros if
 * \p Elements is null. */
static void *packed(const struct Layout *L, size_t Count,
                    const void *Elements) {
  void *Packed = zerosFor(L, Count);
  if (Elements)
    gatherFloats(L, Count, Packed, Elements);
  return Packed;
}

static void addFloats(enum Kind K, size_t N, void *To, const void *From) {
  if (K == Double)
    for (size_t I = 0; I < N; ++I)
      ((double *)To)[I] += ((const double *)From)[I];
  else if (K == Float)
    for (size_t I = 0; I < N; ++I)
      ((float *)To)[I] += ((const float *)From)[I];
  else
    for (size_t I = 0; I < N; ++I)
      ((long double *)To)[I] += ((const long double *)From)[I];
}

/* Adds to the floats of the elements of \p Shadow, if that is not null. */
static void addTo(const struct Layout *L, size_t Count, void *Shadow,
                  const void *Packed) {
  if (!Shadow)
    return;
  if (isDense(L)) {
    addFloats(L->Kind, Count * L->Floats, Shadow, Packed);
    return;
  }
  for (size_t I = 0; I < Count; ++I)
    addFloats(L->Kind, L->Floats, (char *)Shadow + I * L->Extent,
              (const char *)Packed + I * L->Floats * SizeOf[L->Kind]);
}

static void setTo(const struct Layout *L, size_t Count, void *Shadow,
                  const void *Packed) {
  if (Shadow)
    scatterFloats(L, Count, Shadow, Packed);
}

static void clear(const struct Layout *L, size_t Count, void *Shadow) {
  if (!Shadow)
    return;
  if (isDense(L)) {
    memset(Shadow, 0, Count * L->Extent);
    return;
  }
  for (size_t I = 0; I < Count; ++I)
    memset((char *)Shadow + I * L->Extent, 0, L->Floats * SizeOf[L->Kind]);
}

/* What \p Shadow holds, which is zero afterwards. */
static void *taken(const struct Layout *L, size_t Count, void *Shadow) {
  void *Packed = packed(L, Count, Shadow);
  clear(L, Count, Shadow);
  return Packed;
}

/* Element \p I of an array of \p K, for what runs rarely. */
static long double at(enum Kind K, const void *Array, size_t I) {
  return K == Float    ? (long double)((const float *)Array)[I]
         : K == Double ? (long double)((const double *)Array)[I]
                       : ((const long double *)Array)[I];
}

static void put(enum Kind K, void *Array, size_t I, long double Value) {
  if (K == Float)
    ((float *)Array)[I] = (float)Value;
  else if (K == Double)
    ((double *)Array)[I] = (double)Value;
  else
    ((long double *)Array)[I] = Value;
}

static void multiply(enum Kind K, size_t N, void *Values, const void *By) {
  if (K == Double)
    for (size_t I = 0; I < N; ++I)
      ((double *)Values)[I] *= ((const double *)By)[I];
  else if (K == Float)
    for (size_t I = 0; I < N; ++I)
      ((float *)Values)[I] *= ((const float *)By)[I];
  else
    for (size_t I = 0; I < N; ++I)
      ((long double *)Values)[I] *= ((const long double *)By)[I];
}

#endif
