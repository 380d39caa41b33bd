// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ProbeRuntime.c knows of a function, its memory and the numbers there.
#ifndef ADZE_CHECK_PROBESTATE_H
#define ADZE_CHECK_PROBESTATE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int dprintf(int, const char *, ...);
/// Writes the text to file 2 and ends the program (lib/Runtime/Stop.c).
_Noreturn void adze_stop(const char *Text);

//===-- What the compiler knows of a marker -------------------------------===//

enum Kind { SingleKind, DoubleKind, UnknownKind };

/// Numbers of a kind in the bytes [Begin, End) behind a pointer, again after
/// each Period.
struct Layout {
  uint64_t Begin, End, Period, Kind;
};

/// What one pointer leads to.
struct RegionText {
  const char *Name; // "argument 1 ('x')"
  const struct Layout *Layouts;
  uint64_t Count;
  /// Of what a pointer in memory leads to: the region with the pointer, and
  /// where it is there; else -1.
  int64_t Parent;
  uint64_t Offset;
};

struct State;

struct Probe {
  const char *Place; // "f.c:3:4: "
  const char *Function;
  /// Runs f: numbers come from In and go to Out, all else from Frame.
  void (*Run)(struct State *, void *Frame, const double *In, double *Out);
  const struct RegionText *Texts;
  const char *const *ScalarNames; // "argument 2"
  uint64_t Regions, Scalars, Results;
  uint64_t IsForward, IsSingle;
  /// How often the marker was reached; whether something was said.
  uint64_t *Calls, *Told;
};

//===-- State of one check ------------------------------------------------===//

enum Flag {
  Outside = 1,      // f has accessed bytes that were not copied
  Stopped = 2,      // f did not come to its end
  AnotherWay = 4,   // copied bytes were accessed, not through their pointer
  UnknownWrite = 8, // f writes what may be numbers or not
  Rewritten = 16,   // f writes pointers by which it finds memory
};

struct Region {
  char *Base, *Shadow;
  char *Lo, *Hi;         // copied, for runs: none if equal
  char *SeenLo, *SeenHi; // accessed outside of that
  char *ReadLo, *ReadHi; // of it, read
  char *Saved, *Copy;    // what was there, and what runs work on
  int64_t Delta;         // from Lo to Copy
};

/// A number in a region's bytes.
struct Number {
  uint64_t Offset;
  uint32_t Region, Bytes;
};

/// Eight bytes as they were, and which of them f has overwritten since.
struct Word {
  char *At;
  uint64_t Old, Mask;
};

struct State {
  const struct Probe *P;
  void *Frame;
  uint64_t Flags;
  struct Word *Words; // a hash table
  uint64_t Used, Room;
  uint64_t Count; // scalars, results, and numbers in memory
  /// By number: x; direction; weight; y at x, x + hv, x - hv.
  double *X, *V, *W, *Y, *YPlus, *YMinus;
  struct Number *Numbers; // those in memory
  struct Region Regions[];
};

static void *get(uint64_t Bytes) {
  void *Memory = malloc(Bytes ? Bytes : 1);
  if (!Memory)
    adze_stop("adze: out of memory for the check of a derivative");
  return Memory;
}

static uint64_t mix(uint64_t X) {
  X += 0x9e3779b97f4a7c15u;
  X = (X ^ (X >> 30)) * 0xbf58476d1ce4e5b9u;
  X = (X ^ (X >> 27)) * 0x94d049bb133111ebu;
  return X ^ (X >> 31);
}

static double size(double X) { return X < 0 ? -X : X; }
static int isFinite(double X) { return X - X == 0; }
static double larger(double A, double B) { return A > B ? A : B; }

//===-- What f overwrites, and putting it back ----------------------------===//

static struct Word *find(struct State *S, char *At) {
  uint64_t I = mix((uint64_t)At) & (S->Room - 1);
  while (S->Words[I].At && S->Words[I].At != At)
    I = (I + 1) & (S->Room - 1);
  return &S->Words[I];
}

static void grow(struct State *S) {
  struct Word *Old = S->Words;
  uint64_t OldRoom = S->Room;
  S->Room = OldRoom ? 2 * OldRoom : 256;
  S->Words = get(S->Room * sizeof(struct Word));
  memset(S->Words, 0, S->Room * sizeof(struct Word));
  for (uint64_t I = 0; I < OldRoom; ++I)
    if (Old[I].At)
      *find(S, Old[I].At) = Old[I];
  free(Old);
}

static void keep(struct State *S, char *At, uint64_t Bytes) {
  for (char *End = At + Bytes; At < End;) {
    uint64_t In = (uint64_t)At & 7;
    uint64_t Length = 8 - In;
    if (Length > (uint64_t)(End - At))
      Length = End - At;
    if (2 * S->Used >= S->Room)
      grow(S);
    struct Word *W = find(S, At - In);
    if (!W->At) {
      // The rest of an aligned word can always be read.
      W->At = At - In;
      memcpy(&W->Old, W->At, 8);
      ++S->Used;
    }
    char Ones[8];
    memset(Ones, -1, 8);
    memcpy((char *)&W->Mask + In, Ones, Length);
    At += Length;
  }
}

static void putBack(struct State *S) {
  for (uint64_t I = 0; I < S->Room; ++I)
    for (uint64_t K = 0; S->Words[I].At && K < 8; ++K)
      if (((const char *)&S->Words[I].Mask)[K])
        S->Words[I].At[K] = ((const char *)&S->Words[I].Old)[K];
  if (S->Used)
    memset(S->Words, 0, S->Room * sizeof(struct Word));
  S->Used = 0;
}

//===-- Numbers in memory -------------------------------------------------===//

static double load(const char *At, uint32_t Bytes) {
  float Single;
  double Double;
  if (Bytes == 8) {
    memcpy(&Double, At, 8);
    return Double;
  }
  memcpy(&Single, At, 4);
  return Single;
}

static void store(char *At, uint32_t Bytes, double X) {
  float Single = (float)X;
  if (Bytes == 8)
    memcpy(At, &X, 8);
  else
    memcpy(At, &Single, 4);
}

/// A region whose shadow is missing, or itself, has no derivative.
static int isActive(const struct Region *R) {
  return R->Shadow && R->Shadow != R->Base;
}

/// Calls for each number of a layout that lies in the region's bytes; writes
/// them to \p To unless that is null, and returns how many there are.
static uint64_t listKind(const struct Layout *L, const struct Region *R,
                         uint32_t Index, struct Number *To) {
  uint32_t Bytes = L->Kind == SingleKind ? 4 : 8;
  uint64_t From = R->Lo - R->Base, End = R->Hi - R->Base, Count = 0;
  // What lies in front of the first period that reaches into the bytes does
  // not matter.
  uint64_t Start = L->Period > From ? 0 : From / L->Period * L->Period;
  for (; Start < End; Start += L->Period) {
    for (uint64_t At = Start + L->Begin;
         At < End && At + Bytes <= Start + L->End; At += Bytes)
      if (At >= From && At + Bytes <= End) {
        if (To)
          To[Count] = (struct Number){At - From, Index, Bytes};
        ++Count;
      }
    if (L->Period > End)
      break;
  }
  return Count;
}

static uint64_t listNumbers(const struct State *S, struct Number *To) {
  uint64_t Count = 0;
  for (uint64_t I = 0; I < S->P->Regions; ++I) {
    const struct Region *R = &S->Regions[I];
    const struct RegionText *Text = &S->P->Texts[I];
    for (uint64_t K = 0; R->Lo < R->Hi && isActive(R) && K < Text->Count; ++K)
      if (Text->Layouts[K].Kind != UnknownKind)
        Count += listKind(&Text->Layouts[K], R, I, To ? To + Count : 0);
  }
  return Count;
}

/// The first number in memory.
static uint64_t firstNumber(const struct State *S) {
  return S->P->Scalars + S->P->Results;
}

enum Source { FromSaved, FromCopy, FromShadow };

/// Gathers the numbers in memory.
static void gather(const struct State *S, enum Source From, double *To) {
  for (uint64_t N = firstNumber(S); N < S->Count; ++N) {
    const struct Number *M = &S->Numbers[N];
    const struct Region *R = &S->Regions[M->Region];
    const char *Memory = From == FromSaved  ? R->Saved
                         : From == FromCopy ? R->Copy
                                            : R->Shadow + (R->Lo - R->Base);
    To[N] = load(Memory + M->Offset, M->Bytes);
  }
}

static int isUnknown(const struct Probe *P, uint64_t I, uint64_t From,
                     uint64_t To) {
  for (uint64_t K = 0; K < P->Texts[I].Count; ++K) {
    const struct Layout *L = &P->Texts[I].Layouts[K];
    if (L->Kind != UnknownKind)
      continue;
    for (uint64_t At = From; At < To; ++At) {
      uint64_t In = At % L->Period;
      if (In >= L->Begin && In < L->End)
        return 1;
    }
  }
  return 0;
}

#endif
