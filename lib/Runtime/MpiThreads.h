/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Derivatives that several threads call at once (docs/Mpi.md, "Threads").
 *
 * Lists of messages and calls are those of all threads: a message may be
 * completed by another thread than has started it. A lock protects them. Nobody
 * waits for another rank while holding it.
 *
 * In which order threads came to MPI is kept where MPI goes by that: messages
 * of one rank, direction, tag and communicator (MpiMessages.h), and collective
 * calls of a communicator (MpiOrder.h). Two calls at a time have no order.
 */
#ifndef ADZE_RUNTIME_MPITHREADS_H
#define ADZE_RUNTIME_MPITHREADS_H

#include "MpiDirections.h"
#include "TeamPlace.h"

/* ---- The lock --------------------------------------------------------------
 */

int sched_yield(void);

/* Who has it, by its Depth; null if nobody has. */
__attribute__((weak, visibility("hidden")))
const unsigned *adze_mpi_owner_of_lists = 0;
static _Thread_local unsigned Depth; // how often this thread has it

static void lockLists(void) {
  if (Depth++)
    return;
  for (const unsigned *Nobody = 0;
       !__atomic_compare_exchange_n(&adze_mpi_owner_of_lists, &Nobody, &Depth,
                                    0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
       Nobody = 0)
    sched_yield();
}

static void unlockLists(void) {
  if (--Depth == 0)
    __atomic_store_n(&adze_mpi_owner_of_lists, 0, __ATOMIC_RELEASE);
}

/* Lets others change the lists that it is to be looked at again. */
static void letOthers(void) {
  unlockLists();
  sched_yield();
  lockLists();
}

static void unlockAtEnd(const int *Unused) {
  (void)Unused;
  unlockLists();
}

/* To the end of the block. */
#define LOCKED                                                                 \
  __attribute__((cleanup(unlockAtEnd), unused)) const int Locked =             \
      (lockLists(), 0)

/* ---- Sums ------------------------------------------------------------------
 */

/* Threads of a region call derivatives: others may add to the same shadows. */
static _Thread_local _Bool IsInTeam;

void adze_mpi_team(int Is) {
  IsInTeam = Is != 0;
  if (Is && !adze_team_place.Outermost)
    refuse("a function of MPI", "threads of the program, of which nobody knows "
                                "the order, call it (adze_shared_shadows)");
}

#define ADD_SHARED(NAME, FLOAT, WORD)                                          \
  static void NAME(FLOAT *To, FLOAT By) {                                      \
    WORD Old = __atomic_load_n((WORD *)To, __ATOMIC_RELAXED), New;             \
    FLOAT Sum;                                                                 \
    if (By == 0)                                                               \
      return;                                                                  \
    do {                                                                       \
      memcpy(&Sum, &Old, sizeof Sum);                                          \
      Sum += By;                                                               \
      memcpy(&New, &Sum, sizeof New);                                          \
    } while (!__atomic_compare_exchange_n(                                     \
        (WORD *)To, &Old, New, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));        \
  }
ADD_SHARED(addSharedDouble, double, uint64_t)
ADD_SHARED(addSharedFloat, float, uint32_t)

/* No other code of a region adds to such. */
static void addSharedLong(long double *To, long double By) {
  LOCKED;
  *To += By;
}

/* ---- Messages at a time ----------------------------------------------------
 */

/* A message that a thread is just sending or receiving. */
struct Sending {
  struct Sending *Next;
  const unsigned *Thread; // its Depth
  MPI_Comm Comm;
  int Peer, Tag;
  _Bool IsSend;
};

static struct Sending *AllSending;

/* What this thread receives, and sends. */
static _Thread_local struct Sending Mine[2];

static void endSending(const struct Sending *Which) {
  LOCKED;
  struct Sending **At = &AllSending;
  while (*At && *At != Which)
    At = &(*At)->Next;
  if (*At)
    *At = (*At)->Next;
}
static void endAllSending(void) {
  endSending(&Mine[0]);
  endSending(&Mine[1]);
}
/* The tangents of other directions go the same way. */
static void endSendingAtEnd(struct Sending *const *Which) {
  if (!Directions.Count)
    endSending(*Which);
}

static _Bool mayBeOne(int A, int B, int Any) {
  return A == B || A == Any || B == Any;
}

static _Bool areAtOnce(const struct Sending *A, const struct Sending *B) {
  return A->Thread != B->Thread && A->IsSend == B->IsSend &&
         A->Peer != ProcNull && B->Peer != ProcNull && A->Comm == B->Comm &&
         mayBeOne(A->Peer, B->Peer, AnySource) &&
         mayBeOne(A->Tag, B->Tag, AnyTag);
}

static struct Sending *beginSending(const char *Function, int Peer, int Tag,
                                    MPI_Comm Comm, _Bool IsSend) {
  struct Sending *S = &Mine[IsSend];
  _Bool IsAlone = 1;
  if (Directions.Which)
    return S;
  endSending(S);
  lockLists();
  *S = (struct Sending){AllSending, &Depth, Comm, Peer, Tag, IsSend};
  for (const struct Sending *O = AllSending; O; O = O->Next)
    IsAlone &= !areAtOnce(S, O);
  AllSending = S;
  unlockLists();
  if (!IsAlone)
    refuse(Function,
           "two threads send to one rank, or receive from it, with one tag and "
           "communicator at a time, in an order that nobody knows: give each "
           "thread a tag or a communicator of its own, or let one thread call "
           "at a time (critical)");
  return S;
}

/* To the end of the block: the primal's message, and its tangent. */
#define AT_ONCE(NAME, FUNCTION, PEER, TAG, COMM, IS_SEND)                      \
  __attribute__((cleanup(endSendingAtEnd),                                     \
                 unused)) struct Sending *const NAME =                         \
      beginSending(FUNCTION, PEER, TAG, COMM, IS_SEND)
#define SENDING(FUNCTION, TO, TAG, COMM)                                       \
  AT_ONCE(IsSending, FUNCTION, TO, TAG, COMM, 1)
#define RECEIVING(FUNCTION, FROM, TAG, COMM)                                   \
  AT_ONCE(IsReceiving, FUNCTION, FROM, TAG, COMM, 0)

#endif
