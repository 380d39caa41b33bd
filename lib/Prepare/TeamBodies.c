// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What OpenMP's constructs call, as LibraryBodies.c has it for other functions
// of libraries (docs/Parallel.md).
#include <stddef.h>

//===-- Loops whose iterations are shared ---------------------------------===//
//
// What libomp does with a static schedule, as code of which each thread
// computes its bounds. A region that is not differentiated uses libomp's own,
// so the iterations must be the same ones: "schedule(static)" promises the same
// distribution to loops of one length.

extern int omp_get_thread_num(void);
extern int omp_get_num_threads(void);

/// The first operand: see Teams.h.
extern __attribute__((const)) int adze_team_lower_4(int Bound, unsigned Parts,
                                                    int First);
extern __attribute__((const)) int adze_team_upper_4(int Bound, unsigned Parts,
                                                    int Last);
extern __attribute__((const)) long
adze_team_lower_8(long Bound, unsigned long Parts, long First);
extern __attribute__((const)) long
adze_team_upper_8(long Bound, unsigned long Parts, long Last);
extern __attribute__((const)) int adze_team_stride_4(int Stride,
                                                     unsigned Parts);
extern __attribute__((const)) long adze_team_stride_8(long Stride,
                                                      unsigned long Parts);

extern int omp_get_num_teams(void);
extern int omp_get_team_num(void);

enum {
  StaticChunked = 33,
  DistributedChunked = 91,
  Distributed = 92,
  ModifiersOfSchedule = 3 << 29
};

// With T threads and N iterations of step S, thread K has, in one block,
// N / T iterations, and one more if K < N mod T; in chunks of C, those from
// K C on, and then each T C iterations further on.
#define STATIC_INIT(NAME, NUMBER, UNSIGNED, STEP, LOWER, UPPER, STRIDE)        \
  void NAME(void *Place, int Global, int Schedule, int *Last, NUMBER *Lower,   \
            NUMBER *Upper, STEP *Stride, STEP Step, STEP Chunk) {              \
    (void)Place, (void)Global;                                                 \
    const int Kind = Schedule & ~ModifiersOfSchedule;                          \
    const int OfTeams = Kind == Distributed || Kind == DistributedChunked;     \
    const int Threads = OfTeams ? omp_get_num_teams() : omp_get_num_threads(); \
    const int Thread = OfTeams ? omp_get_team_num() : omp_get_thread_num();    \
    const UNSIGNED First = *Lower, End = *Upper;                               \
    UNSIGNED Count = 0;                                                        \
    if (Step > 0 && *Lower <= *Upper)                                          \
      Count = (End - First) / (UNSIGNED)Step + 1;                              \
    if (Step < 0 && *Lower >= *Upper)                                          \
      Count = (First - End) / (UNSIGNED) - Step + 1;                           \
    UNSIGNED Begin, Size, Parts = Count;                                       \
    if (Kind == StaticChunked || Kind == DistributedChunked) {                 \
      Size = Chunk < 1 ? 1 : Chunk;                                            \
      Begin = Size * Thread;                                                   \
      Parts = Count / Size + (Count % Size != 0);                              \
      *Stride = (STEP)(Size * Threads) * Step;                                 \
      *Last = Count && (Count - 1) / Size % Threads == (UNSIGNED)Thread;       \
    } else {                                                                   \
      const UNSIGNED Rest = Count % Threads;                                   \
      const int IsLarger = (UNSIGNED)Thread < Rest;                            \
      Size = Count / Threads + IsLarger;                                       \
      Begin = Count / Threads * Thread + (IsLarger ? (UNSIGNED)Thread : Rest); \
      *Stride = (STEP)Count;                                                   \
      *Last = Size && Begin + Size == Count;                                   \
    }                                                                          \
    *Lower = First + Begin * (UNSIGNED)Step;                                   \
    *Upper = Count ? First + (Begin + Size - 1) * (UNSIGNED)Step : End;        \
    if (OfTeams)                                                               \
      return;                                                                  \
    if (Kind == StaticChunked)                                                 \
      *Stride = STRIDE(*Stride, Parts);                                        \
    *Lower = LOWER(*Lower, Parts, First);                                      \
    *Upper = UPPER(*Upper, Parts, End);                                        \
  }

STATIC_INIT(body_static_init_4, int, unsigned, int, adze_team_lower_4,
            adze_team_upper_4, adze_team_stride_4)
STATIC_INIT(body_static_init_4u, unsigned, unsigned, int, adze_team_lower_4,
            adze_team_upper_4, adze_team_stride_4)
STATIC_INIT(body_static_init_8, long, unsigned long, long, adze_team_lower_8,
            adze_team_upper_8, adze_team_stride_8)
STATIC_INIT(body_static_init_8u, unsigned long, unsigned long, long,
            adze_team_lower_8, adze_team_upper_8, adze_team_stride_8)

int body_master(void *Place, int Global) {
  (void)Place, (void)Global;
  return omp_get_thread_num() == 0;
}

int body_masked(void *Place, int Global, int Filter) {
  (void)Place, (void)Global;
  return omp_get_thread_num() == Filter;
}

void body_end_construct(void *Place, int Global) { (void)Place, (void)Global; }

// Each thread adds its part to the whole, one after the other by their numbers:
// results do not depend on time, and the reverse pass goes back in order.
extern void adze_team_turn_begin(void);
extern void adze_team_turn_end(void);
extern void __kmpc_barrier(void *Place, int Global);

int body_reduce_nowait(void *Place, int Global, int Count, size_t Bytes,
                       void *Parts, void (*Reduce)(void *, void *),
                       void *Lock) {
  (void)Place, (void)Global, (void)Count, (void)Bytes, (void)Parts;
  (void)Reduce, (void)Lock;
  adze_team_turn_begin();
  return 1; // the caller combines them
}

void body_end_reduce_nowait(void *Place, int Global, void *Lock) {
  (void)Place, (void)Global, (void)Lock;
  adze_team_turn_end();
}

void body_end_reduce(void *Place, int Global, void *Lock) {
  (void)Lock;
  adze_team_turn_end();
  __kmpc_barrier(Place, Global);
}

/// One thread of the team \p Has what others copy to theirs. \p Where, which
/// they share, gets the address of its list.
void body_copyprivate(void *Place, int Global, void *Data,
                      void (*Copy)(void *, void *), int Has, void **Where) {
  if (Has)
    *Where = Data;
  __kmpc_barrier(Place, Global);
  if (!Has)
    Copy(Data, *Where);
  __kmpc_barrier(Place, Global);
}

// In a function that a region calls, the address goes through a variable of the
// file, which one team after the other has.
extern void adze_team_exchange_begin(void);
extern void adze_team_exchange_end(void);
static void *Exchanged;

void body_copyprivate_deep(void *Place, int Global, size_t Bytes, void *Data,
                           void (*Copy)(void *, void *), int Has) {
  (void)Bytes;
  __kmpc_barrier(Place, Global);
  if (Has) {
    adze_team_exchange_begin();
    Exchanged = Data;
  }
  __kmpc_barrier(Place, Global);
  if (!Has)
    Copy(Data, Exchanged);
  __kmpc_barrier(Place, Global);
  if (Has)
    adze_team_exchange_end();
}

// Sections of one thread at a time: the order in which threads were there is
// kept (Runtime/Teams.c).
enum Exclusion { Critical, Ordered, Lock, NestedLock };
extern void adze_team_enter(enum Exclusion, void *Place, int Global, void *);
extern long adze_team_leave(enum Exclusion, void *Place, int Global, void *);

void body_critical(void *Place, int Global, void *Name) {
  adze_team_enter(Critical, Place, Global, Name);
}
void body_critical_hint(void *Place, int Global, void *Name, unsigned Hint) {
  (void)Hint;
  adze_team_enter(Critical, Place, Global, Name);
}
void body_end_critical(void *Place, int Global, void *Name) {
  adze_team_leave(Critical, Place, Global, Name);
}
void body_ordered(void *Place, int Global) {
  adze_team_enter(Ordered, Place, Global, NULL);
}
void body_end_ordered(void *Place, int Global) {
  adze_team_leave(Ordered, Place, Global, NULL);
}
void body_set_lock(void *Held) { adze_team_enter(Lock, NULL, 0, Held); }
void body_unset_lock(void *Held) { adze_team_leave(Lock, NULL, 0, Held); }
void body_set_nest_lock(void *Held) {
  adze_team_enter(NestedLock, NULL, 0, Held);
}
void body_unset_nest_lock(void *Held) {
  adze_team_leave(NestedLock, NULL, 0, Held);
}

extern unsigned adze_team_try(void *Held);
extern void adze_team_entered(void *Held);
int body_test_lock(void *Held) {
  const unsigned Is = adze_team_try(Held);
  if (Is)
    adze_team_entered(Held);
  return (int)Is;
}

extern int adze_team_try_nested(void *Held);
extern void adze_team_entered_nested(void *Held);
int body_test_nest_lock(void *Held) {
  const int Depth = adze_team_try_nested(Held);
  if (Depth)
    adze_team_entered_nested(Held);
  return Depth;
}

// What happens before something in another thread has a smaller number.
extern long adze_team_order(void);
extern void adze_team_doacross_wait(void *Place, int Global, const void *);
extern void adze_team_doacross_post(void *Place, int Global, const void *);

void body_doacross_wait(void *Place, int Global, const void *Iteration) {
  adze_team_doacross_wait(Place, Global, Iteration);
  adze_team_order();
}
void body_doacross_post(void *Place, int Global, const void *Iteration) {
  adze_team_order();
  adze_team_doacross_post(Place, Global, Iteration);
}
void body_flush(void *Place) {
  (void)Place;
  adze_team_order();
}

//===-- Cancellation ------------------------------------------------------===//
//
// Nothing is cancelled unless the environment says so. Where it does, the
// program stops: threads would leave at places that depend on time.
extern void adze_team_cancel(void);

int body_cancel(void *Place, int Global, int Construct) {
  (void)Place, (void)Global, (void)Construct;
  adze_team_cancel();
  return 0;
}
int body_cancellation_point(void *Place, int Global, int Construct) {
  (void)Place, (void)Global, (void)Construct;
  return 0;
}
int body_cancel_barrier(void *Place, int Global) {
  __kmpc_barrier(Place, Global);
  return 0;
}

//===-- Memory ------------------------------------------------------------===//
//
// From the default allocator, whichever was asked for. Blocks say themselves
// where they are from.
extern __attribute__((malloc)) void *adze_team_alloc(size_t Bytes);
extern __attribute__((malloc)) void *adze_team_alloc_zeros(size_t Count,
                                                           size_t Bytes);
extern __attribute__((malloc)) void *adze_team_alloc_aligned(size_t Alignment,
                                                             size_t Bytes);
extern void adze_team_free(void *Block);

void *body_alloc(size_t Bytes, unsigned long Allocator) {
  (void)Allocator;
  return adze_team_alloc(Bytes);
}
void *body_alloc_by(int Global, size_t Bytes, void *Allocator) {
  (void)Global, (void)Allocator;
  return adze_team_alloc(Bytes);
}
void *body_alloc_zeros(size_t Count, size_t Bytes, unsigned long Allocator) {
  (void)Allocator;
  return adze_team_alloc_zeros(Count, Bytes);
}
void *body_alloc_aligned(size_t Alignment, size_t Bytes,
                         unsigned long Allocator) {
  (void)Allocator;
  return adze_team_alloc_aligned(Alignment, Bytes);
}
void *body_alloc_aligned_by(int Global, size_t Alignment, size_t Bytes,
                            void *Allocator) {
  (void)Global, (void)Allocator;
  return adze_team_alloc_aligned(Alignment, Bytes);
}
void body_free(void *Block, unsigned long Allocator) {
  (void)Allocator;
  adze_team_free(Block);
}
void body_free_by(int Global, void *Block, void *Allocator) {
  (void)Global, (void)Allocator;
  adze_team_free(Block);
}

//===-- Tasks -------------------------------------------------------------===//
//
// The thread that creates a task runs it at once (LowerTasks.cpp): who waits
// has nothing to wait for, and reductions of tasks go to the variable itself.

typedef int TaskFunction(int Global, void *Task);

// Fields of kmp_task_t.
enum { TaskPart = 16, TaskLower = 40, TaskUpper = 48, TaskIsLast = 64 };

/// A task that is not tied to a thread returns before its end, with another
/// part to go on with.
void body_task_run(int Global, void *Task, TaskFunction *Function, int Untied) {
  const int *Part = (const int *)((char *)Task + TaskPart);
  int Before;
  do {
    Before = *Part;
    Function(Global, Task);
  } while (Untied && *Part != Before);
}

/// How iterations are shared out to tasks. The first \p Longer tasks have one
/// iteration more.
struct Parts {
  unsigned long Tasks, Each, Longer;
};

static inline __attribute__((always_inline)) struct Parts
partsOf(unsigned long Count, int Schedule, unsigned long Size, int Strict) {
  if (Size < 1)
    Size = 1;
  if (Size > Count)
    Size = Count;
  struct Parts Of = {Size, Count / Size, Count % Size};
  if (Schedule == 1) {
    Of.Tasks = Strict ? (Count + Size - 1) / Size : Count / Size;
    Of.Each = Strict ? Size : Count / Of.Tasks;
    Of.Longer = Strict ? 0 : Count % Of.Tasks;
  }
  return Of;
}

/// Iterations [*Lower, *Upper] in steps of \p Step: all as one task, or, if
/// \p Schedule is 1, \p Size or some more (\p Strict: exactly as many) for each
/// task, or, if it is 2, by \p Size tasks. A task works on a \p Copy of \p
/// Task, of which \p Duplicate constructs what needs it.
void body_task_loop(int Global, char *Task, char *Copy, size_t Bytes,
                    unsigned long *Lower, unsigned long *Upper, long Step,
                    int Schedule, unsigned long Size, int Strict,
                    void (*Duplicate)(void *, void *, int),
                    TaskFunction *Function, int Untied,
                    TaskFunction *Destructor) {
  if (Schedule == 0) {
    *(int *)(Task + TaskIsLast) = 1;
    body_task_run(Global, Task, Function, Untied);
    if (Destructor)
      Destructor(Global, Task);
    return;
  }
  unsigned long First = *Lower;
  const unsigned long End = *Upper;
  const unsigned long Count =
      Step < 0 ? (First - End) / (0 - (unsigned long)Step) + 1
               : (End - First) / (unsigned long)Step + 1;
  const struct Parts Parts = partsOf(Count, Schedule, Size, Strict);
  for (unsigned long K = 0; K < Parts.Tasks; ++K) {
    const int IsLast = K + 1 == Parts.Tasks;
    unsigned long Last =
        First + (unsigned long)Step * (Parts.Each - (K >= Parts.Longer));
    if (IsLast)
      Last = End;
    __builtin_memcpy(Copy, Task, Bytes);
    *(unsigned long *)(Copy + TaskLower) = First;
    *(unsigned long *)(Copy + TaskUpper) = Last;
    *(int *)(Copy + TaskIsLast) = IsLast;
    if (Duplicate)
      Duplicate(Copy, Task, IsLast);
    body_task_run(Global, Copy, Function, Untied);
    if (Destructor)
      Destructor(Global, Copy);
    First = Last + (unsigned long)Step;
  }
  if (Destructor)
    Destructor(Global, Task);
}

/// Iterations shared out to tasks that run beside each other: what a creation
/// is made of.
extern void adze_task_create(void *Task);

void body_task_loop_beside(char *Task, char *Copy, size_t Bytes,
                           unsigned long *Lower, unsigned long *Upper,
                           long Step, int Schedule, unsigned long Size,
                           int Strict) {
  enum { TasksOfThread = 10 };
  unsigned long First = *Lower;
  const unsigned long End = *Upper;
  const unsigned long Count =
      Step < 0 ? (First - End) / (0 - (unsigned long)Step) + 1
               : (End - First) / (unsigned long)Step + 1;
  if (Count == 0)
    return;
  if (Schedule == 0)
    Size = (unsigned long)omp_get_num_threads() * TasksOfThread;
  const struct Parts Parts =
      partsOf(Count, Schedule == 1 ? 1 : 2, Size, Strict);
  for (unsigned long K = 0; K < Parts.Tasks; ++K) {
    const int IsLast = K + 1 == Parts.Tasks;
    unsigned long Last =
        First + (unsigned long)Step * (Parts.Each - (K >= Parts.Longer));
    if (IsLast)
      Last = End;
    __builtin_memcpy(Copy, Task, Bytes);
    *(unsigned long *)(Copy + TaskLower) = First;
    *(unsigned long *)(Copy + TaskUpper) = Last;
    *(int *)(Copy + TaskIsLast) = IsLast;
    adze_task_create(Copy);
    First = Last + (unsigned long)Step;
  }
}

extern void adze_task_wait(void);

int body_task_wait(void *Place, int Global) {
  (void)Place, (void)Global;
  adze_task_wait();
  return 0;
}
void body_task_group_end(void *Place, int Global) {
  (void)Place, (void)Global;
  adze_task_wait();
}
int body_task_yield(void *Place, int Global, int Part) {
  (void)Place, (void)Global, (void)Part;
  return 0;
}
void body_task_group(void *Place, int Global) { (void)Place, (void)Global; }
void body_task_begin(void *Place, int Global, void *Task) {
  (void)Place, (void)Global, (void)Task;
}
void body_task_depend(void *Place, int Global, int Count, void *List,
                      int OtherCount, void *Others) {
  (void)Place, (void)Global, (void)Count, (void)List;
  (void)OtherCount, (void)Others;
}
void body_task_wait_depend(void *Place, int Global, int Count, void *List,
                           int OtherCount, void *Others, int NoWait) {
  (void)Place, (void)Global, (void)Count, (void)List;
  (void)OtherCount, (void)Others, (void)NoWait;
  adze_task_wait();
}
int body_task_affinity(void *Place, int Global, void *Task, int Count,
                       void *List) {
  (void)Place, (void)Global, (void)Task, (void)Count, (void)List;
  return 0;
}
void *body_task_reduction(int Global, int Count, void *Items) {
  (void)Global, (void)Count, (void)Items;
  return NULL;
}
void *body_task_reduction_part(int Global, void *Group, void *Item) {
  (void)Global, (void)Group;
  return Item;
}
void *body_task_reduction_begin(void *Place, int Global, int Shares, int Count,
                                void *Items) {
  (void)Place, (void)Global, (void)Shares, (void)Count, (void)Items;
  return NULL;
}
void body_task_reduction_end(void *Place, int Global, int Shares) {
  (void)Place, (void)Global, (void)Shares;
}
