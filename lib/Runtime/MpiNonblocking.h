/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Collective calls that a request belongs to (MpiOrder.h): the opposite ones,
 * and those with tangents. Floats alone travel, in blocks one after the other.
 */
#ifndef ADZE_RUNTIME_MPINONBLOCKING_H
#define ADZE_RUNTIME_MPINONBLOCKING_H

#include "MpiFactors.h"
#include "MpiNeighbors.h"

/* Several, as one argument of a macro. */
#define LIST(...) __VA_ARGS__

/* ---- What is started -------------------------------------------------------
 */

/* Reduce_scatter_block of a block for each rank, for what it gave. */
static void startPrefixBack(struct Collective *C, MPI_Datatype Type) {
  adjointsOfAll(C);
  MPI_Ireduce_scatter_block(C->Going, C->Coming, allFloats(&C->In), Type, OpSum,
                            C->Comm, &C->Request);
}

static void startReduceScatterBack(struct Collective *C, MPI_Datatype Type) {
  struct Side *Out = &C->Out;
  if (C->Factors.Op == Sum) {
    MPI_Iallgatherv(C->Going, allFloats(&C->In), Type, C->Coming, Out->Floats,
                    Out->PackedAt, Type, C->Comm, &C->Request);
    return;
  }
  adjointsOfAll(C);
  const int *Lists = listsOf(C);
  MPI_Ialltoallv(C->Going, Lists, Lists + C->Ranks, Type, C->Coming,
                 Out->Floats, Out->PackedAt, Type, C->Comm, &C->Request);
}

/* Messages of bytes are not summed up on their way (MpiDescribed.h): Coming
 * has those of all ranks. */
static _Bool isSummedHere(const struct Collective *C) {
  return C->Kind == Described &&
         (C->Shape == OfBcast || C->Shape == OfAllgather);
}

static void startDescribedBack(struct Collective *C) {
  const size_t Bytes = C->Out.Bytes, N = C->Ranks;
  const int Get = allFloats(&C->Out);
  const struct Side *In = &C->In;
  C->IsOnItsWay = 1;
  if (C->Shape == OfBcast) {
    const _Bool IsRoot = C->Rank == C->Root;
    C->Coming = allocate(C->Function, N, Bytes);
    MPI_Igather(IsRoot ? InPlace : C->Going, Get, TypeByte, C->Coming, Get,
                TypeByte, C->Root, C->Comm, &C->Request);
    return;
  }
  int *Lists = allocate(C->Function, 2 * N, sizeof *Lists);
  for (size_t I = 0; I < N; ++I) {
    Lists[I] = Get;
    Lists[N + I] = (int)(I * Bytes);
  }
  C->Lists = Lists;
  C->Coming = allocate(C->Function, N, Bytes);
  MPI_Ialltoallv(C->Going, In->Floats, In->PackedAt, TypeByte, C->Coming, Lists,
                 Lists + N, TypeByte, C->Comm, &C->Request);
}

static void addComing(struct Collective *C) {
  const size_t N = isSummedHere(C) ? C->Ranks : 1;
  for (size_t I = 0; I < N; ++I)
    moveBlocks(&C->Out, (char *)C->Coming + I * C->Out.Bytes, Add);
}

static void startOppositeCall(struct Collective *C) {
  endTurnOf(C);
  if (isSummedHere(C)) {
    startDescribedBack(C);
    return;
  }
  struct Side *Out = &C->Out, *In = &C->In;
  const MPI_Datatype Type = typeOf(C->Kind);
  const int Give = allFloats(In), Get = allFloats(Out);
  const _Bool IsRoot = C->Rank == C->Root;
  void *Going = C->Going, *Coming = C->Coming = zerosOf(Out);
  C->IsOnItsWay = 1;
  switch (C->Shape) {
  case OfBarrier:
    MPI_Ibarrier(C->Comm, &C->Request);
    break;
  case OfBcast:
    MPI_Ireduce(IsRoot ? InPlace : Going, IsRoot ? Coming : 0, Get, Type, OpSum,
                C->Root, C->Comm, &C->Request);
    break;
  case OfReduce:
    if (IsRoot)
      memcpy(Coming, Going, Out->Bytes);
    MPI_Ibcast(Coming, Get, Type, C->Root, C->Comm, &C->Request);
    break;
  case OfAllreduce:
    MPI_Iallreduce(Going, Coming, Get, Type, OpSum, C->Comm, &C->Request);
    break;
  case OfGather:
    MPI_Iscatterv(Going, In->Floats, In->PackedAt, Type, Coming, Get, Type,
                  C->Root, C->Comm, &C->Request);
    break;
  case OfScatter:
    MPI_Igatherv(Going, Give, Type, Coming, Out->Floats, Out->PackedAt, Type,
                 C->Root, C->Comm, &C->Request);
    break;
  case OfAllgather:
    MPI_Ireduce_scatter(Going, Coming, In->Floats, Type, OpSum, C->Comm,
                        &C->Request);
    break;
  case OfAlltoall:
    MPI_Ialltoallv(Going, In->Floats, In->PackedAt, Type, Coming, Out->Floats,
                   Out->PackedAt, Type, C->Comm, &C->Request);
    break;
  case OfAlltoallw:
    MPI_Ialltoallw(Going, In->Floats, In->PackedAt, In->Types, Coming,
                   Out->Floats, Out->PackedAt, Out->Types, C->Comm,
                   &C->Request);
    break;
  case OfScan:
  case OfExscan:
    startPrefixBack(C, Type);
    break;
  case OfReduceScatter:
    startReduceScatterBack(C, Type);
    break;
  default:
    startNeighborsBack(C);
  }
}

/* The same call, of tangents. */
static void startSameCall(struct Collective *C) {
  struct Side *Out = &C->Out, *In = &C->In;
  const MPI_Datatype Type = typeOf(C->Kind);
  const int Give = allFloats(Out), Get = allFloats(In);
  void *Going = C->Going, *Coming = C->Coming;
  MPI_Request *R = &C->Request;
  switch (C->Shape) {
  case OfBarrier:
    break;
  case OfBcast:
    if (C->Rank == C->Root)
      memcpy(Coming, Going, Out->Bytes);
    MPI_Ibcast(Coming, Give, Type, C->Root, C->Comm, R);
    break;
  case OfReduce:
    MPI_Ireduce(Going, Coming, Give, Type, OpSum, C->Root, C->Comm, R);
    break;
  case OfAllreduce:
    MPI_Iallreduce(Going, Coming, Give, Type, OpSum, C->Comm, R);
    break;
  case OfGather:
    MPI_Igatherv(Going, Give, Type, Coming, In->Floats, In->PackedAt, Type,
                 C->Root, C->Comm, R);
    break;
  case OfScatter:
    MPI_Iscatterv(Going, Out->Floats, Out->PackedAt, Type, Coming, Get, Type,
                  C->Root, C->Comm, R);
    break;
  case OfAllgather:
    MPI_Iallgatherv(Going, Give, Type, Coming, In->Floats, In->PackedAt, Type,
                    C->Comm, R);
    break;
  case OfAlltoall:
    MPI_Ialltoallv(Going, Out->Floats, Out->PackedAt, Type, Coming, In->Floats,
                   In->PackedAt, Type, C->Comm, R);
    break;
  case OfAlltoallw:
    MPI_Ialltoallw(Going, Out->Floats, Out->PackedAt, Out->Types, Coming,
                   In->Floats, In->PackedAt, In->Types, C->Comm, R);
    break;
  case OfScan:
    MPI_Iscan(Going, Coming, Give, Type, OpSum, C->Comm, R);
    break;
  case OfExscan:
    MPI_Iexscan(Going, Coming, Give, Type, OpSum, C->Comm, R);
    break;
  case OfReduceScatter:
    MPI_Ireduce_scatter(Going, Coming, Out->Floats, Type, OpSum, C->Comm, R);
    break;
  default:
    startNeighborTangents(C);
  }
}

/* ---- The two ends ----------------------------------------------------------
 */

static struct Collective *newCall(const char *Function, enum Shape Shape,
                                  int Root, MPI_Comm Comm) {
  int Inter = 0;
  MPI_Comm_test_inter(Comm, &Inter);
  if (Inter)
    refuse(Function, "an inter-communicator is not supported");
  struct Collective *C = enterCall(Function, Shape, Root, Comm);
  C->Ranks = sizeOf(Comm);
  C->Rank = rankIn(Comm);
  C->Writes = 1;
  return C;
}

static void endCall(struct Collective *C) {
  leaveCall(C);
  endFactors(&C->Factors);
  void *const Blocks[] = {C->Out.Blocks, C->In.Blocks, C->Going,
                          C->Coming,     C->Messages,  C->Lists};
  for (size_t I = 0; I < sizeof Blocks / sizeof *Blocks; ++I)
    free(Blocks[I]);
  free(C);
}

/* Null, and forgotten, if none of the ranks has floats. */
static struct Collective *withFloats(struct Collective *C) {
  const _Bool IsOfTypes =
      C->Shape == OfAlltoallw || C->Shape == OfNeighborAlltoallw;
  if (C->Kind != NoFloats || IsOfTypes || C->Shape == OfBarrier)
    return C;
  endCall(C);
  return 0;
}

static int noStatus(void *State, MPI_Status *Status) {
  (void)State;
  MPI_Status_set_elements(Status, TypeInt, 0);
  MPI_Status_set_cancelled(Status, 0);
  return 0;
}
static int nothingToFree(void *State) {
  (void)State;
  return 0;
}
static int nothingToCancel(void *State, int IsComplete) {
  (void)State, (void)IsComplete;
  return 0;
}

/* \p Request becomes one of its own that is complete. */
static void completeRequest(MPI_Request *Request) {
  MPI_Grequest_start(noStatus, nothingToFree, nothingToCancel, 0, Request);
  MPI_Grequest_complete(*Request);
}

/* \p C is what \p Request belongs to. What is complete at once may share its
 * request with others: then the program gets one of its own. */
static void belongsTo(struct Collective *C, MPI_Request *Request) {
  int IsComplete = 0;
  if (C->IsFurther)
    Directions.StartedCall->InNext = C;
  else
    MPI_Request_get_status(*Request, &IsComplete, StatusIgnore);
  Directions.StartedCall = C;
  if (IsComplete) {
    MPI_Wait(Request, StatusIgnore);
    completeRequest(Request);
  }
  C->IsPending = 1;
  C->Handle = *Request;
}

/* Augmented: the primal has called it, and \p Request is null if it is done. */
static struct Collective *called(struct Collective *C, MPI_Request *Request) {
  C = withFloats(C);
  if (!C)
    return 0;
  C->Completed = C->Number;
  if (C->Factors.Op != Sum)
    startFactors(C, -1);
  if (C->Shape >= OfNeighborAllgather)
    findEdges(C);
  if (Request)
    belongsTo(C, Request);
  return C;
}

static void waitForCall(struct Collective *C) {
  if (!C->Messages)
    MPI_Wait(&C->Request, StatusIgnore);
  for (int I = 0; I < C->NumMessages; ++I)
    MPI_Wait(&C->Messages[I], StatusIgnore);
}

/* The reverse of the call, with the shadows that the buffers have then. */
static void reverseCall(struct Collective *C, void *SentShadow, void *Shadow) {
  if (!C)
    return;
  if (C->Writes && C->In.Shadow && C->In.Shadow != Shadow)
    refuse(C->Function, "the shadow of the buffer was elsewhere when the call "
                        "was started: allocate it on the heap");
  if (C->IsBlocking)
    makeCollectiveReady(C);
  if (!C->IsReady)
    refuse(C->Function, "the call is not completed by the function that is "
                        "differentiated");
  startCallInTurn(C);
  waitForCall(C);
  adjointsOfOwn(C);
  if (C->Out.Shadow)
    C->Out.Shadow = C->IsInPlace ? Shadow : SentShadow;
  addComing(C);
  const MPI_Comm Comm = C->Comm;
  endCall(C);
  startReadyCalls(Comm);
}

/* Forward: behind the primal's call. */
static struct Collective *startTangents(struct Collective *C,
                                        MPI_Request *Request) {
  C = withFloats(C);
  if (!C || C->Shape == OfBarrier) {
    if (C)
      endCall(C);
    return 0;
  }
  struct Factors *F = &C->Factors;
  C->Going = packedOf(&C->Out);
  C->Coming = zerosOf(&C->In);
  if (F->Op == Sum) {
    startSameCall(C);
  } else {
    startFactors(C, C->Root);
    F->Tangents =
        startGather(C, C->Going, typeOf(C->Kind), SizeOf[C->Kind], C->Root);
  }
  if (Request)
    belongsTo(C, Request);
  return C;
}

/* Forward: where the primal has waited. */
static void finishTangents(struct Collective *C) {
  if (!C)
    return;
  struct Factors *F = &C->Factors;
  if (F->Op == Sum)
    waitForCall(C);
  waitForFactors(F);
  if (F->Op != Sum && C->In.N)
    combineTangents(C);
  if (C->Writes)
    moveBlocks(&C->In, C->Coming, Scatter);
  endCall(C);
}

#endif
