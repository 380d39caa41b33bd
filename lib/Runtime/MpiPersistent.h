/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Requests that are started several times:
 *
 *   Send_init(x, to), Recv_init(x, from)   keep what a start needs
 *   Start                                  as Isend, Irecv
 *   Request_free                           as a wait, if a send is under way
 *
 * Those that wait are the same (MpiRequests.h).
 */
#ifndef ADZE_RUNTIME_MPIPERSISTENT_H
#define ADZE_RUNTIME_MPIPERSISTENT_H

#include "MpiRequests.h"

struct Persistent {
  struct Persistent *Next;
  struct Persistent *InNext; // the same in the next direction, or null
  MPI_Request Handle;
  struct Layout L;
  void *Shadow;
  int Count, Peer, Tag;
  MPI_Datatype Type;
  MPI_Comm Comm;
  _Bool IsSend, IsFreed;
};

enum Way { Receives, Sends };

/* Newest first, in the first direction. */
static struct Persistent *AllPersistent;
static _Thread_local struct Persistent *LastMade;

static struct Persistent *persistentOf(MPI_Request Handle) {
  LOCKED;
  struct Persistent *P = AllPersistent;
  while (P && (P->IsFreed || P->Handle != Handle))
    P = P->Next;
  return P;
}

static void endPersistent(struct Persistent *P) {
  LOCKED;
  struct Persistent **At = &AllPersistent;
  while (*At && *At != P)
    At = &(*At)->Next;
  if (*At)
    *At = P->Next;
  free(P);
}

/* ---- MPI_Send_init, MPI_Recv_init -----------------------------------------
 */

static struct Persistent *keepForStart(const char *Function, const void *Buffer,
                                       void *Shadow, int Count,
                                       MPI_Datatype Type, int Peer, int Tag,
                                       MPI_Comm Comm, MPI_Request Handle,
                                       enum Way Way) {
  struct Persistent *P = allocate(Function, 1, sizeof *P);
  P->L = layoutOf(Function, Type);
  P->Shadow = shadowOf(&P->L, Buffer, Shadow);
  if (Way == Receives && P->L.Kind != NoFloats)
    checkStarted(Function, Tag, Peer == AnySource);
  P->Handle = Handle;
  P->Count = Count;
  P->Peer = Peer;
  P->Tag = Tag;
  P->Type = Type;
  P->Comm = Comm;
  P->IsSend = Way != Receives;
  LOCKED;
  if (Directions.Which) {
    LastMade->InNext = P;
  } else {
    P->Next = AllPersistent;
    AllPersistent = P;
  }
  LastMade = P;
  return P;
}

/* All starts have used the shadow that was there then. */
static void reverseInit(struct Persistent *P, const void *Buffer,
                        void *Shadow) {
  if (P->L.Kind != NoFloats && shadowOf(&P->L, Buffer, Shadow) != P->Shadow)
    refuse(P->L.Function, "the shadow of the buffer was elsewhere when the "
                          "request was made: allocate it on the heap");
  endPersistent(P);
}

#define INITS(NAME, MPI_NAME, BUFFER, WAY)                                     \
  struct Kept adze_mpi_##NAME##_augmented(                                     \
      BUFFER Buffer, void *Shadow, int Count, MPI_Datatype Type, int Peer,     \
      int Tag, MPI_Comm Comm, MPI_Request *Request) {                          \
    int Error =                                                                \
        PRIMAL(MPI_NAME(Buffer, Count, Type, Peer, Tag, Comm, Request));       \
    return (struct Kept){keepForStart(#MPI_NAME, Buffer, Shadow, Count, Type,  \
                                      Peer, Tag, Comm, *Request, WAY),         \
                         Error};                                               \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(                                              \
      BUFFER Buffer, void *Shadow, int Count UNUSED, MPI_Datatype Type UNUSED, \
      int Peer UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,                   \
      MPI_Request *Request UNUSED, void *Tape) {                               \
    reverseInit(Tape, Buffer, Shadow);                                         \
  }                                                                            \
  int adze_mpi_##NAME##_forward(BUFFER Buffer, void *Shadow, int Count,        \
                                MPI_Datatype Type, int Peer, int Tag,          \
                                MPI_Comm Comm, MPI_Request *Request) {         \
    return adze_mpi_##NAME##_augmented(Buffer, Shadow, Count, Type, Peer, Tag, \
                                       Comm, Request)                          \
        .Error;                                                                \
  }

INITS(send_init, MPI_Send_init, const void *, Sends)
INITS(ssend_init, MPI_Ssend_init, const void *, Sends)
INITS(rsend_init, MPI_Rsend_init, const void *, Sends)
INITS(bsend_init, MPI_Bsend_init, const void *, Sends)
INITS(recv_init, MPI_Recv_init, void *, Receives)

/* ---- MPI_Start, MPI_Startall ----------------------------------------------
 */

static const struct Persistent *madeHere(const char *Function,
                                         MPI_Request Handle) {
  const struct Persistent *P = persistentOf(Handle);
  if (!P)
    refuse(Function, "a request that the function that is differentiated has "
                     "not made");
  return P;
}

/* The message of \p Handle, which has been started; null if no floats travel.
 */
static struct Message *startedAgain(const struct Persistent *P,
                                    MPI_Request Handle) {
  if (!travels(&P->L, P->Peer))
    return 0;
  LOCKED;
  struct Message *M = newMessage(&P->L, P->Shadow, P->Count, P->Peer, P->Tag,
                                 P->Comm, P->IsSend);
  M->Type = P->Type;
  begins(M, Handle);
  return M;
}

/* To the end of the block: the start of \p P. */
#define STARTING(FUNCTION, P)                                                  \
  AT_ONCE(IsStarting, FUNCTION, (P)->Peer, (P)->Tag, (P)->Comm, (P)->IsSend)

/* Starts each of \p All, in all directions before the next one: so the other
 * end may start its own one after the other. Gives the messages of this
 * direction, null where no floats travel. */
static struct Kept startAgain(const char *Function, int Count,
                              MPI_Request *All) {
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  int Error = 0;
  if (Directions.Which)
    return keptHere();
  do
    Directions.Kept[Directions.Which] =
        allocate(Function, N, sizeof(struct Message *));
  while (nextDirection());
  for (size_t I = 0; I < N && !Error; ++I) {
    const struct Persistent *P = madeHere(Function, All[I]);
    STARTING(Function, P);
    Error = MPI_Start(&All[I]);
    do {
      struct Message **Messages = Directions.Kept[Directions.Which];
      Messages[I] = startedAgain(P, All[I]);
      P = P->InNext;
    } while (nextDirection());
  }
  Directions.Error = Error;
  return keptHere();
}

static void reverseStarts(int Count, struct Message **Messages) {
  for (int I = Count; I-- > 0;)
    if (Messages[I])
      finishOpposite(Messages[I], Messages[I]->Shadow);
  free(Messages);
}

static int startAgainForward(const char *Function, int Count,
                             MPI_Request *All) {
  int Error = 0;
  if (Directions.Which)
    return Directions.Error;
  for (int I = 0; I < Count && !Error; ++I) {
    const struct Persistent *P = madeHere(Function, All[I]);
    STARTING(Function, P);
    Error = MPI_Start(&All[I]);
    do {
      if (P->IsSend)
        sendTangent(&P->L, P->Shadow, P->Count, P->Peer, P->Tag, P->Comm);
      else
        startTangent(startedAgain(P, All[I]));
      P = P->InNext;
    } while (nextDirection());
  }
  Directions.Error = Error;
  return Error;
}

struct Kept adze_mpi_start_augmented(MPI_Request *Request) {
  return startAgain("MPI_Start", 1, Request);
}
void adze_mpi_start_reverse(const MPI_Request *Request UNUSED, void *Tape) {
  reverseStarts(1, Tape);
}
int adze_mpi_start_forward(MPI_Request *Request) {
  return startAgainForward("MPI_Start", 1, Request);
}

struct Kept adze_mpi_startall_augmented(int Count, MPI_Request *All) {
  return startAgain("MPI_Startall", Count, All);
}
void adze_mpi_startall_reverse(int Count, const MPI_Request *All UNUSED,
                               void *Tape) {
  reverseStarts(Count, Tape);
}
int adze_mpi_startall_forward(int Count, MPI_Request *All) {
  return startAgainForward("MPI_Startall", Count, All);
}

/* ---- MPI_Request_free -----------------------------------------------------
 */

struct Kept adze_mpi_request_free_augmented(MPI_Request *Request) {
  if (Directions.Which)
    return keptHere();
  struct Waiting W = beginWait(1, Request, StatusIgnore);
  const struct Message *M = W.Awaited[0].Message;
  if (M && !M->IsSend)
    refuse("MPI_Request_free", "a receive that is under way: wait for it");
  if (W.Awaited[0].Collective)
    refuse("MPI_Request_free", "a collective call that is under way");
  if (M)
    note(&W, 0, 0);
  struct Persistent *P = persistentOf(*Request);
  if (P)
    P->IsFreed = 1;
  int Error = MPI_Request_free(Request);
  return endWait(&W, Error);
}

void adze_mpi_request_free_reverse(const MPI_Request *Request UNUSED,
                                   void *Tape) {
  reverseWait(Tape);
}

int adze_mpi_request_free_forward(MPI_Request *Request) {
  if (Directions.Which)
    return Directions.Error;
  if (pendingOf(*Request) || pendingCollective(*Request))
    refuse("MPI_Request_free", "a receive or a collective call that is under "
                               "way: wait for it");
  for (struct Persistent *P = persistentOf(*Request), *Next; P; P = Next) {
    Next = P->InNext;
    endPersistent(P);
  }
  Directions.Error = MPI_Request_free(Request);
  releaseTypes();
  return Directions.Error;
}

/* ---- Datatypes that messages of forward mode still need ---------------------
 */

static _Bool isHeld(MPI_Datatype Type) {
  LOCKED;
  for (const struct Persistent *P = AllPersistent; P; P = P->Next)
    if (P->Type == Type)
      return 1;
  for (const struct Message *M = Ends.After; M && M != &Ends; M = M->After)
    if (M->Type == Type)
      return 1;
  return isOfCollective(Type);
}

static void releaseTypes(void) {
  for (struct HeldType **At = &HeldTypes; *At;) {
    struct HeldType *H = *At;
    if (isHeld(H->Type)) {
      At = &H->Next;
      continue;
    }
    *At = H->Next;
    MPI_Type_free(&H->Type);
    free(H);
  }
}

#endif
