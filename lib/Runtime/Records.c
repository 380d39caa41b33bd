// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of forward mode in two steps (Recording.h): values one behind the
// other, in chunks of which each is larger than the one before, and blocks that
// stand for the primal's variables. A replay goes to the next chunk where the
// record did: it asks for as many bytes each time.
#include "Runtime.h"

struct Chunk {
  struct Chunk *Next;
  char *Limit;
};

struct OwnedBlock {
  struct OwnedBlock *Next;
};

struct Record {
  char *Next;  // to be written or read
  char *Limit; // of the chunk
  struct Chunk *Current, *First;
  char *Last; // behind what was recorded
  struct OwnedBlock *Owned;
};

static const char NoMemory[] =
    "adze: out of memory for the record of __enzyme_augmentfwd";
static const char OtherWay[] =
    "adze: __enzyme_fwdsplit went another way than __enzyme_augmentfwd: its "
    "arguments by value are others";

static char *begin(struct Record *R, struct Chunk *Here) {
  R->Current = Here;
  R->Limit = Here->Limit;
  return (char *)(Here + 1);
}

RARE char *adze_record_grow(struct Record *R, size_t Bytes) {
  struct Chunk *Before = R->Current;
  size_t Size = 256;
  if (Before)
    Size = 2 * (size_t)(Before->Limit - (char *)(Before + 1));
  if (Size < Bytes)
    Size = Bytes;
  struct Chunk *New = malloc(sizeof(struct Chunk) + Size);
  if (!New)
    adze_stop(NoMemory);
  New->Next = 0;
  New->Limit = (char *)(New + 1) + Size;
  if (Before)
    Before->Next = New;
  else
    R->First = New;
  return begin(R, New);
}

RARE char *adze_record_turn(struct Record *R) {
  struct Chunk *Here = R->Current ? R->Current->Next : R->First;
  if (!Here)
    adze_stop(OtherWay);
  return begin(R, Here);
}

/// Where to write the next \p Bytes, of which \p Next is the place if there is
/// room for them.
PART char *adze_record_put(struct Record *R, char *Next, size_t Bytes) {
  if (__builtin_expect((size_t)(R->Limit - Next) >= Bytes, 1))
    return Next;
  return adze_record_grow(R, Bytes);
}

/// Where to read them.
PART char *adze_record_get(struct Record *R, char *Next, size_t Bytes) {
  if (__builtin_expect((size_t)(R->Limit - Next) >= Bytes, 1))
    return Next;
  return adze_record_turn(R);
}

/// Memory for a variable of the primal.
void *adze_record_block(struct Record *R, size_t Bytes, size_t Alignment) {
  struct OwnedBlock *Block =
      malloc(sizeof(struct OwnedBlock) + Alignment + Bytes);
  if (!Block)
    adze_stop(NoMemory);
  Block->Next = R->Owned;
  R->Owned = Block;
  char *Behind = (char *)(Block + 1);
  return Behind + (-(uintptr_t)Behind & (Alignment - 1));
}

/// Before the primal runs.
void adze_record_begin(struct Record *R) {
  R->Next = R->Limit = R->Last = 0;
  R->Current = R->First = 0;
  R->Owned = 0;
}
/// Behind it.
void adze_record_finish(struct Record *R) { R->Last = R->Next; }

/// Before a replay, and behind it.
void adze_record_rewind(struct Record *R) {
  R->Next = R->Limit = 0;
  R->Current = 0;
}
void adze_record_check(struct Record *R) {
  if (R->Next != R->Last)
    adze_stop(OtherWay);
}

void adze_record_end(struct Record *R) {
  while (R->First) {
    struct Chunk *Chunk = R->First;
    R->First = Chunk->Next;
    free(Chunk);
  }
  while (R->Owned) {
    struct OwnedBlock *Block = R->Owned;
    R->Owned = Block->Next;
    free(Block);
  }
}
