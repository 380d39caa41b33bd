/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The nonblocking collective functions: what each reads and writes
 * (MpiNonblocking.h). Only what is significant on a rank is looked at.
 */
#ifndef ADZE_RUNTIME_MPINONBLOCKINGCALLS_H
#define ADZE_RUNTIME_MPINONBLOCKINGCALLS_H

#include "MpiNonblocking.h"

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-parameter"

static struct Collective *barrierCall(MPI_Comm Comm) {
  struct Collective *C = newCall("MPI_Ibarrier", OfBarrier, -1, Comm);
  C->Writes = 0;
  return C;
}

static struct Collective *bcastCall(const void *Buffer, void *Shadow, int Count,
                                    MPI_Datatype Type, int Root,
                                    MPI_Comm Comm) {
  const char *F = "MPI_Ibcast";
  struct Collective *C = newCall(F, OfBcast, Root, Comm);
  C->Writes = C->Rank != Root;
  C->Out = sideOf(F, Buffer, Shadow, Type, 1, 0, 0, Count);
  C->In = sideOf(F, Buffer, Shadow, Type, 1, 0, 0, Count);
  if (C->Writes)
    C->Out.Shadow = 0;
  C->Kind = C->In.Blocks[0].L.Kind;
  return C;
}

/* Reduce, Allreduce, Scan, Exscan. */
static struct Collective *reduceCall(const char *F, enum Shape Shape,
                                     const void *Sent, void *SentShadow,
                                     const void *Buffer, void *Shadow,
                                     int Count, MPI_Datatype Type, MPI_Op Op,
                                     int Root, MPI_Comm Comm) {
  struct Collective *C = newCall(F, Shape, Root, Comm);
  C->IsInPlace = Sent == InPlace;
  if (Root < 0 || C->Rank == Root)
    C->In = sideOf(F, Buffer, Shadow, Type, 1, 0, 0, Count);
  else
    C->Writes = 0;
  if (Shape == OfExscan && C->Rank == 0)
    C->Writes = 0;
  C->Out = C->IsInPlace ? sideOf(F, Buffer, Shadow, Type, 1, 0, 0, Count)
                        : sideOf(F, Sent, SentShadow, Type, 1, 0, 0, Count);
  C->Kind = C->Out.Blocks[0].L.Kind;
  if (C->Kind == NoFloats)
    return C;
  takeFactors(C, Op, C->IsInPlace ? Buffer : Sent);
  return C;
}

/* Each rank has a part, and \p IsWhole ranks have all. In place the part is the
 * block of the rank. */
static struct Collective *
gatherCall(const char *F, enum Shape Shape, const void *Sent, void *SentShadow,
           int SendCount, MPI_Datatype SendType, const void *Buffer,
           void *Shadow, const int *Counts, const int *Places, int Count,
           MPI_Datatype Type, int Root, MPI_Comm Comm) {
  struct Collective *C = newCall(F, Shape, Root, Comm);
  C->IsInPlace = Sent == InPlace;
  if (Root < 0 || C->Rank == Root)
    C->In = sideOf(F, Buffer, Shadow, Type, C->Ranks, Counts, Places, Count);
  else
    C->Writes = 0;
  C->Out = C->IsInPlace
               ? oneBlockOf(F, &C->In, C->Rank)
               : sideOf(F, Sent, SentShadow, SendType, 1, 0, 0, SendCount);
  C->Kind = C->Out.Blocks[0].L.Kind;
  return C;
}

static struct Collective *
scatterCall(const char *F, const void *Sent, void *SentShadow,
            const int *Counts, const int *Places, int SendCount,
            MPI_Datatype SendType, const void *Buffer, void *Shadow, int Count,
            MPI_Datatype Type, int Root, MPI_Comm Comm) {
  struct Collective *C = newCall(F, OfScatter, Root, Comm);
  if (C->Rank == Root)
    C->Out = sideOf(F, Sent, SentShadow, SendType, C->Ranks, Counts, Places,
                    SendCount);
  C->Writes = Buffer != InPlace;
  C->In = C->Writes ? sideOf(F, Buffer, Shadow, Type, 1, 0, 0, Count)
                    : oneBlockOf(F, &C->Out, C->Rank);
  C->Kind = C->In.Blocks[0].L.Kind;
  return C;
}

static struct Collective *
alltoallCall(const char *F, const void *Sent, void *SentShadow,
             const int *SendCounts, const int *SendPlaces, int SendCount,
             MPI_Datatype SendType, const void *Buffer, void *Shadow,
             const int *Counts, const int *Places, int Count, MPI_Datatype Type,
             MPI_Comm Comm) {
  struct Collective *C = newCall(F, OfAlltoall, -1, Comm);
  C->IsInPlace = Sent == InPlace;
  C->In = sideOf(F, Buffer, Shadow, Type, C->Ranks, Counts, Places, Count);
  C->Out = C->IsInPlace ? sideOf(F, Buffer, Shadow, Type, C->Ranks, Counts,
                                 Places, Count)
                        : sideOf(F, Sent, SentShadow, SendType, C->Ranks,
                                 SendCounts, SendPlaces, SendCount);
  C->Kind = C->In.Blocks[0].L.Kind;
  return C;
}

static struct Collective *
reduceScatterCall(const char *F, const void *Sent, void *SentShadow,
                  const void *Buffer, void *Shadow, const int *Counts,
                  int Count, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm) {
  struct Collective *C = newCall(F, OfReduceScatter, -1, Comm);
  C->IsInPlace = Sent == InPlace;
  C->Out = sideOf(F, C->IsInPlace ? Buffer : Sent,
                  C->IsInPlace ? Shadow : SentShadow, Type, C->Ranks, Counts, 0,
                  Count);
  C->In = sideOf(F, Buffer, Shadow, Type, 1, 0, 0,
                 Counts ? Counts[C->Rank] : Count);
  C->Kind = C->In.Blocks[0].L.Kind;
  if (C->Kind != NoFloats)
    takeFactors(C, Op, C->IsInPlace ? Buffer : Sent);
  return C;
}

/* The three functions of MPI_NAME, called with ARGUMENTS and a request, which
 * CALL describes. */
#define NONBLOCKING(NAME, MPI_NAME, PARAMETERS, ARGUMENTS, CALL, SENT_SHADOW,  \
                    SHADOW)                                                    \
  struct Kept adze_mpi_##NAME##_augmented(PARAMETERS, MPI_Request *Request) {  \
    struct Collective *C = CALL;                                               \
    int Error = PRIMAL(MPI_NAME(ARGUMENTS, Request));                          \
    return (struct Kept){called(C, Request), Error};                           \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(PARAMETERS, MPI_Request *Request,             \
                                 void *Tape) {                                 \
    reverseCall(Tape, SENT_SHADOW, SHADOW);                                    \
  }                                                                            \
  int adze_mpi_##NAME##_forward(PARAMETERS, MPI_Request *Request) {            \
    struct Collective *C = CALL;                                               \
    int Error = PRIMAL(MPI_NAME(ARGUMENTS, Request));                          \
    startTangents(C, Request);                                                 \
    return Error;                                                              \
  }

NONBLOCKING(ibarrier, MPI_Ibarrier, LIST(MPI_Comm Comm), LIST(Comm),
            barrierCall(Comm), 0, 0)

NONBLOCKING(ibcast, MPI_Ibcast,
            LIST(void *Buffer, void *Shadow, int Count, MPI_Datatype Type,
                 int Root, MPI_Comm Comm),
            LIST(Buffer, Count, Type, Root, Comm),
            bcastCall(Buffer, Shadow, Count, Type, Root, Comm), Shadow, Shadow)

NONBLOCKING(ireduce, MPI_Ireduce,
            LIST(const void *Sent, void *SentShadow, void *Buffer, void *Shadow,
                 int Count, MPI_Datatype Type, MPI_Op Op, int Root,
                 MPI_Comm Comm),
            LIST(Sent, Buffer, Count, Type, Op, Root, Comm),
            reduceCall("MPI_Ireduce", OfReduce, Sent, SentShadow, Buffer,
                       Shadow, Count, Type, Op, Root, Comm),
            SentShadow, Shadow)

#define REDUCES(NAME, MPI_NAME, SHAPE)                                         \
  NONBLOCKING(NAME, MPI_NAME,                                                  \
              LIST(const void *Sent, void *SentShadow, void *Buffer,           \
                   void *Shadow, int Count, MPI_Datatype Type, MPI_Op Op,      \
                   MPI_Comm Comm),                                             \
              LIST(Sent, Buffer, Count, Type, Op, Comm),                       \
              reduceCall(#MPI_NAME, SHAPE, Sent, SentShadow, Buffer, Shadow,   \
                         Count, Type, Op, -1, Comm),                           \
              SentShadow, Shadow)
REDUCES(iallreduce, MPI_Iallreduce, OfAllreduce)
REDUCES(iscan, MPI_Iscan, OfScan)
REDUCES(iexscan, MPI_Iexscan, OfExscan)

NONBLOCKING(ireduce_scatter, MPI_Ireduce_scatter,
            LIST(const void *Sent, void *SentShadow, void *Buffer, void *Shadow,
                 const int *Counts, MPI_Datatype Type, MPI_Op Op,
                 MPI_Comm Comm),
            LIST(Sent, Buffer, Counts, Type, Op, Comm),
            reduceScatterCall("MPI_Ireduce_scatter", Sent, SentShadow, Buffer,
                              Shadow, Counts, 0, Type, Op, Comm),
            SentShadow, Shadow)
NONBLOCKING(ireduce_scatter_block, MPI_Ireduce_scatter_block,
            LIST(const void *Sent, void *SentShadow, void *Buffer, void *Shadow,
                 int Count, MPI_Datatype Type, MPI_Op Op, MPI_Comm Comm),
            LIST(Sent, Buffer, Count, Type, Op, Comm),
            reduceScatterCall("MPI_Ireduce_scatter_block", Sent, SentShadow,
                              Buffer, Shadow, 0, Count, Type, Op, Comm),
            SentShadow, Shadow)

#define SENT_PART                                                              \
  const void *Sent, void *SentShadow, int SendCount, MPI_Datatype SendType
#define ALL_PARTS                                                              \
  void *Buffer, void *Shadow, const int *Counts, const int *Places,            \
      MPI_Datatype Type
#define SENT_PARTS                                                             \
  const void *Sent, void *SentShadow, const int *SendCounts,                   \
      const int *SendPlaces, MPI_Datatype SendType
#define ONE_PART void *Buffer, void *Shadow, int Count, MPI_Datatype Type

NONBLOCKING(igather, MPI_Igather,
            LIST(SENT_PART, ONE_PART, int Root, MPI_Comm Comm),
            LIST(Sent, SendCount, SendType, Buffer, Count, Type, Root, Comm),
            gatherCall("MPI_Igather", OfGather, Sent, SentShadow, SendCount,
                       SendType, Buffer, Shadow, 0, 0, Count, Type, Root, Comm),
            SentShadow, Shadow)
NONBLOCKING(
    igatherv, MPI_Igatherv, LIST(SENT_PART, ALL_PARTS, int Root, MPI_Comm Comm),
    LIST(Sent, SendCount, SendType, Buffer, Counts, Places, Type, Root, Comm),
    gatherCall("MPI_Igatherv", OfGather, Sent, SentShadow, SendCount, SendType,
               Buffer, Shadow, Counts, Places, 0, Type, Root, Comm),
    SentShadow, Shadow)
NONBLOCKING(iallgather, MPI_Iallgather,
            LIST(SENT_PART, ONE_PART, MPI_Comm Comm),
            LIST(Sent, SendCount, SendType, Buffer, Count, Type, Comm),
            gatherCall("MPI_Iallgather", OfAllgather, Sent, SentShadow,
                       SendCount, SendType, Buffer, Shadow, 0, 0, Count, Type,
                       -1, Comm),
            SentShadow, Shadow)
NONBLOCKING(iallgatherv, MPI_Iallgatherv,
            LIST(SENT_PART, ALL_PARTS, MPI_Comm Comm),
            LIST(Sent, SendCount, SendType, Buffer, Counts, Places, Type, Comm),
            gatherCall("MPI_Iallgatherv", OfAllgather, Sent, SentShadow,
                       SendCount, SendType, Buffer, Shadow, Counts, Places, 0,
                       Type, -1, Comm),
            SentShadow, Shadow)

NONBLOCKING(iscatter, MPI_Iscatter,
            LIST(SENT_PART, ONE_PART, int Root, MPI_Comm Comm),
            LIST(Sent, SendCount, SendType, Buffer, Count, Type, Root, Comm),
            scatterCall("MPI_Iscatter", Sent, SentShadow, 0, 0, SendCount,
                        SendType, Buffer, Shadow, Count, Type, Root, Comm),
            SentShadow, Shadow)
NONBLOCKING(iscatterv, MPI_Iscatterv,
            LIST(SENT_PARTS, ONE_PART, int Root, MPI_Comm Comm),
            LIST(Sent, SendCounts, SendPlaces, SendType, Buffer, Count, Type,
                 Root, Comm),
            scatterCall("MPI_Iscatterv", Sent, SentShadow, SendCounts,
                        SendPlaces, 0, SendType, Buffer, Shadow, Count, Type,
                        Root, Comm),
            SentShadow, Shadow)

NONBLOCKING(ialltoall, MPI_Ialltoall, LIST(SENT_PART, ONE_PART, MPI_Comm Comm),
            LIST(Sent, SendCount, SendType, Buffer, Count, Type, Comm),
            alltoallCall("MPI_Ialltoall", Sent, SentShadow, 0, 0, SendCount,
                         SendType, Buffer, Shadow, 0, 0, Count, Type, Comm),
            SentShadow, Shadow)
NONBLOCKING(ialltoallv, MPI_Ialltoallv,
            LIST(SENT_PARTS, ALL_PARTS, MPI_Comm Comm),
            LIST(Sent, SendCounts, SendPlaces, SendType, Buffer, Counts, Places,
                 Type, Comm),
            alltoallCall("MPI_Ialltoallv", Sent, SentShadow, SendCounts,
                         SendPlaces, 0, SendType, Buffer, Shadow, Counts,
                         Places, 0, Type, Comm),
            SentShadow, Shadow)

#pragma clang diagnostic pop
#endif
