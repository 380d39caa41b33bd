/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls of all ranks of a communicator that are started and completed by two
 * functions:
 *
 *   Ibcast(x) ...              complete the opposite one, add what came
 *   Wait, Test that completes  start the opposite one, x' = 0
 *
 * All ranks must start them in one order, but the primal may have waited in
 * another one on each. The order is the opposite of that in which the primal
 * called them. So one is held back until those are on their way that the primal
 * called after it and before its end, and blocking ones are done, at most until
 * its call is reversed. By then all later ones have been.
 */
#ifndef ADZE_RUNTIME_MPIORDER_H
#define ADZE_RUNTIME_MPIORDER_H

#include "MpiSides.h"

enum Shape {
  OfBarrier,
  OfBcast,
  OfReduce,
  OfAllreduce,
  OfGather,
  OfScatter,
  OfAllgather,
  OfAlltoall,
  OfAlltoallw,
  OfScan,
  OfExscan,
  OfReduceScatter,
  OfNeighborAllgather,
  OfNeighborAlltoall,
  OfNeighborAlltoallv,
  OfNeighborAlltoallw
};

enum Operation { Sum, Product, Extremum, Located, User };

struct UserFold;

/* What ranks give to a reduction that is no sum. */
struct Factors {
  enum Operation Op;
  _Bool IsLeast, AreDifferentiated;
  size_t Ranks;            // the first ones count
  size_t Count;            // floats of a rank that go into the result here
  void *Own, *Values;      // of this rank; of each, then dy/dx
  void *Tangents;          // of each
  int *OwnPlaces, *Places; // beside the first two
  int *Lists;              // counts and places of Values, if they are blocks
  struct UserFold *Fold;   // instead of Values
  int *Elements;           // of Reduce_scatter: see elementsOf()
  MPI_Request Requests[3];
  int NumRequests;
};

struct Collective {
  struct Collective *Before, *After; // in the order of their calls
  uint64_t Number;                   // in that order
  uint64_t Completed;                // Number of the last one before that
  int Blocking;                      // calls of those from the call to the end
  const char *Function;
  enum Shape Shape;
  MPI_Comm Comm;
  int Root, Rank; // Root: -1 if none
  size_t Ranks;
  _Bool IsPending;  // the primal has not completed it yet
  _Bool IsReady;    // the opposite one may be started ...
  _Bool IsOnItsWay; // ... and has been
  _Bool IsInPlace;  // what goes out lies in the buffer that is written
  _Bool Writes;     // on this rank
  _Bool IsBlocking; // the primal's call is
  MPI_Request Handle;
  enum Kind Kind;
  struct Side Out, In; // what the primal reads, and writes
  void *Going, *Coming;
  MPI_Request Request, *Messages; // Messages: of neighbours
  int *Lists;                     // of sums of bytes
  int NumMessages;
  struct Factors Factors;
};

static _Thread_local struct Collective Calls; // ends of the list

/* MpiNonblocking.h */
static void startOppositeCall(struct Collective *C);
static void finishTangents(struct Collective *C);

static struct Collective *enterCall(const char *Function, enum Shape Shape,
                                    int Root, MPI_Comm Comm) {
  struct Collective *C = allocate(Function, 1, sizeof *C);
  if (!Calls.After)
    Calls.Before = Calls.After = &Calls;
  C->Before = Calls.Before;
  C->After = &Calls;
  C->Before->After = C->After->Before = C;
  C->Number = ++Calls.Number;
  C->Function = Function;
  C->Shape = Shape;
  C->Root = Root;
  C->Comm = Comm;
  return C;
}

static void leaveCall(struct Collective *C) {
  C->Before->After = C->After;
  C->After->Before = C->Before;
}

static _Bool mayStartCall(const struct Collective *C) {
  if (C->Blocking)
    return 0;
  for (const struct Collective *Later = C->After;
       Later != &Calls && Later->Number <= C->Completed; Later = Later->After)
    if (Later->Comm == C->Comm && !Later->IsOnItsWay)
      return 0;
  return 1;
}

static void startReadyCalls(MPI_Comm Comm) {
  for (struct Collective *C = Calls.Before; C && C != &Calls; C = C->Before)
    if (C->Comm == Comm && C->IsReady && !C->IsOnItsWay && mayStartCall(C))
      startOppositeCall(C);
}

/* The primal calls a blocking collective function: what is pending must wait
 * for the opposite of it. */
static void holdBackAt(MPI_Comm Comm) {
  for (struct Collective *C = Calls.Before; C && C != &Calls; C = C->Before)
    if (C->IsPending && C->Comm == Comm)
      ++C->Blocking;
}

/* That is reversed. */
static void passBlocking(const MPI_Comm *Comm) {
  for (struct Collective *C = Calls.Before; C && C != &Calls; C = C->Before)
    if (C->IsReady && !C->IsOnItsWay && C->Comm == *Comm && C->Blocking)
      --C->Blocking;
  startReadyCalls(*Comm);
}

/* At the begin of the reverse of each such function. */
#define IN_ORDER(COMM)                                                         \
  __attribute__((cleanup(passBlocking), unused)) const MPI_Comm InOrder = COMM

static struct Collective *pendingCollective(MPI_Request Handle) {
  struct Collective *C = Calls.Before;
  while (C && C != &Calls && !(C->IsPending && C->Handle == Handle))
    C = C->Before;
  return C == &Calls ? 0 : C;
}

/* What \p Handle is the request of, which is complete; null if it is of none.
 */
static struct Collective *completedCollective(MPI_Request Handle) {
  struct Collective *C = pendingCollective(Handle);
  if (!C)
    return 0;
  C->IsPending = 0;
  C->Completed = Calls.Number;
  return C;
}

/* The reverse of what completed \p C. */
static void makeCollectiveReady(struct Collective *C) {
  C->Going = C->Writes ? takenOf(&C->In) : zerosOf(&C->In);
  C->IsReady = 1;
  startReadyCalls(C->Comm);
}

static _Bool isOfCollective(MPI_Datatype Type) {
  for (const struct Collective *C = Calls.Before; C && C != &Calls;
       C = C->Before)
    if (isTypeOf(&C->Out, Type) || isTypeOf(&C->In, Type))
      return 1;
  return 0;
}

#endif
