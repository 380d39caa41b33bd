// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats that the program keeps at places that only the run knows, as in a
// buffer of bytes: which of their bytes were overwritten with something else
// since? A float that is read as a whole, of which a part was, has no
// derivative. For each byte of such memory there is a mark, and the byte that
// was written then; memory of which nothing was told has none. Who writes
// without telling, or uses the memory for something else later, leaves other
// bytes behind, and marks count no more.
//
// Threads that share no bytes of the program share no marks, so there are no
// locks. Pages of marks are never given back: there are as many as pages of the
// program's memory have held such floats.
#include "Runtime.h"

void *calloc(size_t Count, size_t Bytes);

enum Mark { Untold, FloatBegins, FloatGoesOn, Other };

enum { PageBytes = 16384, Buckets = 8192 };

struct MarkPage {
  uintptr_t Number; // address / PageBytes
  struct MarkPage *Next;
  uint8_t Marks[PageBytes];
  uint8_t Written[PageBytes];
};

/// All files of a program have one.
__attribute__((weak, visibility("hidden"))) struct PlacedFloats {
  bool Used;
  struct MarkPage *Pages[Buckets];
} adze_placed_state = {0};

static struct MarkPage **bucketOf(uintptr_t Number) {
  return &adze_placed_state.Pages[(Number ^ (Number >> 13)) % Buckets];
}

/// The page for \p Address; null if it has no marks.
static struct MarkPage *pageOf(uintptr_t Address) {
  uintptr_t Number = Address / PageBytes;
  struct MarkPage *P = __atomic_load_n(bucketOf(Number), __ATOMIC_ACQUIRE);
  while (P && P->Number != Number)
    P = P->Next;
  return P;
}

RARE static struct MarkPage *newPage(uintptr_t Address) {
  struct MarkPage *Made = calloc(1, sizeof *Made);
  if (!Made)
    adze_stop("adze: no memory left for the marks of floats");
  Made->Number = Address / PageBytes;
  __atomic_store_n(&adze_placed_state.Used, true, __ATOMIC_RELAXED);
  struct MarkPage **First = bucketOf(Made->Number);
  Made->Next = __atomic_load_n(First, __ATOMIC_ACQUIRE);
  for (;;) {
    for (struct MarkPage *P = Made->Next; P; P = P->Next)
      if (P->Number == Made->Number) { // another thread was faster
        free(Made);
        return P;
      }
    if (__atomic_compare_exchange_n(First, &Made->Next, Made, false,
                                    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return Made;
  }
}

static uint8_t markOf(uintptr_t Address) {
  struct MarkPage *P = pageOf(Address);
  return P ? P->Marks[Address % PageBytes] : Untold;
}

static void mark(uintptr_t Address, uint8_t Mark) {
  struct MarkPage *P = pageOf(Address);
  if (!P)
    P = newPage(Address);
  P->Marks[Address % PageBytes] = Mark;
  P->Written[Address % PageBytes] = *(uint8_t *)Address;
}

/// Something else has been written there than a float that is told of.
static void overwrite(uintptr_t Address) {
  if (markOf(Address) != Untold)
    mark(Address, Other);
}

/// \p Byte is the one that was written to \p Address, which has a mark.
static bool isAsWritten(uintptr_t Address, uint8_t Byte) {
  return pageOf(Address)->Written[Address % PageBytes] == Byte;
}

static bool isOfFloat(uint8_t Mark) {
  return Mark == FloatBegins || Mark == FloatGoesOn;
}

static void cut(uintptr_t Address) {
  mark(Address, isAsWritten(Address, *(uint8_t *)Address) ? Other : Untold);
}

/// What is left of floats that reach into these bytes from either side.
static void cutAround(uintptr_t At, uint64_t Size) {
  uint8_t Mark = markOf(At);
  for (uintptr_t Byte = At; Mark == FloatGoesOn && isOfFloat(markOf(Byte - 1));)
    Mark = markOf(--Byte), cut(Byte);
  for (uintptr_t Byte = At + Size; markOf(Byte) == FloatGoesOn; ++Byte)
    cut(Byte);
}

enum { DoubleSize = 8 };
static const uint8_t Double[DoubleSize] = {
    FloatBegins, FloatGoesOn, FloatGoesOn, FloatGoesOn,
    FloatGoesOn, FloatGoesOn, FloatGoesOn, FloatGoesOn};

/// The page with all marks of a double, if there is one; none for other floats.
static struct MarkPage *pageOfDouble(uintptr_t At, uint64_t Size) {
  bool OnPage = Size == DoubleSize && At % PageBytes <= PageBytes - DoubleSize;
  return OnPage ? pageOf(At) : NULL;
}

static bool isDouble(const struct MarkPage *P, uintptr_t At) {
  return __builtin_memcmp(P->Marks + At % PageBytes, Double, DoubleSize) == 0;
}

static void place(uintptr_t At, uint64_t Size) {
  struct MarkPage *P = pageOfDouble(At, Size);
  if (!P || !isDouble(P, At))
    cutAround(At, Size);
  if (P) {
    __builtin_memcpy(P->Marks + At % PageBytes, Double, DoubleSize);
    __builtin_memcpy(P->Written + At % PageBytes, (void *)At, DoubleSize);
    return;
  }
  for (uint64_t I = 0; I < Size; ++I)
    mark(At + I, I ? FloatGoesOn : FloatBegins);
}

/// \p Count floats of \p Size bytes each have been stored.
__attribute__((noinline)) void adze_placed_stored(void *At, uint64_t Size,
                                                  uint64_t Count) {
  for (uint64_t K = 0; K < Count; ++K)
    place((uintptr_t)At + K * Size, Size);
}

/// A float stood there, of which something else has overwritten a part. One of
/// which nobody told is one from now on.
static bool isCut(uintptr_t At, uint64_t Size) {
  bool OfFloat = false, OfOther = false, Told = false, AllTold = true;
  for (uint64_t I = 0; I < Size; ++I) {
    uint8_t Mark = markOf(At + I);
    OfFloat |= isOfFloat(Mark);
    OfOther |= Mark == Other;
    Told |= Mark != Untold;
    AllTold &= Mark != Untold && isAsWritten(At + I, *(uint8_t *)(At + I));
  }
  if (!Told)
    place(At, Size);
  return OfFloat && OfOther && AllTold;
}

/// \p Count floats of \p Size bytes each are read.
__attribute__((noinline)) void adze_placed_loaded(void *From, uint64_t Size,
                                                  uint64_t Count,
                                                  const char *Text) {
  for (uint64_t K = 0; K < Count; ++K) {
    uintptr_t At = (uintptr_t)From + K * Size;
    struct MarkPage *P = pageOfDouble(At, Size);
    if ((!P || !isDouble(P, At)) && isCut(At, Size))
      adze_stop(Text);
  }
}

/// From \p Byte to where its page ends, \p End at most.
static uint64_t onPage(uintptr_t Byte, uintptr_t End) {
  uintptr_t Next = (Byte / PageBytes + 1) * PageBytes;
  return (Next < End ? Next : End) - Byte;
}

static bool anyMarks(uintptr_t At, uint64_t Size) {
  for (uintptr_t Byte = At, End = At + Size; Byte < End;
       Byte += onPage(Byte, End))
    if (pageOf(Byte))
      return true;
  return false;
}

__attribute__((noinline)) static void overwriteAll(uintptr_t At,
                                                   uint64_t Size) {
  for (uintptr_t Byte = At, End = At + Size; Byte < End;) {
    struct MarkPage *P = pageOf(Byte);
    uint64_t Here = onPage(Byte, End), First = Byte % PageBytes;
    for (uint64_t I = First; P && I < First + Here; ++I)
      if (P->Marks[I] != Untold) {
        P->Marks[I] = Other;
        P->Written[I] = *(uint8_t *)(Byte + (I - First));
      }
    Byte += Here;
  }
}

/// What has been written to \p Address since its mark was made.
static void noteChange(uintptr_t Address) {
  if (markOf(Address) != Untold && !isAsWritten(Address, *(uint8_t *)Address))
    mark(Address, Other);
}

__attribute__((noinline)) static void noteText(const uint8_t *At, uint64_t Most,
                                               bool Ends) {
  for (uint64_t I = 0; At && I < Most; ++I) {
    noteChange((uintptr_t)(At + I));
    if (Ends && At[I] == 0)
      return;
  }
}

/// Text has been written, of \p Most bytes at most: what was there and is the
/// same byte now, nothing need have written. \p Ends: a zero is its end.
__attribute__((always_inline)) void adze_placed_text(void *At, uint64_t Most,
                                                     bool Ends) {
  if (__builtin_expect(adze_placed_state.Used, 0))
    noteText(At, Most, Ends);
}

__attribute__((noinline)) static void noteChanges(uintptr_t At, uint64_t Size) {
  for (uint64_t I = 0; I < Size; ++I)
    noteChange(At + I);
}

/// A function has had these \p Size bytes, and may have written numbers there.
__attribute__((always_inline)) void adze_placed_changed(void *At,
                                                        uint64_t Size) {
  if (__builtin_expect(adze_placed_state.Used, 0))
    noteChanges((uintptr_t)At, Size);
}

/// \p Size bytes of anything else have been written.
__attribute__((always_inline)) void adze_placed_written(void *At,
                                                        uint64_t Size) {
  if (__builtin_expect(adze_placed_state.Used, 0))
    overwriteAll((uintptr_t)At, Size);
}

/// Of floats that are not moved as a whole, the part is just other bytes. False
/// if there are none.
static bool cutEnds(uint8_t *Marks, uint64_t Size, uint8_t Behind) {
  bool Any = Marks[0] == FloatGoesOn;
  for (uint64_t I = 0; I < Size && Marks[I] == FloatGoesOn; ++I)
    Marks[I] = Other;
  for (uint64_t I = Size; Behind == FloatGoesOn && I && isOfFloat(Marks[I - 1]);
       --I) {
    Behind = Marks[I - 1];
    Marks[I - 1] = Other;
    Any = true;
  }
  return Any;
}

static bool isFloatSize(uint64_t Size) {
  return Size == sizeof(float) || Size == sizeof(double);
}

/// Blocks that overlap have been moved already, their marks have not. False if
/// there are none, or none that count.
static bool moveMarks(uintptr_t To, uintptr_t From, uint64_t Size) {
  uint8_t *Marks = malloc(Size);
  if (!Marks)
    adze_stop("adze: no memory left for the marks of floats");
  bool Any = false, Count = true;
  for (uint64_t I = 0; I < Size; ++I) {
    Marks[I] = markOf(From + I);
    Any |= Marks[I] != Untold;
    Count &= Marks[I] == Untold || isAsWritten(From + I, *(uint8_t *)(To + I));
  }
  bool Cuts = cutEnds(Marks, Size, markOf(From + Size));
  bool Moves = Any && Count && !(Cuts && isFloatSize(Size));
  if (Moves)
    cutAround(To, Size);
  for (uint64_t I = 0; Moves && I < Size; ++I)
    if (Marks[I] == Untold)
      overwrite(To + I);
    else
      mark(To + I, Marks[I]);
  free(Marks);
  return Moves;
}

/// A block of which nobody told may be a float, if it is as large as one.
__attribute__((noinline)) static void move(uintptr_t To, uintptr_t From,
                                           uint64_t Size) {
  if (To == From || Size == 0 ||
      (anyMarks(From, Size) && moveMarks(To, From, Size)))
    return;
  if (isFloatSize(Size))
    place(To, Size);
  else
    overwriteAll(To, Size);
}

__attribute__((noinline)) static void shift(uintptr_t To, uintptr_t From,
                                            uint64_t Size) {
  if (To != From && Size != 0 &&
      !(anyMarks(From, Size) && moveMarks(To, From, Size)))
    overwriteAll(To, Size);
}

/// \p Size bytes have been copied to a place that is known, so that a float
/// there is none of those that are told of.
__attribute__((always_inline)) void adze_placed_shifted(void *To, void *From,
                                                        uint64_t Size) {
  if (__builtin_expect(adze_placed_state.Used, 0))
    shift((uintptr_t)To, (uintptr_t)From, Size);
}

/// \p Size bytes have been copied.
__attribute__((always_inline)) void adze_placed_moved(void *To, void *From,
                                                      uint64_t Size) {
  if (isFloatSize(Size) || __builtin_expect(adze_placed_state.Used, 0))
    move((uintptr_t)To, (uintptr_t)From, Size);
}
