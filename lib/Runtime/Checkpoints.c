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
 * all else in a region.
 */
#include "CheckpointSchedule.h"
#include "Runtime.h"

enum { Finished = 0, RunStep = 1, ReverseStep = 2 };

static const uint64_t Never = UINT64_MAX;

struct Region {
  char *Base, *Shadow;
  uint64_t Bytes;
};

struct Word {
  char **At, **Shadow;
  char *First, *FirstShadow;
};

struct State {
  uint64_t Step;
  char *Bytes;
};

struct Checkpoints {
  struct Region *Regions;
  struct Word *Words;
  uint64_t NumRegions, NumWords;
  uint64_t Bytes; /* of a state */
  /* Limit may be saved at a time, besides the one at the loop's end. Kept: how
   * many have memory. */
  struct State *States;
  uint64_t Limit, Kept, Used;
  uint64_t Budget; /* bytes, from which Limit follows where it is 0 */
  uint64_t Count;  /* steps; Never if not known beforehand */
  uint64_t Spacing;
  uint64_t Here; /* steps that lead to what is in memory */
  uint64_t Next; /* where the next state is to be saved */
  uint64_t Left; /* steps to be reversed */
  bool Begun, Turned, InMemory;
  char *Last; /* the state at the loop's end */
};

static void *allocate(uint64_t Bytes) {
  void *Block = malloc(Bytes ? Bytes : 1);
  if (!Block)
    adze_stop("adze: no memory left for the states of a loop");
  return Block;
}

static void copyBytes(char *To, const char *From, uint64_t Bytes) {
  __builtin_memcpy(To, From, Bytes);
}

/* Room for one more element, where powers of two of them have been made. */
static void *grown(void *Old, uint64_t Count, uint64_t Bytes) {
  if (Count & (Count - 1))
    return Old;
  char *New = allocate((Count ? 2 * Count : 1) * Bytes);
  copyBytes(New, Old, Count * Bytes);
  free(Old);
  return New;
}

/* Of Limit and Budget one is 0. */
struct Checkpoints *adze_checkpoint_begin(uint64_t Limit, uint64_t Budget,
                                          uint64_t Count) {
  struct Checkpoints *C = allocate(sizeof(struct Checkpoints));
  __builtin_memset(C, 0, sizeof(struct Checkpoints));
  C->Limit = Limit;
  C->Budget = Budget;
  C->Count = Count;
  return C;
}

/* These two stand for a copy from operand 1 to operand 0, the same place: data
 * come back to where they were. An outer derivative in forward mode says the
 * same of tangents once more (Rules/States.cpp). */

/* Null stands for no shadow. What is within another region is saved with it. */
void adze_checkpoint_region(char *Base, char *SameBase, uint64_t Bytes,
                            char *Shadow, struct Checkpoints *C) {
  (void)SameBase;
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    const struct Region *R = &C->Regions[I];
    const uint64_t Offset = (uintptr_t)Base - (uintptr_t)R->Base;
    if (Offset <= R->Bytes && Bytes <= R->Bytes - Offset)
      return;
  }
  C->Regions = grown(C->Regions, C->NumRegions, sizeof(struct Region));
  struct Region *R = &C->Regions[C->NumRegions++];
  R->Base = Base;
  R->Bytes = Bytes;
  R->Shadow = Shadow;
  C->Bytes += Bytes;
}

/* Pointers with shadows stand in these bytes of the state. */
void adze_checkpoint_words(char **Shadow, char **SameShadow, uint64_t Bytes,
                           char **At, struct Checkpoints *C) {
  (void)SameShadow;
  for (uint64_t I = 0; I < Bytes / sizeof(char *); ++I) {
    C->Words = grown(C->Words, C->NumWords, sizeof(struct Word));
    struct Word *W = &C->Words[C->NumWords++];
    W->At = At + I;
    W->Shadow = Shadow + I;
    W->First = At[I];
    W->FirstShadow = Shadow[I];
  }
}

static void copyOut(const struct Checkpoints *C, char *To) {
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    copyBytes(To, C->Regions[I].Base, C->Regions[I].Bytes);
    To += C->Regions[I].Bytes;
  }
}

static void copyIn(const struct Checkpoints *C, const char *From) {
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    copyBytes(C->Regions[I].Base, From, C->Regions[I].Bytes);
    From += C->Regions[I].Bytes;
  }
}

/* The shadow of the pointer in \p W: that of the region it leads into, or that
 * which stood beside it when the loop began. */
static char *shadowFor(const struct Checkpoints *C, const struct Word *W) {
  char *P = *W->At;
  if (!P)
    return P;
  const struct Region *EndsThere = NULL;
  for (uint64_t I = 0; I < C->NumRegions; ++I) {
    const struct Region *R = &C->Regions[I];
    const uint64_t Offset = (uintptr_t)P - (uintptr_t)R->Base;
    if (!R->Shadow || Offset > R->Bytes)
      continue;
    if (Offset < R->Bytes)
      return R->Shadow + Offset;
    EndsThere = R;
  }
  if (P == W->First)
    return W->FirstShadow;
  for (uint64_t I = 0; I < C->NumWords; ++I)
    if (C->Words[I].First == P)
      return C->Words[I].FirstShadow;
  if (EndsThere)
    return EndsThere->Shadow + EndsThere->Bytes;
  adze_stop("adze: a loop with adze_checkpoint carries a pointer from step to "
            "step that leads out of the memory that is saved; name that memory "
            "in the call: adze_checkpoint(states, pointer, bytes, ...)");
}

static void setShadows(const struct Checkpoints *C) {
  for (uint64_t I = 0; I < C->NumWords; ++I)
    *C->Words[I].Shadow = shadowFor(C, &C->Words[I]);
}

static void save(struct Checkpoints *C) {
  if (C->Used == C->Kept) {
    C->States = grown(C->States, C->Kept, sizeof(struct State));
    C->States[C->Kept++].Bytes = allocate(C->Bytes);
  }
  struct State *S = &C->States[C->Used];
  S->Step = C->Here;
  copyOut(C, S->Bytes);
  ++C->Used;
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
  C->Used = Kept;
  C->Spacing *= 2;
}

static void planNext(struct Checkpoints *C, uint64_t Steps) {
  uint64_t Distance = adze_checkpoint_distance(Steps, C->Limit - C->Used + 1);
  C->Next = Distance < Steps ? C->Here + Distance : Never;
}

static void saveInFirstRun(struct Checkpoints *C) {
  if (C->Count != Never) {
    save(C);
    if (C->Here < C->Count)
      planNext(C, C->Count - C->Here);
    else
      C->Next = Never;
    return;
  }
  if (C->Used == spread(C)) {
    thinOut(C);
    C->Next = C->Used * C->Spacing;
    if (C->Next > C->Here)
      return;
  }
  save(C);
  C->Next = C->Here + C->Spacing;
}

static void begin(struct Checkpoints *C) {
  C->Begun = true;
  C->Spacing = 1;
  if (!C->Limit && C->Budget) {
    uint64_t Whole = C->Budget / (C->Bytes ? C->Bytes : 1);
    if (Whole < 2)
      adze_stop("adze: -adze-checkpoint-memory has no room for two states of a "
                "loop");
    C->Limit = Whole - 1;
  }
  if (!C->Limit)
    adze_stop("adze: adze_checkpoint is called with no room for a state");
}

/* Before each step of the first half. */
void adze_checkpoint_step(struct Checkpoints *C) {
  if (!C->Begun)
    begin(C);
  if (C->Here == C->Next)
    saveInFirstRun(C);
  ++C->Here;
}

/* After the last one. */
void adze_checkpoint_end(struct Checkpoints *C) {
  C->Left = C->Here;
  setShadows(C);
}

static void freeAll(struct Checkpoints *C) {
  for (uint64_t I = 0; I < C->Kept; ++I)
    free(C->States[I].Bytes);
  free(C->States);
  free(C->Last);
  free(C->Regions);
  free(C->Words);
  free(C);
}

/* What the second half does next. When it is finished, memory is what it was
 * when it began. */
int32_t adze_checkpoint_next(struct Checkpoints *C) {
  if (!C->Turned) {
    C->Last = allocate(C->Bytes);
    copyOut(C, C->Last);
    C->Turned = true;
  }
  if (!C->Left) {
    copyIn(C, C->Last);
    setShadows(C);
    freeAll(C);
    return Finished;
  }
  if (!C->InMemory) {
    while (C->States[C->Used - 1].Step >= C->Left)
      --C->Used;
    const struct State *From = &C->States[C->Used - 1];
    copyIn(C, From->Bytes);
    C->Here = From->Step;
    C->InMemory = true;
    planNext(C, C->Left - C->Here);
  }
  if (C->Here + 1 == C->Left) {
    --C->Left;
    C->InMemory = false;
    setShadows(C);
    return ReverseStep;
  }
  if (C->Here == C->Next) {
    save(C);
    planNext(C, C->Left - C->Here);
  }
  ++C->Here;
  return RunStep;
}
