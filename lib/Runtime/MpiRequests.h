/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Isend, Irecv, and all that waits for them (MpiMessages.h, MpiTangents.h).
 */
#ifndef ADZE_RUNTIME_MPIREQUESTS_H
#define ADZE_RUNTIME_MPIREQUESTS_H

#include "MpiOrder.h"
#include "MpiPointToPoint.h"

/* A datatype that the program has freed while messages of forward mode need it:
 * MpiPersistent.h frees it behind the last of them. */
struct HeldType {
  struct HeldType *Next;
  MPI_Datatype Type;
};
static _Thread_local struct HeldType *HeldTypes;
static void releaseTypes(void);

/* \p Handle is the request of \p M from now on. */
static void begins(struct Message *M, MPI_Request Handle) {
  M->IsPending = 1;
  M->Handle = Handle;
  if (M->IsFurther)
    Directions.Started->InNext = M;
  Directions.Started = M;
}

/* The message that \p Handle is the request of from now on; null if no floats
 * travel. */
static struct Message *started(const char *Function, const void *Buffer,
                               void *Shadow, int Count, MPI_Datatype Type,
                               int Peer, int Tag, MPI_Comm Comm,
                               MPI_Request Handle, _Bool IsSend) {
  struct Layout L = layoutOf(Function, Type);
  Shadow = shadowOf(&L, Buffer, Shadow);
  if (!travels(&L, Peer))
    return 0;
  LOCKED;
  struct Message *M = newMessage(&L, Shadow, Count, Peer, Tag, Comm, IsSend);
  M->Type = Type;
  begins(M, Handle);
  return M;
}

/* What was started is reversed. */
static void finish(const char *Function, const void *Buffer, void *Shadow,
                   MPI_Datatype Type, struct Message *M) {
  struct Layout L = layoutOf(Function, Type);
  if (M)
    finishOpposite(M, shadowOf(&L, Buffer, Shadow));
}

#define ISENDS(NAME, MPI_NAME)                                                 \
  struct Kept adze_mpi_##NAME##_augmented(                                     \
      const void *Buffer, void *Shadow, int Count, MPI_Datatype Type, int To,  \
      int Tag, MPI_Comm Comm, MPI_Request *Request) {                          \
    SENDING(#MPI_NAME, To, Tag, Comm);                                         \
    int Error = PRIMAL(MPI_NAME(Buffer, Count, Type, To, Tag, Comm, Request)); \
    return (struct Kept){started(#MPI_NAME, Buffer, Shadow, Count, Type, To,   \
                                 Tag, Comm, *Request, 1),                      \
                         Error};                                               \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(                                              \
      const void *Buffer, void *Shadow, int Count, MPI_Datatype Type, int To,  \
      int Tag, MPI_Comm Comm, MPI_Request *Request, void *Tape) {              \
    (void)Count, (void)To, (void)Tag, (void)Comm, (void)Request;               \
    finish(#MPI_NAME, Buffer, Shadow, Type, Tape);                             \
  }                                                                            \
  int adze_mpi_##NAME##_forward(const void *Buffer, void *Shadow, int Count,   \
                                MPI_Datatype Type, int To, int Tag,            \
                                MPI_Comm Comm, MPI_Request *Request) {         \
    SENDING(#MPI_NAME, To, Tag, Comm);                                         \
    int Error = PRIMAL(MPI_NAME(Buffer, Count, Type, To, Tag, Comm, Request)); \
    forwardSend(#MPI_NAME, Buffer, Shadow, Count, Type, To, Tag, Comm);        \
    return Error;                                                              \
  }

ISENDS(isend, MPI_Isend)
ISENDS(issend, MPI_Issend)
ISENDS(irsend, MPI_Irsend)

struct Kept adze_mpi_irecv_augmented(void *Buffer, void *Shadow, int Count,
                                     MPI_Datatype Type, int Source, int Tag,
                                     MPI_Comm Comm, MPI_Request *Request) {
  struct Layout L = layoutOf("MPI_Irecv", Type);
  if (L.Kind != NoFloats)
    checkStarted("MPI_Irecv", Tag, Source == AnySource);
  checkBehindFound("MPI_Irecv", Source, Tag, Comm);
  RECEIVING("MPI_Irecv", Source, Tag, Comm);
  int Error =
      PRIMAL(MPI_Irecv(Buffer, Count, Type, Source, Tag, Comm, Request));
  return (struct Kept){started("MPI_Irecv", Buffer, Shadow, Count, Type, Source,
                               Tag, Comm, *Request, 0),
                       Error};
}

void adze_mpi_irecv_reverse(const void *Buffer, void *Shadow, int Count,
                            MPI_Datatype Type, int Source, int Tag,
                            MPI_Comm Comm, MPI_Request *Request, void *Tape) {
  (void)Count, (void)Source, (void)Tag, (void)Comm, (void)Request;
  finish("MPI_Irecv", Buffer, Shadow, Type, Tape);
}

int adze_mpi_irecv_forward(void *Buffer, void *Shadow, int Count,
                           MPI_Datatype Type, int Source, int Tag,
                           MPI_Comm Comm, MPI_Request *Request) {
  struct Layout L = layoutOf("MPI_Irecv", Type);
  if (L.Kind != NoFloats)
    checkStarted("MPI_Irecv", Tag, 1);
  checkBehindFound("MPI_Irecv", Source, Tag, Comm);
  RECEIVING("MPI_Irecv", Source, Tag, Comm);
  int Error =
      PRIMAL(MPI_Irecv(Buffer, Count, Type, Source, Tag, Comm, Request));
  LOCKED;
  startTangent(started("MPI_Irecv", Buffer, Shadow, Count, Type, Source, Tag,
                       Comm, *Request, 0));
  return Error;
}

/* ---- Waiting --------------------------------------------------------------
 */

/* A message or a collective call: the other is null. */
struct Completion {
  struct Message *Message;
  struct Collective *Collective;
};

/* What one call has completed: what its augmented half keeps. */
struct Completed {
  int Count;
  struct Completion All[];
};

/* Room for \p Count of them, and what the requests belong to before the call,
 * which forgets them: nobody else finds it meanwhile. */
struct Waiting {
  struct Completed *Done;
  size_t Count;
  struct Completion *Awaited;
  MPI_Status *Statuses, *Own; // Own: to be freed
};

static void setAwaited(const struct Completion *A, _Bool Is) {
  for (struct Collective *C = A->Collective; C; C = C->InNext)
    C->IsAwaited = Is;
  for (struct Message *M = A->Message; M; M = M->InNext)
    M->IsAwaited = Is;
}

static struct Waiting beginWait(int Count, const MPI_Request *Requests,
                                MPI_Status *Statuses) {
  const size_t N = (size_t)(Count > 0 ? Count : 0);
  struct Waiting W = {0, N, 0, Statuses, 0};
  LOCKED;
  W.Done =
      allocate("MPI_Wait", 1, sizeof *W.Done + N * sizeof(struct Completion));
  W.Awaited = allocate("MPI_Wait", N, sizeof *W.Awaited);
  for (size_t I = 0; I < N; ++I) {
    struct Completion *A = &W.Awaited[I];
    A->Collective = pendingCollective(Requests[I]);
    if (!A->Collective)
      A->Message = pendingOf(Requests[I]);
    setAwaited(A, 1);
  }
  if (Statuses == StatusIgnore)
    W.Statuses = W.Own = allocate("MPI_Wait", N, sizeof *W.Own);
  return W;
}

static void note(struct Waiting *W, int Which, int StatusAt) {
  struct Completion *C = &W->Awaited[Which];
  if (C->Collective)
    completedCollective(C->Collective);
  if (C->Message)
    completed(C->Message, &W->Statuses[StatusAt]);
  if (C->Collective || C->Message)
    W->Done->All[W->Done->Count++] = *C;
  *C = (struct Completion){0, 0};
}

/* \p C in direction \p Which. */
static struct Completion inDirection(struct Completion C, int Which) {
  const _Bool IsMessage = C.Message != 0;
  for (int K = 0; K < Which; ++K) {
    C.Message = C.Message ? C.Message->InNext : 0;
    C.Collective = C.Collective ? C.Collective->InNext : 0;
  }
  if (IsMessage ? !C.Message : !C.Collective)
    refuse("MPI_Wait", "it completes what was not started in as many "
                       "directions");
  return C;
}

/* What the other directions keep of \p Done. */
static void keepForOthers(const struct Completed *Done) {
  for (int I = 1; I < Directions.Count; ++I) {
    struct Completed *Other = 0;
    if (Done->Count) {
      const size_t N = (size_t)Done->Count;
      Other = allocate("MPI_Wait", 1, sizeof *Other + N * sizeof *Done->All);
      Other->Count = Done->Count;
    }
    for (int J = 0; J < Done->Count; ++J)
      Other->All[J] = inDirection(Done->All[J], I);
    Directions.Kept[I] = Other;
  }
}

static struct Kept endWait(struct Waiting *W, int Error) {
  LOCKED;
  Directions.Error = Error;
  keepForOthers(W->Done);
  for (size_t I = 0; I < W->Count; ++I)
    setAwaited(&W->Awaited[I], 0);
  free(W->Awaited);
  free(W->Own);
  if (W->Done->Count)
    return (struct Kept){W->Done, Error};
  free(W->Done);
  return (struct Kept){0, Error};
}

static void reverseWait(struct Completed *Done) {
  if (!Done)
    return;
  for (int I = Done->Count; I-- > 0;)
    if (Done->All[I].Collective)
      makeCollectiveReady(Done->All[I].Collective);
    else
      makeReady(Done->All[I].Message);
  free(Done);
}

static int forwardWait(struct Kept K) {
  struct Completed *Done = K.Tape;
  for (int I = 0; Done && I < Done->Count; ++I) {
    struct Message *M = Done->All[I].Message;
    if (M)
      finishTangent(M);
    else
      finishTangents(Done->All[I].Collective);
  }
  free(Done);
  releaseTypes();
  return K.Error;
}

/* The three functions of NAME, made of NAMEStep. */
#define WAITS(NAME, PARAMETERS, ARGUMENTS, REVERSE_PARAMETERS)                 \
  struct Kept adze_mpi_##NAME##_augmented PARAMETERS {                         \
    return Directions.Which ? keptHere() : NAME##Step ARGUMENTS;               \
  } void adze_mpi_##NAME##_reverse REVERSE_PARAMETERS {                        \
    reverseWait(Tape);                                                         \
  }                                                                            \
  int adze_mpi_##NAME##_forward PARAMETERS {                                   \
    return forwardWait(Directions.Which ? keptHere() : NAME##Step ARGUMENTS);  \
  }

#define UNUSED __attribute__((unused))

static struct Kept waitStep(MPI_Request *Request, MPI_Status *Status) {
  struct Waiting W = beginWait(1, Request, Status);
  int Error = MPI_Wait(Request, W.Statuses);
  note(&W, 0, 0);
  return endWait(&W, Error);
}
WAITS(wait, (MPI_Request * Request, MPI_Status *Status), (Request, Status),
      (MPI_Request * Request UNUSED, MPI_Status *Status UNUSED, void *Tape))

static struct Kept waitallStep(int Count, MPI_Request *All,
                               MPI_Status *Statuses) {
  struct Waiting W = beginWait(Count, All, Statuses);
  int Error = MPI_Waitall(Count, All, W.Statuses);
  for (int I = 0; I < Count; ++I)
    note(&W, I, I);
  return endWait(&W, Error);
}
WAITS(waitall, (int Count, MPI_Request *All, MPI_Status *Statuses),
      (Count, All, Statuses),
      (int Count UNUSED, MPI_Request *All UNUSED, MPI_Status *Statuses UNUSED,
       void *Tape))

static struct Kept waitanyStep(int Count, MPI_Request *All, int *Index,
                               MPI_Status *Status) {
  struct Waiting W = beginWait(Count, All, Status);
  int Error = MPI_Waitany(Count, All, Index, W.Statuses);
  if (*Index != Undefined)
    note(&W, *Index, 0);
  return endWait(&W, Error);
}
WAITS(waitany, (int Count, MPI_Request *All, int *Index, MPI_Status *Status),
      (Count, All, Index, Status),
      (int Count UNUSED, MPI_Request *All UNUSED, int *Index UNUSED,
       MPI_Status *Status UNUSED, void *Tape))

static struct Kept waitsomeStep(int Count, MPI_Request *All, int *Number,
                                int *Indices, MPI_Status *Statuses) {
  struct Waiting W = beginWait(Count, All, Statuses);
  int Error = MPI_Waitsome(Count, All, Number, Indices, W.Statuses);
  for (int I = 0; *Number != Undefined && I < *Number; ++I)
    note(&W, Indices[I], I);
  return endWait(&W, Error);
}
WAITS(waitsome,
      (int Count, MPI_Request *All, int *Number, int *Indices,
       MPI_Status *Statuses),
      (Count, All, Number, Indices, Statuses),
      (int Count UNUSED, MPI_Request *All UNUSED, int *Number UNUSED,
       int *Indices UNUSED, MPI_Status *Statuses UNUSED, void *Tape))

static struct Kept testsomeStep(int Count, MPI_Request *All, int *Number,
                                int *Indices, MPI_Status *Statuses) {
  struct Waiting W = beginWait(Count, All, Statuses);
  int Error = MPI_Testsome(Count, All, Number, Indices, W.Statuses);
  for (int I = 0; *Number != Undefined && I < *Number; ++I)
    note(&W, Indices[I], I);
  return endWait(&W, Error);
}
WAITS(testsome,
      (int Count, MPI_Request *All, int *Number, int *Indices,
       MPI_Status *Statuses),
      (Count, All, Number, Indices, Statuses),
      (int Count UNUSED, MPI_Request *All UNUSED, int *Number UNUSED,
       int *Indices UNUSED, MPI_Status *Statuses UNUSED, void *Tape))

static struct Kept testStep(MPI_Request *Request, int *Flag,
                            MPI_Status *Status) {
  struct Waiting W = beginWait(1, Request, Status);
  int Error = MPI_Test(Request, Flag, W.Statuses);
  if (*Flag)
    note(&W, 0, 0);
  return endWait(&W, Error);
}
WAITS(test, (MPI_Request * Request, int *Flag, MPI_Status *Status),
      (Request, Flag, Status),
      (MPI_Request * Request UNUSED, int *Flag UNUSED,
       MPI_Status *Status UNUSED, void *Tape))

static struct Kept testallStep(int Count, MPI_Request *All, int *Flag,
                               MPI_Status *Statuses) {
  struct Waiting W = beginWait(Count, All, Statuses);
  int Error = MPI_Testall(Count, All, Flag, W.Statuses);
  for (int I = 0; *Flag && I < Count; ++I)
    note(&W, I, I);
  return endWait(&W, Error);
}
WAITS(testall, (int Count, MPI_Request *All, int *Flag, MPI_Status *Statuses),
      (Count, All, Flag, Statuses),
      (int Count UNUSED, MPI_Request *All UNUSED, int *Flag UNUSED,
       MPI_Status *Statuses UNUSED, void *Tape))

static struct Kept testanyStep(int Count, MPI_Request *All, int *Index,
                               int *Flag, MPI_Status *Status) {
  struct Waiting W = beginWait(Count, All, Status);
  int Error = MPI_Testany(Count, All, Index, Flag, W.Statuses);
  if (*Flag && *Index != Undefined)
    note(&W, *Index, 0);
  return endWait(&W, Error);
}
WAITS(testany,
      (int Count, MPI_Request *All, int *Index, int *Flag, MPI_Status *Status),
      (Count, All, Index, Flag, Status),
      (int Count UNUSED, MPI_Request *All UNUSED, int *Index UNUSED,
       int *Flag UNUSED, MPI_Status *Status UNUSED, void *Tape))

#endif
