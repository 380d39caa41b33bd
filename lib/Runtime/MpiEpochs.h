/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What completes accesses to windows without a fence, and where their adjoints
 * happen:
 *
 *   Win_unlock, Win_flush and their kind   at once, in turn (MpiTurns.h)
 *   Win_complete                           when all ranks of the group have
 *                                          reversed Win_wait, which then wait
 *                                          in Win_post
 *
 * A rank that accesses memory holds a shared lock of the opposite window there.
 * The owner holds an exclusive one while it takes sums that wait.
 */
#ifndef ADZE_RUNTIME_MPIEPOCHS_H
#define ADZE_RUNTIME_MPIEPOCHS_H

#include "MpiWindows.h"

#define TypeBits HANDLE(uint8_t, 0x4c00013b)

int MPI_Comm_group(MPI_Comm, MPI_Group *);
int MPI_Group_free(MPI_Group *);
int MPI_Group_size(MPI_Group, int *);
int MPI_Group_translate_ranks(MPI_Group, int, const int *, MPI_Group, int *);
int MPI_Win_complete(MPI_Win);
int MPI_Win_flush_all(MPI_Win);
int MPI_Win_flush_local(int, MPI_Win);
int MPI_Win_flush_local_all(MPI_Win);
int MPI_Win_post(MPI_Group, int, MPI_Win);
int MPI_Win_start(MPI_Group, int, MPI_Win);
int MPI_Win_test(MPI_Win, int *);
int MPI_Win_wait(MPI_Win);

/* Accesses to the memory of one rank that one call has completed. */
struct Group {
  struct Group *Before; // with an earlier turn
  struct Window *W;
  int Target;
  _Bool HasTurn;
  struct Turn Turn;
  struct RemoteAccess *Accesses;
};

enum { AllTargets = -1 };

static _Bool hasAccess(const struct Window *W, int Target) {
  const struct RemoteAccess *A = W ? W->Accesses : 0;
  while (A && Target != AllTargets && A->Target != Target)
    A = A->Next;
  return A != 0;
}

/* The accesses to \p Target go from the window's list into one of their own. */
static struct RemoteAccess *accessesTo(struct Window *W, int Target) {
  struct RemoteAccess *Found = 0, **End = &Found;
  for (struct RemoteAccess **At = &W->Accesses; *At;) {
    struct RemoteAccess *A = *At;
    if (A->Target != Target) {
      At = &A->Next;
      continue;
    }
    *At = A->Next;
    A->Next = 0;
    *End = A;
    End = &A->Next;
  }
  return Found;
}

/* Those that are complete now, by target, before \p Before. */
static struct Group *grouped(struct Window *W, int Target,
                             struct Group *Before) {
  while (hasAccess(W, Target)) {
    struct Group *G = allocate("MPI_Win_flush", 1, sizeof *G);
    G->Before = Before;
    G->W = W;
    G->Target = Target == AllTargets ? W->Accesses->Target : Target;
    G->Accesses = accessesTo(W, G->Target);
    Before = G;
  }
  return Before;
}

/* ---- Adjoints ---------------------------------------------------------------
 */

static enum Phase phaseOf(const struct RemoteAccess *A) {
  const enum Access How = A->How;
  for (; A; A = A->Next)
    if (A->How != How || How == Puts)
      return OfOthers;
  return How == Gets ? OfReads : OfSums;
}

/* Of \p A in the sums that wait at its target. */
static ptrdiff_t placeOfWaiting(const struct Window *W,
                                const struct RemoteAccess *A) {
  const struct WindowPart *P = &W->Parts[A->Target];
  return (ptrdiff_t)placeOfSums(P->Size + (size_t)P->Shift, A->AtTarget.Kind) +
         placeOf(W, A);
}

/* Where the floats of \p A at its target begin and end, in bytes of the
 * opposite window. Sums that wait are numbers by their places. */
struct Span {
  ptrdiff_t Begin, End;
};

static struct Span spanOf(const struct Window *W,
                          const struct RemoteAccess *A) {
  const struct Layout *L = &A->AtTarget;
  const struct Piece First = {0, L->Floats, L->Kind};
  const struct Piece *Pieces = L->Pieces ? L->Pieces : &First;
  const size_t N = L->Pieces ? L->NumPieces : 1;
  const ptrdiff_t Each = (ptrdiff_t)SizeOf[L->Kind], Base = placeOf(W, A);
  struct Span S = {PTRDIFF_MAX, PTRDIFF_MIN};
  ptrdiff_t Odd = A->TargetCount > 1 && L->Floats ? L->Extent % Each : 0;
  for (size_t I = 0; I < N; ++I) {
    const ptrdiff_t At = Base + Pieces[I].At;
    const ptrdiff_t Last = (A->TargetCount - 1) * L->Extent;
    const ptrdiff_t Bytes = (ptrdiff_t)Pieces[I].Count * Each;
    const ptrdiff_t Low = At + (Last < 0 ? Last : 0);
    const ptrdiff_t High = At + (Last > 0 ? Last : 0) + Bytes;
    Odd |= At % Each;
    S.Begin = Low < S.Begin ? Low : S.Begin;
    S.End = High > S.End ? High : S.End;
  }
  if (Odd)
    refuse(L->Function, "floats at odd addresses of a window: align them, or "
                        "use MPI_Win_fence");
  return S;
}

/* Marks the pages of \p A. */
static void markWaiting(const struct Window *W, const struct RemoteAccess *A) {
  const struct Span S = spanOf(W, A);
  const size_t First = (size_t)S.Begin / PageSize;
  const size_t N = ((size_t)S.End + PageSize - 1) / PageSize - First;
  unsigned char *Bits = allocate(A->L.Function, N, 1);
  memset(Bits, 1 << A->AtTarget.Kind, N);
  MPI_Accumulate(Bits, (int)N, TypeBits, A->Target,
                 (ptrdiff_t)(PagesAt + First), (int)N, TypeBits, OpBits,
                 W->Turns.Win);
  MPI_Win_flush(A->Target, W->Turns.Win);
  free(Bits);
}

/* x', which is zero from then on, waits for the owner of y'. */
static void giveSums(const struct Window *W, struct RemoteAccess *A) {
  if (!A->Shadow)
    return;
  const int Floats = floatsIn(&A->L, A->Count);
  const MPI_Datatype Each = typeOf(A->L.Kind);
  struct FloatType T = floatTypeOf(&A->AtTarget, A->TargetCount);
  A->Floats = taken(&A->L, (size_t)A->Count, A->Shadow);
  MPI_Accumulate(A->Floats, Floats, Each, A->Target, placeOfWaiting(W, A),
                 T.Count, T.Type, OpSum, W->Turns.Win);
  endType(&T);
  markWaiting(W, A);
}

/* All of y', with what waits for it, is added to x'; zero behind MPI_Put. */
static void takeSums(const struct Window *W, struct RemoteAccess *A) {
  if (!A->Shadow && A->How != Puts)
    return;
  const int Floats = floatsIn(&A->L, A->Count);
  const MPI_Datatype Each = typeOf(A->L.Kind);
  struct FloatType T = floatTypeOf(&A->AtTarget, A->TargetCount);
  const MPI_Win At[] = {W->Opposite, W->Turns.Win};
  const ptrdiff_t Places[] = {placeOf(W, A), placeOfWaiting(W, A)};
  spanOf(W, A);
  A->Floats = zerosFor(&A->L, (size_t)A->Count);
  for (int I = 0; I < 2; ++I) {
    MPI_Get(A->Floats, Floats, Each, A->Target, Places[I], T.Count, T.Type,
            At[I]);
    MPI_Win_flush(A->Target, At[I]);
    addTo(&A->L, (size_t)A->Count, A->Shadow, A->Floats);
    if (A->How != Puts)
      continue;
    memset(A->Floats, 0, (size_t)Floats * SizeOf[A->L.Kind]);
    MPI_Put(A->Floats, Floats, Each, A->Target, Places[I], T.Count, T.Type,
            At[I]);
    MPI_Win_flush(A->Target, At[I]);
  }
  endType(&T);
}

/* Whether the memory at the target has shadows: what comes to other memory is
 * dropped, and what it gave is constant. */
static _Bool hasShadowAt(const struct Window *W, int Target) {
  return W->HasShadows && W->Parts[Target].HasShadow;
}

static void reverseAccesses(const struct Group *G) {
  const struct Window *W = G->W;
  struct RemoteAccess *A;
  if (!hasShadowAt(W, G->Target)) {
    for (A = G->Accesses; A; A = A->Next)
      if (A->How == Gets)
        clear(&A->L, (size_t)A->Count, A->Shadow);
    return;
  }
  MPI_Win_lock(LockShared, G->Target, 0, W->Opposite);
  for (A = G->Accesses; A; A = A->Next)
    if (A->How == Gets)
      giveSums(W, A);
    else
      takeSums(W, A);
  MPI_Win_flush(G->Target, W->Turns.Win);
  MPI_Win_unlock(G->Target, W->Opposite);
}

static void reverseGroup(const struct Group *G) {
  const struct Window *W = G->W;
  if (G->HasTurn)
    awaitTurn(&W->Turns, G->Target, &G->Turn);
  reverseAccesses(G);
  if (G->HasTurn)
    leaveTurn(&W->Turns, G->Target, &G->Turn);
  for (struct RemoteAccess *A = G->Accesses, *Next; A; A = Next) {
    Next = A->Next; // its reverse frees it
    endOppositeAccess(A);
  }
}

static void reverseGroups(struct Group *G) {
  while (G) {
    struct Group *Before = G->Before;
    if (G->HasTurn && !G->W->IsFreed)
      refuse(G->Accesses->L.Function,
             "the function that is differentiated must free a window that it "
             "locks");
    reverseGroup(G);
    free(G);
    G = Before;
  }
}

/* ---- Tangents ---------------------------------------------------------------
 */

static void accessOpposite(struct RemoteAccess *A, const struct Window *W);

static void forwardGroups(struct Group *G) {
  while (G) {
    const struct Window *W = G->W;
    struct Group *Before = G->Before;
    const _Bool Locks = hasShadowAt(W, G->Target);
    if (Locks)
      MPI_Win_lock(LockShared, G->Target, 0, W->Opposite);
    for (struct RemoteAccess *A = G->Accesses; A; A = A->Next)
      accessOpposite(A, W);
    if (Locks)
      MPI_Win_unlock(G->Target, W->Opposite);
    for (struct RemoteAccess *A = G->Accesses, *Next; A; A = Next) {
      Next = A->Next;
      free(A->Floats);
      free(A);
    }
    free(G);
    G = Before;
  }
}

/* ---- Locks ------------------------------------------------------------------
 */

/* Completes the accesses to \p Target, and takes turns, which must be over
 * before another rank may lock the memory. (A lock may be had at the first
 * access, a flush has it.) */
static struct Group *completeAt(int Target, MPI_Win Win) {
  struct Window *W = windowOf(Win);
  if (!hasAccess(W, Target))
    return 0;
  if (Target == AllTargets)
    MPI_Win_flush_all(Win);
  else
    MPI_Win_flush(Target, Win);
  return grouped(W, Target, 0);
}

static struct Group *completeInTurn(int Target, MPI_Win Win) {
  struct Group *Last = 0, *Rest = completeAt(Target, Win);
  while (Rest) {
    struct Group *G = Rest;
    const struct Window *W = G->W;
    Rest = G->Before;
    G->HasTurn = hasShadowAt(W, G->Target);
    if (G->HasTurn)
      G->Turn = takeTurn(&W->Turns, G->Target, phaseOf(G->Accesses));
    G->Before = Last;
    Last = G;
  }
  return Last;
}

static void countLocks(MPI_Win Win, int More) {
  struct Window *W = windowOf(Win);
  if (W)
    W->Locks += More;
}

static void noteLock(MPI_Win Win, int Rank, int Is, int How) {
  struct Window *W = windowOf(Win);
  countLocks(Win, Is ? 1 : -1);
  if (W && Rank != ProcNull)
    W->Parts[Rank].IsExclusive = Is && How == LockExclusive;
}

/* The three functions of NAME, behind which accesses to TARGET are complete;
 * LOCK: what is noted of locks. All directions have their turn before others
 * know of it. */
#define COMPLETES(NAME, PARAMETERS, REVERSE_PARAMETERS, TARGET, LOCK, CALL)    \
  struct Kept adze_mpi_##NAME##_augmented PARAMETERS {                         \
    if (Directions.Which)                                                      \
      return keptHere();                                                       \
    do {                                                                       \
      Directions.Kept[Directions.Which] = completeInTurn(TARGET, Win);         \
      LOCK;                                                                    \
    } while (nextDirection());                                                 \
    Directions.Error = CALL;                                                   \
    return keptHere();                                                         \
  } void adze_mpi_##NAME##_reverse REVERSE_PARAMETERS {                        \
    reverseGroups(Tape);                                                       \
  }                                                                            \
  int adze_mpi_##NAME##_forward PARAMETERS {                                   \
    if (Directions.Which)                                                      \
      return Directions.Error;                                                 \
    do {                                                                       \
      forwardGroups(completeAt(TARGET, Win));                                  \
      LOCK;                                                                    \
    } while (nextDirection());                                                 \
    return Directions.Error = CALL;                                            \
  }

COMPLETES(win_flush, (int Rank, MPI_Win Win),
          (int Rank UNUSED, MPI_Win Win UNUSED, void *Tape), Rank, (void)0,
          MPI_Win_flush(Rank, Win))
COMPLETES(win_flush_all, (MPI_Win Win), (MPI_Win Win UNUSED, void *Tape),
          AllTargets, (void)0, MPI_Win_flush_all(Win))
/* The target's memory, too. */
COMPLETES(win_flush_local, (int Rank, MPI_Win Win),
          (int Rank UNUSED, MPI_Win Win UNUSED, void *Tape), Rank, (void)0,
          MPI_Win_flush_local(Rank, Win))
COMPLETES(win_flush_local_all, (MPI_Win Win), (MPI_Win Win UNUSED, void *Tape),
          AllTargets, (void)0, MPI_Win_flush_local_all(Win))
COMPLETES(win_unlock, (int Rank, MPI_Win Win),
          (int Rank UNUSED, MPI_Win Win UNUSED, void *Tape), Rank,
          noteLock(Win, Rank, 0, 0), MPI_Win_unlock(Rank, Win))
COMPLETES(win_unlock_all, (MPI_Win Win), (MPI_Win Win UNUSED, void *Tape),
          AllTargets, countLocks(Win, -1), MPI_Win_unlock_all(Win))

/* The three functions of NAME, which has no derivative. */
#define PASSES(NAME, PARAMETERS, STEP, REVERSE_PARAMETERS)                     \
  int adze_mpi_##NAME##_augmented PARAMETERS { STEP }                          \
  void adze_mpi_##NAME##_reverse REVERSE_PARAMETERS {}                         \
  int adze_mpi_##NAME##_forward PARAMETERS { STEP }

PASSES(
    win_lock, (int How, int Rank, int Assert, MPI_Win Win),
    {
      noteLock(Win, Rank, 1, How);
      return PRIMAL(MPI_Win_lock(How, Rank, Assert, Win));
    },
    (int How UNUSED, int Rank UNUSED, int Assert UNUSED, MPI_Win Win UNUSED))
PASSES(
    win_lock_all, (int Assert, MPI_Win Win),
    {
      countLocks(Win, 1);
      return PRIMAL(MPI_Win_lock_all(Assert, Win));
    },
    (int Assert UNUSED, MPI_Win Win UNUSED))
PASSES(
    win_sync, (MPI_Win Win), { return PRIMAL(MPI_Win_sync(Win)); },
    (MPI_Win Win UNUSED))

/* ---- MPI_Win_post, _start, _complete, _wait ---------------------------------
 */

/* A group of ranks, as numbers of the window's own communicator. */
struct Ranks {
  struct Window *W;
  struct Group *Groups; // accesses to them, when MPI_Win_complete completes
  int Count;
  int All[];
};

/* Nobody, if the memory has no shadows; null if the function has not made the
 * window. */
static struct Ranks *ranksOf(MPI_Group Group, MPI_Win Win) {
  struct Window *W = windowOf(Win);
  if (!W)
    return 0;
  int Count = 0;
  MPI_Group Own;
  if (W->HasShadows)
    MPI_Group_size(Group, &Count);
  const size_t N = (size_t)Count;
  struct Ranks *R = allocate("MPI_Win_post", 1, sizeof *R + N * sizeof(int));
  R->W = W;
  R->Count = Count;
  if (!Count)
    return R;
  int *Theirs = allocate("MPI_Win_post", N, sizeof(int));
  for (int I = 0; I < Count; ++I)
    Theirs[I] = I;
  MPI_Comm_group(W->Comm, &Own);
  MPI_Group_translate_ranks(Group, Count, Theirs, Own, R->All);
  MPI_Group_free(&Own);
  free(Theirs);
  return R;
}

enum { MayAccess, HasAccessed };

static void tellAll(const struct Ranks *R, int What) {
  for (int I = 0; I < R->Count; ++I) {
    MPI_Request Request;
    MPI_Isend(0, 0, TypeByte, R->All[I], What, R->W->Comm, &Request);
    MPI_Request_free(&Request);
  }
}

static void hearAll(const struct Ranks *R, int What) {
  for (int I = 0; I < R->Count; ++I)
    MPI_Recv(0, 0, TypeByte, R->All[I], What, R->W->Comm, StatusIgnore);
}

/* Derivatives of the accesses, while all targets let them happen. */
static void accessPosted(struct Ranks *R, void (*Do)(struct Group *)) {
  if (!R)
    return;
  hearAll(R, MayAccess);
  Do(R->Groups);
  tellAll(R, HasAccessed);
  free(R);
}

int adze_mpi_win_post_forward(MPI_Group Group, int Assert, MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_post(Group, Assert, Win));
  struct Ranks *R = ranksOf(Group, Win);
  if (R) {
    R->W->Accessing = R;
    tellAll(R, MayAccess);
  }
  return Error;
}
struct Kept adze_mpi_win_post_augmented(MPI_Group Group, int Assert,
                                        MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_post(Group, Assert, Win));
  struct Ranks *R = ranksOf(Group, Win);
  if (R)
    R->W->Accessing = R;
  return (struct Kept){R, Error};
}
void adze_mpi_win_post_reverse(MPI_Group Group UNUSED, int Assert UNUSED,
                               MPI_Win Win UNUSED, void *Tape) {
  struct Ranks *R = Tape;
  if (!R)
    return;
  if (R->W->Accessing == R)
    refuse("MPI_Win_post", "no MPI_Win_wait of the function that is "
                           "differentiated ends it");
  hearAll(R, HasAccessed);
  if (R->W->HasShadows)
    takeWaiting(&R->W->Turns, R->W->Opposite);
  free(R);
}

static struct Ranks *endAccessing(MPI_Win Win) {
  struct Window *W = windowOf(Win);
  struct Ranks *R = W ? W->Accessing : 0;
  if (R)
    W->Accessing = 0;
  return R;
}

static void reverseEndOfPost(const struct Ranks *R) {
  if (R)
    tellAll(R, MayAccess);
}
static void forwardEndOfPost(struct Ranks *R) {
  if (R)
    hearAll(R, HasAccessed);
  free(R);
}

struct Kept adze_mpi_win_wait_augmented(MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_wait(Win));
  return (struct Kept){endAccessing(Win), Error};
}
void adze_mpi_win_wait_reverse(MPI_Win Win UNUSED, void *Tape) {
  reverseEndOfPost(Tape);
}
int adze_mpi_win_wait_forward(MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_wait(Win));
  forwardEndOfPost(endAccessing(Win));
  return Error;
}

struct Kept adze_mpi_win_test_augmented(MPI_Win Win, int *Flag) {
  int Error = PRIMAL(MPI_Win_test(Win, Flag));
  return (struct Kept){*Flag ? endAccessing(Win) : 0, Error};
}
void adze_mpi_win_test_reverse(MPI_Win Win UNUSED, int *Flag UNUSED,
                               void *Tape) {
  reverseEndOfPost(Tape);
}
int adze_mpi_win_test_forward(MPI_Win Win, int *Flag) {
  int Error = PRIMAL(MPI_Win_test(Win, Flag));
  if (*Flag)
    forwardEndOfPost(endAccessing(Win));
  return Error;
}

PASSES(
    win_start, (MPI_Group Group, int Assert, MPI_Win Win),
    {
      struct Window *W = windowOf(Win);
      if (W)
        W->Accessed = ranksOf(Group, Win);
      countLocks(Win, 1);
      return PRIMAL(MPI_Win_start(Group, Assert, Win));
    },
    (MPI_Group Group UNUSED, int Assert UNUSED, MPI_Win Win UNUSED))

static struct Ranks *endAccess(MPI_Win Win) {
  struct Window *W = windowOf(Win);
  if (!W || !W->Accessed)
    return 0;
  struct Ranks *R = W->Accessed;
  countLocks(Win, -1);
  W->Accessed = 0;
  R->Groups = grouped(W, AllTargets, 0);
  return R;
}

struct Kept adze_mpi_win_complete_augmented(MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_complete(Win));
  return (struct Kept){endAccess(Win), Error};
}
void adze_mpi_win_complete_reverse(MPI_Win Win UNUSED, void *Tape) {
  accessPosted(Tape, reverseGroups);
}
int adze_mpi_win_complete_forward(MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_complete(Win));
  accessPosted(endAccess(Win), forwardGroups);
  return Error;
}

#endif
