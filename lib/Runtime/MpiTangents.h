/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Forward mode: a second message with the tangents goes beside each of the
 * program. Nobody waits for one that goes out: whom it goes to may ask for it
 * later than for the message itself.
 *
 * A receive of anyone's message (MPI_ANY_SOURCE) knows when it is complete
 * where its tangents come from, and asks for them then. So do those that are
 * started behind it and might get messages of the same rank and tag, and
 * whichever is complete first, the tangents are asked for in the order of their
 * starts.
 */
#ifndef ADZE_RUNTIME_MPITANGENTS_H
#define ADZE_RUNTIME_MPITANGENTS_H

#include "MpiLater.h"

static void sendTangent(const struct Layout *L, const void *Shadow, int Count,
                        int To, int Tag, MPI_Comm Comm) {
  if (travels(L, To))
    sendLater(L, packed(L, (size_t)(Count > 0 ? Count : 0), Shadow),
              floatsToSend(L, Count, Shadow), To, Tag, Comm);
}

/* ---- Receives that know later what they get --------------------------------
 */

static _Bool mayGetSame(const struct Message *A, const struct Message *B) {
  return !A->IsSend && !B->IsSend && A->Comm == B->Comm &&
         mayBeOne(A->Peer, B->Peer, AnySource) &&
         mayBeOne(A->Tag, B->Tag, AnyTag);
}

static _Bool isBehindDeferred(const struct Message *M) {
  for (const struct Message *E = M->Before; E != &Ends; E = E->Before)
    if (E->IsDeferred && mayGetSame(E, M))
      return 1;
  return 0;
}

static void askForTangent(struct Message *M) {
  M->IsDeferred = 0;
  M->Floats = zerosFor(&M->L, (size_t)M->Count);
  startReceive(M->Floats, floatsIn(&M->L, M->Count), typeOf(M->L.Kind), M->Peer,
               otherTag(M->L.Function, M->Tag), M->Comm, &M->Request);
}

/* \p M is a receive that the program has started; null if no floats travel. */
static void startTangent(struct Message *M) {
  if (!M)
    return;
  LOCKED;
  checkStarted(M->L.Function, M->Tag, 1);
  if (M->Peer == AnySource || isBehindDeferred(M))
    M->IsDeferred = 1;
  else
    askForTangent(M);
}

/* What \p M has got, if that is known: where the program has not waited for it,
 * and no thread is about to, MPI is asked. */
static _Bool knowsSource(struct Message *M) {
  MPI_Status Status;
  int IsComplete = 0;
  if (!M->IsPending)
    return 1;
  if (M->IsAwaited)
    return 0;
  MPI_Request_get_status(M->Handle, &IsComplete, &Status);
  if (IsComplete)
    noteReceived(M, &Status);
  return IsComplete != 0;
}

/* Asks for the tangents of all that were started before \p Last and have got a
 * message of \p Peer with \p Tag. All that might have got one have got some, or
 * the later one of these would be theirs: so this wait ends. */
static void askInOrder(const struct Message *Last, int Peer, int Tag,
                       MPI_Comm Comm) {
  LOCKED;
  const struct Message Like = {.Peer = Peer, .Tag = Tag, .Comm = Comm};
  struct Message *E = Ends.After;
  while (E && E != Last) {
    if (!E->IsDeferred || !mayGetSame(E, &Like)) {
      E = E->After;
    } else if (!knowsSource(E)) {
      letOthers();
      E = Ends.After; // others may have changed the list
    } else if (E->Peer == Peer && E->Tag == Tag) {
      askForTangent(E);
    }
  }
}

/* The program has waited for \p M. */
static void finishTangent(struct Message *M) {
  MPI_Status Status;
  if (M->IsDeferred) {
    askInOrder(M, M->Peer, M->Tag, M->Comm);
    LOCKED;
    askForTangent(M);
  }
  const int Error = MPI_Wait(&M->Request, &Status);
  checkCount(&M->L, floatsIn(&M->L, M->Count), Error, &Status);
  setTo(&M->L, (size_t)M->Count, M->Shadow, M->Floats);
  M->IsKept = 0;
  end(M);
}

/* Of a message that has come from \p Source. */
static void receiveTangent(const struct Layout *L, void *Shadow, int Count,
                           int Source, int Tag, MPI_Comm Comm) {
  if (!travels(L, Source))
    return;
  void *Tangents = zerosFor(L, (size_t)Count);
  MPI_Request Request;
  MPI_Status Status;
  askInOrder(&Ends, Source, Tag, Comm);
  startReceive(Tangents, floatsIn(L, Count), typeOf(L->Kind), Source,
               otherTag(L->Function, Tag), Comm, &Request);
  const int Error = MPI_Wait(&Request, &Status);
  checkCount(L, floatsIn(L, Count), Error, &Status);
  setTo(L, (size_t)Count, Shadow, Tangents);
  free(Tangents);
}

#endif
