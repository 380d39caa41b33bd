/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that are started and completed by two calls:
 *
 *   Isend(x, to), Irecv(x, from)     complete the opposite message;
 *                                    x' += what came, for a send
 *   Wait, Test ... that completes    start the opposite message: a receive into
 *                                    memory of its own, or a send of x', x' = 0
 *
 * So the opposite messages overlap with what the primal's overlapped with. A
 * wait is told a request. Which message that is says a list, by the value of
 * the request when the message was started: requests may be copied and lie
 * anywhere.
 *
 * The messages of two ranks with one tag match in the order in which they are
 * started. In the reverse pass that must be the opposite order, however
 * the primal waited. So a message is held back until those are on their
 * way that the primal started after it and before its end, at most until the
 * start is reversed. In a parallel region it is held back until all are that
 * were started after it there, also by other threads, which may come to theirs
 * later. All that it waits for began later in the primal, so these waits have
 * no circle.
 */
#ifndef ADZE_RUNTIME_MPIMESSAGES_H
#define ADZE_RUNTIME_MPIMESSAGES_H

#include "MpiEarly.h"
#include "TeamPlace.h"

/* One half of an exchange: nothing, or a message of floats. */
static _Bool travels(const struct Layout *L, int Peer) {
  return L->Kind != NoFloats && Peer != ProcNull;
}

struct Message {
  struct Message *Before, *After; // in the order of their starts
  uint64_t Number;                // in that order
  struct Message *InNext;         // the same in the next direction, or null
  _Bool IsFurther;                // it is of another one than the first
  uint64_t Completed;             // Number of the last one before that
  struct Layout L;
  MPI_Datatype Type;
  void *Shadow;
  int Count, Peer, Tag;
  MPI_Comm Comm;
  const void *Region; // the outermost one that started it, or null
  _Bool IsSend;
  _Bool IsDeferred;       // its tangents are not asked for yet
  _Bool IsPending;        // the primal has not completed it yet
  _Bool IsAwaited;        // a thread just waits for it
  _Bool IsKept;           // for the reverse of the wait
  _Bool IsOver;           // the start is reversed, that is not
  const unsigned *Thread; // the Depth of the one that started it
  _Bool IsReady;          // the opposite one may be started ...
  _Bool IsOnItsWay;       // ... and has been
  MPI_Request Handle;     // the primal's, as long as that is pending
  MPI_Request Request;    // of adjoints, or tangents
  void *Floats;           // those
};

static struct Message Ends; // of the list; its Number is the last

static void enter(struct Message *M) {
  LOCKED;
  M->Thread = &Depth;
  M->Region = adze_team_place.IsHalf ? adze_team_place.Outermost : 0;
  if (!Ends.After)
    Ends.Before = Ends.After = &Ends;
  M->Before = Ends.Before;
  M->After = &Ends;
  M->Before->After = M->After->Before = M;
  M->Number = ++Ends.Number;
}

static void leave(struct Message *M) {
  M->Before->After = M->After;
  M->After->Before = M->Before;
}

static _Bool areOrdered(const struct Message *A, const struct Message *B) {
  return A->IsSend == B->IsSend && A->Comm == B->Comm && A->Peer == B->Peer &&
         A->Tag == B->Tag;
}

/* A message with \p Floats has come, by \p Status; with an \p Error if there
 * were more, and the program handles errors itself. If ranks did not agree on
 * what a message holds, numbers would be added in wrong places. */
static void checkCount(const struct Layout *L, int Floats, int Error,
                       const MPI_Status *Status) {
  int Came = 0;
  char Why[160];
  MPI_Get_count(Status, typeOf(L->Kind), &Came);
  if (!Error && (Came == Floats || (L->Kind == Described && Came == 0)))
    return;
  snprintf(Why, sizeof Why,
           "%d floats are exchanged, and rank %d takes them for %d: their "
           "counts or datatypes differ",
           Floats, Status->MPI_SOURCE, Came);
  refuse(L->Function, Why);
}

static void startOpposite(struct Message *M) {
  const int Tag = otherTag(M->L.Function, M->Tag);
  const int Floats = floatsIn(&M->L, M->Count);
  if (M->IsSend) {
    M->Floats = zerosFor(&M->L, (size_t)M->Count);
    startReceive(M->Floats, Floats, typeOf(M->L.Kind), M->Peer, Tag, M->Comm,
                 &M->Request);
  } else {
    MPI_Isend(M->Floats, floatsToSend(&M->L, M->Count, M->Shadow),
              typeOf(M->L.Kind), M->Peer, Tag, M->Comm, &M->Request);
  }
  M->IsOnItsWay = 1;
}

/* What was started in the region after \p M is on its way. */
static _Bool isItsTurn(const struct Message *M) {
  for (const struct Message *Later = M->After; M->Region && Later != &Ends;
       Later = Later->After)
    if (Later->Region == M->Region && areOrdered(Later, M) &&
        !Later->IsOnItsWay)
      return 0;
  return 1;
}

/* So is what the primal has started after \p M and before it completed \p M.
 * (Later ones are of the future, or of tapes that wait for their turn.) */
static _Bool mayStart(const struct Message *M) {
  for (const struct Message *Later = M->After;
       Later != &Ends && Later->Number <= M->Completed; Later = Later->After)
    if (areOrdered(Later, M) && !Later->IsOnItsWay)
      return 0;
  return isItsTurn(M);
}

/* Starts what is ready and ordered as \p Like is, and may start. */
static void startReady(const struct Message *Like) {
  for (struct Message *M = Ends.Before; M && M != &Ends; M = M->Before)
    if (areOrdered(M, Like) && M->IsReady && !M->IsOnItsWay && mayStart(M))
      startOpposite(M);
}

/* The reverse of what completed \p M. */
static void makeReady(struct Message *M) {
  if (!M->IsSend)
    M->Floats = taken(&M->L, (size_t)M->Count, M->Shadow);
  LOCKED;
  if (M->IsOver) {
    free(M);
    return;
  }
  M->IsKept = 0;
  M->IsReady = 1;
  startReady(M);
}

static void end(struct Message *M) {
  if (!M)
    return;
  LOCKED;
  leave(M);
  startReady(M);
  free(M->Floats);
  M->IsOver = 1;
  if (!M->IsKept)
    free(M);
}

/* At the latest now. */
static void startInTurn(struct Message *M) {
  LOCKED;
  while (!M->IsOnItsWay)
    if (isItsTurn(M))
      startOpposite(M);
    else
      letOthers();
}

/* Blocking messages of regions (\p M is null for others): between these two
 * calls the opposite one begins. */
static void beginTurn(const struct Message *M) {
  lockLists();
  while (M && !isItsTurn(M))
    letOthers();
}

static void endTurn(struct Message *M) {
  if (M) {
    M->IsOnItsWay = 1;
    startReady(M);
  }
  unlockLists();
}

/* Frees \p Floats when \p Request has sent them (MpiLater.h). */
static void freeLater(const char *Function, void *Floats, MPI_Request Request);

/* The reverse of what started \p M. Adjoints go out without a wait: whom the
 * message came from may have used MPI_Bsend, and take them later. */
static void finishOpposite(struct Message *M, void *Shadow) {
  if (!M->IsSend && !M->IsReady)
    refuse(M->L.Function, "the message is not completed by the function that "
                          "is differentiated");
  if (!M->IsSend && Shadow != M->Shadow)
    refuse(M->L.Function, "the shadow of the buffer was elsewhere when the "
                          "message was started: allocate it on the heap");
  startInTurn(M);
  M->L.Begin = Shadow;
  if (M->IsSend) {
    MPI_Status Status;
    const int Error = MPI_Wait(&M->Request, &Status);
    checkCount(&M->L, floatsIn(&M->L, M->Count), Error, &Status);
    addTo(&M->L, (size_t)M->Count, Shadow, M->Floats);
  } else {
    freeLater(M->L.Function, M->Floats, M->Request);
    M->Floats = 0;
  }
  end(M);
}

static struct Message *newMessage(const struct Layout *L, void *Shadow,
                                  int Count, int Peer, int Tag, MPI_Comm Comm,
                                  _Bool IsSend) {
  struct Message *M = allocate(L->Function, 1, sizeof *M);
  M->L = *L;
  M->Shadow = Shadow;
  M->Count = Count;
  M->Peer = Peer;
  M->Tag = Tag;
  M->Comm = Comm;
  M->IsSend = IsSend;
  M->IsFurther = Directions.Which != 0;
  enter(M);
  return M;
}

/* Blocking messages stand in the list where others are pending that they may be
 * ordered with, and in regions. Null where they need not. */
static struct Message *amongPending(const struct Layout *L, int Peer, int Tag,
                                    MPI_Comm Comm, _Bool IsSend) {
  LOCKED;
  if (adze_team_place.IsHalf && L->Kind != NoFloats)
    return newMessage(L, 0, 0, Peer, Tag, Comm, IsSend);
  for (struct Message *M = Ends.Before; M && M != &Ends; M = M->Before)
    if (M->IsPending && M->IsSend == IsSend && M->Comm == Comm)
      return newMessage(L, 0, 0, Peer, Tag, Comm, IsSend);
  return 0;
}

/* The message that \p Handle is the request of, in the first direction; null if
 * there is none. Once a
 * wait is over, another message may have got its request. Libraries share one
 * among sends that are complete at once, of all threads: then it may be another
 * one of these, which the reverse pass starts as well. */
static struct Message *pendingOf(MPI_Request Handle) {
  LOCKED;
  struct Message *Found = 0;
  for (struct Message *M = Ends.Before; M && M != &Ends; M = M->Before) {
    if (!M->IsPending || M->IsAwaited || M->IsFurther || M->Handle != Handle)
      continue;
    if (M->Thread == &Depth)
      return M;
    if (!Found)
      Found = M;
  }
  return Found;
}

/* How much \p M has got, and from whom. */
static void noteReceived(struct Message *M, const MPI_Status *Status) {
  MPI_Get_count(Status, M->Type, &M->Count);
  if (M->Count < 0)
    refuse(M->L.Function, "a message that ends within an element");
  M->Peer = Status->MPI_SOURCE;
  M->Tag = Status->MPI_TAG;
}

/* \p M, which a thread has waited for, is complete, in all directions. */
static void completed(struct Message *M, const MPI_Status *Status) {
  LOCKED;
  if (M->InNext)
    completed(M->InNext, Status);
  M->IsPending = M->IsAwaited = 0;
  M->Completed = Ends.Number;
  M->IsKept = 1;
  if (!M->IsSend)
    noteReceived(M, Status);
}

#endif
