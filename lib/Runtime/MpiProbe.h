/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that the program looks at before it receives them:
 *
 *   Probe, Iprobe, Mprobe, Improbe   nothing
 *   Mrecv(x), Imrecv(x)              as Recv and Irecv
 *
 * What derivatives send must not be seen by the program: their tags are others,
 * and probes of any tag pass over them (MpiEarly.h).
 */
#ifndef ADZE_RUNTIME_MPIPROBE_H
#define ADZE_RUNTIME_MPIPROBE_H

#include "MpiRequests.h"

static int probe(int Source, int Tag, MPI_Comm Comm, MPI_Status *Status) {
  int Error = 0;
  MPI_Status Own;
  if (Tag != AnyTag || Source == ProcNull)
    return MPI_Probe(Source, Tag, Comm, Status);
  while (
      !seeAny(Source, Comm, Status == StatusIgnore ? &Own : Status, &Error) &&
      !Error)
    sched_yield();
  return Error;
}

static int iprobe(int Source, int Tag, MPI_Comm Comm, int *Flag,
                  MPI_Status *Status) {
  int Error = 0;
  MPI_Status Own;
  if (Tag != AnyTag || Source == ProcNull)
    return MPI_Iprobe(Source, Tag, Comm, Flag, Status);
  *Flag = seeAny(Source, Comm, Status == StatusIgnore ? &Own : Status, &Error);
  return Error;
}

/* The three functions of what asks and has no derivative. */
#define PROBES(NAME, PARAMETERS, ARGUMENTS, REVERSE_PARAMETERS)                \
  int adze_mpi_##NAME##_augmented PARAMETERS { return NAME ARGUMENTS; }        \
  void adze_mpi_##NAME##_reverse REVERSE_PARAMETERS {}                         \
  int adze_mpi_##NAME##_forward PARAMETERS { return NAME ARGUMENTS; }

PROBES(probe, (int Source, int Tag, MPI_Comm Comm, MPI_Status *Status),
       (Source, Tag, Comm, Status),
       (int Source UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,
        MPI_Status *Status UNUSED))
PROBES(iprobe,
       (int Source, int Tag, MPI_Comm Comm, int *Flag, MPI_Status *Status),
       (Source, Tag, Comm, Flag, Status),
       (int Source UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,
        int *Flag UNUSED, MPI_Status *Status UNUSED))

/* ---- Messages that are taken out ------------------------------------------
 */

static int mprobe(int Source, int Tag, MPI_Comm Comm, MPI_Message *Message,
                  MPI_Status *Status) {
  MPI_Status Own;
  if (Status == StatusIgnore)
    Status = &Own;
  RECEIVING("MPI_Mprobe", Source, Tag, Comm);
  int Error = Tag == AnyTag && Source != ProcNull
                  ? awaitAny(Source, Comm, Message, Status)
                  : MPI_Mprobe(Source, Tag, Comm, Message, Status);
  if (!Error)
    keepFound(*Message, Comm, Status);
  return Error;
}

static int improbe(int Source, int Tag, MPI_Comm Comm, int *Flag,
                   MPI_Message *Message, MPI_Status *Status) {
  int Error = 0;
  MPI_Status Own;
  if (Status == StatusIgnore)
    Status = &Own;
  RECEIVING("MPI_Improbe", Source, Tag, Comm);
  if (Tag == AnyTag && Source != ProcNull)
    *Flag = takeAny(Source, Comm, Message, Status, &Error);
  else
    Error = MPI_Improbe(Source, Tag, Comm, Flag, Message, Status);
  if (!Error && *Flag)
    keepFound(*Message, Comm, Status);
  return Error;
}

PROBES(mprobe,
       (int Source, int Tag, MPI_Comm Comm, MPI_Message *Message,
        MPI_Status *Status),
       (Source, Tag, Comm, Message, Status),
       (int Source UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,
        MPI_Message *Message UNUSED, MPI_Status *Status UNUSED))
PROBES(improbe,
       (int Source, int Tag, MPI_Comm Comm, int *Flag, MPI_Message *Message,
        MPI_Status *Status),
       (Source, Tag, Comm, Flag, Message, Status),
       (int Source UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,
        int *Flag UNUSED, MPI_Message *Message UNUSED,
        MPI_Status *Status UNUSED))

/* ---- MPI_Mrecv ------------------------------------------------------------
 */

static _Thread_local struct FoundMessage LastFound;

/* The same one in all directions: the first takes it. */
static struct FoundMessage foundBy(const struct Layout *L,
                                   const MPI_Message *Message) {
  if (!Directions.Which)
    LastFound = takeFound(L, *Message);
  return LastFound;
}

/* What has come, and through which communicator. */
struct MatchedReceive {
  struct Received R;
  MPI_Comm Comm;
};

struct Kept adze_mpi_mrecv_augmented(void *Buffer, void *Shadow UNUSED,
                                     int Count, MPI_Datatype Type,
                                     MPI_Message *Message, MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Mrecv", Type);
  Status = statusFor(Status);
  const struct FoundMessage From = foundBy(&L, Message);
  int Error = PRIMAL(MPI_Mrecv(Buffer, Count, Type, Message, Status));
  struct MatchedReceive *M = allocate(L.Function, 1, sizeof *M);
  M->R = receivedOf(&L, Type, Status);
  M->Comm = From.Comm;
  if (From.Source != ProcNull)
    M->R.Place = amongPending(&L, M->R.Source, M->R.Tag, From.Comm, 0);
  return (struct Kept){M, Error};
}

void adze_mpi_mrecv_reverse(const void *Buffer, void *Shadow, int Count UNUSED,
                            MPI_Datatype Type, MPI_Message *Message UNUSED,
                            MPI_Status *Status UNUSED, void *Tape) {
  struct Layout L = layoutOf("MPI_Mrecv", Type);
  struct MatchedReceive *M = Tape;
  giveBack(&L, shadowOf(&L, Buffer, Shadow), &M->R, M->Comm);
  end(M->R.Place);
  free(M);
}

int adze_mpi_mrecv_forward(void *Buffer, void *Shadow, int Count,
                           MPI_Datatype Type, MPI_Message *Message,
                           MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Mrecv", Type);
  Status = statusFor(Status);
  const struct FoundMessage From = foundBy(&L, Message);
  int Error = PRIMAL(MPI_Mrecv(Buffer, Count, Type, Message, Status));
  struct Received R = receivedOf(&L, Type, Status);
  receiveTangent(&L, shadowOf(&L, Buffer, Shadow), R.Count, R.Source, R.Tag,
                 From.Comm);
  return Error;
}

/* ---- MPI_Imrecv -----------------------------------------------------------
 */

struct Kept adze_mpi_imrecv_augmented(void *Buffer, void *Shadow, int Count,
                                      MPI_Datatype Type, MPI_Message *Message,
                                      MPI_Request *Request) {
  struct Layout L = layoutOf("MPI_Imrecv", Type);
  const struct FoundMessage From = foundBy(&L, Message);
  int Error = PRIMAL(MPI_Imrecv(Buffer, Count, Type, Message, Request));
  return (struct Kept){started("MPI_Imrecv", Buffer, Shadow, Count, Type,
                               From.Source, From.Tag, From.Comm, *Request, 0),
                       Error};
}

void adze_mpi_imrecv_reverse(const void *Buffer, void *Shadow, int Count UNUSED,
                             MPI_Datatype Type, MPI_Message *Message UNUSED,
                             MPI_Request *Request UNUSED, void *Tape) {
  finish("MPI_Imrecv", Buffer, Shadow, Type, Tape);
}

int adze_mpi_imrecv_forward(void *Buffer, void *Shadow, int Count,
                            MPI_Datatype Type, MPI_Message *Message,
                            MPI_Request *Request) {
  struct Layout L = layoutOf("MPI_Imrecv", Type);
  const struct FoundMessage From = foundBy(&L, Message);
  int Error = PRIMAL(MPI_Imrecv(Buffer, Count, Type, Message, Request));
  startTangent(started("MPI_Imrecv", Buffer, Shadow, Count, Type, From.Source,
                       From.Tag, From.Comm, *Request, 0));
  return Error;
}

#endif
