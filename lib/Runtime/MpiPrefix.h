/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sums of which each rank has a part:
 *
 *   y = Scan(x)             x' += sum of y' of this rank and those after it
 *   y = Exscan(x)           x' += sum of y' of the ranks after this one
 *   y = Reduce_scatter(x)   x' += Allgather(y')
 *
 * and then y' = 0. Other operations than MPI_SUM are refused.
 */
#ifndef ADZE_RUNTIME_MPIPREFIX_H
#define ADZE_RUNTIME_MPIPREFIX_H

#include "MpiDistribution.h"

/* A call of Scan or Exscan. */
struct Prefix {
  struct Layout L;
  void *From, *To; // shadows of the buffers
  size_t Count;
  int Rank;
  _Bool Own; // what this rank gives counts in its result
};

static void checkSum(const char *Function, MPI_Datatype Type, MPI_Op Op,
                     MPI_Comm Comm) {
  struct Layout L = layoutOf(Function, Type);
  checkIntra(&L, Comm);
  if (L.Kind != NoFloats && operationOf(&L, Op) != Sum)
    refuse(Function, "an operation on floats other than MPI_SUM");
}

static struct Prefix prefixOf(const char *Function, const void *Sent,
                              void *SentShadow, const void *Buffer,
                              void *Shadow, int Count, MPI_Datatype Type,
                              MPI_Comm Comm, _Bool Own) {
  struct Prefix P = {layoutOf(Function, Type), 0, 0, 0, rankIn(Comm), Own};
  P.Count = (size_t)(Count > 0 ? Count : 0);
  P.To = shadowOf(&P.L, Buffer, Shadow);
  P.From = Sent == InPlace ? P.To : shadowOf(&P.L, Sent, SentShadow);
  return P;
}

/* Exscan leaves the result of the first rank as it was. */
static _Bool writes(const struct Prefix *P) { return P->Own || P->Rank > 0; }

static void prefixBack(const struct Prefix *P, MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const int Floats = floatsIn(&P->L, (int)P->Count);
  const size_t Block = (size_t)Floats * SizeOf[P->L.Kind];
  char *All = allocate(P->L.Function, sizeOf(Comm), Block);
  if (writes(P)) {
    void *Mine = taken(&P->L, P->Count, P->To);
    for (int I = 0; I < P->Rank + P->Own; ++I)
      memcpy(All + (size_t)I * Block, Mine, Block);
    free(Mine);
  }
  void *Sums = zerosFor(&P->L, P->Count);
  MPI_Reduce_scatter_block(All, Sums, Floats, typeOf(P->L.Kind), OpSum, Comm);
  addTo(&P->L, P->Count, P->From, Sums);
  free(All);
  free(Sums);
}

static void prefixTangents(const struct Prefix *P, MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const int Floats = floatsIn(&P->L, (int)P->Count);
  const MPI_Datatype Type = typeOf(P->L.Kind);
  void *Mine = packed(&P->L, P->Count, P->From);
  void *Sums = zerosFor(&P->L, P->Count);
  if (P->Own)
    MPI_Scan(Mine, Sums, Floats, Type, OpSum, Comm);
  else
    MPI_Exscan(Mine, Sums, Floats, Type, OpSum, Comm);
  if (writes(P))
    setTo(&P->L, P->Count, P->To, Sums);
  free(Mine);
  free(Sums);
}

#define PREFIX(NAME, MPI_NAME, OWN)                                            \
  int adze_mpi_##NAME##_augmented(                                             \
      const void *Sent, void *SentShadow, void *Buffer, void *Shadow,          \
      int Count, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) {                \
    (void)SentShadow, (void)Shadow;                                            \
    checkSum(#MPI_NAME, Type, Op, Comm);                                       \
    return MPI_NAME(Sent, Buffer, Count, Type, Op, Comm);                      \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(                                              \
      const void *Sent, void *SentShadow, void *Buffer, void *Shadow,          \
      int Count, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) {                \
    (void)Op;                                                                  \
    struct Prefix P = prefixOf(#MPI_NAME, Sent, SentShadow, Buffer, Shadow,    \
                               Count, Type, Comm, OWN);                        \
    prefixBack(&P, Comm);                                                      \
  }                                                                            \
  int adze_mpi_##NAME##_forward(const void *Sent, void *SentShadow,            \
                                void *Buffer, void *Shadow, int Count,         \
                                MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) { \
    checkSum(#MPI_NAME, Type, Op, Comm);                                       \
    int Error = MPI_NAME(Sent, Buffer, Count, Type, Op, Comm);                 \
    struct Prefix P = prefixOf(#MPI_NAME, Sent, SentShadow, Buffer, Shadow,    \
                               Count, Type, Comm, OWN);                        \
    prefixTangents(&P, Comm);                                                  \
    return Error;                                                              \
  }

PREFIX(scan, MPI_Scan, 1)
PREFIX(exscan, MPI_Exscan, 0)

/* ---- MPI_Reduce_scatter, MPI_Reduce_scatter_block -------------------------
 */

/* \p B: one block for each rank, in the whole buffer that is reduced. */
static void reduceScatterBack(const struct Layout *L, const struct Blocks *B,
                              void *Whole, void *Result, MPI_Comm Comm) {
  if (L->Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(L->Kind);
  const int Rank = rankIn(Comm);
  void *Mine = taken(L, (size_t)B->Counts[Rank], Result);
  void *All = zerosForBlocks(L, B);
  MPI_Allgatherv(Mine, B->Floats[Rank], Type, All, B->Floats, B->PackedAt, Type,
                 Comm);
  addBlocks(L, B, Whole, All);
  free(Mine);
  free(All);
}

static void reduceScatterTangents(const struct Layout *L,
                                  const struct Blocks *B, void *Whole,
                                  void *Result, MPI_Comm Comm) {
  if (L->Kind == NoFloats)
    return;
  const size_t Count = (size_t)B->Counts[rankIn(Comm)];
  void *All = packedBlocks(L, B, Whole), *Mine = zerosFor(L, Count);
  MPI_Reduce_scatter(All, Mine, B->Floats, typeOf(L->Kind), OpSum, Comm);
  setTo(L, Count, Result, Mine);
  free(Mine);
  free(All);
}

int adze_mpi_reduce_scatter_block_augmented(const void *Sent, void *SentShadow,
                                            void *Buffer, void *Shadow,
                                            int Count, MPI_Datatype Type,
                                            MPI_Op Op, MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkSum("MPI_Reduce_scatter_block", Type, Op, Comm);
  return MPI_Reduce_scatter_block(Sent, Buffer, Count, Type, Op, Comm);
}

void adze_mpi_reduce_scatter_block_reverse(const void *Sent, void *SentShadow,
                                           void *Buffer, void *Shadow,
                                           int Count, MPI_Datatype Type,
                                           MPI_Op Op, MPI_Comm Comm) {
  struct Layout L = layoutOf("MPI_Reduce_scatter_block", Type);
  struct Blocks *B = blocksOf(&L, Comm, 0, 0, Count);
  (void)Op;
  Shadow = shadowOf(&L, Buffer, Shadow);
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);
  reduceScatterBack(&L, B, SentShadow, Shadow, Comm);
  free(B);
}

int adze_mpi_reduce_scatter_block_forward(const void *Sent, void *SentShadow,
                                          void *Buffer, void *Shadow, int Count,
                                          MPI_Datatype Type, MPI_Op Op,
                                          MPI_Comm Comm) {
  checkSum("MPI_Reduce_scatter_block", Type, Op, Comm);
  int Error = MPI_Reduce_scatter_block(Sent, Buffer, Count, Type, Op, Comm);
  struct Layout L = layoutOf("MPI_Reduce_scatter_block", Type);
  struct Blocks *B = blocksOf(&L, Comm, 0, 0, Count);
  Shadow = shadowOf(&L, Buffer, Shadow);
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);
  reduceScatterTangents(&L, B, SentShadow, Shadow, Comm);
  free(B);
  return Error;
}

struct Kept adze_mpi_reduce_scatter_augmented(const void *Sent,
                                              void *SentShadow, void *Buffer,
                                              void *Shadow, const int *Counts,
                                              MPI_Datatype Type, MPI_Op Op,
                                              MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkSum("MPI_Reduce_scatter", Type, Op, Comm);
  struct Layout L = layoutOf("MPI_Reduce_scatter", Type);
  struct Blocks *B = blocksOf(&L, Comm, Counts, 0, 0);
  return (struct Kept){
      B, MPI_Reduce_scatter(Sent, Buffer, Counts, Type, Op, Comm)};
}

void adze_mpi_reduce_scatter_reverse(const void *Sent, void *SentShadow,
                                     void *Buffer, void *Shadow,
                                     const int *Counts, MPI_Datatype Type,
                                     MPI_Op Op, MPI_Comm Comm, void *Tape) {
  struct Layout L = layoutOf("MPI_Reduce_scatter", Type);
  (void)Counts, (void)Op;
  Shadow = shadowOf(&L, Buffer, Shadow);
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);
  reduceScatterBack(&L, Tape, SentShadow, Shadow, Comm);
  free(Tape);
}

int adze_mpi_reduce_scatter_forward(const void *Sent, void *SentShadow,
                                    void *Buffer, void *Shadow,
                                    const int *Counts, MPI_Datatype Type,
                                    MPI_Op Op, MPI_Comm Comm) {
  struct Kept K = adze_mpi_reduce_scatter_augmented(
      Sent, SentShadow, Buffer, Shadow, Counts, Type, Op, Comm);
  struct Layout L = layoutOf("MPI_Reduce_scatter", Type);
  Shadow = shadowOf(&L, Buffer, Shadow);
  SentShadow = Sent == InPlace ? Shadow : shadowOf(&L, Sent, SentShadow);
  reduceScatterTangents(&L, K.Tape, SentShadow, Shadow, Comm);
  free(K.Tape);
  return K.Error;
}

#endif
