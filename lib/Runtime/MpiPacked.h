/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages of MPI_PACKED. The shadow of a packed buffer has the floats of the
 * shadows that were packed, at the same places. Where they lie, only the calls
 * of MPI_Pack and MPI_Unpack know. In the reverse pass the receiver comes
 * first: the reverse of MPI_Unpack notes where it adds to the shadow. So a
 * message of adjoints is made of pairs: a byte, and a mark that says which
 * float begins there, if any. Who gets it adds float by float, wherever they
 * lie, and notes them in turn. The reverse of what wrote the bytes takes the
 * notes away.
 *
 * A tangent travels the same way, without marks.
 */
#ifndef ADZE_RUNTIME_MPIPACKED_H
#define ADZE_RUNTIME_MPIPACKED_H

#include "MpiLayout.h"

/* Floats of a shadow, one after the other. */
struct Noted {
  char *At;
  size_t Count;
  enum Kind Kind;
};

static _Thread_local struct {
  struct Noted *All;
  size_t Count, Room;
} Notes;

static char *endOfNoted(const struct Noted *N) {
  return N->At + N->Count * SizeOf[N->Kind];
}

static void appendNote(const char *Function, struct Noted New) {
  if (!New.Count)
    return;
  if (Notes.Count == Notes.Room) {
    Notes.Room = 2 * Notes.Room + 8;
    struct Noted *More = allocate(Function, Notes.Room, sizeof *More);
    memcpy(More, Notes.All, Notes.Count * sizeof *More);
    free(Notes.All);
    Notes.All = More;
  }
  Notes.All[Notes.Count++] = New;
}

/* The bytes \p Begin to \p End hold floats of \p N or none: never a part of one
 * or one of another kind. */
static void checkNoted(const char *Function, const struct Noted *N,
                       const char *Begin, const char *End, enum Kind Kind) {
  const size_t Size = SizeOf[N->Kind];
  const size_t Before = Begin > N->At ? (size_t)(Begin - N->At) : 0;
  const size_t After = End < endOfNoted(N) ? (size_t)(endOfNoted(N) - End) : 0;
  if (Before % Size || After % Size || (Kind != NoFloats && Kind != N->Kind))
    refuse(Function, "bytes of a packed buffer are unpacked as floats of two "
                     "kinds, or a float in parts");
}

static _Bool overlaps(const struct Noted *N, const char *Begin,
                      const char *End) {
  return N->At < End && Begin < endOfNoted(N);
}

/* The floats of \p N from \p Begin to \p End. */
static struct Noted within(const struct Noted *N, char *Begin, char *End) {
  struct Noted Part = *N;
  if (Part.At < Begin)
    Part.At = Begin;
  if (End > endOfNoted(N))
    End = endOfNoted(N);
  Part.Count = Part.At < End ? (size_t)(End - Part.At) / SizeOf[N->Kind] : 0;
  return Part;
}

/* Nothing is known of the bytes from \p Begin to \p End any more. */
static void forget(const char *Function, char *Begin, char *End) {
  for (size_t I = Notes.Count; I-- > 0;) {
    const struct Noted N = Notes.All[I];
    if (!overlaps(&N, Begin, End))
      continue;
    checkNoted(Function, &N, Begin, End, NoFloats);
    Notes.All[I] = Notes.All[--Notes.Count];
    appendNote(Function, within(&N, N.At, Begin));
    appendNote(Function, within(&N, End, endOfNoted(&N)));
  }
}

/* There are floats at \p New. */
static void noteFloats(const char *Function, struct Noted New) {
  char *const End = endOfNoted(&New);
  for (size_t I = 0; I < Notes.Count; ++I)
    if (overlaps(&Notes.All[I], New.At, End))
      checkNoted(Function, &Notes.All[I], New.At, End, New.Kind);
  forget(Function, New.At, End);
  appendNote(Function, New);
}

/* Adds a float to \p Run, or notes that and begins another. */
static void extendRun(const char *Function, struct Noted *Run, char *At,
                      enum Kind Kind) {
  if (Run->Count && Run->Kind == Kind && endOfNoted(Run) == At) {
    ++Run->Count;
    return;
  }
  if (Run->Count)
    noteFloats(Function, *Run);
  *Run = (struct Noted){At, 1, Kind};
}

static void endRun(const char *Function, const struct Noted *Run) {
  if (Run->Count)
    noteFloats(Function, *Run);
}

/* ---- Pairs of a byte and a mark -------------------------------------------
 */

/* A mark is this and the kind: what does not come from here is recognized. */
enum { Mark = 0xA0, MarkMask = 0xF0 };

static void markNothing(size_t Count, unsigned char *Pairs) {
  for (size_t I = 0; I < Count; ++I)
    Pairs[2 * I + 1] = Mark;
}

static void gatherPairs(const char *Function, size_t Count, char *Bytes,
                        unsigned char *Pairs) {
  for (size_t I = 0; I < Count; ++I)
    Pairs[2 * I] = (unsigned char)Bytes[I];
  markNothing(Count, Pairs);
  for (size_t I = 0; I < Notes.Count; ++I) {
    const struct Noted *N = &Notes.All[I];
    if (!overlaps(N, Bytes, Bytes + Count))
      continue;
    checkNoted(Function, N, Bytes, Bytes + Count, NoFloats);
    const struct Noted Part = within(N, Bytes, Bytes + Count);
    for (size_t J = 0; J < Part.Count; ++J)
      Pairs[2 * ((size_t)(Part.At - Bytes) + J * SizeOf[N->Kind]) + 1] =
          (unsigned char)(Mark | N->Kind);
  }
}

static void checkPairs(const char *Function, size_t Count,
                       const unsigned char *Pairs) {
  for (size_t I = 0; I < Count; ++I)
    if ((Pairs[2 * I + 1] & MarkMask) != Mark)
      refuse(Function,
             "a message that one rank sends or receives as MPI_PACKED "
             "has another type on the other: use MPI_PACKED on both");
}

/* Adds the float of which \p From has the bytes. */
static void addUnaligned(enum Kind K, char *To, const void *From) {
  long double Old, New;
  memcpy(&Old, To, SizeOf[K]);
  memcpy(&New, From, SizeOf[K]);
  addFloats(K, 1, &Old, &New);
  memcpy(To, &Old, SizeOf[K]);
}

static void addPairs(const char *Function, size_t Count, char *Bytes,
                     const unsigned char *Pairs) {
  struct Noted Run = {0, 0, NoFloats};
  checkPairs(Function, Count, Pairs);
  for (size_t I = 0; I < Count; ++I) {
    const enum Kind K = (enum Kind)(Pairs[2 * I + 1] & ~MarkMask & 0xFF);
    if (K == NoFloats)
      continue;
    char Value[sizeof(long double)];
    if (K > Long || I + SizeOf[K] > Count)
      refuse(Function, "a message of MPI_PACKED that ends within a float");
    for (size_t J = 0; J < SizeOf[K]; ++J)
      Value[J] = (char)Pairs[2 * (I + J)];
    addUnaligned(K, Bytes + I, Value);
    extendRun(Function, &Run, Bytes + I, K);
  }
  endRun(Function, &Run);
}

/* Only what MPI_Unpack has added may be there. */
static void clearPacked(const char *Function, size_t Count, char *Bytes) {
  for (size_t I = 0; I < Notes.Count; ++I)
    if (overlaps(&Notes.All[I], Bytes, Bytes + Count)) {
      const struct Noted Part = within(&Notes.All[I], Bytes, Bytes + Count);
      memset(Part.At, 0, Part.Count * SizeOf[Part.Kind]);
    }
  for (size_t I = 0; I < Count; ++I)
    if (Bytes[I])
      refuse(Function, "floats are read from a packed buffer, but not by "
                       "MPI_Unpack");
  forget(Function, Bytes, Bytes + Count);
}

static void movePacked(const char *Function, size_t Count, char *Bytes,
                       unsigned char *Pairs, enum Move How) {
  if (How == Gather) {
    gatherPairs(Function, Count, Bytes, Pairs);
  } else if (How == Add) {
    addPairs(Function, Count, Bytes, Pairs);
  } else if (How == Clear) {
    clearPacked(Function, Count, Bytes);
  } else {
    checkPairs(Function, Count, Pairs);
    for (size_t I = 0; I < Count; ++I)
      Bytes[I] = (char)Pairs[2 * I];
  }
}

#endif
