/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Several directions (docs/Mpi.md): the derivatives of a call are called for
 * one after the other, each with its shadows, as if the program had sent a
 * message for each of them. The first one calls what the primal calls; the
 * others go by what that has left. In the reverse pass the last direction comes
 * first.
 */
#ifndef ADZE_RUNTIME_MPIDIRECTIONS_H
#define ADZE_RUNTIME_MPIDIRECTIONS_H

#include "MpiLibrary.h"

enum { MostDirections = 64 }; // of enzyme_width

struct Message;

/* Of the call that is differentiated: what its first direction leaves. */
static _Thread_local struct {
  int Which, Count; // Count is 0 where there is one
  int Error;        // what the primal's call has returned
  MPI_Status Status;
  struct Message *Started; // by the direction before
  void *Block;             // of Bytes
  size_t Bytes;
  void *Completed[MostDirections]; // what a wait keeps
} Directions;

/* Direction \p Which of \p Count begins. */
void adze_mpi_direction(int Which, int Count) {
  Directions.Which = Which;
  Directions.Count = Count;
  if (Count)
    return;
  free(Directions.Block);
  Directions.Block = 0;
}

/* What the primal calls, once. */
#define PRIMAL(CALL)                                                           \
  (Directions.Which ? Directions.Error : (Directions.Error = (CALL)))

/* \p Status, or one of ours if the program wants none. */
static MPI_Status *statusFor(MPI_Status *Status) {
  return Status == StatusIgnore ? &Directions.Status : Status;
}

/* \p Block of the first direction, which the others get copies of. */
static void *forOthers(void *Block, size_t Bytes) {
  if (Block && Directions.Count) {
    Directions.Block = allocate("MPI", Bytes, 1);
    Directions.Bytes = Bytes;
    memcpy(Directions.Block, Block, Bytes);
  }
  return Block;
}

static void *ofFirst(void) {
  if (!Directions.Block)
    return 0;
  void *Copy = allocate("MPI", Directions.Bytes, 1);
  memcpy(Copy, Directions.Block, Directions.Bytes);
  return Copy;
}

#endif
