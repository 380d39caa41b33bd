/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages that nobody waits for. What was received may have been sent with
 * MPI_Bsend, which blocks nobody: so must the adjoints that go back.
 * Their blocks are freed when they have gone, at the latest in MPI_Finalize.
 */
#ifndef ADZE_RUNTIME_MPILATER_H
#define ADZE_RUNTIME_MPILATER_H

#include "MpiMessages.h"

struct Going {
  struct Going *Next;
  MPI_Request Request;
  void *Floats;
};

static struct Going *AllGoing;

static void freeGone(_Bool AndWait) {
  LOCKED;
  for (struct Going **At = &AllGoing; *At;) {
    struct Going *G = *At;
    int Gone = AndWait;
    if (AndWait)
      MPI_Wait(&G->Request, StatusIgnore);
    else
      MPI_Test(&G->Request, &Gone, StatusIgnore);
    if (!Gone) {
      At = &G->Next;
      continue;
    }
    *At = G->Next;
    free(G->Floats);
    free(G);
  }
}

/* MPI_Finalize begins with what is attached to MPI_COMM_SELF. */
static int freeAtEnd(MPI_Comm Comm, int Key, void *Value, void *State) {
  (void)Comm, (void)Key, (void)Value, (void)State;
  freeGone(1);
  return 0;
}

static int copyNothing(MPI_Comm Comm, int Key, void *State, void *Value,
                       void *Copy, int *Exists) {
  (void)Comm, (void)Key, (void)State, (void)Value, (void)Copy;
  *Exists = 0;
  return 0;
}

static void freeLater(const char *Function, void *Floats, MPI_Request Request) {
  static _Bool IsAttached;
  LOCKED;
  if (!IsAttached) {
    int Key = 0;
    MPI_Comm_create_keyval(copyNothing, freeAtEnd, &Key, 0);
    MPI_Comm_set_attr(CommSelf, Key, 0);
    MPI_Comm_free_keyval(&Key); // when that one ends
    IsAttached = 1;
  }
  freeGone(0);
  struct Going *G = allocate(Function, 1, sizeof *G);
  G->Floats = Floats;
  G->Request = Request;
  G->Next = AllGoing;
  AllGoing = G;
}

/* Takes \p Floats over, a block of its own with \p Count of them. */
static void sendLater(const struct Layout *L, void *Floats, int Count, int To,
                      int Tag, MPI_Comm Comm) {
  MPI_Request Request;
  MPI_Isend(Floats, Count, typeOf(L->Kind), To, otherTag(L->Function, Tag),
            Comm, &Request);
  freeLater(L->Function, Floats, Request);
}

#endif
