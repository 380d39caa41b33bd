// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parallel regions of derivatives: the threads of an OpenMP team run a half of
// the derivative of a region (docs/Parallel.md).
#include "Runtime.h"

void *calloc(size_t Count, size_t Bytes);
void *adze_tape_alloc(uint64_t Bytes);
void adze_tape_free(void *Block);
int sched_yield(void);

#include "TeamPlace.h"

//===-- LLVM's OpenMP runtime ---------------------------------------------===//

struct Place {
  int32_t Reserved, Flags, Unused[2];
  const char *Source;
};
void __kmpc_fork_call(struct Place *, int32_t Count,
                      void (*Body)(int32_t *, int32_t *, ...), ...);
void __kmpc_push_num_threads(struct Place *, int32_t Global, int32_t Count);
int32_t __kmpc_global_thread_num(struct Place *);
void __kmpc_barrier(struct Place *, int32_t Global);
void __kmpc_critical(struct Place *, int32_t Global, void *Name);
void __kmpc_end_critical(struct Place *, int32_t Global, void *Name);
void __kmpc_ordered(struct Place *, int32_t Global);
void __kmpc_end_ordered(struct Place *, int32_t Global);
void omp_set_lock(void *);
void omp_unset_lock(void *);
int omp_test_lock(void *);
int omp_test_nest_lock(void *);
int omp_get_cancellation(void);
void omp_set_nest_lock(void *);
void omp_unset_nest_lock(void *);
void __kmpc_doacross_wait(struct Place *, int32_t Global, const int64_t *);
void __kmpc_doacross_post(struct Place *, int32_t Global, const int64_t *);
int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_level(void);
int omp_get_team_size(int);

/// kmp_task_t, with what we put behind it.
struct Task {
  void *Area;
  int32_t (*Entry)(int32_t Global, struct Task *);
  int32_t Part;
  void *Destructor, *Priority;
  void (*Body)(void *Arguments);
  uint64_t Arguments[];
};
struct Task *__kmpc_omp_task_alloc(struct Place *, int32_t Global,
                                   int32_t Flags, size_t Bytes,
                                   size_t AreaBytes,
                                   int32_t (*Entry)(int32_t, struct Task *));
int32_t __kmpc_omp_task(struct Place *, int32_t Global, struct Task *);
int32_t __kmpc_omp_taskwait(struct Place *, int32_t Global);

enum { OfCompiler = 2 };
static struct Place Here = {0, OfCompiler, {0, 0}, ";unknown;unknown;0;0;;"};

//===-- Teams -------------------------------------------------------------===//

/// What the halves of one run of a region share: the tapes of its threads, by
/// their numbers, and how often sections of one thread at a time were left in
/// it, and in regions within.
struct Record {
  void **Tapes;
  uint64_t Size, Leaves;
};

typedef void (*Region)(int32_t *Global, int32_t *Bound, void *Arguments,
                       void *Tape);

enum Half { Whole, Augmented, Reverse, ReverseKeep };

struct Run {
  Region Body;
  void *Arguments;
  struct Record *Record; // null if there is no tape
  uint64_t TapeBytes;    // of one thread
  enum Half Half;
  /// How many turns are over.
  uint64_t Turns;
  /// Of the outermost region: how often such a section was left; in the reverse
  /// pass, how often that is still to be taken back.
  uint64_t Leaves;
  /// 1: a thread is in an ordered section.
  uint64_t Held;
  struct Run *Outermost;
  uint64_t Derivative; // see adze_team_shadows_reset
  /// What each thread has copies of, by their numbers.
  struct Part **Parts;
  struct Pages **Pages; // TeamPages.h
  struct Claims *Claims;
};

/// What this thread runs.
static _Thread_local struct Run *Current;

/// Of gradients that are differentiated again, where the record of a region is
/// a variable of the program (Cleanup/ExposeTapes.cpp): its Leaves behind the
/// last region that this thread has started, and before the next one.
static _Thread_local uint64_t LeavesBehind, LeavesBefore;

uint64_t adze_team_leaves_get(void) { return LeavesBehind; }

void adze_team_leaves_set(uint64_t Leaves) { LeavesBefore = Leaves; }

/// The last derivative for which this thread has reset its shadows.
static _Thread_local uint64_t Derivative;

/// \p Count pointers, for all threads, at \p Place. The first thread that comes
/// makes room.
static void **pointersOf(void ***Place, uint64_t Count) {
  void **Pointers = __atomic_load_n(Place, __ATOMIC_ACQUIRE);
  if (Pointers)
    return Pointers;
  void **New = malloc(Count * sizeof(void *));
  if (!New)
    adze_stop("adze: out of memory for the tape of a parallel region");
  if (__atomic_compare_exchange_n(Place, &Pointers, New, 0, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE))
    return New;
  free(New);
  return Pointers;
}

/// For each thread its tape, and who it is.
static void *newTape(struct Run *R, uint64_t Number, uint64_t Size) {
  void **Tapes = pointersOf(&R->Record->Tapes, 2 * Size);
  if (Number == 0)
    R->Record->Size = Size;
  Tapes[Number] = R->TapeBytes ? adze_tape_alloc(R->TapeBytes) : NULL;
  Tapes[Size + Number] = &Current;
  return Tapes[Number];
}

/// The same in both passes.
static const void *identityOf(const struct Run *R) {
  return R->Record ? (const void *)R->Record->Tapes : R;
}

static void thread(int32_t *Global, int32_t *Bound, struct Run *R) {
  const uint64_t Number = (uint64_t)omp_get_thread_num();
  const uint64_t Size = (uint64_t)omp_get_num_threads();
  struct Run *Outer = Current;
  Current = R;
  void *Tape = NULL;
  if (R->Half == Augmented) {
    Tape = newTape(R, Number, Size);
  } else if (R->Half != Whole) {
    if (Size != R->Record->Size)
      adze_stop("adze: the runtime gives a parallel region of a reverse pass "
                "another number of threads than the region had");
    Tape = R->Record->Tapes[Number];
  }
  const struct TeamPlace Before = adze_team_place;
  adze_team_place = (struct TeamPlace){identityOf(R->Outermost), identityOf(R),
                                       Number, R->Record != NULL};
  R->Body(Global, Bound, R->Arguments, Tape);
  adze_team_place = Before;
  if (R->Half == Reverse)
    adze_tape_free(Tape);
  Current = Outer;
}

static void freeClaims(struct Claims *);

/// All threads of a new team call \p Body.
void adze_team_run(Region Body, void *Arguments, struct Record *Record,
                   uint64_t TapeBytes, uint32_t Half) {
  struct Run R = {Body, Arguments, Record, TapeBytes, (enum Half)Half,
                  0,    0,         0,      0,         Derivative,
                  NULL, NULL,      NULL};
  R.Outermost = Current ? Current->Outermost : &R;
  if (R.Half == Whole)
    R.Leaves = LeavesBefore;
  LeavesBefore = 0;
  if (R.Half == Augmented) {
    Record->Tapes = NULL;
  } else if (R.Half != Whole) {
    R.Leaves = Record->Leaves;
    __kmpc_push_num_threads(&Here, __kmpc_global_thread_num(&Here),
                            (int32_t)Record->Size);
  }
  __kmpc_fork_call(&Here, 1, (void (*)(int32_t *, int32_t *, ...))thread, &R);
  free(R.Parts);
  free(R.Pages);
  freeClaims(R.Claims);
  if (R.Half == Augmented)
    Record->Leaves = R.Leaves;
  LeavesBehind = R.Leaves;
  if (R.Half == Reverse)
    free(Record->Tapes);
}

//===-- Copies of arrays --------------------------------------------------===//

/// This thread's part of \p Bytes bytes.
void adze_team_copy(char *To, const char *From, uint64_t Bytes) {
  const uint64_t Line = 64, Size = (uint64_t)omp_get_num_threads(),
                 Number = (uint64_t)omp_get_thread_num();
  const uint64_t Part = (Bytes / Size + Line) / Line * Line;
  const uint64_t Begin = Part * Number;
  if (Begin < Bytes)
    __builtin_memcpy(To + Begin, From + Begin,
                     Bytes - Begin < Part ? Bytes - Begin : Part);
}

/// All parts are copied.
void adze_team_copied(void) {
  __kmpc_barrier(&Here, __kmpc_global_thread_num(&Here));
}

//===-- Tasks -------------------------------------------------------------===//

static int32_t runTask(int32_t Global, struct Task *T) {
  (void)Global;
  T->Body(T->Arguments);
  return 0;
}

/// A task calls \p Body with a copy of \p Arguments. Where there is no other
/// thread, this one does so at once.
void adze_task_run(void (*Body)(void *), void *Arguments, uint64_t Bytes) {
  enum { Tied = 1 };
  if (omp_get_num_threads() == 1) {
    Body(Arguments);
    return;
  }
  const int32_t Global = __kmpc_global_thread_num(&Here);
  struct Task *T = __kmpc_omp_task_alloc(
      &Here, Global, Tied, sizeof(struct Task) + Bytes, 0, runTask);
  T->Body = Body;
  __builtin_memcpy(T->Arguments, Arguments, Bytes);
  __kmpc_omp_task(&Here, Global, T);
}

/// For all tasks that this one has created.
void adze_task_wait(void) {
  if (omp_get_num_threads() > 1)
    __kmpc_omp_taskwait(&Here, __kmpc_global_thread_num(&Here));
}

//===-- Memory of OpenMP --------------------------------------------------===//

void *omp_alloc(size_t Bytes, uint64_t Allocator);
void *omp_calloc(size_t Count, size_t Bytes, uint64_t Allocator);
void *omp_aligned_alloc(size_t Alignment, size_t Bytes, uint64_t Allocator);
void omp_free(void *Block, uint64_t Allocator);

enum { ThatOfBlock, DefaultAllocator };

void *adze_team_alloc(size_t Bytes) {
  return omp_alloc(Bytes, DefaultAllocator);
}

void *adze_team_alloc_zeros(size_t Count, size_t Bytes) {
  return omp_calloc(Count, Bytes, DefaultAllocator);
}

void *adze_team_alloc_aligned(size_t Alignment, size_t Bytes) {
  return omp_aligned_alloc(Alignment, Bytes, DefaultAllocator);
}

void adze_team_free(void *Block) { omp_free(Block, ThatOfBlock); }

//===-- Variables of threads ----------------------------------------------===//
//
// A thread that is asked for in a region has shadows of its variables from what
// it did last. For each derivative that begins they must be zero once.

void adze_team_shadows_reset(void) {
  static uint64_t Derivatives;
  Derivative = __atomic_add_fetch(&Derivatives, 1, __ATOMIC_RELAXED);
}

/// 1: they are not zero yet.
uint32_t adze_team_shadows_begin(void) {
  if (Derivative == Current->Derivative)
    return 0;
  Derivative = Current->Derivative;
  return 1;
}

/// What it kept in its variables is needed where it goes back.
void adze_team_same_thread(void) {
  const struct Run *R = Current;
  if (R->Half != Augmented &&
      R->Record->Tapes[omp_get_num_threads() + omp_get_thread_num()] !=
          &Current)
    adze_stop("adze: the runtime gives a parallel region of a reverse pass "
              "another thread than had its number, which has other variables "
              "(thread_local, threadprivate)");
}

//===-- Copies of parts of shadows (adze/Replicas.h) ----------------------===//

enum { IsDouble = 1 };

/// Of one thread.
struct Part {
  char *Shadow, *Copy; // the same if the thread is the only one
  uint64_t Bytes, Kind;
};

/// The only thread of all teams around: a region within one of several threads
/// may be serialized, and called as any function.
_Bool adze_team_alone(void) {
  for (int Level = omp_get_level(); Level > 0; --Level)
    if (omp_get_team_size(Level) != 1)
      return 0;
  return 1;
}

/// No two have memory in common.
static _Bool areApart(const struct Part *Parts, uint64_t Count) {
  enum { MostParts = 64 };
  if (Count > MostParts)
    return 0;
  for (const struct Part *X = Parts; X < Parts + Count; ++X)
    for (const struct Part *Y = Parts; Y < X; ++Y)
      if ((uint64_t)X->Shadow < (uint64_t)Y->Shadow + Y->Bytes &&
          (uint64_t)Y->Shadow < (uint64_t)X->Shadow + X->Bytes)
        return 0;
  return 1;
}

/// Whether the thread may add to its copies, of which no two have memory in
/// common. All threads of a team get the same answer if they ask the same. One
/// that is alone adds to the parts themselves, if their bounds are right.
_Bool adze_team_copies_begin(struct Part *Parts, uint64_t Count, _Bool Fits,
                             _Bool AreBounds) {
  const _Bool IsAlone = omp_get_num_threads() == 1;
  for (uint64_t K = 0; K < Count; ++K) {
    Parts[K].Copy = IsAlone || !Fits ? Parts[K].Shadow : NULL;
    if (Parts[K].Copy)
      continue;
    Parts[K].Copy = calloc(Parts[K].Bytes, 1);
    if (!Parts[K].Copy)
      adze_stop("adze: out of memory for copies of shadows in a parallel "
                "region (-adze-openmp-adjoint=atomic needs none)");
  }
  return IsAlone ? AreBounds && areApart(Parts, Count) : Fits;
}

/// What has been added to nothing stays untouched: it may be no float.
#define ADD_COPIES(NAME, FLOAT, WORD)                                          \
  static void NAME(char *Shadow, const char *Copy, uint64_t Bytes) {           \
    for (uint64_t K = 0; K < Bytes; K += sizeof(FLOAT))                        \
      if (*(const WORD *)(Copy + K) != 0)                                      \
        *(FLOAT *)(Shadow + K) += *(const FLOAT *)(Copy + K);                  \
  }
ADD_COPIES(addDoubles, double, uint64_t)
ADD_COPIES(addFloats, float, uint32_t)

/// Adds what the copies of all threads have of those blocks of the part that
/// this thread cares for. Which they are depends on addresses alone: parts may
/// have memory in common.
static void addBlocks(struct Part **Of, uint64_t K, uint64_t Number,
                      uint64_t Size) {
  enum { BlockBits = 10 };
  const struct Part *Mine = &Of[Number][K];
  const uint64_t First = (uint64_t)Mine->Shadow, End = First + Mine->Bytes;
  for (uint64_t Block = First >> BlockBits; Block << BlockBits < End; ++Block) {
    if (Block % Size != Number)
      continue;
    uint64_t From = Block << BlockBits, To = (Block + 1) << BlockBits;
    From = From < First ? First : From;
    To = To > End ? End : To;
    for (uint64_t Thread = 0; Thread < Size; ++Thread)
      (Mine->Kind == IsDouble ? addDoubles : addFloats)(
          Mine->Shadow + (From - First), Of[Thread][K].Copy + (From - First),
          To - From);
  }
}

/// All threads have added what they have to add.
void adze_team_copies_end(struct Part *Parts, uint64_t Count, _Bool Fits) {
  const uint64_t Size = (uint64_t)omp_get_num_threads();
  if (!Fits || Size == 1)
    return;
  const uint64_t Number = (uint64_t)omp_get_thread_num();
  const int32_t Global = __kmpc_global_thread_num(&Here);
  struct Part **Of =
      (struct Part **)pointersOf((void ***)&Current->Parts, Size);
  Of[Number] = Parts;
  __kmpc_barrier(&Here, Global);
  for (uint64_t K = 0; K < Count; ++K)
    addBlocks(Of, K, Number, Size);
  __kmpc_barrier(&Here, Global);
  for (uint64_t K = 0; K < Count; ++K)
    free(Parts[K].Copy);
}

#include "TeamPages.h"

//===-- Turns -------------------------------------------------------------===//

/// Waits until it is the turn of thread \p Place of \p Size. A team of one,
/// such as that of a region whose condition is not met, is none of a run.
static void await(uint64_t Place, uint64_t Size) {
  if (Size == 1)
    return;
  struct Run *R = Current;
  if (!R)
    adze_stop("adze: a reduction over the threads of a team in a derivative "
              "that threads of the team call, each its own");
  while (__atomic_load_n(&R->Turns, __ATOMIC_ACQUIRE) % Size != Place)
    sched_yield();
}

static void endTurn(void) {
  if (omp_get_num_threads() > 1)
    __atomic_fetch_add(&Current->Turns, 1, __ATOMIC_RELEASE);
}

void adze_team_turn_begin(void) {
  await((uint64_t)omp_get_thread_num(), (uint64_t)omp_get_num_threads());
}

void adze_team_turn_end(void) { endTurn(); }

/// In the reverse pass, the last one is the first.
void adze_team_turn_back_begin(void) {
  const uint64_t Size = (uint64_t)omp_get_num_threads();
  await(Size - 1 - (uint64_t)omp_get_thread_num(), Size);
}

void adze_team_turn_back_end(void) { endTurn(); }

//===-- Sections of one thread at a time ----------------------------------===//
//
// Who leaves one gets the next number of the outermost region. The reverse pass
// enters them in the order of these numbers, from the last to the first, and
// each excludes the others of its name, so that one may lie within another.

static uint64_t nextNumber(void) {
  return Current ? __atomic_fetch_add(&Current->Outermost->Leaves, 1,
                                      __ATOMIC_ACQ_REL)
                 : 0;
}

static void awaitNumber(uint64_t Number) {
  while (Current && __atomic_load_n(&Current->Outermost->Leaves,
                                    __ATOMIC_ACQUIRE) != Number + 1)
    sched_yield();
}

static void takeNumberBack(void) {
  if (Current)
    __atomic_fetch_sub(&Current->Outermost->Leaves, 1, __ATOMIC_RELEASE);
}

enum Exclusion { Critical, Ordered, Lock, NestedLock };

/// In the reverse pass nobody knows of iterations in order any more.
static void acquire(enum Exclusion Kind, struct Place *Place, int32_t Global,
                    void *Name) {
  if (Kind == Critical)
    __kmpc_critical(Place, Global, Name);
  else if (Kind == Lock)
    omp_set_lock(Name);
  else if (Kind == NestedLock)
    omp_set_nest_lock(Name);
  else
    while (Current && __atomic_exchange_n(&Current->Held, 1, __ATOMIC_ACQUIRE))
      sched_yield();
}

static void release(enum Exclusion Kind, struct Place *Place, int32_t Global,
                    void *Name) {
  if (Kind == Critical)
    __kmpc_end_critical(Place, Global, Name);
  else if (Kind == Lock)
    omp_unset_lock(Name);
  else if (Kind == NestedLock)
    omp_unset_nest_lock(Name);
  else if (Current)
    __atomic_store_n(&Current->Held, 0, __ATOMIC_RELEASE);
}

void adze_team_enter(enum Exclusion Kind, struct Place *Place, int32_t Global,
                     void *Name) {
  if (Kind == Ordered)
    __kmpc_ordered(Place, Global);
  acquire(Kind, Place, Global, Name);
}

uint64_t adze_team_leave(enum Exclusion Kind, struct Place *Place,
                         int32_t Global, void *Name) {
  const uint64_t Number = nextNumber();
  release(Kind, Place, Global, Name);
  if (Kind == Ordered)
    __kmpc_end_ordered(Place, Global);
  return Number;
}

void adze_team_back_enter(enum Exclusion Kind, struct Place *Place,
                          int32_t Global, void *Name, uint64_t Number) {
  awaitNumber(Number);
  acquire(Kind, Place, Global, Name);
  takeNumberBack();
}

void adze_team_back_again(void) {
  adze_stop("adze: a section of one thread at a time in the reverse pass of a "
            "gradient");
}

void adze_team_back_leave(enum Exclusion Kind, struct Place *Place,
                          int32_t Global, void *Name) {
  release(Kind, Place, Global, Name);
}

/// A section that begins if nobody else is in it.
uint32_t adze_team_try(void *Held) { return omp_test_lock(Held) != 0; }

void adze_team_entered(void *Held) { (void)Held; }

void adze_team_back_left(void *Held) { omp_unset_lock(Held); }

int32_t adze_team_try_nested(void *Held) { return omp_test_nest_lock(Held); }

void adze_team_entered_nested(void *Held) { (void)Held; }

void adze_team_back_left_nested(void *Held) { omp_unset_nest_lock(Held); }

/// Threads would leave a construct where they notice, and what has turns would
/// wait for them.
void adze_team_cancel(void) {
  if (omp_get_cancellation())
    adze_stop("adze: a derivative comes to '#pragma omp cancel', and "
              "OMP_CANCELLATION is set: a construct that is cancelled has no "
              "derivative");
}

//===-- Order -------------------------------------------------------------===//
//
// What one thread does before such a place happens before what others do behind
// theirs, if that has a larger number. The reverse pass comes by in descending
// order.

uint64_t adze_team_order(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return nextNumber();
}

void adze_team_back_order(uint64_t Number) {
  awaitNumber(Number);
  takeNumberBack();
}

void adze_team_doacross_wait(struct Place *Place, int32_t Global,
                             const int64_t *Iteration) {
  __kmpc_doacross_wait(Place, Global, Iteration);
}

void adze_team_doacross_post(struct Place *Place, int32_t Global,
                             const int64_t *Iteration) {
  __kmpc_doacross_post(Place, Global, Iteration);
}

//===-- One team at a time ------------------------------------------------===//

static uint64_t Exchanges;

void adze_team_exchange_begin(void) {
  while (__atomic_exchange_n(&Exchanges, 1, __ATOMIC_ACQUIRE))
    sched_yield();
}

void adze_team_exchange_end(void) {
  __atomic_store_n(&Exchanges, 0, __ATOMIC_RELEASE);
}

//===-- Atomic operations whose order matters -----------------------------===//
//
// All exclude each other: who knows which addresses are the same.

static uint64_t AtomicHeld;

static void acquireAtomic(void) {
  while (__atomic_exchange_n(&AtomicHeld, 1, __ATOMIC_ACQUIRE))
    sched_yield();
}

void adze_team_atomic_enter(void) { acquireAtomic(); }

uint64_t adze_team_atomic_leave(void) {
  const uint64_t Number = nextNumber();
  __atomic_store_n(&AtomicHeld, 0, __ATOMIC_RELEASE);
  return Number;
}

void adze_team_atomic_back_enter(uint64_t Number) {
  awaitNumber(Number);
  acquireAtomic();
  takeNumberBack();
}

void adze_team_atomic_back_leave(void) {
  __atomic_store_n(&AtomicHeld, 0, __ATOMIC_RELEASE);
}
