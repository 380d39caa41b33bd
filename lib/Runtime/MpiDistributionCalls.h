/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The halves of MPI_Gather, MPI_Scatter, MPI_Allgather, MPI_Alltoall
 * (MpiDistribution.h has the equations). Each has both forms, with one count
 * and with a count for each rank (Blocks). Of the latter the first half keeps
 * the counts.
 */
#ifndef ADZE_RUNTIME_MPIDISTRIBUTIONCALLS_H
#define ADZE_RUNTIME_MPIDISTRIBUTIONCALLS_H

#include "MpiDistribution.h"

/* ---- MPI_Gather, MPI_Gatherv ----------------------------------------------
 */

/* What the root alone passes means nothing elsewhere. */
static struct Whole atRoot(const char *Function, const void *Buffer,
                           void *Shadow, const int *Counts, const int *Places,
                           int Each, MPI_Datatype Type, int Root,
                           MPI_Comm Comm) {
  if (rankIn(Comm) == Root)
    return wholeOf(Function, Buffer, Shadow, Counts, Places, Each, Type, Comm);
  struct Whole None = {noFloats(Function), 0, 0};
  return None;
}

/* \p Kept: the blocks of the first half, or null. */
static struct Whole keptAtRoot(const char *Function, const void *Buffer,
                               void *Shadow, struct Blocks *Kept,
                               MPI_Datatype Type, int Root, MPI_Comm Comm) {
  struct Whole W = {noFloats(Function), 0, Kept};
  if (rankIn(Comm) != Root)
    return W;
  W.L = layoutOf(Function, Type);
  W.Shadow = shadowOf(&W.L, Buffer, Shadow);
  return W;
}

static struct Part sentPart(const struct Whole *W, const void *Sent,
                            void *SentShadow, int Count, MPI_Datatype Type,
                            MPI_Comm Comm) {
  return Sent == InPlace ? partInPlace(&W->L, W->B, W->Shadow, Comm)
                         : partOf(W->L.Function, Sent, SentShadow, Count, Type);
}

int adze_mpi_gather_augmented(const void *Sent, void *SentShadow, int SendCount,
                              MPI_Datatype SendType, void *Buffer, void *Shadow,
                              int Count, MPI_Datatype Type, int Root,
                              MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Gather", Comm);
  return PRIMAL(
      MPI_Gather(Sent, SendCount, SendType, Buffer, Count, Type, Root, Comm));
}

void adze_mpi_gather_reverse(const void *Sent, void *SentShadow, int SendCount,
                             MPI_Datatype SendType, void *Buffer, void *Shadow,
                             int Count, MPI_Datatype Type, int Root,
                             MPI_Comm Comm) {
  IN_ORDER(Comm);
  struct Whole W =
      atRoot("MPI_Gather", Buffer, Shadow, 0, 0, Count, Type, Root, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  gatherBack(&W, &P, Root, Comm);
  free(W.B);
}

int adze_mpi_gather_forward(const void *Sent, void *SentShadow, int SendCount,
                            MPI_Datatype SendType, void *Buffer, void *Shadow,
                            int Count, MPI_Datatype Type, int Root,
                            MPI_Comm Comm) {
  checkComm("MPI_Gather", Comm);
  int Error = PRIMAL(
      MPI_Gather(Sent, SendCount, SendType, Buffer, Count, Type, Root, Comm));
  struct Whole W =
      atRoot("MPI_Gather", Buffer, Shadow, 0, 0, Count, Type, Root, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  gatherTangents(&W, &P, Root, Comm);
  free(W.B);
  return Error;
}

struct Kept adze_mpi_gatherv_augmented(const void *Sent, void *SentShadow,
                                       int SendCount, MPI_Datatype SendType,
                                       void *Buffer, void *Shadow,
                                       const int *Counts, const int *Places,
                                       MPI_Datatype Type, int Root,
                                       MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Gatherv", Comm);
  struct Whole W =
      atRoot("MPI_Gatherv", Buffer, 0, Counts, Places, 0, Type, Root, Comm);
  return (struct Kept){W.B,
                       PRIMAL(MPI_Gatherv(Sent, SendCount, SendType, Buffer,
                                          Counts, Places, Type, Root, Comm))};
}

void adze_mpi_gatherv_reverse(const void *Sent, void *SentShadow, int SendCount,
                              MPI_Datatype SendType, void *Buffer, void *Shadow,
                              const int *Counts, const int *Places,
                              MPI_Datatype Type, int Root, MPI_Comm Comm,
                              void *Tape) {
  IN_ORDER(Comm);
  (void)Counts, (void)Places;
  struct Whole W =
      keptAtRoot("MPI_Gatherv", Buffer, Shadow, Tape, Type, Root, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  gatherBack(&W, &P, Root, Comm);
  free(Tape);
}

int adze_mpi_gatherv_forward(const void *Sent, void *SentShadow, int SendCount,
                             MPI_Datatype SendType, void *Buffer, void *Shadow,
                             const int *Counts, const int *Places,
                             MPI_Datatype Type, int Root, MPI_Comm Comm) {
  checkComm("MPI_Gatherv", Comm);
  int Error = PRIMAL(MPI_Gatherv(Sent, SendCount, SendType, Buffer, Counts,
                                 Places, Type, Root, Comm));
  struct Whole W = atRoot("MPI_Gatherv", Buffer, Shadow, Counts, Places, 0,
                          Type, Root, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  gatherTangents(&W, &P, Root, Comm);
  free(W.B);
  return Error;
}

/* ---- MPI_Scatter, MPI_Scatterv --------------------------------------------
 */

int adze_mpi_scatter_augmented(const void *Sent, void *SentShadow,
                               int SendCount, MPI_Datatype SendType,
                               void *Buffer, void *Shadow, int Count,
                               MPI_Datatype Type, int Root, MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Scatter", Comm);
  return PRIMAL(
      MPI_Scatter(Sent, SendCount, SendType, Buffer, Count, Type, Root, Comm));
}

void adze_mpi_scatter_reverse(const void *Sent, void *SentShadow, int SendCount,
                              MPI_Datatype SendType, void *Buffer, void *Shadow,
                              int Count, MPI_Datatype Type, int Root,
                              MPI_Comm Comm) {
  IN_ORDER(Comm);
  struct Whole W = atRoot("MPI_Scatter", Sent, SentShadow, 0, 0, SendCount,
                          SendType, Root, Comm);
  struct Part P = sentPart(&W, Buffer, Shadow, Count, Type, Comm);
  scatterBack(&W, &P, Buffer == InPlace, Root, Comm);
  free(W.B);
}

int adze_mpi_scatter_forward(const void *Sent, void *SentShadow, int SendCount,
                             MPI_Datatype SendType, void *Buffer, void *Shadow,
                             int Count, MPI_Datatype Type, int Root,
                             MPI_Comm Comm) {
  checkComm("MPI_Scatter", Comm);
  int Error = PRIMAL(
      MPI_Scatter(Sent, SendCount, SendType, Buffer, Count, Type, Root, Comm));
  struct Whole W = atRoot("MPI_Scatter", Sent, SentShadow, 0, 0, SendCount,
                          SendType, Root, Comm);
  struct Part P = sentPart(&W, Buffer, Shadow, Count, Type, Comm);
  scatterTangents(&W, &P, Buffer == InPlace, Root, Comm);
  free(W.B);
  return Error;
}

struct Kept adze_mpi_scatterv_augmented(const void *Sent, void *SentShadow,
                                        const int *Counts, const int *Places,
                                        MPI_Datatype SendType, void *Buffer,
                                        void *Shadow, int Count,
                                        MPI_Datatype Type, int Root,
                                        MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Scatterv", Comm);
  struct Whole W =
      atRoot("MPI_Scatterv", Sent, 0, Counts, Places, 0, SendType, Root, Comm);
  return (struct Kept){W.B,
                       PRIMAL(MPI_Scatterv(Sent, Counts, Places, SendType,
                                           Buffer, Count, Type, Root, Comm))};
}

void adze_mpi_scatterv_reverse(const void *Sent, void *SentShadow,
                               const int *Counts, const int *Places,
                               MPI_Datatype SendType, void *Buffer,
                               void *Shadow, int Count, MPI_Datatype Type,
                               int Root, MPI_Comm Comm, void *Tape) {
  IN_ORDER(Comm);
  (void)Counts, (void)Places;
  struct Whole W =
      keptAtRoot("MPI_Scatterv", Sent, SentShadow, Tape, SendType, Root, Comm);
  struct Part P = sentPart(&W, Buffer, Shadow, Count, Type, Comm);
  scatterBack(&W, &P, Buffer == InPlace, Root, Comm);
  free(Tape);
}

int adze_mpi_scatterv_forward(const void *Sent, void *SentShadow,
                              const int *Counts, const int *Places,
                              MPI_Datatype SendType, void *Buffer, void *Shadow,
                              int Count, MPI_Datatype Type, int Root,
                              MPI_Comm Comm) {
  checkComm("MPI_Scatterv", Comm);
  int Error = PRIMAL(MPI_Scatterv(Sent, Counts, Places, SendType, Buffer, Count,
                                  Type, Root, Comm));
  struct Whole W = atRoot("MPI_Scatterv", Sent, SentShadow, Counts, Places, 0,
                          SendType, Root, Comm);
  struct Part P = sentPart(&W, Buffer, Shadow, Count, Type, Comm);
  scatterTangents(&W, &P, Buffer == InPlace, Root, Comm);
  free(W.B);
  return Error;
}

/* ---- MPI_Allgather, MPI_Allgatherv ----------------------------------------
 */

int adze_mpi_allgather_augmented(const void *Sent, void *SentShadow,
                                 int SendCount, MPI_Datatype SendType,
                                 void *Buffer, void *Shadow, int Count,
                                 MPI_Datatype Type, MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Allgather", Comm);
  return PRIMAL(
      MPI_Allgather(Sent, SendCount, SendType, Buffer, Count, Type, Comm));
}

void adze_mpi_allgather_reverse(const void *Sent, void *SentShadow,
                                int SendCount, MPI_Datatype SendType,
                                void *Buffer, void *Shadow, int Count,
                                MPI_Datatype Type, MPI_Comm Comm) {
  IN_ORDER(Comm);
  struct Whole W =
      wholeOf("MPI_Allgather", Buffer, Shadow, 0, 0, Count, Type, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  allgatherBack(&W, &P, Comm);
  free(W.B);
}

int adze_mpi_allgather_forward(const void *Sent, void *SentShadow,
                               int SendCount, MPI_Datatype SendType,
                               void *Buffer, void *Shadow, int Count,
                               MPI_Datatype Type, MPI_Comm Comm) {
  checkComm("MPI_Allgather", Comm);
  int Error = PRIMAL(
      MPI_Allgather(Sent, SendCount, SendType, Buffer, Count, Type, Comm));
  struct Whole W =
      wholeOf("MPI_Allgather", Buffer, Shadow, 0, 0, Count, Type, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  allgatherTangents(&W, &P, Comm);
  free(W.B);
  return Error;
}

struct Kept adze_mpi_allgatherv_augmented(const void *Sent, void *SentShadow,
                                          int SendCount, MPI_Datatype SendType,
                                          void *Buffer, void *Shadow,
                                          const int *Counts, const int *Places,
                                          MPI_Datatype Type, MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Allgatherv", Comm);
  struct Whole W =
      wholeOf("MPI_Allgatherv", Buffer, 0, Counts, Places, 0, Type, Comm);
  return (struct Kept){W.B,
                       PRIMAL(MPI_Allgatherv(Sent, SendCount, SendType, Buffer,
                                             Counts, Places, Type, Comm))};
}

void adze_mpi_allgatherv_reverse(const void *Sent, void *SentShadow,
                                 int SendCount, MPI_Datatype SendType,
                                 void *Buffer, void *Shadow, const int *Counts,
                                 const int *Places, MPI_Datatype Type,
                                 MPI_Comm Comm, void *Tape) {
  IN_ORDER(Comm);
  (void)Counts, (void)Places;
  struct Whole W = {layoutOf("MPI_Allgatherv", Type), 0, Tape};
  W.Shadow = shadowOf(&W.L, Buffer, Shadow);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  allgatherBack(&W, &P, Comm);
  free(Tape);
}

int adze_mpi_allgatherv_forward(const void *Sent, void *SentShadow,
                                int SendCount, MPI_Datatype SendType,
                                void *Buffer, void *Shadow, const int *Counts,
                                const int *Places, MPI_Datatype Type,
                                MPI_Comm Comm) {
  checkComm("MPI_Allgatherv", Comm);
  int Error = PRIMAL(MPI_Allgatherv(Sent, SendCount, SendType, Buffer, Counts,
                                    Places, Type, Comm));
  struct Whole W =
      wholeOf("MPI_Allgatherv", Buffer, Shadow, Counts, Places, 0, Type, Comm);
  struct Part P = sentPart(&W, Sent, SentShadow, SendCount, SendType, Comm);
  allgatherTangents(&W, &P, Comm);
  free(W.B);
  return Error;
}

/* ---- MPI_Alltoall ---------------------------------------------------------
 */

int adze_mpi_alltoall_augmented(const void *Sent, void *SentShadow,
                                int SendCount, MPI_Datatype SendType,
                                void *Buffer, void *Shadow, int Count,
                                MPI_Datatype Type, MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Alltoall", Comm);
  return PRIMAL(
      MPI_Alltoall(Sent, SendCount, SendType, Buffer, Count, Type, Comm));
}

/* In place, what goes out lies where what comes in will. */
static struct Whole sentBlocks(const struct Whole *In, const void *Sent,
                               void *SentShadow, int Count, MPI_Datatype Type,
                               MPI_Comm Comm) {
  return Sent == InPlace ? *In
                         : wholeOf(In->L.Function, Sent, SentShadow, 0, 0,
                                   Count, Type, Comm);
}

void adze_mpi_alltoall_reverse(const void *Sent, void *SentShadow,
                               int SendCount, MPI_Datatype SendType,
                               void *Buffer, void *Shadow, int Count,
                               MPI_Datatype Type, MPI_Comm Comm) {
  IN_ORDER(Comm);
  struct Whole In =
      wholeOf("MPI_Alltoall", Buffer, Shadow, 0, 0, Count, Type, Comm);
  struct Whole Out =
      sentBlocks(&In, Sent, SentShadow, SendCount, SendType, Comm);
  alltoallBack(&Out, &In, Comm);
  if (Out.B != In.B)
    free(Out.B);
  free(In.B);
}

int adze_mpi_alltoall_forward(const void *Sent, void *SentShadow, int SendCount,
                              MPI_Datatype SendType, void *Buffer, void *Shadow,
                              int Count, MPI_Datatype Type, MPI_Comm Comm) {
  checkComm("MPI_Alltoall", Comm);
  int Error = PRIMAL(
      MPI_Alltoall(Sent, SendCount, SendType, Buffer, Count, Type, Comm));
  struct Whole In =
      wholeOf("MPI_Alltoall", Buffer, Shadow, 0, 0, Count, Type, Comm);
  struct Whole Out =
      sentBlocks(&In, Sent, SentShadow, SendCount, SendType, Comm);
  alltoallTangents(&Out, &In, Comm);
  if (Out.B != In.B)
    free(Out.B);
  free(In.B);
  return Error;
}

/* ---- MPI_Alltoallv --------------------------------------------------------
 */

/* Of the first half: Out is In where the call is in place. */
struct Exchanged {
  struct Blocks *Out, *In;
};

struct Kept adze_mpi_alltoallv_augmented(
    const void *Sent, void *SentShadow, const int *SendCounts,
    const int *SendPlaces, MPI_Datatype SendType, void *Buffer, void *Shadow,
    const int *Counts, const int *Places, MPI_Datatype Type, MPI_Comm Comm) {
  (void)SentShadow, (void)Shadow;
  checkComm("MPI_Alltoallv", Comm);
  struct Layout L = layoutOf("MPI_Alltoallv", Type);
  struct Exchanged *E = allocate(L.Function, 1, sizeof *E);
  E->Out = E->In = blocksOf(&L, Comm, Counts, Places, 0);
  if (Sent != InPlace) {
    struct Layout O = layoutOf("MPI_Alltoallv", SendType);
    E->Out = blocksOf(&O, Comm, SendCounts, SendPlaces, 0);
  }
  return (struct Kept){
      E, PRIMAL(MPI_Alltoallv(Sent, SendCounts, SendPlaces, SendType, Buffer,
                              Counts, Places, Type, Comm))};
}

/* Both buffers, with the blocks that \p E has. */
static struct Whole wholeAs(const char *Function, const void *Buffer,
                            void *Shadow, MPI_Datatype Type, struct Blocks *B) {
  struct Whole W = {layoutOf(Function, Type), 0, B};
  W.Shadow = shadowOf(&W.L, Buffer, Shadow);
  return W;
}

static void endExchanged(struct Exchanged *E) {
  if (E->Out != E->In)
    free(E->Out);
  free(E->In);
  free(E);
}

void adze_mpi_alltoallv_reverse(const void *Sent, void *SentShadow,
                                const int *SendCounts, const int *SendPlaces,
                                MPI_Datatype SendType, void *Buffer,
                                void *Shadow, const int *Counts,
                                const int *Places, MPI_Datatype Type,
                                MPI_Comm Comm, void *Tape) {
  IN_ORDER(Comm);
  (void)SendCounts, (void)SendPlaces, (void)Counts, (void)Places;
  struct Exchanged *E = Tape;
  struct Whole In = wholeAs("MPI_Alltoallv", Buffer, Shadow, Type, E->In), Out;
  Out = Sent == InPlace
            ? In
            : wholeAs("MPI_Alltoallv", Sent, SentShadow, SendType, E->Out);
  alltoallBack(&Out, &In, Comm);
  endExchanged(E);
}

int adze_mpi_alltoallv_forward(const void *Sent, void *SentShadow,
                               const int *SendCounts, const int *SendPlaces,
                               MPI_Datatype SendType, void *Buffer,
                               void *Shadow, const int *Counts,
                               const int *Places, MPI_Datatype Type,
                               MPI_Comm Comm) {
  struct Kept K = adze_mpi_alltoallv_augmented(
      Sent, SentShadow, SendCounts, SendPlaces, SendType, Buffer, Shadow,
      Counts, Places, Type, Comm);
  struct Exchanged *E = K.Tape;
  struct Whole In = wholeAs("MPI_Alltoallv", Buffer, Shadow, Type, E->In), Out;
  Out = Sent == InPlace
            ? In
            : wholeAs("MPI_Alltoallv", Sent, SentShadow, SendType, E->Out);
  alltoallTangents(&Out, &In, Comm);
  endExchanged(E);
  return K.Error;
}

#endif
