/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Windows: memory that other ranks read and write. Beside each that the
 * function makes there is an opposite one, of the same size, over the shadows.
 *
 *   Win_create(y)   free the opposite window, and what Win_free put off
 *   Win_fence       for all accesses since the fence before it:
 *                     Put(x, y)          x' += y', y' = 0
 *                     Get(x, y)          y' += x', x' = 0
 *                     Accumulate(x, y)   x' += y'
 *   Win_free        nothing
 *
 * Between two fences nobody may read what an access writes, nor write what it
 * reads, but for sums. So all accesses may be taken to happen at the fence
 * that completes them, and their adjoints happen there, too, between
 * fences of their own: code between them never meets adjoints that are on
 * their way. What completes accesses without a fence: MpiEpochs.h.
 */
#ifndef ADZE_RUNTIME_MPIWINDOWS_H
#define ADZE_RUNTIME_MPIWINDOWS_H

#include "MpiTurns.h"

#ifdef ADZE_MPI_NUMBERED
enum { NothingPrecedes = 8192 };
#else
enum { NothingPrecedes = 2 };
extern char ompi_mpi_op_replace[] PREDEFINED;
#endif
#define OpReplace OPERATION(replace, 0x5800000d)

int MPI_Get(void *, int, MPI_Datatype, int, ptrdiff_t, int, MPI_Datatype,
            MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, ptrdiff_t, int, MPI_Datatype,
            MPI_Win);
int MPI_Type_contiguous(int, MPI_Datatype, MPI_Datatype *);
int MPI_Type_create_hindexed(int, const int *, const ptrdiff_t *, MPI_Datatype,
                             MPI_Datatype *);
int MPI_Type_create_resized(MPI_Datatype, ptrdiff_t, ptrdiff_t, MPI_Datatype *);
int MPI_Win_fence(int, MPI_Win);

enum Access { Puts, Gets, Sums };

/* An access to floats of a window. */
struct RemoteAccess {
  struct RemoteAccess *Next; // those before it that nothing has completed
  enum Access How;
  struct Layout L, AtTarget;
  void *Shadow; // of what is here, or null
  int Count, Target, TargetCount;
  ptrdiff_t Place;
  _Bool IsComplete; // and that is reversed
  void *Floats;     // on their way
};

/* What the others know of a rank's part of a window. */
struct WindowPart {
  size_t Size;                // bytes
  int HasShadow, LacksShadow; // neither, if it is empty
  int Unit;                   // of places in it, in bytes
  int Shift;                  // bytes of the opposite window before it
  int IsExclusive;            // by a lock of this rank, not of the others
};

struct Ranks; // MpiEpochs.h

/* An attribute of the primal's window. */
struct Window {
  struct Window *InNext, *InPrevious; // the same in other directions, or null
  int Direction;
  MPI_Win Handle;                // the primal's, until that is freed
  MPI_Win Opposite;              // if HasShadows; its places are bytes
  void *Shadow;                  // of this rank's memory, or null ...
  void *Zeros;                   // ... with these in its place
  size_t Size;                   // bytes
  _Bool HasShadows;              // of any rank
  _Bool LacksShadow;             // any rank
  _Bool IsFreed;                 // the primal's
  struct OwnMemory *Memory;      // put off; else null
  struct RemoteAccess *Accesses; // that nothing has completed, newest first
  int Locks;                     // held now; in forward mode
  struct Ranks *Accessed;        // from MPI_Win_start to MPI_Win_complete
  struct Ranks *Accessing;       // from MPI_Win_post to MPI_Win_wait
  MPI_Comm Comm;                 // of its own, if HasShadows
  struct Turns Turns;            // if HasShadows, in reverse mode
  _Bool IsInUse;                 // in the list of those, by
  struct Window *Before, *After;
  struct WindowPart Parts[]; // of all ranks
};

static int noteFreed(MPI_Win Win UNUSED, int Key UNUSED, void *Value,
                     void *Extra UNUSED) {
  for (struct Window *W = Value; W; W = W->InNext)
    W->IsFreed = 1;
  return 0;
}

static int keyOfWindows(void) {
  static int Key;
  static _Bool HasKey;
  if (!HasKey)
    Key = newWindowKey(noteFreed);
  HasKey = 1;
  return Key;
}

/* In the first direction; null if the function that is differentiated has not
 * made it. */
static struct Window *firstWindowOf(MPI_Win Handle) {
  return attributeOf(Handle, keyOfWindows());
}

/* In this direction. */
static struct Window *windowOf(MPI_Win Handle) {
  struct Window *W = firstWindowOf(Handle);
  for (int I = 0; W && I < Directions.Which; ++I)
    W = W->InNext;
  return W;
}

/* ---- Floats alone -----------------------------------------------------------
 */

/* A datatype of the floats of elements, where they are. */
struct FloatType {
  MPI_Datatype Type;
  int Count;
  _Bool IsMade;
};

static struct FloatType floatTypeOf(const struct Layout *L, int Count) {
  const MPI_Datatype Each = typeOf(L->Kind);
  if (isDense(L))
    return (struct FloatType){Each, floatsIn(L, Count), 0};
  const struct Piece First = {0, L->Floats, L->Kind};
  const struct Piece *Pieces = L->Pieces ? L->Pieces : &First;
  const size_t N = L->Pieces ? L->NumPieces : 1;
  int *Counts = allocate(L->Function, N, sizeof *Counts);
  ptrdiff_t *Places = allocate(L->Function, N, sizeof *Places);
  for (size_t I = 0; I < N; ++I) {
    if (Pieces[I].Kind != L->Kind)
      refuse(L->Function, "a datatype of floats of several precisions is not "
                          "supported: access them one after the other");
    if (N > INT_MAX || Pieces[I].Count > INT_MAX)
      refuse(L->Function, "more than 2147483647 floats in an element");
    Counts[I] = (int)Pieces[I].Count;
    Places[I] = Pieces[I].At;
  }
  // One of them: Open MPI's MPI_Accumulate takes room for one in any case.
  struct FloatType T = {Each, 1, 1};
  MPI_Datatype Close, Element;
  MPI_Type_create_hindexed((int)N, Counts, Places, Each, &Close);
  MPI_Type_create_resized(Close, 0, L->Extent, &Element);
  MPI_Type_contiguous(Count, Element, &T.Type);
  MPI_Type_free(&Close);
  MPI_Type_free(&Element);
  MPI_Type_commit(&T.Type);
  free(Counts);
  free(Places);
  return T;
}

/* Accesses that use it complete all the same. */
static void endType(struct FloatType *T) {
  if (T->IsMade)
    MPI_Type_free(&T->Type);
}

/* ---- MPI_Win_create ---------------------------------------------------------
 */

/* MPICH 4.0 accumulates in front of a window that does not begin at a multiple
 * of 16 bytes. */
static int bytesBefore(const void *Memory) {
  return (int)((uintptr_t)Memory % 16);
}

/* In reverse mode: those that are not freed. */
static struct Window *FirstInUse;

static void enterUse(struct Window *W) {
  W->After = FirstInUse;
  if (FirstInUse)
    FirstInUse->Before = W;
  FirstInUse = W;
  W->IsInUse = 1;
}

static void leaveUse(struct Window *W) {
  if (!W->IsInUse)
    return;
  *(W->Before ? &W->Before->After : &FirstInUse) = W->After;
  if (W->After)
    W->After->Before = W->Before;
  W->IsInUse = 0;
}

static _Thread_local struct Window *LastWindow;

static struct Window *newWindow(const void *Base, void *Shadow, ptrdiff_t Size,
                                int Unit, MPI_Comm Comm, MPI_Win Handle) {
  int Ranks = 0;
  MPI_Comm_size(Comm, &Ranks);
  struct Window *W =
      allocate("MPI_Win_create", 1,
               sizeof *W + (size_t)Ranks * sizeof(struct WindowPart));
  W->Handle = Handle;
  W->Shadow = Shadow == Base ? 0 : Shadow;
  W->Size = (size_t)Size;
  const struct WindowPart Own = {
      W->Size, Size > 0 && W->Shadow,  Size > 0 && !W->Shadow,
      Unit,    bytesBefore(W->Shadow), 0};
  MPI_Allgather(&Own, sizeof Own, TypeByte, W->Parts, sizeof Own, TypeByte,
                Comm);
  for (int I = 0; I < Ranks; ++I) {
    W->HasShadows |= W->Parts[I].HasShadow;
    W->LacksShadow |= W->Parts[I].LacksShadow;
  }
  if (W->HasShadows) {
    if (!W->Shadow)
      W->Zeros = allocate("MPI_Win_create", W->Size, 1);
    char *Memory = W->Shadow ? W->Shadow : W->Zeros;
    MPI_Win_create(Memory - Own.Shift, Size + Own.Shift, 1, InfoNull, Comm,
                   &W->Opposite);
    MPI_Comm_dup(Comm, &W->Comm);
  }
  W->Direction = Directions.Which;
  if (W->Direction) {
    W->InPrevious = LastWindow;
    LastWindow->InNext = W;
  } else {
    MPI_Win_set_attr(Handle, keyOfWindows(), W);
  }
  LastWindow = W;
  return W;
}

/* Of \p A in the opposite window. */
static ptrdiff_t placeOf(const struct Window *W, const struct RemoteAccess *A) {
  const struct WindowPart *P = &W->Parts[A->Target];
  return P->Shift + A->Place * P->Unit;
}

/* What the primal has not freed stays, as a window that nobody has made. */
static void endWindow(struct Window *W) {
  if (W->InPrevious)
    W->InPrevious->InNext = 0;
  else if (!W->IsFreed)
    MPI_Win_delete_attr(W->Handle, keyOfWindows());
  if (W->HasShadows) {
    MPI_Win_free(&W->Opposite);
    MPI_Comm_free(&W->Comm);
  }
  if (W->Memory)
    endMemory(W->InPrevious ? 0 : W->Memory, W->Shadow);
  free(W->Zeros);
  free(W);
}

struct Kept adze_mpi_win_create_augmented(void *Base, void *Shadow,
                                          ptrdiff_t Size, int Unit,
                                          MPI_Info Info, MPI_Comm Comm,
                                          MPI_Win *New) {
  int Error = PRIMAL(MPI_Win_create(Base, Size, Unit, Info, Comm, New));
  struct Window *W = newWindow(Base, Shadow, Size, Unit, Comm, *New);
  if (W->HasShadows) {
    const size_t Shift = (size_t)bytesBefore(W->Shadow);
    beginTurns(&W->Turns, W->Comm, W->Shadow ? (char *)W->Shadow - Shift : 0,
               W->Size + Shift);
    enterUse(W);
  }
  return (struct Kept){W, Error};
}

void adze_mpi_win_create_reverse(const void *Base, void *Shadow,
                                 ptrdiff_t Size UNUSED, int Unit UNUSED,
                                 MPI_Info Info UNUSED, MPI_Comm Comm UNUSED,
                                 MPI_Win *New UNUSED, void *Tape) {
  struct Window *W = Tape;
  if (W->Shadow != (Shadow == Base ? 0 : Shadow))
    refuse("MPI_Win_create", "the shadow of the memory was elsewhere when the "
                             "window was made: allocate it on the heap");
  if (W->HasShadows) {
    const struct Turn First = {0, 0};
    leaveUse(W);
    awaitTurn(&W->Turns, W->Turns.Rank, &First);
    takeWaiting(&W->Turns, W->Opposite);
    endTurns(&W->Turns);
  }
  endWindow(W);
}

int adze_mpi_win_create_forward(void *Base, void *Shadow, ptrdiff_t Size,
                                int Unit, MPI_Info Info, MPI_Comm Comm,
                                MPI_Win *New) {
  int Error = PRIMAL(MPI_Win_create(Base, Size, Unit, Info, Comm, New));
  newWindow(Base, Shadow, Size, Unit, Comm, *New);
  return Error;
}

/* ---- The owner meets others -------------------------------------------------
 */

/* What the owner of a window's part has done before and does behind a call is
 * told apart from what others did meanwhile. */
struct Meeting {
  struct Meeting *Next;
  struct Window *W;
  struct Turn Turn; // entered now, or earlier and nothing happened since
};

static struct Meeting *meet(struct Window *W, struct Meeting *Next) {
  if (!W->Shadow)
    return Next;
  struct Meeting *M = allocate("MPI_Win_create", 1, sizeof *M);
  const struct Turns *T = &W->Turns;
  const uint64_t Word = ownWord(T);
  M->Next = Next;
  M->W = W;
  M->Turn = (Word & 7) == OfOwner ? (struct Turn){Word, Word}
                                  : takeTurn(T, T->Rank, OfOwner);
  return M;
}

static void reverseMeetings(struct Meeting *M) {
  while (M) {
    const struct Turns *T = &M->W->Turns;
    struct Meeting *Next = M->Next;
    awaitTurn(T, T->Rank, &M->Turn);
    takeWaiting(T, M->W->Opposite);
    if (!isMember(&M->Turn))
      leaveTurn(T, T->Rank, &M->Turn);
    free(M);
    M = Next;
  }
}

/* Around calls of MPI in files that access windows without fences
 * (Known/MpiMeetings.cpp). */
void *adze_mpi_window_meets_augmented(void) {
  struct Meeting *All = 0;
  for (struct Window *W = FirstInUse; W; W = W->After)
    if (W->Direction == Directions.Which)
      All = meet(W, All);
  return All;
}
void adze_mpi_window_meets_reverse(void *Tape) { reverseMeetings(Tape); }
void adze_mpi_window_meets_forward(void) {}

/* ---- MPI_Win_free -----------------------------------------------------------
 */

/* \p Handle in all directions, the last one first. */
static struct Window *endedBy(MPI_Win Handle) {
  struct Window *W = firstWindowOf(Handle);
  struct OwnMemory *Memory = putOffMemory(Handle);
  for (; W; W = W->InNext) {
    if (W->Accesses)
      refuse("MPI_Win_free", "accesses that nothing has completed");
    W->Memory = Memory;
    if (!W->InNext)
      return W;
  }
  return 0;
}

/* What happens at the memory from now on happens behind all accesses. */
struct Kept adze_mpi_win_free_augmented(MPI_Win *Win) {
  if (Directions.Which)
    return keptHere();
  memset(Directions.Kept, 0, sizeof Directions.Kept);
  for (struct Window *W = endedBy(*Win); W; W = W->InPrevious)
    if (W->HasShadows) {
      MPI_Barrier(W->Comm);
      Directions.Kept[W->Direction] = meet(W, 0);
      leaveUse(W);
    }
  // Nobody leaves before all have met.
  Directions.Error = MPI_Win_free(Win);
  return keptHere();
}
void adze_mpi_win_free_reverse(const MPI_Win *Win UNUSED, void *Tape) {
  reverseMeetings(Tape);
}
int adze_mpi_win_free_forward(MPI_Win *Win) {
  if (Directions.Which)
    return Directions.Error;
  struct Window *W = endedBy(*Win), *Previous;
  Directions.Error = MPI_Win_free(Win);
  for (; W; W = Previous) {
    Previous = W->InPrevious;
    endWindow(W);
  }
  return Directions.Error;
}

/* ---- MPI_Win_fence ----------------------------------------------------------
 */

/* The adjoints of \p A go out. */
static void startOppositeAccess(const struct Window *W,
                                struct RemoteAccess *A) {
  if (!A->Shadow && A->How != Puts)
    return;
  const int Floats = floatsIn(&A->L, A->Count);
  const MPI_Datatype Each = typeOf(A->L.Kind);
  struct FloatType T = floatTypeOf(&A->AtTarget, A->TargetCount);
  if (A->How == Gets) {
    A->Floats = taken(&A->L, (size_t)A->Count, A->Shadow);
    MPI_Accumulate(A->Floats, Floats, Each, A->Target, placeOf(W, A), T.Count,
                   T.Type, OpSum, W->Opposite);
  } else {
    A->Floats = zerosFor(&A->L, (size_t)A->Count);
    MPI_Get(A->Floats, Floats, Each, A->Target, placeOf(W, A), T.Count, T.Type,
            W->Opposite);
  }
  endType(&T);
}

/* They have come; zeros go to where they were, for MPI_Put. (Open MPI's
 * MPI_Get_accumulate with MPI_REPLACE may fetch what it has put.) */
static void takeOppositeAccess(const struct Window *W, struct RemoteAccess *A) {
  if (A->How == Gets || !A->Floats)
    return;
  addTo(&A->L, (size_t)A->Count, A->Shadow, A->Floats);
  if (A->How != Puts)
    return;
  const int Floats = floatsIn(&A->L, A->Count);
  struct FloatType T = floatTypeOf(&A->AtTarget, A->TargetCount);
  memset(A->Floats, 0, (size_t)Floats * SizeOf[A->L.Kind]);
  MPI_Put(A->Floats, Floats, typeOf(A->L.Kind), A->Target, placeOf(W, A),
          T.Count, T.Type, W->Opposite);
  endType(&T);
}

static void endOppositeAccess(struct RemoteAccess *A) {
  free(A->Floats);
  A->Floats = 0;
  A->IsComplete = 1;
}

/* All that a fence completes: what its first half keeps. */
struct Epoch {
  struct Window *W;
  struct RemoteAccess *Accesses;
};

static void reverseEpoch(const struct Epoch *E) {
  const struct Window *W = E->W;
  struct RemoteAccess *A;
  if (!W->HasShadows) {
    // What constant memory gave is constant.
    for (A = E->Accesses; A; A = A->Next)
      if (A->How == Gets)
        clear(&A->L, (size_t)A->Count, A->Shadow);
    for (A = E->Accesses; A; A = A->Next)
      A->IsComplete = 1;
    return;
  }
  MPI_Win_fence(0, W->Opposite);
  for (A = E->Accesses; A; A = A->Next)
    startOppositeAccess(W, A);
  MPI_Win_fence(0, W->Opposite);
  for (A = E->Accesses; A; A = A->Next)
    takeOppositeAccess(W, A);
  MPI_Win_fence(0, W->Opposite);
  for (A = E->Accesses; A; A = A->Next)
    endOppositeAccess(A);
  if (W->Zeros)
    memset(W->Zeros, 0, W->Size);
}

/* All ranks say that nothing precedes, or none does. */
struct Kept adze_mpi_win_fence_augmented(int Assert, MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_fence(Assert, Win));
  struct Window *W = windowOf(Win);
  if (!W)
    return (struct Kept){0, Error};
  if (Assert & NothingPrecedes) {
    if (W->Accesses)
      refuse("MPI_Win_fence", "MPI_MODE_NOPRECEDE behind an access");
    return (struct Kept){0, Error};
  }
  struct Epoch *E = allocate("MPI_Win_fence", 1, sizeof *E);
  E->W = W;
  E->Accesses = W->Accesses;
  W->Accesses = 0;
  return (struct Kept){E, Error};
}

void adze_mpi_win_fence_reverse(int Assert UNUSED, MPI_Win Win UNUSED,
                                void *Tape) {
  if (Tape)
    reverseEpoch(Tape);
  free(Tape);
}

int adze_mpi_win_fence_forward(int Assert, MPI_Win Win) {
  int Error = PRIMAL(MPI_Win_fence(Assert, Win));
  struct Window *W = windowOf(Win);
  if (!W)
    return Error;
  if (W->HasShadows)
    MPI_Win_fence(0, W->Opposite);
  while (W->Accesses) {
    struct RemoteAccess *A = W->Accesses;
    W->Accesses = A->Next;
    free(A->Floats);
    free(A);
  }
  // What came to constant memory is dropped before anyone asks for it.
  if (W->HasShadows && W->LacksShadow) {
    if (W->Zeros)
      memset(W->Zeros, 0, W->Size);
    MPI_Win_fence(0, W->Opposite);
  }
  return Error;
}

#endif
