/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Neighbourhood collectives, and Alltoallw, each blocking and not. The reverse
 * of a blocking one starts the opposite one and waits.
 */
#ifndef ADZE_RUNTIME_MPINEIGHBORCALLS_H
#define ADZE_RUNTIME_MPINEIGHBORCALLS_H

#include "MpiNonblockingCalls.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"

static struct Collective *
alltoallwCall(const char *F, const void *Sent, void *SentShadow,
              const int *SendCounts, const int *SendPlaces,
              const MPI_Datatype *SendTypes, const void *Buffer, void *Shadow,
              const int *Counts, const int *Places, const MPI_Datatype *Types,
              MPI_Comm Comm) {
  struct Collective *C = newCall(F, OfAlltoallw, -1, Comm);
  const size_t N = C->Ranks;
  C->IsInPlace = Sent == InPlace;
  C->In = sideOfTypes(F, Buffer, Shadow, N, Counts, Places, 0, Types);
  C->Out = C->IsInPlace
               ? sideOfTypes(F, Buffer, Shadow, N, Counts, Places, 0, Types)
               : sideOfTypes(F, Sent, SentShadow, N, SendCounts, SendPlaces, 0,
                             SendTypes);
  return C;
}

/* What no neighbour sends stays as it is. */
static void leaveOut(struct Side *In, MPI_Comm Comm) {
  struct Edges *E = edgesOf(Comm);
  for (size_t I = 0; I < In->N; ++I)
    if (E->Sources[I] == ProcNull)
      In->Blocks[I].Count = 0;
  free(E);
}

/* \p SendCounts null: one block goes to all. */
static struct Collective *
neighborCall(const char *F, enum Shape Shape, const void *Sent,
             void *SentShadow, const int *SendCounts, const int *SendPlaces,
             int SendCount, MPI_Datatype SendType, const void *Buffer,
             void *Shadow, const int *Counts, const int *Places, int Count,
             MPI_Datatype Type, MPI_Comm Comm) {
  struct Collective *C = newCall(F, Shape, -1, Comm);
  size_t In, Out;
  countNeighbors(F, Comm, &In, &Out);
  C->In = sideOf(F, Buffer, Shadow, Type, In, Counts, Places, Count);
  C->Out = sideOf(F, Sent, SentShadow, SendType, Out, SendCounts, SendPlaces,
                  SendCount);
  for (size_t I = 0; Shape == OfNeighborAllgather && I < Out; ++I)
    C->Out.Blocks[I].At = 0;
  leaveOut(&C->In, Comm);
  C->Kind = layoutOf(F, Type).Kind;
  return C;
}

static struct Collective *
neighborwCall(const char *F, const void *Sent, void *SentShadow,
              const int *SendCounts, const ptrdiff_t *SendPlaces,
              const MPI_Datatype *SendTypes, const void *Buffer, void *Shadow,
              const int *Counts, const ptrdiff_t *Places,
              const MPI_Datatype *Types, MPI_Comm Comm) {
  struct Collective *C = newCall(F, OfNeighborAlltoallw, -1, Comm);
  size_t In, Out;
  countNeighbors(F, Comm, &In, &Out);
  C->In = sideOfTypes(F, Buffer, Shadow, In, Counts, 0, Places, Types);
  C->Out = sideOfTypes(F, Sent, SentShadow, Out, SendCounts, 0, SendPlaces,
                       SendTypes);
  leaveOut(&C->In, Comm);
  return C;
}

/* As NONBLOCKING, for the functions without a request. */
#define BLOCKING(NAME, MPI_NAME, PARAMETERS, ARGUMENTS, CALL)                  \
  struct Kept adze_mpi_##NAME##_augmented(PARAMETERS) {                        \
    struct Collective *C = CALL;                                               \
    C->IsBlocking = 1;                                                         \
    int Error = PRIMAL(MPI_NAME(ARGUMENTS));                                   \
    return (struct Kept){called(C, 0), Error};                                 \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(PARAMETERS, void *Tape) {                     \
    reverseCall(Tape, SentShadow, Shadow);                                     \
  }                                                                            \
  int adze_mpi_##NAME##_forward(PARAMETERS) {                                  \
    struct Collective *C = CALL;                                               \
    C->IsBlocking = 1;                                                         \
    int Error = PRIMAL(MPI_NAME(ARGUMENTS));                                   \
    finishTangents(startTangents(C, 0));                                       \
    return Error;                                                              \
  }

#define W_PARTS(PLACE)                                                         \
  const void *Sent, void *SentShadow, const int *SendCounts,                   \
      const PLACE *SendPlaces, const MPI_Datatype *SendTypes, void *Buffer,    \
      void *Shadow, const int *Counts, const PLACE *Places,                    \
      const MPI_Datatype *Types, MPI_Comm Comm
#define W_ARGUMENTS                                                            \
  Sent, SendCounts, SendPlaces, SendTypes, Buffer, Counts, Places, Types, Comm
#define W_CALL(CALL, MPI_NAME)                                                 \
  CALL(#MPI_NAME, Sent, SentShadow, SendCounts, SendPlaces, SendTypes, Buffer, \
       Shadow, Counts, Places, Types, Comm)

BLOCKING(alltoallw, MPI_Alltoallw, LIST(W_PARTS(int)), LIST(W_ARGUMENTS),
         W_CALL(alltoallwCall, MPI_Alltoallw))
NONBLOCKING(ialltoallw, MPI_Ialltoallw, LIST(W_PARTS(int)), LIST(W_ARGUMENTS),
            W_CALL(alltoallwCall, MPI_Ialltoallw), SentShadow, Shadow)
BLOCKING(neighbor_alltoallw, MPI_Neighbor_alltoallw, LIST(W_PARTS(ptrdiff_t)),
         LIST(W_ARGUMENTS), W_CALL(neighborwCall, MPI_Neighbor_alltoallw))
NONBLOCKING(ineighbor_alltoallw, MPI_Ineighbor_alltoallw,
            LIST(W_PARTS(ptrdiff_t)), LIST(W_ARGUMENTS),
            W_CALL(neighborwCall, MPI_Ineighbor_alltoallw), SentShadow, Shadow)

/* One count for what goes out, and one for what comes in. */
#define PART_CALL(MPI_NAME, SHAPE)                                             \
  neighborCall(#MPI_NAME, SHAPE, Sent, SentShadow, 0, 0, SendCount, SendType,  \
               Buffer, Shadow, 0, 0, Count, Type, Comm)
#define PART_ARGUMENTS Sent, SendCount, SendType, Buffer, Count, Type, Comm

BLOCKING(neighbor_allgather, MPI_Neighbor_allgather,
         LIST(SENT_PART, ONE_PART, MPI_Comm Comm), LIST(PART_ARGUMENTS),
         PART_CALL(MPI_Neighbor_allgather, OfNeighborAllgather))
NONBLOCKING(ineighbor_allgather, MPI_Ineighbor_allgather,
            LIST(SENT_PART, ONE_PART, MPI_Comm Comm), LIST(PART_ARGUMENTS),
            PART_CALL(MPI_Ineighbor_allgather, OfNeighborAllgather), SentShadow,
            Shadow)
BLOCKING(neighbor_alltoall, MPI_Neighbor_alltoall,
         LIST(SENT_PART, ONE_PART, MPI_Comm Comm), LIST(PART_ARGUMENTS),
         PART_CALL(MPI_Neighbor_alltoall, OfNeighborAlltoall))
NONBLOCKING(ineighbor_alltoall, MPI_Ineighbor_alltoall,
            LIST(SENT_PART, ONE_PART, MPI_Comm Comm), LIST(PART_ARGUMENTS),
            PART_CALL(MPI_Ineighbor_alltoall, OfNeighborAlltoall), SentShadow,
            Shadow)

#define GATHERV_CALL(MPI_NAME)                                                 \
  neighborCall(#MPI_NAME, OfNeighborAllgather, Sent, SentShadow, 0, 0,         \
               SendCount, SendType, Buffer, Shadow, Counts, Places, 0, Type,   \
               Comm)
#define GATHERV_ARGUMENTS                                                      \
  Sent, SendCount, SendType, Buffer, Counts, Places, Type, Comm

BLOCKING(neighbor_allgatherv, MPI_Neighbor_allgatherv,
         LIST(SENT_PART, ALL_PARTS, MPI_Comm Comm), LIST(GATHERV_ARGUMENTS),
         GATHERV_CALL(MPI_Neighbor_allgatherv))
NONBLOCKING(ineighbor_allgatherv, MPI_Ineighbor_allgatherv,
            LIST(SENT_PART, ALL_PARTS, MPI_Comm Comm), LIST(GATHERV_ARGUMENTS),
            GATHERV_CALL(MPI_Ineighbor_allgatherv), SentShadow, Shadow)

#define ALLTOALLV_CALL(MPI_NAME)                                               \
  neighborCall(#MPI_NAME, OfNeighborAlltoallv, Sent, SentShadow, SendCounts,   \
               SendPlaces, 0, SendType, Buffer, Shadow, Counts, Places, 0,     \
               Type, Comm)
#define ALLTOALLV_ARGUMENTS                                                    \
  Sent, SendCounts, SendPlaces, SendType, Buffer, Counts, Places, Type, Comm

BLOCKING(neighbor_alltoallv, MPI_Neighbor_alltoallv,
         LIST(SENT_PARTS, ALL_PARTS, MPI_Comm Comm), LIST(ALLTOALLV_ARGUMENTS),
         ALLTOALLV_CALL(MPI_Neighbor_alltoallv))
NONBLOCKING(ineighbor_alltoallv, MPI_Ineighbor_alltoallv,
            LIST(SENT_PARTS, ALL_PARTS, MPI_Comm Comm),
            LIST(ALLTOALLV_ARGUMENTS), ALLTOALLV_CALL(MPI_Ineighbor_alltoallv),
            SentShadow, Shadow)

#pragma clang diagnostic pop
#endif
