/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that the program looks at before it receives them:
 *
 *   Probe, Iprobe, Mprobe, Improbe   nothing
 *   Mrecv(x), Imrecv(x)              as Recv and Irecv
 *
 * What derivatives send must not be seen by the program. Their tags are others;
 * with any tag, what waits for a message of one rank finds that of the program
 * first, but what asks whether there is one does not.
 */
#ifndef ADZE_RUNTIME_MPIPROBE_H
#define ADZE_RUNTIME_MPIPROBE_H

#include "MpiRequests.h"

static void checkProbe(const char *Function, int Source, int Tag, _Bool Waits) {
  const struct Layout L = noFloats(Function);
  checkWildcards(&L, Source, Tag);
  if (!Waits && Tag == AnyTag)
    refuse(Function, "MPI_ANY_TAG, which may find messages of derivatives: say "
                     "the tag");
}

/* The three functions of what asks and has no derivative. */
#define PROBES(NAME, MPI_NAME, WAITS, PARAMETERS, ARGUMENTS,                   \
               REVERSE_PARAMETERS)                                             \
  int adze_mpi_##NAME##_augmented PARAMETERS {                                 \
    checkProbe(#MPI_NAME, Source, Tag, WAITS);                                 \
    return MPI_NAME ARGUMENTS;                                                 \
  }                                                                            \
  void adze_mpi_##NAME##_reverse REVERSE_PARAMETERS {}                         \
  int adze_mpi_##NAME##_forward PARAMETERS {                                   \
    checkProbe(#MPI_NAME, Source, Tag, WAITS);                                 \
    return MPI_NAME ARGUMENTS;                                                 \
  }

PROBES(probe, MPI_Probe, 1,
       (int Source, int Tag, MPI_Comm Comm, MPI_Status *Status),
       (Source, Tag, Comm, Status),
       (int Source UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,
        MPI_Status *Status UNUSED))
PROBES(iprobe, MPI_Iprobe, 0,
       (int Source, int Tag, MPI_Comm Comm, int *Flag, MPI_Status *Status),
       (Source, Tag, Comm, Flag, Status),
       (int Source UNUSED, int Tag UNUSED, MPI_Comm Comm UNUSED,
        int *Flag UNUSED, MPI_Status *Status UNUSED))

/* ---- Messages that are taken out ------------------------------------------
 */

/* Where a message came from that Mprobe has found: Mrecv is not told. */
struct Matched {
  struct Matched *Next;
  MPI_Message Handle;
  MPI_Comm Comm;
  int Source, Tag;
};

static _Thread_local struct Matched *AllMatched;

static void match(MPI_Message Handle, MPI_Comm Comm, const MPI_Status *Status) {
  if (Status->MPI_SOURCE == ProcNull)
    return;
  struct Matched *M = allocate("MPI_Mprobe", 1, sizeof *M);
  M->Next = AllMatched;
  M->Handle = Handle;
  M->Comm = Comm;
  M->Source = Status->MPI_SOURCE;
  M->Tag = Status->MPI_TAG;
  AllMatched = M;
}

/* No one's, for a message without floats or from MPI_PROC_NULL. */
static struct Matched takeMatch(const struct Layout *L, MPI_Message Handle) {
  struct Matched **At = &AllMatched;
  while (*At && (*At)->Handle != Handle)
    At = &(*At)->Next;
  struct Matched Found = {0, Handle, CommNull, ProcNull, 0};
  if (!*At) {
    if (Handle != MessageNoProc && (L->Kind != NoFloats || L->Bytes))
      refuse(L->Function, "a message that the function that is differentiated "
                          "has not found itself");
    return Found;
  }
  struct Matched *M = *At;
  Found = *M;
  *At = M->Next;
  free(M);
  return Found;
}

static int mprobe(int Source, int Tag, MPI_Comm Comm, MPI_Message *Message,
                  MPI_Status *Status) {
  MPI_Status Own;
  if (Status == StatusIgnore)
    Status = &Own;
  checkProbe("MPI_Mprobe", Source, Tag, 1);
  int Error = MPI_Mprobe(Source, Tag, Comm, Message, Status);
  match(*Message, Comm, Status);
  return Error;
}

static int improbe(int Source, int Tag, MPI_Comm Comm, int *Flag,
                   MPI_Message *Message, MPI_Status *Status) {
  MPI_Status Own;
  if (Status == StatusIgnore)
    Status = &Own;
  checkProbe("MPI_Improbe", Source, Tag, 0);
  int Error = MPI_Improbe(Source, Tag, Comm, Flag, Message, Status);
  if (*Flag)
    match(*Message, Comm, Status);
  return Error;
}

int adze_mpi_mprobe_augmented(int Source, int Tag, MPI_Comm Comm,
                              MPI_Message *Message, MPI_Status *Status) {
  return mprobe(Source, Tag, Comm, Message, Status);
}
void adze_mpi_mprobe_reverse(int Source UNUSED, int Tag UNUSED,
                             MPI_Comm Comm UNUSED, MPI_Message *Message UNUSED,
                             MPI_Status *Status UNUSED) {}
int adze_mpi_mprobe_forward(int Source, int Tag, MPI_Comm Comm,
                            MPI_Message *Message, MPI_Status *Status) {
  return mprobe(Source, Tag, Comm, Message, Status);
}

int adze_mpi_improbe_augmented(int Source, int Tag, MPI_Comm Comm, int *Flag,
                               MPI_Message *Message, MPI_Status *Status) {
  return improbe(Source, Tag, Comm, Flag, Message, Status);
}
void adze_mpi_improbe_reverse(int Source UNUSED, int Tag UNUSED,
                              MPI_Comm Comm UNUSED, int *Flag UNUSED,
                              MPI_Message *Message UNUSED,
                              MPI_Status *Status UNUSED) {}
int adze_mpi_improbe_forward(int Source, int Tag, MPI_Comm Comm, int *Flag,
                             MPI_Message *Message, MPI_Status *Status) {
  return improbe(Source, Tag, Comm, Flag, Message, Status);
}

/* ---- MPI_Mrecv ------------------------------------------------------------
 */

/* What has come, and through which communicator. */
struct MatchedReceive {
  struct Received R;
  MPI_Comm Comm;
};

struct Kept adze_mpi_mrecv_augmented(void *Buffer, void *Shadow UNUSED,
                                     int Count, MPI_Datatype Type,
                                     MPI_Message *Message, MPI_Status *Status) {
  struct Layout L = layoutOf("MPI_Mrecv", Type);
  MPI_Status Own;
  if (Status == StatusIgnore)
    Status = &Own;
  const struct Matched From = takeMatch(&L, *Message);
  int Error = MPI_Mrecv(Buffer, Count, Type, Message, Status);
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
  MPI_Status Own;
  if (Status == StatusIgnore)
    Status = &Own;
  const struct Matched From = takeMatch(&L, *Message);
  int Error = MPI_Mrecv(Buffer, Count, Type, Message, Status);
  struct Received R = receivedOf(&L, Type, Status);
  receiveTangent(&L, shadowOf(&L, Buffer, Shadow), &R, From.Comm);
  return Error;
}

/* ---- MPI_Imrecv -----------------------------------------------------------
 */

struct Kept adze_mpi_imrecv_augmented(void *Buffer, void *Shadow, int Count,
                                      MPI_Datatype Type, MPI_Message *Message,
                                      MPI_Request *Request) {
  struct Layout L = layoutOf("MPI_Imrecv", Type);
  const struct Matched From = takeMatch(&L, *Message);
  int Error = MPI_Imrecv(Buffer, Count, Type, Message, Request);
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
  const struct Matched From = takeMatch(&L, *Message);
  int Error = MPI_Imrecv(Buffer, Count, Type, Message, Request);
  startTangent(started("MPI_Imrecv", Buffer, Shadow, Count, Type, From.Source,
                       From.Tag, From.Comm, *Request, 0));
  return Error;
}

#endif
