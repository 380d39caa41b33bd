/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Attributes of windows, and memory that belongs to a window. MPI_Win_allocate
 * becomes (Known/MpiAllocations.cpp)
 *
 *   MPI_Alloc_mem(size, info, &p), MPI_Win_create(p, ..., &win), owns(p, win)
 *
 * so memory and shadow come as those of any block. MPI_Win_free frees the
 * memory. In reverse mode it puts that off until the reverse of Win_create,
 * behind which nobody needs the block.
 */
#ifndef ADZE_RUNTIME_MPIWINDOWMEMORY_H
#define ADZE_RUNTIME_MPIWINDOWMEMORY_H

#include "MpiRequests.h"

#ifdef ADZE_MPI_NUMBERED
typedef int MPI_Win;
#else
typedef struct ompi_win_t *MPI_Win;
#endif

int MPI_Free_mem(void *);
int MPI_Win_create_keyval(int (*)(MPI_Win, int, void *, void *, void *, int *),
                          int (*)(MPI_Win, int, void *, void *), int *, void *);
int MPI_Win_delete_attr(MPI_Win, int);
int MPI_Win_free_keyval(int *);
int MPI_Win_get_attr(MPI_Win, int, void *, int *);
int MPI_Win_set_attr(MPI_Win, int, void *);

/* ---- Keys of attributes -----------------------------------------------------
 */

enum { MaxWindowKeys = 2 };
static int WindowKeys[MaxWindowKeys], NumWindowKeys;

static int freeWindowKeys(MPI_Comm Comm UNUSED, int Key UNUSED,
                          void *Value UNUSED, void *State UNUSED) {
  while (NumWindowKeys)
    MPI_Win_free_keyval(&WindowKeys[--NumWindowKeys]);
  return 0;
}

static int copyNoAttribute(MPI_Win Win UNUSED, int Key UNUSED,
                           void *Extra UNUSED, void *Value UNUSED,
                           void *Copy UNUSED, int *IsCopied) {
  *IsCopied = 0;
  return 0;
}

/* Until MPI_Finalize, which begins with what is attached to MPI_COMM_SELF. */
static int newWindowKey(int (*Ends)(MPI_Win, int, void *, void *)) {
  int AtEnd = 0;
  if (!NumWindowKeys) {
    MPI_Comm_create_keyval(copyNothing, freeWindowKeys, &AtEnd, 0);
    MPI_Comm_set_attr(CommSelf, AtEnd, 0);
    MPI_Comm_free_keyval(&AtEnd);
  }
  int *New = &WindowKeys[NumWindowKeys++];
  MPI_Win_create_keyval(copyNoAttribute, Ends, New, 0);
  return *New;
}

/* Null if there is none. */
static void *attributeOf(MPI_Win Win, int Key) {
  void *Value = 0;
  int IsKnown = 0;
  MPI_Win_get_attr(Win, Key, &Value, &IsKnown);
  return IsKnown ? Value : 0;
}

/* ---- Memory -----------------------------------------------------------------
 */

/* An attribute of the window that owns it. */
struct OwnMemory {
  void *Block;
  _Bool IsPutOff; // the window does not free it
};

static int endOwner(MPI_Win Win UNUSED, int Key UNUSED, void *Value,
                    void *Extra UNUSED) {
  struct OwnMemory *Memory = Value;
  if (Memory->IsPutOff)
    return 0;
  MPI_Free_mem(Memory->Block);
  free(Memory);
  return 0;
}

static int keyOfMemory(void) {
  static int Key;
  static _Bool HasKey;
  if (!HasKey)
    Key = newWindowKey(endOwner);
  HasKey = 1;
  return Key;
}

void adze_mpi_window_owns(void *Block, MPI_Win *Win) {
  struct OwnMemory *Memory = allocate("MPI_Win_allocate", 1, sizeof *Memory);
  Memory->Block = Block;
  MPI_Win_set_attr(*Win, keyOfMemory(), Memory);
}

/* Before \p Win is freed. Null if it owns none. What a window has that the
 * function has not made stays until the program ends. */
static struct OwnMemory *putOffMemory(MPI_Win Win) {
  struct OwnMemory *Memory = attributeOf(Win, keyOfMemory());
  if (Memory)
    Memory->IsPutOff = 1;
  return Memory;
}

/* \p Memory: null but in one direction. */
static void endMemory(struct OwnMemory *Memory, void *Shadow) {
  if (Memory)
    MPI_Free_mem(Memory->Block);
  if (Shadow)
    MPI_Free_mem(Shadow);
  free(Memory);
}

#endif
