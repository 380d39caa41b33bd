/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages of derivatives, and receives and probes of the program that ask for
 * any tag. A rank may still be in its first pass when others send it adjoints,
 * and tangents lie between the messages of the program. So what asks for any
 * tag takes messages out one after the other (MPI_Improbe): those of
 * derivatives are put on a list, where derivatives look before they ask MPI.
 */
#ifndef ADZE_RUNTIME_MPIEARLY_H
#define ADZE_RUNTIME_MPIEARLY_H

#include "MpiLayout.h"

/* ---- Tags ------------------------------------------------------------------
 */

static int limitOfTags(void) {
  static int Kept;
  int Limit = __atomic_load_n(&Kept, __ATOMIC_RELAXED);
  if (!Limit) {
    int *Known = 0, Found = 0;
    MPI_Comm_get_attr(CommWorld, TagLimitKey, &Known, &Found);
    Limit = Found ? *Known : 32767;
    __atomic_store_n(&Kept, Limit, __ATOMIC_RELAXED);
  }
  return Limit;
}

/* Of adjoints and tangents of messages with \p Tag: from the other end of all
 * tags. */
static int otherTag(const char *Function, int Tag) {
  const int Limit = limitOfTags();
  if (Tag >= Limit / 2)
    refuse(Function, "a tag from the upper half of those that MPI has");
  return Limit - Tag;
}

static _Bool isOfDerivative(int Tag) { return Tag >= limitOfTags() / 2; }

/* ---- The list --------------------------------------------------------------
 */

struct Early {
  struct Early *Next; // that has come later
  MPI_Message Handle;
  MPI_Comm Comm;
  int Source, Tag;
};

/* Of all files: what one has found may be for another one. */
__attribute__((weak, visibility("hidden"))) struct Early *adze_mpi_early = 0;

static void keepEarly(MPI_Message Handle, MPI_Comm Comm,
                      const MPI_Status *Status) {
  LOCKED;
  struct Early **End = &adze_mpi_early;
  while (*End)
    End = &(*End)->Next;
  *End = allocate("MPI_Recv", 1, sizeof **End);
  **End = (struct Early){0, Handle, Comm, Status->MPI_SOURCE, Status->MPI_TAG};
}

/* As MPI_Irecv, of a message of derivatives. */
static void startReceive(void *Floats, int Count, MPI_Datatype Type, int From,
                         int Tag, MPI_Comm Comm, MPI_Request *Request) {
  LOCKED;
  struct Early **At = &adze_mpi_early;
  while (*At &&
         ((*At)->Comm != Comm || (*At)->Source != From || (*At)->Tag != Tag))
    At = &(*At)->Next;
  struct Early *E = *At;
  if (!E) {
    MPI_Irecv(Floats, Count, Type, From, Tag, Comm, Request);
    return;
  }
  *At = E->Next;
  MPI_Imrecv(Floats, Count, Type, &E->Handle, Request);
  free(E);
}

/* ---- What the program asks for ---------------------------------------------
 */

/* Takes out the next message of the program, with any tag, if there is one. */
static _Bool takeAny(int Source, MPI_Comm Comm, MPI_Message *Message,
                     MPI_Status *Status, int *Error) {
  LOCKED;
  for (;;) {
    int IsThere = 0;
    *Error = MPI_Improbe(Source, AnyTag, Comm, &IsThere, Message, Status);
    if (!IsThere || !isOfDerivative(Status->MPI_TAG))
      return IsThere != 0;
    keepEarly(*Message, Comm, Status);
  }
}

/* The same, but it stays there. */
static _Bool seeAny(int Source, MPI_Comm Comm, MPI_Status *Status, int *Error) {
  LOCKED;
  for (;;) {
    int IsThere = 0;
    MPI_Message Message;
    *Error = MPI_Iprobe(Source, AnyTag, Comm, &IsThere, Status);
    if (!IsThere || !isOfDerivative(Status->MPI_TAG))
      return IsThere != 0;
    // No other one of its source and tag is in front of it.
    MPI_Improbe(Status->MPI_SOURCE, Status->MPI_TAG, Comm, &IsThere, &Message,
                Status);
    if (IsThere)
      keepEarly(Message, Comm, Status);
  }
}

static int awaitAny(int Source, MPI_Comm Comm, MPI_Message *Message,
                    MPI_Status *Status) {
  int Error = 0;
  while (!takeAny(Source, Comm, Message, Status, &Error) && !Error)
    sched_yield();
  return Error;
}

/* As MPI_Recv. */
static int receive(void *Buffer, int Count, MPI_Datatype Type, int Source,
                   int Tag, MPI_Comm Comm, MPI_Status *Status) {
  if (Tag != AnyTag || Source == ProcNull)
    return MPI_Recv(Buffer, Count, Type, Source, Tag, Comm, Status);
  MPI_Message Message;
  const int Error = awaitAny(Source, Comm, &Message, Status);
  return Error ? Error : MPI_Mrecv(Buffer, Count, Type, &Message, Status);
}

/* ---- Messages that the program has taken out -------------------------------
 */

/* Where a message came from that Mprobe has found: Mrecv is not told. */
struct FoundMessage {
  struct FoundMessage *Next;
  MPI_Message Handle;
  MPI_Comm Comm;
  int Source, Tag;
};

static struct FoundMessage *AllFound; // newest first

static void keepFound(MPI_Message Handle, MPI_Comm Comm,
                      const MPI_Status *Status) {
  if (Status->MPI_SOURCE == ProcNull)
    return;
  LOCKED;
  struct FoundMessage *M = allocate("MPI_Mprobe", 1, sizeof *M);
  *M = (struct FoundMessage){AllFound, Handle, Comm, Status->MPI_SOURCE,
                             Status->MPI_TAG};
  AllFound = M;
}

/* Messages of one rank and tag go in the order in which they were found. */
static void checkBehindFound(const char *Function, int Source, int Tag,
                             MPI_Comm Comm) {
  LOCKED;
  for (const struct FoundMessage *M = AllFound; M; M = M->Next)
    if (M->Comm == Comm && mayBeOne(M->Source, Source, AnySource) &&
        mayBeOne(M->Tag, Tag, AnyTag))
      refuse(Function, "MPI_Mprobe has found a message before that may be of "
                       "the same rank and tag: receive that one first");
}

/* No one's, for a message without floats or from MPI_PROC_NULL. */
static struct FoundMessage takeFound(const struct Layout *L,
                                     MPI_Message Handle) {
  LOCKED;
  struct FoundMessage **At = &AllFound;
  while (*At && (*At)->Handle != Handle)
    At = &(*At)->Next;
  struct FoundMessage Found = {0, Handle, CommNull, ProcNull, 0};
  if (!*At) {
    if (Handle != MessageNoProc && (L->Kind != NoFloats || L->Bytes))
      refuse(L->Function, "a message that the function that is differentiated "
                          "has not found itself");
    return Found;
  }
  struct FoundMessage *M = *At;
  Found = *M;
  *At = M->Next;
  free(M);
  for (M = Found.Next; M; M = M->Next)
    if (M->Comm == Found.Comm && M->Source == Found.Source &&
        M->Tag == Found.Tag)
      refuse(L->Function,
             "MPI_Mprobe has found a message before that is of the "
             "same rank and tag: receive that one first");
  return Found;
}

/* MPI itself chooses what such a receive gets, which then has no place of its
 * own in the order of messages. */
static void checkStarted(const char *Function, int Tag, _Bool MayMeet) {
  if (Tag == AnyTag && MayMeet)
    refuse(Function,
           "MPI_ANY_TAG, of a receive that does not wait, may take the "
           "messages of derivatives: say the tag, or look for the message "
           "(MPI_Recv, MPI_Mprobe, MPI_Improbe)");
}

#endif
