/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages from one rank to another:
 *
 *   Send(x, to)      x' += Recv(to)
 *   Recv(x, from)    Send(x', from), x' = 0
 *
 * In the reverse pass the messages of two ranks come in the opposite order on
 * both, so they match as the primal's did. They and tangents have tags of their
 * own: a rank may still be in its primal and wait for a message of anyone.
 */
#ifndef ADZE_RUNTIME_MPIPOINTTOPOINT_H
#define ADZE_RUNTIME_MPIPOINTTOPOINT_H

#include "MpiTangents.h"

/* What has come with a message: how much, and from whom. */
struct Received {
  int Source, Tag, Count;
  struct Message *Place, *PlaceOfSent; // in the list, or null
};

static struct Received receivedOf(const struct Layout *L, MPI_Datatype Type,
                                  const MPI_Status *Status) {
  struct Received R = {Status->MPI_SOURCE, Status->MPI_TAG, 0, 0, 0};
  if (R.Source == ProcNull)
    return R;
  MPI_Get_count(Status, Type, &R.Count);
  if (R.Count < 0)
    refuse(L->Function, "a message that ends within an element");
  return R;
}

/* The adjoint of what was sent to \p To comes back and is added. \p Place: of
 * the message in the list, or null. */
static void takeBack(const struct Layout *L, void *Shadow, int Count, int To,
                     int Tag, MPI_Comm Comm, struct Message *Place) {
  if (!travels(L, To))
    return;
  void *Adjoints = zerosFor(L, (size_t)Count);
  MPI_Request Request;
  MPI_Status Status;
  beginTurn(Place);
  startReceive(Adjoints, floatsIn(L, Count), typeOf(L->Kind), To,
               otherTag(L->Function, Tag), Comm, &Request);
  endTurn(Place);
  const int Error = MPI_Wait(&Request, &Status);
  checkCount(L, floatsIn(L, Count), Error, &Status);
  addTo(L, (size_t)Count, Shadow, Adjoints);
  free(Adjoints);
}

/* The adjoint of what was received goes back, and is zero from then on. */
static void giveBack(const struct Layout *L, void *Shadow,
                     const struct Received *R, MPI_Comm Comm) {
  if (!travels(L, R->Source))
    return;
  void *Adjoints = taken(L, (size_t)R->Count, Shadow);
  const int Floats = floatsToSend(L, R->Count, Shadow);
  beginTurn(R->Place);
  sendLater(L, Adjoints, Floats, R->Source, R->Tag, Comm);
  endTurn(R->Place);
}

/* ---- MPI_Send, MPI_Ssend, MPI_Rsend ---------------------------------------
 */

static void reverseSend(const char *Function, const void *Buffer, void *Shadow,
                        int Count, MPI_Datatype Type, int To, int Tag,
                        MPI_Comm Comm, struct Message *Place) {
  struct Layout L = layoutOf(Function, Type);
  takeBack(&L, shadowOf(&L, Buffer, Shadow), Count, To, Tag, Comm, Place);
  end(Place);
}

static void forwardSend(const char *Function, const void *Buffer, void *Shadow,
                        int Count, MPI_Datatype Type, int To, int Tag,
                        MPI_Comm Comm) {
  struct Layout L = layoutOf(Function, Type);
  sendTangent(&L, shadowOf(&L, Buffer, Shadow), Count, To, Tag, Comm);
}

/* Of each kind of send that ends when the buffer is free. */
#define SENDS(NAME, MPI_NAME)                                                  \
  struct Kept adze_mpi_##NAME##_augmented(const void *Buffer, void *Shadow,    \
                                          int Count, MPI_Datatype Type,        \
                                          int To, int Tag, MPI_Comm Comm) {    \
    struct Layout L = layoutOf(#MPI_NAME, Type);                               \
    SENDING(#MPI_NAME, To, Tag, Comm);                                         \
    struct Message *Place = amongPending(&L, To, Tag, Comm, 1);                \
    (void)Shadow;                                                              \
    return (struct Kept){                                                      \
        Place, PRIMAL(MPI_NAME(Buffer, Count, Type, To, Tag, Comm))};          \
  }                                                                            \
  void adze_mpi_##NAME##_reverse(const void *Buffer, void *Shadow, int Count,  \
                                 MPI_Datatype Type, int To, int Tag,           \
                                 MPI_Comm Comm, void *Tape) {                  \
    reverseSend(#MPI_NAME, Buffer, Shadow, Count, Type, To, Tag, Comm, Tape);  \
  }                                                                            \
  int adze_mpi_##NAME##_forward(const void *Buffer, void *Shadow, int Count,   \
                                MPI_Datatype Type, int To, int Tag,            \
                                MPI_Comm Comm) {                               \
    SENDING(#MPI_NAME, To, Tag, Comm);                                         \
    int Error = PRIMAL(MPI_NAME(Buffer, Count, Type, To, Tag, Comm));          \
    forwardSend(#MPI_NAME, Buffer, Shadow, Count, Type, To, Tag, Comm);        \
    return Error;                                                              \
  }

SENDS(send, MPI_Send)
SENDS(ssend, MPI_Ssend)
SENDS(rsend, MPI_Rsend)

/* ---- MPI_Recv -------------------------------------------------------------
 */

struct Kept adze_mpi_recv_augmented(void *Buffer, void *Shadow, int Count,
                                    MPI_Datatype Type, int Source, int Tag,
                                    MPI_Comm Comm, MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Recv", Type);
  Status = statusFor(Status);
  (void)Shadow;
  checkBehindFound("MPI_Recv", Source, Tag, Comm);
  RECEIVING("MPI_Recv", Source, Tag, Comm);
  int Error = PRIMAL(receive(Buffer, Count, Type, Source, Tag, Comm, Status));
  if (L.Kind == NoFloats && !L.Bytes)
    return (struct Kept){0, Error};
  struct Received *R = allocate(L.Function, 1, sizeof *R);
  *R = receivedOf(&L, Type, Status);
  R->Place = amongPending(&L, R->Source, R->Tag, Comm, 0);
  return (struct Kept){R, Error};
}

void adze_mpi_recv_reverse(const void *Buffer, void *Shadow, int Count,
                           MPI_Datatype Type, int Source, int Tag,
                           MPI_Comm Comm, const MPI_Status *Status,
                           void *Tape) {
  struct Layout L = layoutOf("MPI_Recv", Type);
  (void)Count, (void)Source, (void)Tag, (void)Status;
  if (!Tape)
    return;
  struct Received *R = Tape;
  giveBack(&L, shadowOf(&L, Buffer, Shadow), R, Comm);
  end(R->Place);
  free(R);
}

int adze_mpi_recv_forward(void *Buffer, void *Shadow, int Count,
                          MPI_Datatype Type, int Source, int Tag, MPI_Comm Comm,
                          MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Recv", Type);
  Status = statusFor(Status);
  checkBehindFound("MPI_Recv", Source, Tag, Comm);
  RECEIVING("MPI_Recv", Source, Tag, Comm);
  int Error = PRIMAL(receive(Buffer, Count, Type, Source, Tag, Comm, Status));
  Shadow = shadowOf(&L, Buffer, Shadow);
  if (L.Kind != NoFloats) {
    struct Received R = receivedOf(&L, Type, Status);
    receiveTangent(&L, Shadow, R.Count, R.Source, R.Tag, Comm);
  }
  return Error;
}

/* ---- MPI_Sendrecv ---------------------------------------------------------
 */

/* As MPI_Sendrecv. */
static int exchange(const void *Sent, int SendCount, MPI_Datatype SendType,
                    int To, int SendTag, void *Buffer, int Count,
                    MPI_Datatype Type, int Source, int Tag, MPI_Comm Comm,
                    MPI_Status *Status) {
  if (Tag != AnyTag || Source == ProcNull)
    return MPI_Sendrecv(Sent, SendCount, SendType, To, SendTag, Buffer, Count,
                        Type, Source, Tag, Comm, Status);
  MPI_Request Request;
  MPI_Isend(Sent, SendCount, SendType, To, SendTag, Comm, &Request);
  int Error = receive(Buffer, Count, Type, Source, Tag, Comm, Status);
  MPI_Wait(&Request, StatusIgnore);
  return Error;
}

/* As MPI_Sendrecv_replace. */
static int exchangeInPlace(void *Buffer, int Count, MPI_Datatype Type, int To,
                           int SendTag, int Source, int Tag, MPI_Comm Comm,
                           MPI_Status *Status) {
  if (Tag != AnyTag || Source == ProcNull)
    return MPI_Sendrecv_replace(Buffer, Count, Type, To, SendTag, Source, Tag,
                                Comm, Status);
  int Size = 0, End = 0;
  MPI_Pack_size(Count, Type, Comm, &Size);
  void *Copy = allocate("MPI_Sendrecv_replace", (size_t)Size, 1);
  MPI_Pack(Buffer, Count, Type, Copy, Size, &End, Comm);
  int Error = exchange(Copy, End, TypePacked, To, SendTag, Buffer, Count, Type,
                       Source, Tag, Comm, Status);
  free(Copy);
  return Error;
}

/* What goes back does not wait, as a ring of exchanges must not. */
static void exchangeBack(const struct Layout *Out, void *OutShadow, int Count,
                         int To, int Tag, const struct Layout *In,
                         void *InShadow, const struct Received *R,
                         MPI_Comm Comm) {
  giveBack(In, InShadow, R, Comm);
  takeBack(Out, OutShadow, Count, To, Tag, Comm, R->PlaceOfSent);
}

/* What is kept of an exchange that is done. */
static struct Kept keptOf(const struct Layout *In, MPI_Datatype Type,
                          const MPI_Status *Status, MPI_Comm Comm,
                          struct Message *PlaceOfSent, int Error) {
  struct Received *R = allocate(In->Function, 1, sizeof *R);
  *R = receivedOf(In, Type, Status);
  R->Place = amongPending(In, R->Source, R->Tag, Comm, 0);
  R->PlaceOfSent = PlaceOfSent;
  return (struct Kept){R, Error};
}

struct Kept adze_mpi_sendrecv_augmented(const void *Sent, void *SentShadow,
                                        int SendCount, MPI_Datatype SendType,
                                        int To, int SendTag, void *Buffer,
                                        void *Shadow, int Count,
                                        MPI_Datatype Type, int Source, int Tag,
                                        MPI_Comm Comm, MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Sendrecv", Type);
  Status = statusFor(Status);
  (void)SentShadow, (void)Shadow;
  const struct Layout Out = layoutOf("MPI_Sendrecv", SendType);
  SENDING("MPI_Sendrecv", To, SendTag, Comm);
  struct Message *Place = amongPending(&Out, To, SendTag, Comm, 1);
  checkBehindFound("MPI_Sendrecv", Source, Tag, Comm);
  RECEIVING("MPI_Sendrecv", Source, Tag, Comm);
  int Error = PRIMAL(exchange(Sent, SendCount, SendType, To, SendTag, Buffer,
                              Count, Type, Source, Tag, Comm, Status));
  return keptOf(&L, Type, Status, Comm, Place, Error);
}

void adze_mpi_sendrecv_reverse(const void *Sent, void *SentShadow,
                               int SendCount, MPI_Datatype SendType, int To,
                               int SendTag, const void *Buffer, void *Shadow,
                               int Count, MPI_Datatype Type, int Source,
                               int Tag, MPI_Comm Comm, const MPI_Status *Status,
                               void *Tape) {
  struct Layout Out = layoutOf("MPI_Sendrecv", SendType);
  struct Layout In = layoutOf("MPI_Sendrecv", Type);
  (void)Count, (void)Source, (void)Tag, (void)Status;
  struct Received *R = Tape;
  exchangeBack(&Out, shadowOf(&Out, Sent, SentShadow), SendCount, To, SendTag,
               &In, shadowOf(&In, Buffer, Shadow), R, Comm);
  end(R->Place);
  end(R->PlaceOfSent);
  free(R);
}

/* The tangents of both halves. */
static void exchangeTangents(const struct Layout *Out, const void *OutShadow,
                             int Count, int To, int Tag,
                             const struct Layout *In, void *InShadow,
                             const struct Received *R, MPI_Comm Comm) {
  sendTangent(Out, OutShadow, Count, To, Tag, Comm);
  receiveTangent(In, InShadow, R->Count, R->Source, R->Tag, Comm);
}

int adze_mpi_sendrecv_forward(const void *Sent, void *SentShadow, int SendCount,
                              MPI_Datatype SendType, int To, int SendTag,
                              void *Buffer, void *Shadow, int Count,
                              MPI_Datatype Type, int Source, int Tag,
                              MPI_Comm Comm, MPI_Status *Status) {
  struct Layout Out = layoutOf("MPI_Sendrecv", SendType);
  struct Layout In = layoutOf("MPI_Sendrecv", Type);
  Status = statusFor(Status);
  SENDING("MPI_Sendrecv", To, SendTag, Comm);
  checkBehindFound("MPI_Sendrecv", Source, Tag, Comm);
  RECEIVING("MPI_Sendrecv", Source, Tag, Comm);
  int Error = PRIMAL(exchange(Sent, SendCount, SendType, To, SendTag, Buffer,
                              Count, Type, Source, Tag, Comm, Status));
  SentShadow = shadowOf(&Out, Sent, SentShadow);
  Shadow = shadowOf(&In, Buffer, Shadow);
  struct Received R = receivedOf(&In, Type, Status);
  exchangeTangents(&Out, SentShadow, SendCount, To, SendTag, &In, Shadow, &R,
                   Comm);
  return Error;
}

/* ---- MPI_Sendrecv_replace -------------------------------------------------
 */

struct Kept adze_mpi_sendrecv_replace_augmented(void *Buffer, void *Shadow,
                                                int Count, MPI_Datatype Type,
                                                int To, int SendTag, int Source,
                                                int Tag, MPI_Comm Comm,
                                                MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Sendrecv_replace", Type);
  Status = statusFor(Status);
  (void)Shadow;
  SENDING("MPI_Sendrecv_replace", To, SendTag, Comm);
  struct Message *Place = amongPending(&L, To, SendTag, Comm, 1);
  checkBehindFound("MPI_Sendrecv_replace", Source, Tag, Comm);
  RECEIVING("MPI_Sendrecv_replace", Source, Tag, Comm);
  int Error = PRIMAL(exchangeInPlace(Buffer, Count, Type, To, SendTag, Source,
                                     Tag, Comm, Status));
  return keptOf(&L, Type, Status, Comm, Place, Error);
}

void adze_mpi_sendrecv_replace_reverse(const void *Buffer, void *Shadow,
                                       int Count, MPI_Datatype Type, int To,
                                       int SendTag, int Source, int Tag,
                                       MPI_Comm Comm, const MPI_Status *Status,
                                       void *Tape) {
  struct Layout L = layoutOf("MPI_Sendrecv_replace", Type);
  struct Received *R = Tape;
  (void)Source, (void)Tag, (void)Status;
  Shadow = shadowOf(&L, Buffer, Shadow);
  exchangeBack(&L, Shadow, Count, To, SendTag, &L, Shadow, R, Comm);
  end(R->Place);
  end(R->PlaceOfSent);
  free(R);
}

int adze_mpi_sendrecv_replace_forward(void *Buffer, void *Shadow, int Count,
                                      MPI_Datatype Type, int To, int SendTag,
                                      int Source, int Tag, MPI_Comm Comm,
                                      MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Sendrecv_replace", Type);
  Status = statusFor(Status);
  SENDING("MPI_Sendrecv_replace", To, SendTag, Comm);
  checkBehindFound("MPI_Sendrecv_replace", Source, Tag, Comm);
  RECEIVING("MPI_Sendrecv_replace", Source, Tag, Comm);
  int Error = PRIMAL(exchangeInPlace(Buffer, Count, Type, To, SendTag, Source,
                                     Tag, Comm, Status));
  Shadow = shadowOf(&L, Buffer, Shadow);
  struct Received R = receivedOf(&L, Type, Status);
  exchangeTangents(&L, Shadow, Count, To, SendTag, &L, Shadow, &R, Comm);
  return Error;
}

#endif
