// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shadow blocks that outlive the derivative that made them: those that shadows
// of global variables lead to. What one run left in them, the next one must not
// find: their floats become zero before it begins, as those of shadow globals
// do, and their pointers stay.
//
// A list of the thread tells which blocks derivatives made, and ended; the
// latest word about an address counts. Before a run all that can be reached
// from the shadow globals is cleared, and all other blocks are forgotten: they
// belong to the program, which may end them unseen.
#include "Runtime.h"
#include "adze/AddressRange.h"

typedef void Clearing(void *Block, void *Same, size_t Bytes);

struct Block {
  char *Begin;
  size_t Bytes;    // 0: has ended
  Clearing *Clear; // zeroes the floats; null: nobody knows where they are
  bool Reached;
  size_t Next; // of those that are reached and not yet looked at
};

struct List {
  struct Block *All;
  size_t Count, Room;
  size_t Sorted; // the first ones are, by address, each address once
};

_Thread_local struct List adze_kept;

void adze_kept_scan(void *Shadow, size_t Bytes);
void adze_kept_done(void);

enum { FirstRoom = 64 };
static const size_t None = (size_t)-1;

static void *allocate(size_t Count) {
  void *New = malloc(Count * sizeof(struct Block));
  if (!New)
    adze_stop("adze: no memory for the list of shadow blocks");
  return New;
}

/// Merges the halves of \p From, which are sorted, into \p To. Of equal
/// addresses the one behind is the later one.
static void merge(const struct Block *From, size_t Half, size_t Count,
                  struct Block *To) {
  size_t A = 0, B = Half;
  for (size_t I = 0; I < Count; ++I)
    To[I] = B >= Count || (A < Half && From[A].Begin <= From[B].Begin)
                ? From[A++]
                : From[B++];
}

/// Sorts the list, and drops what is outdated or has ended.
static void sort(void) {
  struct List *L = &adze_kept;
  if (L->Sorted == L->Count)
    return;
  struct Block *From = L->All, *To = allocate(L->Room);
  for (size_t Half = 1; Half < L->Count; Half *= 2) {
    for (size_t I = 0; I < L->Count; I += 2 * Half) {
      size_t Count = L->Count - I < 2 * Half ? L->Count - I : 2 * Half;
      merge(From + I, Half < Count ? Half : Count, Count, To + I);
    }
    struct Block *Other = From;
    From = To;
    To = Other;
  }
  size_t Kept = 0;
  for (size_t I = 0; I < L->Count; ++I)
    if ((I + 1 == L->Count || From[I + 1].Begin != From[I].Begin) &&
        From[I].Bytes)
      From[Kept++] = From[I];
  free(To);
  L->All = From;
  L->Count = L->Sorted = Kept;
}

RARE static void grow(void) {
  struct List *L = &adze_kept;
  sort();
  if (L->Count < L->Room / 2)
    return;
  size_t Room = L->Room ? 2 * L->Room : FirstRoom;
  struct Block *New = allocate(Room);
  for (size_t I = 0; I < L->Count; ++I)
    New[I] = L->All[I];
  free(L->All);
  L->All = New;
  L->Room = Room;
}

/// A derivative made the shadow block \p Begin.
void adze_kept_add(void *Begin, size_t Bytes, Clearing *Clear) {
  struct List *L = &adze_kept;
  if (L->Count == L->Room)
    grow();
  struct Block New = {Begin, Bytes, Clear, false, None};
  L->All[L->Count++] = New;
}

/// The shadow block \p Begin ends, as soon as derivatives end blocks.
void adze_kept_end(void *Begin) {
  if (adze_kept.Count && Begin)
    adze_kept_add(Begin, 0, NULL);
}

/// The list of a thread of a team, or of who has started it.
struct Given {
  struct Given *Next;
  struct List Of;
};

/// The thread begins a list of its own; the one that it had.
struct Given *adze_kept_begin(void) {
  struct Given *Outer = malloc(sizeof(struct Given));
  if (!Outer)
    adze_stop("adze: no memory for the list of shadow blocks");
  const struct List Empty = {NULL, 0, 0, 0};
  Outer->Of = adze_kept;
  adze_kept = Empty;
  return Outer;
}

/// \p Outer is its list again, and the other one goes to those of the team.
void adze_kept_give(struct Given *Outer, struct Given **Team) {
  const struct List Mine = adze_kept;
  adze_kept = Outer->Of;
  Outer->Of = Mine;
  Outer->Next = __atomic_load_n(Team, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(Team, &Outer->Next, Outer, 0,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    ;
}

/// The threads of the team have ended. What one of them has made another one
/// may have ended, so all that was made comes first. (Blocks that reverse mode
/// ends are freed later, so no address has come twice.)
void adze_kept_take(struct Given *Team) {
  for (int Ended = 0; Ended < 2; ++Ended)
    for (const struct Given *G = Team; G; G = G->Next)
      for (size_t I = 0; I < G->Of.Count; ++I) {
        const struct Block *B = &G->Of.All[I];
        if ((B->Bytes == 0) == Ended)
          adze_kept_add(B->Begin, B->Bytes, B->Clear);
      }
  while (Team) {
    struct Given *Next = Team->Next;
    free(Team->Of.All);
    free(Team);
    Team = Next;
  }
}

/// The block that \p Address lies in; null if there is none.
static struct Block *find(const char *Address) {
  struct List *L = &adze_kept;
  size_t Low = 0, High = L->Count;
  while (Low < High) {
    size_t Middle = Low + (High - Low) / 2;
    if (L->All[Middle].Begin <= Address)
      Low = Middle + 1;
    else
      High = Middle;
  }
  struct Block *B = Low ? &L->All[Low - 1] : NULL;
  return B && Address < B->Begin + B->Bytes ? B : NULL;
}

/// Programs that are not position-independent, and programs under valgrind,
/// have their heap below the lowest address that is told from a number.
static bool isAddress(uint64_t Word) {
  return Word - LowestAddress < EndOfAddresses - LowestAddress ||
         (Word && Word < LowestAddress && find((const char *)Word));
}

static void clear(struct Block *B) {
  if (B->Clear) {
    B->Clear(B->Begin, B->Begin, B->Bytes);
    return;
  }
  uint64_t *Words = (uint64_t *)B->Begin;
  for (size_t I = 0; I < B->Bytes / sizeof(uint64_t); ++I)
    if (!isAddress(Words[I]))
      Words[I] = 0;
  for (size_t I = B->Bytes / sizeof(uint64_t) * sizeof(uint64_t); I < B->Bytes;
       ++I)
    B->Begin[I] = 0;
}

/// Adds to the list \p First all that the words of memory lead to.
static size_t reach(void *Memory, size_t Bytes, size_t First) {
  uint64_t *Words = Memory;
  for (size_t I = 0; I < Bytes / sizeof(uint64_t); ++I) {
    struct Block *B = Words[I] ? find((const char *)Words[I]) : NULL;
    if (!B || B->Reached)
      continue;
    B->Reached = true;
    B->Next = First;
    First = (size_t)(B - adze_kept.All);
  }
  return First;
}

/// Clears all blocks that the shadow global at \p Shadow leads to.
void adze_kept_scan(void *Shadow, size_t Bytes) {
  if (!adze_kept.Count)
    return;
  sort();
  size_t First = reach(Shadow, Bytes, None);
  while (First != None) {
    struct Block *B = &adze_kept.All[First];
    First = B->Next;
    clear(B);
    First = reach(B->Begin, B->Bytes, First);
  }
}

/// Forgets what no shadow global leads to.
void adze_kept_done(void) {
  struct List *L = &adze_kept;
  size_t Kept = 0;
  for (size_t I = 0; I < L->Count; ++I)
    if (L->All[I].Reached) {
      L->All[Kept] = L->All[I];
      L->All[Kept++].Reached = false;
    }
  L->Count = L->Sorted = Kept;
}
