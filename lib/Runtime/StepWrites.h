/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What steps say of the memory that they access when they run first. Part of
 * Checkpoints.c.
 *
 * Each of these functions stands for copies to the same place, too. Several
 * threads may say things at the same time: a byte is saved when it is said
 * first, and no thread has written it by then, for each says so before it does.
 */
#ifndef ADZE_RUNTIME_STEPWRITES_H
#define ADZE_RUNTIME_STEPWRITES_H

int sched_yield(void);

/* A variable of a function that a step calls. Each thread has a list of its
 * own. */
struct Frame {
  char *Base;
  uint64_t Bytes;
};
static _Thread_local struct Frame *Frames;
static _Thread_local uint64_t NumFrames, MostFrames;

/* Steps have parallel regions. */
void adze_checkpoint_threads(struct Checkpoints *C) { C->HasThreads = true; }

static void hold(struct Checkpoints *C) {
  while (C->HasThreads && __atomic_exchange_n(&C->Held, 1, __ATOMIC_ACQUIRE))
    sched_yield();
}

static void letGo(struct Checkpoints *C) {
  if (C->HasThreads)
    __atomic_store_n(&C->Held, 0, __ATOMIC_RELEASE);
}

static void addExtent(struct Checkpoints *C, char *Base, uint64_t Bytes) {
  if (C->ExtentBytes + Bytes > C->OriginalCapacity) {
    C->OriginalCapacity = 2 * (C->ExtentBytes + Bytes);
    char *New = allocate(C->OriginalCapacity);
    if (C->ExtentBytes)
      copyBytes(New, C->Original, C->ExtentBytes);
    free(C->Original);
    C->Original = New;
  }
  copyBytes(C->Original + C->ExtentBytes, Base, Bytes);
  C->ExtentBytes += Bytes;
  struct Extent *Last =
      C->NumExtents > C->Closed ? &C->Extents[C->NumExtents - 1] : NULL;
  if (Last && Last->Base + Last->Bytes == Base) {
    Last->Bytes += Bytes;
    return;
  }
  C->Extents = grown(C->Extents, C->NumExtents, sizeof(struct Extent));
  C->Extents[C->NumExtents].Base = Base;
  C->Extents[C->NumExtents++].Bytes = Bytes;
}

RARE static void addUncovered(struct Checkpoints *C, char *Base, uint64_t Bytes,
                              struct Page *P) {
  uint64_t At = (uintptr_t)Base % PageBytes;
  const uint64_t First = At, All = Bytes;
  while (Bytes) {
    bool Covered;
    const uint64_t Same = alike(P, At, Bytes, &Covered);
    if (!Covered) {
      addExtent(C, Base, Same);
      P->HasExtents = true;
    }
    Base += Same;
    At += Same;
    Bytes -= Same;
  }
  setInPage(P, First, All, true);
}

/* A step is going to write these bytes, or reads what may be others later. */
void adze_checkpoint_write(char *Base, char *SameBase, uint64_t Bytes,
                           char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Unused;
  hold(C);
  while (Bytes) {
    const uint64_t Here = inFirstPage(Base, Bytes);
    struct Page *P = pageOf(&C->Covered, Base);
    bool Covered = P->Count == PageBytes;
    if (!Covered &&
        (alike(P, (uintptr_t)Base % PageBytes, Here, &Covered) != Here ||
         !Covered))
      addUncovered(C, Base, Here, P);
    Base += Here;
    Bytes -= Here;
  }
  letGo(C);
}

static bool isInRegion(const struct Checkpoints *C, const char *At) {
  for (uint64_t I = 0; I < C->NumRegions; ++I)
    if ((uintptr_t)At - (uintptr_t)C->Regions[I].Base < C->Regions[I].Bytes)
      return true;
  return false;
}

static bool isInExtent(const struct Checkpoints *C, const char *At) {
  for (uint64_t I = 0; I < C->NumExtents; ++I)
    if ((uintptr_t)At - (uintptr_t)C->Extents[I].Base < C->Extents[I].Bytes)
      return true;
  return false;
}

/* Numbers below are no addresses; those from there on are none of programs, and
 * as floating-point numbers all addresses are next to 0. */
static const uint64_t LeastAddress = 4096, EndOfAddresses = (uint64_t)1 << 48;

/* Of the word at \p At the shadow is not in place for each state: it is neither
 * in a region nor in memory of the step. */
static bool isFound(struct Checkpoints *C, const char *At) {
  if (isInRegion(C, At))
    return false;
  const struct Page *P = pageOf(&C->Covered, At);
  return P->HasExtents ? isInExtent(C, At) : !P->Count;
}

/* A step has read a pointer there, and may follow it. */
void adze_checkpoint_follow(char *Base, char *SameBase, uint64_t Bytes,
                            char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Unused;
  hold(C);
  for (char *At = Base; At + sizeof(char *) <= Base + Bytes;
       At += sizeof(char *)) {
    bool Covered;
    alike(pageOf(&C->FollowedBytes, At), (uintptr_t)At % PageBytes, 1,
          &Covered);
    if (Covered || !isFound(C, At))
      continue;
    setBytes(&C->FollowedBytes, At, 1, true);
    C->Followed = grown(C->Followed, C->NumFollowed, sizeof(struct Followed));
    C->Followed[C->NumFollowed++].At = (char **)At;
  }
  letGo(C);
}

/* A step has stored what may hold pointers. Only of regions is known which of
 * them have shadows. */
void adze_checkpoint_pointers(char *Base, char *SameBase, uint64_t Bytes,
                              char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Unused;
  char *End = Base + Bytes;
  hold(C);
  for (char *At = (char *)(((uintptr_t)Base + 7) & ~(uintptr_t)7);
       At + sizeof(uint64_t) <= End; At += sizeof(uint64_t)) {
    uint64_t Word;
    __builtin_memcpy(&Word, At, sizeof Word);
    if (Word < LeastAddress || Word >= EndOfAddresses || !isFound(C, At))
      continue;
    adze_stop("adze: a step of a loop with adze_checkpoint stores a pointer in "
              "memory that is not known before the loop; name that memory in "
              "the call: adze_checkpoint(states, pointer, bytes, ...)");
  }
  letGo(C);
}

/* A function of which the extent is not known writes there. */
void adze_checkpoint_covered(char *Base, char *SameBase, uint64_t Bytes,
                             char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Bytes;
  (void)Unused;
  bool Covered;
  hold(C);
  alike(pageOf(&C->Covered, Base), (uintptr_t)Base % PageBytes, 1, &Covered);
  letGo(C);
  if (!Covered)
    stopStep(C, "adze: a step of a loop with adze_checkpoint calls a library "
                "function that writes to memory that is not named; name it in "
                "the call: adze_checkpoint(states, pointer, bytes, ...)");
}

/* A step has allocated these bytes. */
void adze_checkpoint_own(char *Base, char *SameBase, uint64_t Bytes,
                         char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Unused;
  if (!Base)
    return;
  hold(C);
  addBlock(&C->Covered, Base, Bytes);
  ++C->NumBlocks;
  letGo(C);
}

static void disown(struct Checkpoints *C, char *Base) {
  const uint64_t Size = removeBlock(&C->Covered, Base);
  if (!Size)
    stopStep(C, "adze: a step of a loop with adze_checkpoint gives memory back "
                "that it has not allocated; do that after the loop");
  --C->NumBlocks;
  if (!C->NumWords)
    return;
  if (C->NumFreed == C->MostFreed) {
    C->Freed = grown(C->Freed, C->NumFreed, sizeof(struct Extent));
    C->MostFreed = C->NumFreed ? 2 * C->NumFreed : 1;
  }
  C->Freed[C->NumFreed].Base = Base;
  C->Freed[C->NumFreed++].Bytes = Size - 1;
}

/* It gives the block back. */
void adze_checkpoint_disown(char *Base, char *SameBase, uint64_t Bytes,
                            char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Bytes;
  (void)Unused;
  if (!Base)
    return;
  hold(C);
  disown(C, Base);
  letGo(C);
}

/* Variables that others write to, from where a function begins to its end. */
uint64_t adze_checkpoint_enter(struct Checkpoints *C) {
  (void)C;
  return NumFrames;
}

void adze_checkpoint_frame(char *Base, char *SameBase, uint64_t Bytes,
                           char *Unused, struct Checkpoints *C) {
  (void)SameBase;
  (void)Unused;
  if (NumFrames == MostFrames) {
    Frames = grown(Frames, NumFrames, sizeof(struct Frame));
    MostFrames = NumFrames ? 2 * NumFrames : 1;
  }
  Frames[NumFrames].Base = Base;
  Frames[NumFrames++].Bytes = Bytes;
  hold(C);
  setBytes(&C->Covered, Base, Bytes, true);
  letGo(C);
}

void adze_checkpoint_leave(uint64_t Before, struct Checkpoints *C) {
  hold(C);
  while (NumFrames > Before) {
    const struct Frame *Old = &Frames[--NumFrames];
    setBytes(&C->Covered, Old->Base, Old->Bytes, false);
  }
  letGo(C);
  if (NumFrames)
    return;
  free(Frames);
  Frames = NULL;
  MostFrames = 0;
}

/* A step has caught an exception. */
_Noreturn void adze_checkpoint_caught(struct Checkpoints *C) {
  stopStep(C, "adze: a step of a loop with adze_checkpoint catches an "
              "exception; do that outside of the loop");
}

/* The first run of the steps says what it does. */
void adze_checkpoint_track(struct Checkpoints *C) { C->Tracks = true; }

#endif
