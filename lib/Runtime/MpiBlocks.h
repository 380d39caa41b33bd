/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A buffer with a block for each rank, as Gatherv or Alltoallv have.
 */
#ifndef ADZE_RUNTIME_MPIBLOCKS_H
#define ADZE_RUNTIME_MPIBLOCKS_H

#include "MpiLayout.h"

struct Blocks {
  int Ranks;
  size_t Total;  // floats
  int *Counts;   // elements of each block ...
  int *Places;   // ... and of the buffer before it
  int *Floats;   // of each block ...
  int *PackedAt; // ... and of all before it
};

/* To be freed as one block. \p Counts and \p Places are copied; if they are
 * null, each block has \p Each elements, and they lie one after the other. */
static struct Blocks *blocksOf(const struct Layout *L, MPI_Comm Comm,
                               const int *Counts, const int *Places, int Each) {
  int Ranks = 0;
  MPI_Comm_size(Comm, &Ranks);
  const size_t N = (size_t)Ranks;
  struct Blocks *B = allocate(L->Function, 1, sizeof *B + 4 * N * sizeof(int));
  B->Ranks = Ranks;
  B->Counts = (int *)(B + 1);
  B->Places = B->Counts + N;
  B->Floats = B->Places + N;
  B->PackedAt = B->Floats + N;
  size_t Before = 0;
  for (size_t I = 0; I < N; ++I) {
    B->Counts[I] = Counts ? Counts[I] : Each;
    B->Places[I] = Places ? Places[I] : (int)Before;
    Before += (size_t)B->Counts[I];
    B->Floats[I] = floatsIn(L, B->Counts[I]);
    B->PackedAt[I] = (int)B->Total;
    B->Total += (size_t)B->Floats[I];
  }
  if (B->Total > INT_MAX || Before > INT_MAX)
    refuse(L->Function, "more than 2147483647 floats in a message");
  return B;
}

static void *blockAt(const struct Layout *L, const struct Blocks *B, int I,
                     const void *Elements) {
  return (char *)Elements + (ptrdiff_t)B->Places[I] * (ptrdiff_t)L->Extent;
}

static void *packedAt(const struct Layout *L, const struct Blocks *B, int I,
                      const void *Floats) {
  return (char *)Floats + (size_t)B->PackedAt[I] * SizeOf[L->Kind];
}

static void *zerosForBlocks(const struct Layout *L, const struct Blocks *B) {
  return zeroFloats(L, B->Total);
}

/* As the functions without Blocks; \p Elements may be null. */
static void *packedBlocks(const struct Layout *L, const struct Blocks *B,
                          const void *Elements) {
  void *Floats = zerosForBlocks(L, B);
  for (int I = 0; Elements && I < B->Ranks; ++I)
    gatherFloats(L, (size_t)B->Counts[I], packedAt(L, B, I, Floats),
                 blockAt(L, B, I, Elements));
  return Floats;
}

static void *takenBlocks(const struct Layout *L, const struct Blocks *B,
                         void *Shadow) {
  void *Floats = packedBlocks(L, B, Shadow);
  for (int I = 0; Shadow && I < B->Ranks; ++I)
    clear(L, (size_t)B->Counts[I], blockAt(L, B, I, Shadow));
  return Floats;
}

static void addBlocks(const struct Layout *L, const struct Blocks *B,
                      void *Shadow, const void *Floats) {
  for (int I = 0; Shadow && I < B->Ranks; ++I)
    addTo(L, (size_t)B->Counts[I], blockAt(L, B, I, Shadow),
          packedAt(L, B, I, Floats));
}

static void setBlocks(const struct Layout *L, const struct Blocks *B,
                      void *Shadow, const void *Floats) {
  for (int I = 0; Shadow && I < B->Ranks; ++I)
    setTo(L, (size_t)B->Counts[I], blockAt(L, B, I, Shadow),
          packedAt(L, B, I, Floats));
}

#endif
