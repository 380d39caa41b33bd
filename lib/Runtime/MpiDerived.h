/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Datatypes that the program has made. What MPI tells of how one was made is
 * followed down to the predefined datatypes, once: the result is kept with the
 * datatype, as an attribute, and ends with it.
 */
#ifndef ADZE_RUNTIME_MPIDERIVED_H
#define ADZE_RUNTIME_MPIDERIVED_H

#include "MpiLayout.h"

/* How a datatype was made; MPICH counts from 1. */
#ifdef ADZE_MPI_NUMBERED
enum { Named = 1, OrderC = 56 };
#else
enum { Named = 0, OrderC = 0 };
#endif
enum Combiner {
  Dup = Named + 1,
  Contiguous,
  Vector,
  HVectorInteger,
  HVector,
  Indexed,
  HIndexedInteger,
  HIndexed,
  IndexedBlock,
  StructInteger,
  Struct,
  Subarray,
  Darray,
  Real,
  Complex,
  Integer,
  Resized,
  HIndexedBlock
};

/* The pieces of a datatype that have been found. */
struct Found {
  const char *Function;
  struct Piece *Pieces;
  size_t Count, Room;
  ptrdiff_t Extent;
  _Bool Bytes;
  struct Found *All; // with bytes and numbers; of itself null
  _Bool HasMore;     // there are such
};

/* Numbers are counted in bytes. */
static size_t sizeIn(enum Kind K) { return K == NoFloats ? 1 : SizeOf[K]; }

static void append(struct Found *To, struct Piece P) {
  struct Piece *Last = To->Count ? &To->Pieces[To->Count - 1] : 0;
  if (Last && Last->Kind == P.Kind &&
      Last->At + (ptrdiff_t)(Last->Count * sizeIn(P.Kind)) == P.At) {
    Last->Count += P.Count;
    return;
  }
  if (To->Count == To->Room) {
    To->Room = 2 * To->Room + 4;
    struct Piece *More = allocate(To->Function, To->Room, sizeof *More);
    memcpy(More, To->Pieces, To->Count * sizeof *More);
    free(To->Pieces);
    To->Pieces = More;
  }
  To->Pieces[To->Count++] = P;
}

/* \p Times elements of \p Old, one after the other, from \p At on. */
static void place(struct Found *To, const struct Found *Old, ptrdiff_t At,
                  ptrdiff_t Times) {
  To->Bytes |= Old->Bytes;
  To->HasMore |= Old->HasMore;
  if (To->All)
    place(To->All, Old->All, At, Times);
  for (ptrdiff_t I = 0; I < Times; ++I)
    for (size_t J = 0; J < Old->Count; ++J) {
      struct Piece P = Old->Pieces[J];
      P.At += At + I * Old->Extent;
      append(To, P);
    }
}

static struct Found nothingFound(const char *Function) {
  struct Found F = {Function, 0, 0, 0, 0, 0, 0, 0};
  F.All = allocate(Function, 1, sizeof *F.All);
  F.All->Function = Function;
  return F;
}

static void forgetFound(struct Found *F) {
  free(F->Pieces);
  free(F->All->Pieces);
  free(F->All);
}

/* A part of an array of \p N dimensions, in the order in which it lies. */
static void placeSubarray(struct Found *To, const struct Found *Old, int N,
                          const int *Sizes, const int *Parts, const int *Starts,
                          _Bool LastFastest) {
  int Index[N];
  memset(Index, 0, sizeof Index);
  for (int D = 0; D < N; ++D)
    if (Parts[D] == 0)
      return;
  for (;;) {
    ptrdiff_t At = 0;
    for (int I = 0; I < N; ++I) {
      const int D = LastFastest ? I : N - 1 - I;
      At = At * Sizes[D] + Starts[D] + Index[D];
    }
    place(To, Old, At * Old->Extent, 1);
    int I = 0;
    for (; I < N; ++I) {
      const int D = LastFastest ? N - 1 - I : I;
      if (++Index[D] < Parts[D])
        break;
      Index[D] = 0;
    }
    if (I == N)
      return;
  }
}

/* What a datatype was made of. */
struct Contents {
  int NumInts, NumPlaces, NumTypes, Combiner;
  int *Ints;
  ptrdiff_t *Places;
  MPI_Datatype *Types;
};

static struct Found foundIn(const char *Function, MPI_Datatype Type);

/* All blocks of the datatype that \p C tells of, whose elements are \p Old; of
 * a structure those of each member. */
static void placeBlocks(struct Found *To, const struct Contents *C,
                        const struct Found *Old) {
  const int *I = C->Ints;
  const ptrdiff_t *A = C->Places, E = Old[0].Extent;
  switch (C->Combiner) {
  case Dup:
  case Resized:
    place(To, Old, 0, 1);
    return;
  case Contiguous:
    place(To, Old, 0, I[0]);
    return;
  case Vector:
  case HVector:
    for (int K = 0; K < I[0]; ++K)
      place(To, Old, K * (C->Combiner == Vector ? I[2] * E : A[0]), I[1]);
    return;
  case Indexed:
  case HIndexed:
    for (int K = 0; K < I[0]; ++K)
      place(To, Old, C->Combiner == Indexed ? I[1 + I[0] + K] * E : A[K],
            I[1 + K]);
    return;
  case IndexedBlock:
  case HIndexedBlock:
    for (int K = 0; K < I[0]; ++K)
      place(To, Old, C->Combiner == IndexedBlock ? I[2 + K] * E : A[K], I[1]);
    return;
  case Struct:
    for (int K = 0; K < I[0]; ++K)
      place(To, &Old[K], A[K], I[1 + K]);
    return;
  case Subarray: {
    const int N = I[0];
    placeSubarray(To, Old, N, I + 1, I + 1 + N, I + 1 + 2 * N,
                  I[1 + 3 * N] == OrderC);
    return;
  }
  default:
    refuse(To->Function,
           "a datatype that is a distributed array is not supported");
  }
}

/* A number of Fortran by its precision or range (MPI_Type_create_f90_real). */
static _Bool isOfPrecision(int Combiner) {
  return Combiner == Real || Combiner == Complex || Combiner == Integer;
}

static struct Found foundInContents(const char *Function, MPI_Datatype Type,
                                    struct Contents *C) {
  struct Found To = nothingFound(Function);
  C->Ints = allocate(Function, (size_t)C->NumInts, sizeof(int));
  C->Places = allocate(Function, (size_t)C->NumPlaces, sizeof(ptrdiff_t));
  C->Types = allocate(Function, (size_t)C->NumTypes, sizeof(MPI_Datatype));
  MPI_Type_get_contents(Type, C->NumInts, C->NumPlaces, C->NumTypes, C->Ints,
                        C->Places, C->Types);
  struct Found *Old = allocate(Function, (size_t)C->NumTypes, sizeof *Old);
  for (int I = 0; I < C->NumTypes; ++I)
    Old[I] = foundIn(Function, C->Types[I]);
  placeBlocks(&To, C, Old);
  for (int I = 0; I < C->NumTypes; ++I) {
    forgetFound(&Old[I]);
    int Ints, Places, Of, How;
    MPI_Type_get_envelope(C->Types[I], &Ints, &Places, &Of, &How);
    if (How != Named && !isOfPrecision(How)) // it is a copy for us
      MPI_Type_free(&C->Types[I]);
  }
  free(Old);
  free(C->Ints);
  free(C->Places);
  free(C->Types);
  return To;
}

/* What \p T, which is \p Type, has beside floats, and those. */
static void appendNumbers(struct Found *To, MPI_Datatype Type,
                          const struct Predefined *T) {
  int Size = 0;
  MPI_Type_size(Type, &Size);
  const struct Piece Floats = {0, T->Floats, T->Kind};
  const ptrdiff_t At = (ptrdiff_t)(T->Floats * sizeIn(T->Kind));
  const struct Piece Rest = {At, (size_t)(Size - At), T->Raw ? Raw : NoFloats};
  if (T->Floats)
    append(To->All, Floats);
  if (Rest.Count)
    append(To->All, Rest);
  To->HasMore = !T->Floats;
}

/* Null if its floats have another size than C's. */
static const struct Predefined *
numberOfPrecision(struct Predefined *T, MPI_Datatype Type, int Combiner) {
  int Size = 0;
  MPI_Type_size(Type, &Size);
  *T = (struct Predefined){Type, NoFloats, 0, 0, 0, 0, 0};
  if (Combiner == Integer)
    return T;
  T->Floats = Combiner == Real ? 1 : 2;
  const size_t Each = (size_t)Size / T->Floats;
  T->Kind = Each == sizeof(float)    ? Float
            : Each == sizeof(double) ? Double
                                     : NoFloats;
  return T->Kind == NoFloats ? 0 : T;
}

static struct Found foundIn(const char *Function, MPI_Datatype Type) {
  struct Found F = nothingFound(Function);
  struct Contents C = {0, 0, 0, 0, 0, 0, 0};
  MPI_Type_get_envelope(Type, &C.NumInts, &C.NumPlaces, &C.NumTypes,
                        &C.Combiner);
  if (C.Combiner == Named || isOfPrecision(C.Combiner)) {
    const struct Predefined *T = predefinedOf(Type);
    struct Predefined Own;
    if (isOfPrecision(C.Combiner))
      T = numberOfPrecision(&Own, Type, C.Combiner);
    if (!T)
      refuse(Function, "a float of 16 or 128 bits is not supported");
    if (T->Kind == Packed)
      refuse(Function, "a datatype that is made of MPI_PACKED");
    const struct Piece P = {0, T->Floats, T->Kind};
    if (T->Floats)
      append(&F, P);
    F.Bytes = T->Bytes;
    appendNumbers(&F, Type, T);
  } else {
    forgetFound(&F);
    F = foundInContents(Function, Type, &C);
  }
  ptrdiff_t Begin = 0;
  MPI_Type_get_extent(Type, &Begin, &F.Extent);
  F.All->Extent = F.Extent;
  return F;
}

/* What is kept with a datatype. */
static int keepNothing(MPI_Datatype Type, int Key, void *Extra, void *Value,
                       void *Copy, int *IsCopied) {
  (void)Type, (void)Key, (void)Extra, (void)Value, (void)Copy;
  *IsCopied = 0;
  return 0;
}

static int endLayout(MPI_Datatype Type, int Key, void *Value, void *Extra) {
  struct Layout *L = Value;
  (void)Type, (void)Key, (void)Extra;
  free((void *)L->Pieces);
  free((void *)L->All);
  free(L);
  return 0;
}

static int keyOfLayouts(void) {
  LOCKED;
  static int Key;
  static _Bool HasKey;
  if (!HasKey)
    MPI_Type_create_keyval(keepNothing, endLayout, &Key, 0);
  HasKey = 1;
  return Key;
}

/* Null if no derivative has asked for it yet. */
static struct Layout *keptLayout(MPI_Datatype Type) {
  struct Layout *L = 0;
  int IsKnown = 0;
  MPI_Type_get_attr(Type, keyOfLayouts(), &L, &IsKnown);
  return IsKnown ? L : 0;
}

/* MPI_Type_create_f90_complex. */
static _Bool isComplexOfPrecision(MPI_Datatype Type) {
  int Ints, Places, Of, How;
  MPI_Type_get_envelope(Type, &Ints, &Places, &Of, &How);
  return How == Complex;
}

static const char *placeOfCall(const struct Description *D);

static struct Layout derivedLayoutOf(const char *Function, MPI_Datatype Type) {
  LOCKED;
  struct Layout *L = keptLayout(Type);
  if (!L) {
    const struct Found F = foundIn(Function, Type);
    L = allocate(Function, 1, sizeof *L);
    L->Extent = F.Extent;
    L->Bytes = F.Bytes;
    L->IsComplex = isComplexOfPrecision(Type);
    L->Pieces = F.Pieces;
    L->NumPieces = F.Count;
    if (F.HasMore) {
      L->All = F.All->Pieces;
      L->NumAll = F.All->Count;
    } else {
      free(F.All->Pieces);
    }
    free(F.All);
    for (size_t I = 0; I < F.Count; ++I) {
      L->Floats += F.Pieces[I].Count;
      L->Kind = F.Pieces[I].Kind > L->Kind ? F.Pieces[I].Kind : L->Kind;
    }
    MPI_Type_set_attr(Type, keyOfLayouts(), L);
  }
  struct Layout Known = *L;
  Known.Function = L->Described ? placeOfCall(L->Described) : Function;
  return Known;
}

#endif
