// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shadows of exceptions that live: a list of the thread, newest first,
// since memory is used again. A node ends with the exception, whose destructor
// it takes the place of.
#include "Runtime.h"

struct Node {
  struct Node *Next;
  char *Thrown;
  uint64_t Bytes;
  char *Shadow; // of all directions
  void (*Destructor)(void *);
  void *Object; // of the unwinder
  bool EndsWithIt;
};

_Thread_local struct Node *adze_exception_list;

__attribute__((noinline)) void adze_exception_set(char *Thrown, uint64_t Bytes,
                                                  char *Shadow,
                                                  bool EndsWithIt) {
  struct Node *New = malloc(sizeof(struct Node));
  New->Next = adze_exception_list;
  New->Thrown = Thrown;
  New->Bytes = Bytes;
  New->Shadow = Shadow;
  New->Destructor = NULL;
  New->Object = NULL;
  New->EndsWithIt = EndsWithIt;
  adze_exception_list = New;
}

static char *load(const char *At) {
  char *Value;
  __builtin_memcpy(&Value, At, sizeof(Value));
  return Value;
}

/// The directions' shadows lie one after the other (exceptions::emitDistance).
static char *shadowIn(const struct Node *N, uint64_t Direction) {
  return N->Shadow + Direction * ((N->Bytes + 15) & ~(uint64_t)15);
}

/// The shadow of \p Caught in \p Direction, which was caught as \p Object: a
/// part of what was thrown, or, of a pointer that was thrown, a part of what it
/// leads to. \p Caught itself if it has none.
__attribute__((noinline)) char *
adze_exception_shadow(void *Object, char *Caught, uint64_t Direction) {
  for (struct Node *N = adze_exception_list; N; N = N->Next) {
    uint64_t Offset = (uint64_t)Caught - (uint64_t)N->Thrown;
    if (Offset < N->Bytes)
      return shadowIn(N, Direction) + Offset;
    if (N->Object != Object || N->Bytes < sizeof(char *))
      continue;
    char *To = load(shadowIn(N, Direction));
    return To ? To + ((uint64_t)Caught - (uint64_t)load(N->Thrown)) : Caught;
  }
  return Caught;
}

/// What leads to the node of \p Thrown; null if there is none.
__attribute__((noinline)) static struct Node **find(char *Thrown) {
  for (struct Node **Link = &adze_exception_list; *Link; Link = &(*Link)->Next)
    if ((*Link)->Thrown == Thrown)
      return Link;
  return NULL;
}

/// Ends the node of \p Thrown. Returns its destructor.
__attribute__((noinline)) static void (*end(char *Thrown))(void *) {
  struct Node **Link = find(Thrown);
  if (!Link)
    return NULL;
  struct Node N = **Link;
  free(*Link);
  *Link = N.Next;
  if (N.EndsWithIt)
    free(N.Shadow);
  return N.Destructor;
}

/// The exception at \p Thrown ends without having been thrown.
__attribute__((noinline)) void adze_exception_drop(char *Thrown) {
  end(Thrown);
}

/// The library calls it in place of the destructor.
__attribute__((noinline)) void adze_exception_destroy(void *Thrown) {
  void (*Destructor)(void *) = end(Thrown);
  if (Destructor)
    Destructor(Thrown);
}

/// The destructor to throw \p Thrown with.
__attribute__((noinline)) void (
    *adze_exception_keep(char *Thrown, void (*Destructor)(void *)))(void *) {
  struct Node **Link = find(Thrown);
  if (!Link)
    return Destructor;
  (*Link)->Destructor = Destructor;
  return adze_exception_destroy;
}

/// From now on \p Thrown is known by the object of the unwinder, too.
__attribute__((noinline)) void adze_exception_bind(char *Thrown, void *Object) {
  struct Node **Link = find(Thrown);
  if (Link)
    (*Link)->Object = Object;
}
