/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where the bytes of saved states are: in memory, at most so many, and of more
 * states the earlier ones in a file, which has no name.
 */
#ifndef ADZE_RUNTIME_STATESTORAGE_H
#define ADZE_RUNTIME_STATESTORAGE_H

#include "CoveredBytes.h"

char *getenv(const char *Name);
int mkstemp(char *Template);
int unlink(const char *Path);
int close(int File);
int64_t pwrite(int File, const void *From, size_t Bytes, int64_t At);
int64_t pread(int File, void *To, size_t Bytes, int64_t At);

struct Buffer {
  struct Buffer *Next;
  uint64_t Capacity;
};

struct State {
  uint64_t Step;
  uint64_t Extents; /* how many of them it holds */
  uint64_t Bytes;
  struct Buffer *InMemory; /* or null; then it is in the file */
  uint64_t At, Capacity;   /* its place there; Capacity 0: none */
  bool InFile;
};

struct Storage {
  uint64_t InMemory; /* how many states are there */
  struct Buffer *Spare;
  int File; /* -1: there is none */
  uint64_t End;
};

static void copyBytes(char *To, const char *From, uint64_t Bytes) {
  __builtin_memcpy(To, From, Bytes);
}

static char *bytesIn(struct Buffer *B) { return (char *)(B + 1); }

static struct Buffer *takeBuffer(struct Storage *S, uint64_t Bytes) {
  struct Buffer *B = S->Spare;
  if (B)
    S->Spare = B->Next;
  if (B && B->Capacity >= Bytes)
    return B;
  free(B);
  B = allocate(sizeof(struct Buffer) + Bytes);
  B->Capacity = Bytes;
  return B;
}

static void giveBuffer(struct Storage *S, struct State *Of) {
  if (!Of->InMemory)
    return;
  Of->InMemory->Next = S->Spare;
  S->Spare = Of->InMemory;
  Of->InMemory = NULL;
  --S->InMemory;
}

/* The file is opened when the first state goes there. */
RARE static void openFile(struct Storage *S) {
  static const char Name[] = "/adze-states-XXXXXX";
  const char *Directory = getenv("ADZE_CHECKPOINT_DIRECTORY");
  if (!Directory || !*Directory)
    adze_stop("adze: adze_checkpoint_disk needs a directory for states: set "
              "the environment variable ADZE_CHECKPOINT_DIRECTORY");
  uint64_t Length = __builtin_strlen(Directory);
  char *Path = allocate(Length + sizeof Name);
  copyBytes(Path, Directory, Length);
  copyBytes(Path + Length, Name, sizeof Name);
  S->File = mkstemp(Path);
  if (S->File < 0)
    adze_stop("adze: cannot make a file for the states of a loop in the "
              "directory that ADZE_CHECKPOINT_DIRECTORY names");
  unlink(Path); /* It goes when it is closed, or the program ends. */
  free(Path);
}

/* The most that is written at a time: some systems take no more than 2 GiB. */
enum { MostAtOnce = 1 << 30 };

static void writeState(struct Storage *S, struct State *Of) {
  if (S->File < 0)
    openFile(S);
  if (Of->Capacity < Of->Bytes) {
    Of->At = S->End;
    Of->Capacity = Of->Bytes;
    S->End += Of->Bytes;
  }
  const char *From = bytesIn(Of->InMemory);
  for (uint64_t Done = 0; Done < Of->Bytes;) {
    const uint64_t Rest = Of->Bytes - Done;
    const int64_t Some =
        pwrite(S->File, From + Done, Rest < MostAtOnce ? Rest : MostAtOnce,
               (int64_t)(Of->At + Done));
    if (Some <= 0)
      adze_stop("adze: cannot write a state of a loop to a file in the "
                "directory that ADZE_CHECKPOINT_DIRECTORY names");
    Done += (uint64_t)Some;
  }
  Of->InFile = true;
}

static void toFile(struct Storage *S, struct State *Of) {
  if (!Of->InFile)
    writeState(S, Of);
  giveBuffer(S, Of);
}

static void fromFile(struct Storage *S, struct State *Of) {
  Of->InMemory = takeBuffer(S, Of->Bytes);
  ++S->InMemory;
  char *To = bytesIn(Of->InMemory);
  for (uint64_t Done = 0; Done < Of->Bytes;) {
    const uint64_t Rest = Of->Bytes - Done;
    const int64_t Some =
        pread(S->File, To + Done, Rest < MostAtOnce ? Rest : MostAtOnce,
              (int64_t)(Of->At + Done));
    if (Some <= 0)
      adze_stop("adze: cannot read a state of a loop from its file in the "
                "directory that ADZE_CHECKPOINT_DIRECTORY names");
    Done += (uint64_t)Some;
  }
}

static void freeStorage(struct Storage *S) {
  while (S->Spare) {
    struct Buffer *Old = S->Spare;
    S->Spare = Old->Next;
    free(Old);
  }
  if (S->File >= 0)
    close(S->File);
}

#endif
