/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The states of a loop that is reversed step by step (docs/Checkpoints.md). The
 * first half runs the steps and saves states; the second one asks, again and
 * again, what is to be done: run a step, or reverse one. The state that it is
 * to be done from is in memory then.
 *
 * A state is a number of regions of memory. Words of it hold pointers that
 * differ from step to step (arrays that change places): their shadows, which
 * only the derivative of a step moves, are looked up for the state at hand. A
 * pointer that a word began with has the shadow that stood beside it; so has
 * all else in a region. With several directions each has shadows of its own,
 * and is told all regions and words once more: it finds its shadows among
 * those.
 *
 * Where regions do not hold all that steps write, the first run of the steps
 * says what it writes before it does. What is new, an extent, belongs to the
 * state from then on. No step has written there before: to all states saved so
 * far, it is as it was when the loop began, and that is saved once. Memory that
 * a step allocates and gives back is its own. (Emit/TrackedSteps.h)
 */
#include "CheckpointSchedule.h"
#include "StateStorage.h"

enum { Finished = 0, RunStep = 1, ReverseStep = 2 };

static const uint64_t Never = UINT64_MAX;

struct Region {
  char *Base, *Shadow;
  uint64_t Bytes;
  uint64_t Direction; /* 0: saved, for all of them */
};

struct Word {
  char **At, **Shadow;
  char *First, *FirstShadow;
  /* It has led to memory that a step allocated and gave back, so in the first
   * run; Dangling: its latest value there. */
  char *Dangling;
  bool MayDangle;
  bool OneObject; /* It leads to what First leads into, always. */
  uint64_t Direction;
};

struct Extent {
  char *Base;
  uint64_t Bytes;
};

/* A pointer that a step reads, in memory where shadows of pointers are not
 * looked up. */
struct Followed {
  char **At, *Last; /* at the loop's end */
};

struct Checkpoints {
  struct Region *Regions;
  struct Word *Words;
  uint64_t NumRegions, NumWords;
  uint64_t Bytes; /* of the regions */
  /* Found while the steps run first, in this order, with what was there. */
  struct Extent *Extents;
  uint64_t NumExtents;
  char *Original;
  uint64_t ExtentBytes, OriginalCapacity;
  uint64_t Closed; /* so many extents are in a state, and grow no more */
  bool Tracks;
  bool IsCall;                 /* RepeatedCalls.h */
  struct CoveredBytes Covered; /* in the first run */
  uint64_t NumBlocks;          /* that the step has not given back */
  struct Extent *Freed;        /* those that it has */
  uint64_t NumFreed, MostFreed;
  struct Followed *Followed;
  uint64_t NumFollowed;
  struct CoveredBytes FollowedBytes;
  bool HasThreads; /* steps have parallel regions, whose threads say things */
  uint64_t Held;   /* by one of them */
  /* Limit may be saved at a time, besides the one at the loop's end; of these
   * InMemory there. Kept: so many elements of States have been made. */
  struct State *States;
  struct Storage Storage;
  uint64_t Limit, InMemory, OnDisk, Kept, Used;
  uint64_t Budget; /* bytes, from which Limit follows where it is 0 */
  uint64_t Count;  /* steps; Never if not known beforehand */
  uint64_t Spacing;
  uint64_t Here; /* steps that lead to what is in memory */
  uint64_t Next; /* where the next state is to be saved */
  uint64_t Left; /* steps to be reversed */
  bool Begun, Turned, Positioned;
  struct State Last; /* at the loop's end */
};

/* Room for one more element, where powers of two of them have been made. */
static void *grown(void *Old, uint64_t Count, uint64_t Bytes) {
  if (Count & (Count - 1))
    return Old;
  char *New = allocate((Count ? 2 * Count : 1) * Bytes);
  copyBytes(New, Old, Count * Bytes);
  free(Old);
  return New;
}

_Noreturn static void stopStep(const struct Checkpoints *C, const char *Why) {
  adze_stop(C->IsCall ? "adze: a function with registered derivatives that "
                        "writes memory keeps or frees blocks, or catches an "
                        "exception, and several directions (enzyme_width) "
                        "would call it several times: call the marker once for "
                        "each direction"
                      : Why);
}

static void stopAtBlocks(const struct Checkpoints *C) {
  if (C->NumBlocks)
    stopStep(C, "adze: a step of a loop with adze_checkpoint allocates memory "
                "that it does not give back; allocate it before the loop");
}

/* \p States: how many are saved in memory; if it is negative, how many bytes
 * they may take; if it is 0, \p Budget says that. \p OnDisk: how many more. */
struct Checkpoints *adze_checkpoint_begin(int64_t States, uint64_t OnDisk,
                                          uint64_t Budget, uint64_t Count) {
  struct Checkpoints *C = allocate(sizeof(struct Checkpoints));
  __builtin_memset(C, 0, sizeof(struct Checkpoints));
  C->Storage.File = -1;
  if (States > 0) {
    C->InMemory = (uint64_t)States;
    C->Limit = C->InMemory + OnDisk;
  } else {
    C->Budget = States ? -(uint64_t)States : Budget;
  }
  C->OnDisk = OnDisk;
  C->Count = Count;
  return C;
}

/* These two stand for a copy from operand 1 to operand 0, the same place: data
 * come back to where they were. An outer derivative in forward mode says the
 * same of tangents once more (Rules/States.cpp). */

/* Null stands for no shadow. What is within another region is saved with it. */
void adze_checkpoint_region(char *Base, char *SameBase, uint64_t Bytes,
                            char *Shadow, struct Checkpoints *C,
                            uint64_t Direction) {
  (void)SameBase;
  const uint64_t Apart =
      Base < Shadow ? (uint64_t)(Shadow - Base) : (uint64_t)(Base - Shadow);
  if (Shadow && Shadow != Base && Apart < Bytes)
    adze_stop("adze: a loop with adze_checkpoint saves memory in which the "
              "shadow lies; give the shadow memory of its own, or name no "
              "bytes");
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    const struct Region *R = &C->Regions[I];
    const uint64_t Offset = (uintptr_t)Base - (uintptr_t)R->Base;
    if (R->Direction == Direction && Offset <= R->Bytes &&
        Bytes <= R->Bytes - Offset)
      return;
  }
  C->Regions = grown(C->Regions, C->NumRegions, sizeof(struct Region));
  struct Region *R = &C->Regions[C->NumRegions++];
  R->Base = Base;
  R->Bytes = Bytes;
  R->Shadow = Shadow;
  R->Direction = Direction;
  if (Direction == 0)
    C->Bytes += Bytes;
}

/* Pointers with shadows stand in these bytes of the state. */
void adze_checkpoint_words(char **Shadow, char **SameShadow, uint64_t Bytes,
                           char **At, struct Checkpoints *C,
                           uint64_t Direction) {
  (void)SameShadow;
  for (uint64_t I = 0; I < Bytes / sizeof(char *); ++I) {
    C->Words = grown(C->Words, C->NumWords, sizeof(struct Word));
    struct Word *W = &C->Words[C->NumWords++];
    W->At = At + I;
    W->Shadow = Shadow + I;
    W->First = At[I];
    W->FirstShadow = Shadow[I];
    W->Dangling = NULL;
    W->MayDangle = false;
    W->OneObject = false;
    W->Direction = Direction;
  }
}

void adze_checkpoint_one_object(char **Shadow, char **SameShadow,
                                uint64_t Bytes, char **At,
                                struct Checkpoints *C, uint64_t Direction) {
  adze_checkpoint_words(Shadow, SameShadow, Bytes, At, C, Direction);
  C->Words[C->NumWords - 1].OneObject = true;
}

/* Of a state that holds the first \p Extents of them. */
static uint64_t bytesOf(const struct Checkpoints *C, uint64_t Extents) {
  uint64_t Bytes = C->Bytes;
  for (uint64_t I = 0; I < Extents; ++I)
    Bytes += C->Extents[I].Bytes;
  return Bytes;
}

static void copyOut(const struct Checkpoints *C, char *To, uint64_t Extents) {
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    if (C->Regions[I].Direction)
      continue;
    copyBytes(To, C->Regions[I].Base, C->Regions[I].Bytes);
    To += C->Regions[I].Bytes;
  }
  for (uint64_t I = 0; I < Extents; ++I) {
    copyBytes(To, C->Extents[I].Base, C->Extents[I].Bytes);
    To += C->Extents[I].Bytes;
  }
}

static void copyIn(const struct Checkpoints *C, const char *From,
                   uint64_t Extents) {
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    if (C->Regions[I].Direction)
      continue;
    copyBytes(C->Regions[I].Base, From, C->Regions[I].Bytes);
    From += C->Regions[I].Bytes;
  }
  const char *Original = C->Original;
  for (uint64_t I = 0; I < C->NumExtents; ++I) {
    const uint64_t Bytes = C->Extents[I].Bytes;
    copyBytes(C->Extents[I].Base, I < Extents ? From : Original, Bytes);
    if (I < Extents)
      From += Bytes;
    Original += Bytes;
  }
}

/* The shadow of the pointer in \p W: that of the region it leads into, or that
 * which stood beside it when the loop began. False if it is not known. */
static bool findShadow(const struct Checkpoints *C, const struct Word *W,
                       char **Shadow) {
  char *P = *W->At;
  *Shadow = NULL;
  if (!P)
    return true;
  if (W->OneObject) {
    *Shadow = W->FirstShadow + ((uintptr_t)P - (uintptr_t)W->First);
    return true;
  }
  const struct Region *EndsThere = NULL;
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    const struct Region *R = &C->Regions[I];
    const uint64_t Offset = (uintptr_t)P - (uintptr_t)R->Base;
    if (R->Direction != W->Direction || !R->Shadow || Offset > R->Bytes)
      continue;
    if (Offset < R->Bytes) {
      *Shadow = R->Shadow + Offset;
      return true;
    }
    EndsThere = R;
  }
  const struct Word *Same = P == W->First ? W : NULL;
  /* A pointer that nobody follows where it stands is its own shadow there. */
  for (uint64_t I = 0;
       I < C->NumWords && (!Same || (Same != W && Same->FirstShadow == P)); ++I)
    if (C->Words[I].First == P && C->Words[I].Direction == W->Direction)
      Same = &C->Words[I];
  if (Same)
    *Shadow = Same->FirstShadow;
  else if (EndsThere)
    *Shadow = EndsThere->Shadow + EndsThere->Bytes;
  return Same || EndsThere;
}

_Noreturn static void stopAtPointer(void) {
  adze_stop("adze: a loop with adze_checkpoint carries a pointer from step to "
            "step that leads out of the memory that is saved; name that memory "
            "in the call: adze_checkpoint(states, pointer, bytes, ...)");
}

/* What leads to memory that is gone is not followed: it has no shadow. */
static void setShadows(const struct Checkpoints *C) {
  for (uint64_t I = 0; I < C->NumWords; ++I)
    if (!findShadow(C, &C->Words[I], C->Words[I].Shadow) &&
        !C->Words[I].MayDangle)
      stopAtPointer();
}

/* Looks for such pointers after a step. */
static void findDangling(struct Checkpoints *C) {
  for (uint64_t I = 0; I < C->NumWords; ++I) {
    struct Word *W = &C->Words[I];
    char *P = *W->At, *Shadow;
    if (findShadow(C, W, &Shadow) || (W->MayDangle && P == W->Dangling))
      continue;
    uint64_t F = 0;
    while (F < C->NumFreed &&
           (uintptr_t)P - (uintptr_t)C->Freed[F].Base > C->Freed[F].Bytes)
      ++F;
    if (F == C->NumFreed)
      stopAtPointer();
    W->MayDangle = true;
    W->Dangling = P;
  }
  C->NumFreed = 0;
}

/* There is room for one more in memory. */
static void makeRoom(struct Checkpoints *C) {
  for (uint64_t I = 0; C->Storage.InMemory >= C->InMemory; ++I)
    if (C->States[I].InMemory)
      toFile(&C->Storage, &C->States[I]);
}

static void save(struct Checkpoints *C) {
  if (C->Used == C->Kept) {
    C->States = grown(C->States, C->Kept, sizeof(struct State));
    __builtin_memset(&C->States[C->Kept++], 0, sizeof(struct State));
  }
  makeRoom(C);
  struct State *S = &C->States[C->Used++];
  S->Step = C->Here;
  S->Extents = C->Closed = C->NumExtents;
  S->Bytes = C->Bytes + C->ExtentBytes;
  S->InFile = false;
  S->InMemory = takeBuffer(&C->Storage, S->Bytes);
  ++C->Storage.InMemory;
  copyOut(C, bytesIn(S->InMemory), S->Extents);
}

static void drop(struct Checkpoints *C) {
  giveBuffer(&C->Storage, &C->States[--C->Used]);
}

/* How many states an unknown number of steps is covered with: a third of the
 * room is left for the steps between two of them. */
static uint64_t spread(const struct Checkpoints *C) {
  return C->Limit < 3 ? 1 : C->Limit - C->Limit / 3;
}

/* Where too many states lie too near to each other, every second one goes. */
static void thinOut(struct Checkpoints *C) {
  uint64_t Kept = 0;
  for (uint64_t I = 0; I < C->Used; I += 2, ++Kept) {
    struct State S = C->States[Kept];
    C->States[Kept] = C->States[I];
    C->States[I] = S;
  }
  while (C->Used > Kept)
    drop(C);
  C->Spacing *= 2;
}

/* The next state behind the one of step \p From, if \p Steps follow it. */
static void planFrom(struct Checkpoints *C, uint64_t From, uint64_t Steps) {
  uint64_t Distance = adze_checkpoint_distance(Steps, C->Limit - C->Used + 1);
  C->Next = Distance < Steps ? From + Distance : Never;
}

/* How many states a budget has room for: what the extents are is found out as
 * the steps run, in the first one as a rule. */
static void limitByBudget(struct Checkpoints *C) {
  const uint64_t Bytes = C->Bytes + C->ExtentBytes;
  const uint64_t Whole = C->Budget / (Bytes ? Bytes : 1);
  if (Whole < 2)
    adze_stop("adze: the memory that is given for the states of a loop with "
              "adze_checkpoint has no room for two of them");
  C->InMemory = Whole - 1;
  C->Limit = C->InMemory + C->OnDisk;
  while (C->Used > C->Limit)
    thinOut(C);
}

static void saveInFirstRun(struct Checkpoints *C) {
  if (C->Budget) {
    limitByBudget(C);
    if (C->Here == 0 && C->Tracks) {
      save(C);
      C->Next = 1;
      return;
    }
    if (C->Here == 1 && C->Tracks && C->Count != Never) {
      planFrom(C, 0, C->Count);
      if (C->Next != 1)
        return;
    }
  }
  if (C->Count != Never) {
    if (C->Used < C->Limit)
      save(C);
    if (C->Here < C->Count)
      planFrom(C, C->Here, C->Count - C->Here);
    else
      C->Next = Never;
    return;
  }
  if (C->Used >= spread(C)) {
    thinOut(C);
    C->Next = C->Used * C->Spacing;
    if (C->Next > C->Here)
      return;
  }
  if (C->Used < C->Limit)
    save(C);
  C->Next = C->Here + C->Spacing;
}

static void begin(struct Checkpoints *C) {
  C->Begun = true;
  C->Spacing = 1;
  if (!C->Limit && !C->Budget)
    adze_stop("adze: adze_checkpoint is called with no room for a state");
  for (uint64_t I = 0; I < C->NumRegions && C->Tracks; ++I)
    setBytes(&C->Covered, C->Regions[I].Base, C->Regions[I].Bytes, true);
}

/* The first run has come to the end of a step. */
static void endStep(struct Checkpoints *C) {
  if (C->Tracks && C->Here)
    findDangling(C);
  stopAtBlocks(C);
}

/* Before each step of the first half. */
void adze_checkpoint_step(struct Checkpoints *C) {
  if (!C->Begun)
    begin(C);
  endStep(C);
  if (C->Here == C->Next)
    saveInFirstRun(C);
  ++C->Here;
}

/* After the last one. */
void adze_checkpoint_end(struct Checkpoints *C) {
  endStep(C);
  freeSet(&C->Covered);
  freeSet(&C->FollowedBytes);
  free(C->Freed);
  for (uint64_t I = 0; I < C->NumFollowed; ++I)
    C->Followed[I].Last = *C->Followed[I].At;
  C->Left = C->Here;
  setShadows(C);
}

static void freeAll(struct Checkpoints *C) {
  while (C->Used)
    drop(C);
  giveBuffer(&C->Storage, &C->Last);
  freeStorage(&C->Storage);
  free(C->States);
  free(C->Extents);
  free(C->Original);
  free(C->Followed);
  free(C->Regions);
  free(C->Words);
  free(C);
}

_Noreturn static void stopAtChange(void) {
  adze_stop(
      "adze: a loop with adze_checkpoint reads a pointer that the program "
      "changes after the loop; name the memory it stands in in the call: "
      "adze_checkpoint(states, pointer, bytes, ...)");
}

/* The last state that was saved comes back. */
static void restore(struct Checkpoints *C) {
  struct State *From = &C->States[C->Used - 1];
  if (!From->InMemory) {
    makeRoom(C);
    fromFile(&C->Storage, From);
  }
  copyIn(C, bytesIn(From->InMemory), From->Extents);
  C->Here = From->Step;
}

/* What the second half does next. When it is finished, memory is what it was
 * when it began. */
int32_t adze_checkpoint_next(struct Checkpoints *C) {
  if (!C->Turned) {
    C->Last.Extents = C->NumExtents;
    C->Last.InMemory = takeBuffer(&C->Storage, bytesOf(C, C->NumExtents));
    ++C->InMemory; /* beside the others */
    ++C->Storage.InMemory;
    copyOut(C, bytesIn(C->Last.InMemory), C->NumExtents);
    C->Turned = true;
    for (uint64_t I = 0; I < C->NumFollowed; ++I)
      if (*C->Followed[I].At != C->Followed[I].Last)
        stopAtChange();
  }
  if (!C->Left) {
    copyIn(C, bytesIn(C->Last.InMemory), C->NumExtents);
    setShadows(C);
    freeAll(C);
    return Finished;
  }
  if (!C->Positioned) {
    while (C->States[C->Used - 1].Step >= C->Left)
      drop(C);
    restore(C);
    C->Positioned = true;
    planFrom(C, C->Here, C->Left - C->Here);
  }
  if (C->Here + 1 == C->Left) {
    --C->Left;
    C->Positioned = false;
    setShadows(C);
    return ReverseStep;
  }
  if (C->Here == C->Next) {
    save(C);
    planFrom(C, C->Here, C->Left - C->Here);
  }
  ++C->Here;
  return RunStep;
}

#include "StepWrites.h" // what follows uses it

#include "RepeatedCalls.h"
