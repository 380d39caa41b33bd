/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a rank gives to a collective call, or gets: blocks of a buffer, for one
 * rank or neighbour each. The blocks may have datatypes of their own.
 */
#ifndef ADZE_RUNTIME_MPISIDES_H
#define ADZE_RUNTIME_MPISIDES_H

#include "MpiLayout.h"

struct Block {
  struct Layout L;
  MPI_Datatype Type;
  int Count;    // elements
  ptrdiff_t At; // bytes from the begin of the buffer
};

struct Side {
  void *Shadow; // null: zeros go out, and what comes in is dropped
  size_t N;
  struct Block *Blocks; // one allocation, with what follows
  // The floats, one block after the other.
  ptrdiff_t *BytesAt;
  MPI_Datatype *Types;
  int *Floats;
  int *PackedAt; // in floats, or bytes if datatypes differ
  size_t Bytes;
};

static struct Side roomForBlocks(const char *Function, size_t N) {
  struct Side S = {0, N, 0, 0, 0, 0, 0, 0};
  S.Blocks = allocate(Function, N + 1,
                      sizeof *S.Blocks + sizeof *S.BytesAt + sizeof *S.Types +
                          2 * sizeof(int));
  S.BytesAt = (ptrdiff_t *)(S.Blocks + N + 1);
  S.Types = (MPI_Datatype *)(S.BytesAt + N + 1);
  S.Floats = (int *)(S.Types + N + 1);
  S.PackedAt = S.Floats + N + 1;
  return S;
}

/* Block \p I has been written: says where its floats lie. */
static void packBlock(struct Side *S, size_t I, _Bool InBytes) {
  const struct Block *B = &S->Blocks[I];
  const enum Kind K = B->L.Kind == NoFloats ? Double : B->L.Kind;
  const size_t Size = SizeOf[K], Begin = (S->Bytes + Size - 1) / Size * Size;
  S->Types[I] = typeOf(K);
  S->Floats[I] = floatsIn(&B->L, B->Count);
  S->BytesAt[I] = (ptrdiff_t)Begin;
  S->Bytes = Begin + (size_t)S->Floats[I] * Size;
  const size_t At = InBytes ? Begin : Begin / Size;
  if (At > INT_MAX || S->Bytes / (InBytes ? 1 : Size) > INT_MAX)
    refuse(B->L.Function, "more than 2147483647 floats in a message");
  S->PackedAt[I] = (int)At;
}

/* Blocks have no room for the marks of packed bytes, and are added up. */
static void *shadowOfBlocks(struct Layout *L, const void *Buffer,
                            void *Shadow) {
  void *S = shadowOf(L, Buffer, Shadow);
  if (S && L->Kind == Packed)
    refuse(L->Function, "MPI_PACKED is not supported here: use MPI_Pack with "
                        "another function");
  return S;
}

/* \p N blocks of one datatype. If \p Counts and \p Places are null, each has
 * \p Each elements, and they lie one after the other. */
static struct Side sideOf(const char *Function, const void *Buffer,
                          void *Shadow, MPI_Datatype Type, size_t N,
                          const int *Counts, const int *Places, int Each) {
  struct Layout L = layoutOf(Function, Type);
  struct Side S = roomForBlocks(Function, N);
  ptrdiff_t Before = 0;
  S.Shadow = shadowOfBlocks(&L, Buffer, Shadow);
  for (size_t I = 0; I < N; ++I) {
    const int Count = Counts ? Counts[I] : Each;
    const struct Block B = {L, Type, Count,
                            (Places ? Places[I] : Before) * L.Extent};
    Before += Count;
    S.Blocks[I] = B;
    packBlock(&S, I, 0);
  }
  return S;
}

/* A block of each datatype, \p Places in bytes: one of the two is null. */
static struct Side sideOfTypes(const char *Function, const void *Buffer,
                               void *Shadow, size_t N, const int *Counts,
                               const int *Places, const ptrdiff_t *LongPlaces,
                               const MPI_Datatype *Types) {
  struct Side S = roomForBlocks(Function, N);
  for (size_t I = 0; I < N; ++I) {
    struct Block B = {noFloats(Function), Types[I], Counts[I],
                      Places ? Places[I] : LongPlaces[I]};
    // Where nothing is exchanged, there may be no datatype.
    if (B.Count > 0) {
      B.L = layoutOf(Function, Types[I]);
      S.Shadow = shadowOfBlocks(&B.L, Buffer, Shadow);
    }
    S.Blocks[I] = B;
    packBlock(&S, I, 1);
  }
  return S;
}

/* The block of rank \p I of \p All. */
static struct Side oneBlockOf(const char *Function, const struct Side *All,
                              int I) {
  struct Side S = roomForBlocks(Function, 1);
  S.Shadow = All->Shadow;
  S.Blocks[0] = All->Blocks[I];
  packBlock(&S, 0, 0);
  return S;
}

static _Bool isTypeOf(const struct Side *S, MPI_Datatype Type) {
  for (size_t I = 0; I < S->N; ++I)
    if (S->Blocks[I].Type == Type)
      return 1;
  return 0;
}

static void moveBlocks(const struct Side *S, void *Packed, enum Move How) {
  for (size_t I = 0; S->Shadow && I < S->N; ++I) {
    struct Block *B = &S->Blocks[I];
    B->L.Begin = S->Shadow;
    if (S->Floats[I])
      moveFloats(&B->L, (size_t)B->Count, (char *)S->Shadow + B->At,
                 Packed ? (char *)Packed + S->BytesAt[I] : 0, How);
  }
}

static void *zerosOf(const struct Side *S) {
  return allocate("MPI", S->Bytes, 1);
}

static void *packedOf(const struct Side *S) {
  void *Packed = zerosOf(S);
  moveBlocks(S, Packed, Gather);
  return Packed;
}

static void *takenOf(const struct Side *S) {
  void *Packed = packedOf(S);
  moveBlocks(S, 0, Clear);
  return Packed;
}

#endif
