/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In which order ranks access the memory of windows, where no fence says it
 * (docs/Mpi.md): each rank has a word that counts what happens at its memory,
 * in phases. Who has completed accesses there, before anyone can know of that,
 * enters the next phase, or the same one where accesses commute: reads, sums.
 * The owner enters one of its own at each call of MPI, between which its code
 * reads and writes the memory. In the reverse pass the phases are left in the
 * opposite order. All waits are for what happened later in the first pass, so
 * they end.
 *
 * Beside the word are sums that wait for the owner: reads by other ranks may
 * overlap with reads by its code, but what code adds to shadows is not atomic.
 * The owner adds them to the shadow before it leaves its phases.
 */
#ifndef ADZE_RUNTIME_MPITURNS_H
#define ADZE_RUNTIME_MPITURNS_H

#include "MpiRequests.h"
#include "MpiWindowMemory.h"

#ifdef ADZE_MPI_NUMBERED
#define InfoNull ((MPI_Info)0x1c000000)
enum { LockExclusive = 234, LockShared = 235, NoCheck = 1024 };
#else
extern char ompi_mpi_info_null[] PREDEFINED, ompi_mpi_op_no_op[] PREDEFINED,
    ompi_mpi_op_bor[] PREDEFINED;
#define InfoNull ((MPI_Info)ompi_mpi_info_null)
enum { LockExclusive = 1, LockShared = 2, NoCheck = 1 };
#endif
#define OpNothing OPERATION(no_op, 0x5800000e)
#define OpBits OPERATION(bor, 0x58000008)
#define TypeWord HANDLE(uint64_t, 0x4c00083e)

int MPI_Accumulate(const void *, int, MPI_Datatype, int, ptrdiff_t, int,
                   MPI_Datatype, MPI_Op, MPI_Win);
int MPI_Compare_and_swap(const void *, const void *, void *, MPI_Datatype, int,
                         ptrdiff_t, MPI_Win);
int MPI_Fetch_and_op(const void *, void *, MPI_Datatype, int, ptrdiff_t, MPI_Op,
                     MPI_Win);
int MPI_Win_create(void *, ptrdiff_t, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_flush(int, MPI_Win);
int MPI_Win_free(MPI_Win *);
int MPI_Win_lock(int, int, int, MPI_Win);
int MPI_Win_lock_all(int, MPI_Win);
int MPI_Win_sync(MPI_Win);
int MPI_Win_unlock(int, MPI_Win);
int MPI_Win_unlock_all(MPI_Win);
int usleep(unsigned);

enum Phase { OfNobody, OfReads, OfSums, OfOthers, OfOwner };

/* What is beside the opposite window; of each rank, at these places:
 *   0                its word
 *   PagesAt          for each page which kinds of sums wait there: bits
 *   placeOfSums()    those of each kind, as far apart as in the window */
struct Turns {
  MPI_Win Win; // always locked by all, shared
  char *Block;
  char *Shadow; // of this rank, from a multiple of 16; null if it has none
  size_t Size;  // bytes behind that
  MPI_Comm Comm;
  int Rank;
};

enum { PagesAt = 64, PageSize = 512 };

static size_t roundedUp(size_t Size) { return (Size + 63) / 64 * 64; }
static size_t pagesIn(size_t Size) { return (Size + PageSize - 1) / PageSize; }

/* \p Size: that of the memory of the rank. */
static size_t placeOfSums(size_t Size, enum Kind K) {
  return PagesAt + roundedUp(pagesIn(Size)) +
         (size_t)(K - Float) * roundedUp(Size);
}

/* \p Comm is the window's own. */
static void beginTurns(struct Turns *T, MPI_Comm Comm, char *Shadow,
                       size_t Size) {
  const size_t Bytes = Shadow ? placeOfSums(Size, Packed) : PagesAt;
  T->Block = allocate("MPI_Win_create", 1, Bytes);
  T->Shadow = Shadow;
  T->Size = Size;
  T->Comm = Comm;
  MPI_Comm_rank(Comm, &T->Rank);
  MPI_Win_create(T->Block, (ptrdiff_t)Bytes, 1, InfoNull, Comm, &T->Win);
  MPI_Win_lock_all(NoCheck, T->Win);
}

static void endTurns(struct Turns *T) {
  MPI_Win_unlock_all(T->Win);
  MPI_Win_free(&T->Win);
  free(T->Block);
}

/* ---- Words ------------------------------------------------------------------
 */

static uint64_t wordOf(uint64_t Number, enum Phase P) {
  return Number << 24 | 1 << 3 | P;
}
static uint64_t numberOf(uint64_t Word) { return Word >> 24; }
enum { OneMember = 1 << 3, MaxMembers = (1 << 21) - 1 };
static _Bool isFull(uint64_t Word) {
  return (Word >> 3 & MaxMembers) == MaxMembers;
}

static uint64_t wordAt(const struct Turns *T, int Rank) {
  uint64_t Word = 0;
  MPI_Fetch_and_op(&Word, &Word, TypeWord, Rank, 0, OpNothing, T->Win);
  MPI_Win_flush(Rank, T->Win);
  return Word;
}

/* \p New takes the place of \p *Old, or what is there becomes \p *Old. */
static _Bool swapWord(const struct Turns *T, int Rank, uint64_t *Old,
                      uint64_t New) {
  uint64_t Found = 0;
  MPI_Compare_and_swap(&New, Old, &Found, TypeWord, Rank, 0, T->Win);
  MPI_Win_flush(Rank, T->Win);
  const _Bool IsDone = Found == *Old;
  *Old = Found;
  return IsDone;
}

/* A phase that this rank has entered at \p Rank. */
struct Turn {
  uint64_t Word;   // behind that
  uint64_t Before; // the word that it has replaced; Word for a member
};

static struct Turn takeTurn(const struct Turns *T, int Rank, enum Phase P) {
  uint64_t Old = wordAt(T, Rank);
  for (;;) {
    const _Bool Joins =
        (Old & 7) == P && (P == OfReads || P == OfSums) && !isFull(Old);
    const uint64_t New = Joins ? Old + OneMember : wordOf(numberOf(Old) + 1, P);
    const uint64_t Before = Joins ? New : Old;
    if (swapWord(T, Rank, &Old, New))
      return (struct Turn){New, Before};
  }
}

static _Bool isMember(const struct Turn *Turn) {
  return Turn->Word == Turn->Before;
}

/* That of this rank, without a message. */
static uint64_t ownWord(const struct Turns *T) {
  MPI_Win_sync(T->Win);
  return *(const volatile uint64_t *)T->Block;
}

/* All that came later has been reversed. Who has opened a phase waits for its
 * other members. */
static void awaitTurn(const struct Turns *T, int Rank,
                      const struct Turn *Turn) {
  uint64_t Word = Rank == T->Rank ? ownWord(T) : wordAt(T, Rank);
  unsigned Pause = 1; // microseconds
  while (isMember(Turn) ? numberOf(Word) != numberOf(Turn->Word)
                        : Word != Turn->Word) {
    // Others may need help with what they do to the memory of this rank, and
    // the lock that libraries take for each such question: so ask less often.
    int Flag = 0;
    MPI_Iprobe(AnySource, AnyTag, T->Comm, &Flag, StatusIgnore);
    usleep(Pause);
    Pause = Pause < 512 ? 2 * Pause : Pause;
    Word = Rank == T->Rank ? ownWord(T) : wordAt(T, Rank);
  }
}

static void leaveTurn(const struct Turns *T, int Rank,
                      const struct Turn *Turn) {
  uint64_t Old = Turn->Word;
  for (;;) {
    const uint64_t New = isMember(Turn) ? Old - OneMember : Turn->Before;
    if (swapWord(T, Rank, &Old, New))
      return;
  }
}

/* ---- Sums that wait ---------------------------------------------------------
 */

/* Of the floats of \p Kind from byte \p Begin on, up to \p End. */
static void addWaiting(const struct Turns *T, enum Kind K, size_t Begin,
                       size_t End) {
  char *Sums = T->Block + placeOfSums(T->Size, K);
  const size_t Each = SizeOf[K];
  for (size_t At = Begin; At + Each <= End; At += Each)
    if (at(K, Sums + At, 0) != 0)
      addFloats(K, 1, T->Shadow + At, Sums + At);
  memset(Sums + Begin, 0, End - Begin);
}

/* Nobody else is at the opposite window of this rank meanwhile. */
static void addAllWaiting(const struct Turns *T) {
  unsigned char *Pages = (unsigned char *)T->Block + PagesAt;
  for (size_t P = 0; P < pagesIn(T->Size); ++P) {
    const unsigned char Kinds = Pages[P];
    if (!Kinds)
      continue;
    const size_t Begin = P * PageSize;
    const size_t End = T->Size - Begin < PageSize ? T->Size : Begin + PageSize;
    for (enum Kind K = Float; K <= Long; ++K)
      if (Kinds & 1 << K)
        addWaiting(T, K, Begin, End);
    Pages[P] = 0;
  }
}

static _Bool hasWaiting(const struct Turns *T) {
  const volatile unsigned char *Pages = (unsigned char *)T->Block + PagesAt;
  for (size_t P = 0; P < pagesIn(T->Size); ++P)
    if (Pages[P])
      return 1;
  return 0;
}

/* To the shadow of this rank, which \p Opposite is over. */
static void takeWaiting(const struct Turns *T, MPI_Win Opposite) {
  if (!T->Shadow)
    return;
  MPI_Win_sync(T->Win);
  if (!hasWaiting(T))
    return;
  MPI_Win_lock(LockExclusive, T->Rank, 0, Opposite);
  MPI_Win_sync(T->Win);
  addAllWaiting(T);
  MPI_Win_sync(T->Win);
  MPI_Win_unlock(T->Rank, Opposite);
}

#endif
