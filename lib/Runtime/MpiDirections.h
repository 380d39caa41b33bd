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

enum { MostDirections = 64, MostBlocks = 4 }; // of enzyme_width, of a call

struct Message;
struct Collective;

/* Of the call that is differentiated: what its first direction leaves. */
static _Thread_local struct {
  int Which, Count; // Count is 0 where there is one
  int Error;        // what the primal's call has returned
  MPI_Status Status;
  int Position;                   // of a packed buffer
  struct Message *Started;        // by the direction before
  struct Collective *StartedCall; // likewise
  void *Kept[MostDirections];     // of each, where the first one tells
  struct {
    void *Begin;
    size_t Bytes;
  } Blocks[MostBlocks]; // of which the others get copies, in this order
  int NumBlocks, NumTaken;
} Directions;

/* MpiThreads.h */
static void endAllSending(void);

/* Direction \p Which of \p Count begins; 0 of 0 behind the last one. */
void adze_mpi_direction(int Which, int Count) {
  Directions.Which = Which;
  Directions.Count = Count;
  Directions.NumTaken = 0;
  if (Count)
    return;
  while (Directions.NumBlocks > 0)
    free(Directions.Blocks[--Directions.NumBlocks].Begin);
  endAllSending();
}

/* What the primal calls, once. */
#define PRIMAL(CALL)                                                           \
  (Directions.Which ? Directions.Error : (Directions.Error = (CALL)))

/* What augmented functions return. */
struct Kept {
  void *Tape;
  int Error;
};

/* Where the first direction does what concerns all of them:
 *   do ... while (nextDirection()); */
static _Bool nextDirection(void) {
  if (Directions.Which + 1 < Directions.Count)
    return ++Directions.Which != 0;
  Directions.Which = 0;
  return 0;
}

/* For this direction. */
static struct Kept keptHere(void) {
  return (struct Kept){Directions.Kept[Directions.Which], Directions.Error};
}

/* \p Status, or one of ours if the program wants none. */
static MPI_Status *statusFor(MPI_Status *Status) {
  return Status == StatusIgnore ? &Directions.Status : Status;
}

static void *copied(const void *Block, size_t Bytes) {
  if (!Block)
    return 0;
  void *Copy = allocate("MPI", Bytes, 1);
  memcpy(Copy, Block, Bytes);
  return Copy;
}

/* \p Block of the first direction, which the others get copies of. */
static void *forOthers(void *Block, size_t Bytes) {
  if (Directions.Count) {
    const int At = Directions.NumBlocks++;
    Directions.Blocks[At].Begin = copied(Block, Bytes);
    Directions.Blocks[At].Bytes = Bytes;
  }
  return Block;
}

/* The next one that the first direction has left; null if there is none. */
static void *ofFirst(void) {
  if (Directions.NumTaken == Directions.NumBlocks)
    return 0;
  const int At = Directions.NumTaken++;
  return copied(Directions.Blocks[At].Begin, Directions.Blocks[At].Bytes);
}

#endif
