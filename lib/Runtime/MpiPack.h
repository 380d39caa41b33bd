/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * MPI_Pack and MPI_Unpack, which are copies:
 *
 *   b = Pack(x)      x' += b';  b' = 0
 *   x = Unpack(b)    b' += x';  x' = 0
 *
 * with the floats of b' where those of b are. MPI is asked where that is: it
 * packs elements whose floats have all bits, and whose numbers have none.
 */
#ifndef ADZE_RUNTIME_MPIPACK_H
#define ADZE_RUNTIME_MPIPACK_H

#include "MpiPrefix.h"

int MPI_Pack_size(int, MPI_Datatype, MPI_Comm, int *);
int MPI_Type_get_true_extent(MPI_Datatype, ptrdiff_t *, ptrdiff_t *);

/* The bytes that elements are packed to. */
struct Stream {
  size_t Bytes;
  unsigned char *Kinds; // of the float that begins there
};

/* Sets the floats of \p Count elements to all bits. */
static void fill(const struct Layout *L, size_t Count, char *Elements) {
  const struct Piece First = {0, L->Floats, L->Kind};
  const struct Piece *Pieces = L->Pieces ? L->Pieces : &First;
  for (size_t I = 0; I < Count; ++I)
    for (size_t J = 0; J < (L->Pieces ? L->NumPieces : 1); ++J)
      memset(Elements + (ptrdiff_t)I * L->Extent + Pieces[J].At, 0xFF,
             Pieces[J].Count * SizeOf[Pieces[J].Kind]);
}

/* Packs \p Count elements that say where their floats are; to be freed. */
static unsigned char *packedBits(const struct Layout *L, int Count,
                                 MPI_Datatype Type, MPI_Comm Comm,
                                 size_t *Bytes) {
  ptrdiff_t Begin = 0, Length = 0;
  int Room = 0, Used = 0;
  MPI_Type_get_true_extent(Type, &Begin, &Length);
  if (L->Extent < 0)
    refuse(L->Function, "a datatype whose extent is negative");
  // Where the first element begins is not where its data does.
  char *Elements =
      allocate(L->Function, 1, (size_t)((Count - 1) * L->Extent + Length));
  fill(L, (size_t)Count, Elements - Begin);
  MPI_Pack_size(Count, Type, Comm, &Room);
  unsigned char *Bits = allocate(L->Function, 1, (size_t)Room);
  MPI_Pack(Elements - Begin, Count, Type, Bits, Room, &Used, Comm);
  free(Elements);
  *Bytes = (size_t)Used;
  return Bits;
}

/* Bits become kinds: the floats come in the order of the datatype. */
static void findFloats(const struct Layout *L, size_t Count, struct Stream *S) {
  const struct Piece First = {0, L->Floats, L->Kind};
  const struct Piece *Pieces = L->Pieces ? L->Pieces : &First;
  const size_t NumPieces = L->Pieces ? L->NumPieces : 1;
  size_t At = 0;
  _Bool IsKnown = 1;
  for (size_t I = 0; I < Count * NumPieces; ++I)
    for (size_t J = 0; J < Pieces[I % NumPieces].Count; ++J) {
      const enum Kind K = Pieces[I % NumPieces].Kind;
      while (At < S->Bytes && !S->Kinds[At])
        ++At;
      IsKnown &= At + SizeOf[K] <= S->Bytes;
      for (size_t B = 0; IsKnown && B < SizeOf[K]; ++B)
        IsKnown &= S->Kinds[At + B] == 0xFF;
      if (!IsKnown)
        refuse(L->Function, "the library does not pack floats as they lie");
      memset(S->Kinds + At, 0, SizeOf[K]);
      S->Kinds[At] = (unsigned char)K;
      At += SizeOf[K];
    }
  for (; At < S->Bytes; ++At)
    if (S->Kinds[At])
      refuse(L->Function, "the library does not pack floats as they lie");
}

/* Its Kinds are to be freed. */
static struct Stream streamOf(const struct Layout *L, int Count,
                              MPI_Datatype Type, MPI_Comm Comm) {
  struct Stream S = {0, 0};
  if (Count <= 0 || !L->Floats)
    return S;
  if (L->Kind == Packed)
    refuse(L->Function, "MPI_PACKED as the type of what is packed");
  S.Kinds = packedBits(L, Count, Type, Comm, &S.Bytes);
  findFloats(L, (size_t)Count, &S);
  return S;
}

/* Between the floats of a packed buffer and an array of \p K. */
static void moveStream(const char *Function, const struct Stream *S,
                       char *Bytes, enum Kind K, void *Floats, enum Move How) {
  struct Noted Run = {0, 0, NoFloats};
  size_t Next = 0;
  for (size_t I = 0; I < S->Bytes; ++I) {
    const enum Kind Here = (enum Kind)S->Kinds[I];
    long double Value;
    if (Here == NoFloats)
      continue;
    memcpy(&Value, Bytes + I, SizeOf[Here]);
    if (How == Gather) {
      put(K, Floats, Next++, at(Here, &Value, 0));
      continue;
    }
    const long double New = at(K, Floats, Next++);
    put(Here, &Value, 0, How == Add ? at(Here, &Value, 0) + New : New);
    memcpy(Bytes + I, &Value, SizeOf[Here]);
    if (How == Add)
      extendRun(Function, &Run, Bytes + I, Here);
  }
  endRun(Function, &Run);
}

/* The floats are taken: they are zero. */
static void clearStream(const char *Function, const struct Stream *S,
                        char *Bytes) {
  for (size_t I = 0; I < S->Bytes; ++I)
    if (S->Kinds[I] != NoFloats)
      memset(Bytes + I, 0, SizeOf[S->Kinds[I]]);
  forget(Function, Bytes, Bytes + S->Bytes);
}

/* Where the call begins: its first direction changes \p Position. */
static int beginAt(const int *Position) {
  if (!Directions.Which)
    Directions.Position = *Position;
  return Directions.Position;
}

/* ---- MPI_Pack -------------------------------------------------------------
 */

struct Kept adze_mpi_pack_augmented(const void *Elements, void *ElementsShadow,
                                    int Count, MPI_Datatype Type, void *Buffer,
                                    void *Shadow, int Size, int *Position,
                                    MPI_Comm Comm) {
  const int Begin = beginAt(Position);
  (void)ElementsShadow, (void)Shadow;
  return (struct Kept){
      (void *)(intptr_t)Begin,
      PRIMAL(MPI_Pack(Elements, Count, Type, Buffer, Size, Position, Comm))};
}

void adze_mpi_pack_reverse(const void *Elements, void *ElementsShadow,
                           int Count, MPI_Datatype Type, void *Buffer,
                           void *Shadow, int Size, int *Position, MPI_Comm Comm,
                           void *Begin) {
  struct Layout L = layoutOf("MPI_Pack", Type);
  (void)Size, (void)Position;
  ElementsShadow = shadowOf(&L, Elements, ElementsShadow);
  if (!Shadow || Shadow == Buffer)
    return;
  struct Stream S = streamOf(&L, Count, Type, Comm);
  char *Bytes = (char *)Shadow + (intptr_t)Begin;
  void *Adjoints = zerosFor(&L, S.Bytes ? (size_t)Count : 0);
  moveStream(L.Function, &S, Bytes, L.Kind, Adjoints, Gather);
  clearStream(L.Function, &S, Bytes);
  if (S.Bytes)
    addTo(&L, (size_t)Count, ElementsShadow, Adjoints);
  free(Adjoints);
  free(S.Kinds);
}

int adze_mpi_pack_forward(const void *Elements, void *ElementsShadow, int Count,
                          MPI_Datatype Type, void *Buffer, void *Shadow,
                          int Size, int *Position, MPI_Comm Comm) {
  struct Layout L = layoutOf("MPI_Pack", Type);
  const int Begin = beginAt(Position);
  int Error =
      PRIMAL(MPI_Pack(Elements, Count, Type, Buffer, Size, Position, Comm));
  ElementsShadow = shadowOf(&L, Elements, ElementsShadow);
  if (!Shadow || Shadow == Buffer)
    return Error;
  struct Stream S = streamOf(&L, Count, Type, Comm);
  void *Tangents = packed(&L, S.Bytes ? (size_t)Count : 0, ElementsShadow);
  moveStream(L.Function, &S, (char *)Shadow + Begin, L.Kind, Tangents, Scatter);
  free(Tangents);
  free(S.Kinds);
  return Error;
}

/* ---- MPI_Unpack -----------------------------------------------------------
 */

struct Kept adze_mpi_unpack_augmented(const void *Buffer, void *Shadow,
                                      int Size, int *Position, void *Elements,
                                      void *ElementsShadow, int Count,
                                      MPI_Datatype Type, MPI_Comm Comm) {
  const int Begin = beginAt(Position);
  (void)ElementsShadow, (void)Shadow;
  return (struct Kept){
      (void *)(intptr_t)Begin,
      PRIMAL(MPI_Unpack(Buffer, Size, Position, Elements, Count, Type, Comm))};
}

void adze_mpi_unpack_reverse(const void *Buffer, void *Shadow, int Size,
                             int *Position, void *Elements,
                             void *ElementsShadow, int Count, MPI_Datatype Type,
                             MPI_Comm Comm, void *Begin) {
  struct Layout L = layoutOf("MPI_Unpack", Type);
  (void)Size, (void)Position;
  ElementsShadow = shadowOf(&L, Elements, ElementsShadow);
  struct Stream S = streamOf(&L, Count, Type, Comm);
  void *Adjoints = S.Bytes ? taken(&L, (size_t)Count, ElementsShadow) : 0;
  if (Shadow && Shadow != Buffer)
    moveStream(L.Function, &S, (char *)Shadow + (intptr_t)Begin, L.Kind,
               Adjoints, Add);
  free(Adjoints);
  free(S.Kinds);
}

int adze_mpi_unpack_forward(const void *Buffer, void *Shadow, int Size,
                            int *Position, void *Elements, void *ElementsShadow,
                            int Count, MPI_Datatype Type, MPI_Comm Comm) {
  struct Layout L = layoutOf("MPI_Unpack", Type);
  const int Begin = beginAt(Position);
  int Error =
      PRIMAL(MPI_Unpack(Buffer, Size, Position, Elements, Count, Type, Comm));
  ElementsShadow = shadowOf(&L, Elements, ElementsShadow);
  struct Stream S = streamOf(&L, Count, Type, Comm);
  void *Tangents = zerosFor(&L, S.Bytes ? (size_t)Count : 0);
  if (Shadow && Shadow != Buffer)
    moveStream(L.Function, &S, (char *)Shadow + Begin, L.Kind, Tangents,
               Gather);
  if (S.Bytes)
    setTo(&L, (size_t)Count, ElementsShadow, Tangents);
  free(Tangents);
  free(S.Kinds);
  return Error;
}

#endif
