// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Deallocations of the primal that reverse mode puts off: a list of the thread,
// newest first. The outermost derivative makes them at its end.
#include "Runtime.h"

_Thread_local struct Deferred *adze_deferred;

/// Calls one of the functions that this module defers (Rules/Ownership.cpp
/// writes it). A call through the pointer could not be differentiated, and
/// derivatives are, by outer markers.
void adze_free_by(void *Block, void (*Deallocator)(void *));

void adze_defer_free(void *Block, void (*Deallocator)(void *)) {
  struct Deferred *New = malloc(sizeof(struct Deferred));
  New->Next = adze_deferred;
  New->Block = Block;
  New->Deallocator = Deallocator;
  adze_deferred = New;
}

/// What a thread of a team has put off is put off by who has started the team:
/// \p List goes to those of all threads, \p Team.
void adze_deferred_give(struct Deferred *List, struct Deferred **Team) {
  if (!List)
    return;
  struct Deferred *Last = List;
  while (Last->Next)
    Last = Last->Next;
  struct Deferred *Others = __atomic_load_n(Team, __ATOMIC_RELAXED);
  do
    Last->Next = Others;
  while (!__atomic_compare_exchange_n(Team, &Others, List, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED));
}

/// The threads of the team have ended.
void adze_deferred_take(struct Deferred *Team) {
  if (!Team)
    return;
  struct Deferred *Last = Team;
  while (Last->Next)
    Last = Last->Next;
  Last->Next = adze_deferred;
  adze_deferred = Team;
}

/// Empties the list down to \p Mark. The mark is gone if an exception left a
/// first half that had begun a list of its own.
void adze_free_deferred(struct Deferred *Mark) {
  while (adze_deferred != Mark && adze_deferred) {
    struct Deferred *First = adze_deferred;
    adze_deferred = First->Next;
    adze_free_by(First->Block, First->Deallocator);
    free(First);
  }
}
