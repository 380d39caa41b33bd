/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that give each rank its block of a buffer, or collect them:
 *
 *   y = Gather(x, root)    x' += Scatter(y', root);     y' = 0
 *   y = Scatter(x, root)   x' += Gather(y', root);      y' = 0
 *   y = Allgather(x)       x' += Reduce_scatter(y');    y' = 0
 *   y = Alltoall(x)        x' += Alltoall(y');          y' = 0
 *
 * The functions themselves: MpiDistributionCalls.h.
 */
#ifndef ADZE_RUNTIME_MPIDISTRIBUTION_H
#define ADZE_RUNTIME_MPIDISTRIBUTION_H

#include "MpiBlocks.h"
#include "MpiCollectives.h"

/* The part of one rank. */
struct Part {
  struct Layout L;
  void *Shadow;
  int Count;
};

/* In place it is the block of this rank in a buffer with \p All of them. */
static struct Part partOf(const char *Function, const void *Buffer,
                          void *Shadow, int Count, MPI_Datatype Type) {
  struct Part P = {layoutOf(Function, Type), 0, Count};
  P.Shadow = shadowOf(&P.L, Buffer, Shadow);
  return P;
}

static struct Part partInPlace(const struct Layout *L, const struct Blocks *B,
                               void *Shadow, MPI_Comm Comm) {
  const int Rank = rankIn(Comm);
  struct Part P = {*L, Shadow ? blockAt(L, B, Rank, Shadow) : 0,
                   B->Counts[Rank]};
  return P;
}

/* All blocks, on the ranks that have them. */
struct Whole {
  struct Layout L;
  void *Shadow;
  struct Blocks *B; // null elsewhere
};

static struct Whole wholeOf(const char *Function, const void *Buffer,
                            void *Shadow, const int *Counts, const int *Places,
                            int Each, MPI_Datatype Type, MPI_Comm Comm) {
  struct Whole W = {layoutOf(Function, Type), 0, 0};
  W.Shadow = shadowOf(&W.L, Buffer, Shadow);
  W.B = blocksOf(&W.L, Comm, Counts, Places, Each);
  return W;
}

static void checkComm(const char *Function, MPI_Comm Comm) {
  const struct Layout L = noFloats(Function);
  checkIntra(&L, Comm);
}

/* ---- Gather ---------------------------------------------------------------
 */

static void gatherBack(const struct Whole *W, const struct Part *P, int Root,
                       MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(P->L.Kind);
  void *All = W->B ? takenBlocks(&W->L, W->B, W->Shadow) : 0;
  void *Mine = zerosFor(&P->L, (size_t)P->Count);
  MPI_Scatterv(All, W->B ? W->B->Floats : 0, W->B ? W->B->PackedAt : 0, Type,
               Mine, floatsIn(&P->L, P->Count), Type, Root, Comm);
  addTo(&P->L, (size_t)P->Count, P->Shadow, Mine);
  free(All);
  free(Mine);
}

static void gatherTangents(const struct Whole *W, const struct Part *P,
                           int Root, MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(P->L.Kind);
  void *All = W->B ? zerosForBlocks(&W->L, W->B) : 0;
  void *Mine = packed(&P->L, (size_t)P->Count, P->Shadow);
  MPI_Gatherv(Mine, floatsIn(&P->L, P->Count), Type, All,
              W->B ? W->B->Floats : 0, W->B ? W->B->PackedAt : 0, Type, Root,
              Comm);
  if (W->B)
    setBlocks(&W->L, W->B, W->Shadow, All);
  free(All);
  free(Mine);
}

/* ---- Scatter --------------------------------------------------------------
 */

/* In place, what is there stays, and so does its adjoint. */
static void scatterBack(const struct Whole *W, const struct Part *P,
                        _Bool IsInPlace, int Root, MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(P->L.Kind);
  void *All = W->B ? zerosForBlocks(&W->L, W->B) : 0;
  void *Mine = IsInPlace ? zerosFor(&P->L, (size_t)P->Count)
                         : taken(&P->L, (size_t)P->Count, P->Shadow);
  MPI_Gatherv(Mine, floatsIn(&P->L, P->Count), Type, All,
              W->B ? W->B->Floats : 0, W->B ? W->B->PackedAt : 0, Type, Root,
              Comm);
  if (W->B)
    addBlocks(&W->L, W->B, W->Shadow, All);
  free(All);
  free(Mine);
}

static void scatterTangents(const struct Whole *W, const struct Part *P,
                            _Bool IsInPlace, int Root, MPI_Comm Comm) {
  if (P->L.Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(P->L.Kind);
  void *All = W->B ? packedBlocks(&W->L, W->B, W->Shadow) : 0;
  void *Mine = zerosFor(&P->L, (size_t)P->Count);
  MPI_Scatterv(All, W->B ? W->B->Floats : 0, W->B ? W->B->PackedAt : 0, Type,
               Mine, floatsIn(&P->L, P->Count), Type, Root, Comm);
  if (!IsInPlace)
    setTo(&P->L, (size_t)P->Count, P->Shadow, Mine);
  free(All);
  free(Mine);
}

/* ---- Allgather ------------------------------------------------------------
 */

/* Where ranks do not agree on the floats, each adds up what all have for it. */
static void sumDescribedBlocks(const struct Whole *W, const struct Part *P,
                               MPI_Comm Comm) {
  const struct Blocks *B = W->B;
  const size_t N = (size_t)B->Ranks, Count = (size_t)P->Count;
  const size_t Block = (size_t)floatsIn(&P->L, P->Count);
  const enum Kind K = kindOfAll(&W->L, B->Total, W->Shadow, Comm);
  if (K == NoFloats)
    return;
  char *All = takenBlocks(&W->L, B, W->Shadow);
  char *Coming = allocate(W->L.Function, N, Block);
  int *Counts = allocate(W->L.Function, 2 * N, sizeof *Counts);
  if (K != Raw) {
    for (size_t I = 0; I < N; ++I)
      Counts[I] = B->Floats[I] / (int)SizeOf[K];
    MPI_Reduce_scatter(All, Coming, Counts, typeOf(K), OpSum, Comm);
    addTo(&P->L, Count, P->Shadow, Coming);
  } else {
    for (size_t I = 0; I < N; ++I) {
      Counts[I] = (int)Block;
      Counts[N + I] = (int)(I * Block);
    }
    MPI_Alltoallv(All, B->Floats, B->PackedAt, TypeByte, Coming, Counts,
                  Counts + N, TypeByte, Comm);
    for (size_t I = 0; I < N; ++I)
      addTo(&P->L, Count, P->Shadow, Coming + I * Block);
  }
  free(All);
  free(Coming);
  free(Counts);
}

static void allgatherBack(const struct Whole *W, const struct Part *P,
                          MPI_Comm Comm) {
  if (W->L.Kind == NoFloats)
    return;
  if (W->L.Kind == Packed)
    refuse(W->L.Function, "MPI_PACKED is not supported: use MPI_Bcast");
  if (W->L.Kind == Described) {
    sumDescribedBlocks(W, P, Comm);
    return;
  }
  void *All = takenBlocks(&W->L, W->B, W->Shadow);
  void *Mine = zerosFor(&P->L, (size_t)P->Count);
  MPI_Reduce_scatter(All, Mine, W->B->Floats, typeOf(W->L.Kind), OpSum, Comm);
  addTo(&P->L, (size_t)P->Count, P->Shadow, Mine);
  free(All);
  free(Mine);
}

static void allgatherTangents(const struct Whole *W, const struct Part *P,
                              MPI_Comm Comm) {
  if (W->L.Kind == NoFloats)
    return;
  const MPI_Datatype Type = typeOf(W->L.Kind);
  void *All = zerosForBlocks(&W->L, W->B);
  void *Mine = packed(&P->L, (size_t)P->Count, P->Shadow);
  MPI_Allgatherv(Mine, floatsIn(&P->L, P->Count), Type, All, W->B->Floats,
                 W->B->PackedAt, Type, Comm);
  setBlocks(&W->L, W->B, W->Shadow, All);
  free(All);
  free(Mine);
}

/* ---- Alltoall -------------------------------------------------------------
 */

static void exchangeBlocks(const struct Whole *From, void *Floats,
                           const struct Whole *To, void *Result,
                           MPI_Comm Comm) {
  const MPI_Datatype Type = typeOf(From->L.Kind);
  MPI_Alltoallv(Floats, From->B->Floats, From->B->PackedAt, Type, Result,
                To->B->Floats, To->B->PackedAt, Type, Comm);
}

static void alltoallBack(const struct Whole *Out, const struct Whole *In,
                         MPI_Comm Comm) {
  if (In->L.Kind == NoFloats)
    return;
  void *Going = takenBlocks(&In->L, In->B, In->Shadow);
  void *Coming = zerosForBlocks(&Out->L, Out->B);
  exchangeBlocks(In, Going, Out, Coming, Comm);
  addBlocks(&Out->L, Out->B, Out->Shadow, Coming);
  free(Going);
  free(Coming);
}

static void alltoallTangents(const struct Whole *Out, const struct Whole *In,
                             MPI_Comm Comm) {
  if (In->L.Kind == NoFloats)
    return;
  void *Going = packedBlocks(&Out->L, Out->B, Out->Shadow);
  void *Coming = zerosForBlocks(&In->L, In->B);
  exchangeBlocks(Out, Going, In, Coming, Comm);
  setBlocks(&In->L, In->B, In->Shadow, Coming);
  free(Going);
  free(Coming);
}

#endif
