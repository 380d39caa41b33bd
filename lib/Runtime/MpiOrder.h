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
  size_t Floats;           // of a number
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
  struct Collective *InNext;         // the same in the next direction, or null
  _Bool IsFurther;                   // it is of another one than the first
  int Blocking;                      // calls of those from the call to the end
  uint64_t Turn;                     // the last one kept when it was called
  const void *Region, *EndRegion;    // outermost ones of call and end, or null
  const char *Function;
  enum Shape Shape;
  MPI_Comm Comm;
  int Root, Rank; // Root: -1 if none
  size_t Ranks;
  _Bool IsPending;  // the primal has not completed it yet
  _Bool IsAwaited;  // a thread just waits for it
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

static struct Collective Calls; // ends of the list

/* MpiNonblocking.h */
static void startOppositeCall(struct Collective *C);
static void finishTangents(struct Collective *C);

/* ---- Turns -----------------------------------------------------------------
 *
 * The order of the calls of a region, whoever of the threads it was: one of
 * them is reversed when all later ones of the communicator are done, or if they
 * do not wait, on their way.
 */

struct CalledTurn {
  struct CalledTurn *Before;
  uint64_t Number;
  struct TeamPlace At;
  MPI_Comm Comm;
  const struct Collective *Of; // null for blocking calls
};

static struct CalledTurn *LastTurn;
static uint64_t NumTurns;

static void keepTurn(MPI_Comm Comm, const struct Collective *Of) {
  if (!adze_team_place.IsHalf)
    return;
  struct CalledTurn *T = allocate("MPI", 1, sizeof *T);
  *T = (struct CalledTurn){LastTurn, ++NumTurns, adze_team_place, Comm, Of};
  LastTurn = T;
}

static void endTurnAtPlace(struct CalledTurn **At) {
  struct CalledTurn *T = *At;
  if (!T)
    return;
  *At = T->Before;
  free(T);
}

static void endTurnOf(const struct Collective *C) {
  struct CalledTurn **At = &LastTurn;
  while (*At && (*At)->Of != C)
    At = &(*At)->Before;
  endTurnAtPlace(At);
}

/* In the regions where \p C was called and was complete. */
static _Bool hasLaterTurn(const struct Collective *C) {
  for (const struct CalledTurn *T = LastTurn; T && T->Number > C->Turn;
       T = T->Before)
    if (T->Comm == C->Comm &&
        (T->At.Outermost == C->Region || T->At.Outermost == C->EndRegion))
      return 1;
  return 0;
}

static struct Collective *enterCall(const char *Function, enum Shape Shape,
                                    int Root, MPI_Comm Comm) {
  LOCKED;
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
  C->IsFurther = Directions.Which != 0;
  keepTurn(Comm, C);
  C->Turn = NumTurns;
  C->Region = adze_team_place.IsHalf ? adze_team_place.Outermost : 0;
  return C;
}

static void leaveCall(struct Collective *C) {
  LOCKED;
  endTurnOf(C);
  C->Before->After = C->After;
  C->After->Before = C->Before;
}

static _Bool mayStartCall(const struct Collective *C) {
  if (C->Blocking || hasLaterTurn(C))
    return 0;
  for (const struct Collective *Later = C->After;
       Later != &Calls && Later->Number <= C->Completed; Later = Later->After)
    if (Later->Comm == C->Comm && !Later->IsOnItsWay)
      return 0;
  return 1;
}

static void startReadyCalls(MPI_Comm Comm) {
  LOCKED;
  for (struct Collective *C = Calls.Before; C && C != &Calls; C = C->Before)
    if (C->Comm == Comm && C->IsReady && !C->IsOnItsWay && mayStartCall(C))
      startOppositeCall(C);
}

/* ---- Blocking calls --------------------------------------------------------
 */

static _Bool isOfThread(const struct CalledTurn *T, MPI_Comm Comm) {
  return !T->Of && T->Comm == Comm && T->At.Team == adze_team_place.Team &&
         T->At.Number == adze_team_place.Number;
}

/* Where the last one of this thread hangs; \p IsLast: in its region there is no
 * later one. */
static struct CalledTurn **turnAt(MPI_Comm Comm, _Bool *IsLast) {
  struct CalledTurn **At = &LastTurn;
  *IsLast = 1;
  for (; *At && !isOfThread(*At, Comm); At = &(*At)->Before)
    if ((*At)->Comm == Comm && (*At)->At.Outermost == adze_team_place.Outermost)
      *IsLast = 0;
  return At;
}

static MPI_Comm inTurnAt(MPI_Comm Comm) {
  _Bool IsTurn = !adze_team_place.IsHalf;
  LOCKED;
  while (!IsTurn) {
    turnAt(Comm, &IsTurn);
    if (!IsTurn)
      letOthers();
  }
  return Comm;
}

static void endTurnAt(MPI_Comm Comm) {
  _Bool IsLast;
  if (!adze_team_place.IsHalf)
    return;
  endTurnAtPlace(turnAt(Comm, &IsLast));
}

/* The primal calls a blocking collective function: what is pending must wait
 * for the opposite of it. (In one region turns see to that.) */
static void holdBackAt(MPI_Comm Comm) {
  LOCKED;
  const void *Region = adze_team_place.IsHalf ? adze_team_place.Outermost : 0;
  keepTurn(Comm, 0);
  for (struct Collective *C = Calls.Before; C && C != &Calls; C = C->Before)
    if (C->IsPending && C->Comm == Comm && (!Region || C->Region != Region))
      ++C->Blocking;
}

/* That is reversed. */
static void passBlocking(const MPI_Comm *Comm) {
  LOCKED;
  endTurnAt(*Comm);
  for (struct Collective *C = Calls.Before; C && C != &Calls; C = C->Before)
    if (C->IsReady && !C->IsOnItsWay && C->Comm == *Comm && C->Blocking)
      --C->Blocking;
  startReadyCalls(*Comm);
}

/* At the begin of the reverse of each such function. */
#define IN_ORDER(COMM)                                                         \
  __attribute__((cleanup(passBlocking), unused)) const MPI_Comm InOrder =      \
      inTurnAt(COMM)

/* What \p Handle is the request of, in the first direction; null if it is of
 * none. */
static struct Collective *pendingCollective(MPI_Request Handle) {
  LOCKED;
  struct Collective *C = Calls.Before;
  while (
      C && C != &Calls &&
      !(C->IsPending && !C->IsAwaited && !C->IsFurther && C->Handle == Handle))
    C = C->Before;
  return C == &Calls ? 0 : C;
}

/* \p C, which a thread has waited for, is complete, in all directions. */
static void completedCollective(struct Collective *C) {
  LOCKED;
  if (C->InNext)
    completedCollective(C->InNext);
  C->IsPending = C->IsAwaited = 0;
  C->Completed = Calls.Number;
  C->EndRegion = adze_team_place.IsHalf ? adze_team_place.Outermost : 0;
}

/* At the latest now. */
static void startCallInTurn(struct Collective *C) {
  LOCKED;
  while (!C->IsOnItsWay)
    if (hasLaterTurn(C))
      letOthers();
    else
      startOppositeCall(C);
  startReadyCalls(C->Comm);
}

/* The reverse of what completed \p C. */
static void makeCollectiveReady(struct Collective *C) {
  LOCKED;
  C->Going = C->Writes ? takenOf(&C->In) : zerosOf(&C->In);
  C->IsReady = 1;
  startReadyCalls(C->Comm);
}

static _Bool isOfCollective(MPI_Datatype Type) {
  LOCKED;
  for (const struct Collective *C = Calls.Before; C && C != &Calls;
       C = C->Before)
    if (isTypeOf(&C->Out, Type) || isTypeOf(&C->In, Type))
      return 1;
  return 0;
}

#endif
