// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of derivatives (docs/Parallel.md): a derivative runs a thread where
// it is created. The handle is that of a thread which does nothing, so that the
// program may join it, ask for it and compare it wherever it does so.
#include "Runtime.h"

int pthread_create(unsigned long *Thread, const void *Attributes,
                   void *(*Start)(void *), void *Argument);
int pthread_join(unsigned long Thread, void **Result);
int pthread_mutex_lock(void *Mutex);
int pthread_mutex_trylock(void *Mutex);
int pthread_mutex_unlock(void *Mutex);
int sched_yield(void);
long time(long *Seconds);

/// Created here and not joined yet.
struct Created {
  struct Created *Next;
  unsigned long Handle;
  int Result; // of threads of C11
};

/// Locked here, by the program's thread of that depth.
struct Locked {
  struct Locked *Next;
  void *Mutex;
  uint64_t Depth;
};

static _Thread_local struct Created *AllCreated;
static _Thread_local struct Locked *AllLocked;
/// Threads whose code this one runs, each created by the one before.
static _Thread_local uint64_t Depth;
/// It has run one.
static _Thread_local _Bool RunsThreads;
/// Questions for a future that is not ready since then, and when the first one
/// was.
static _Thread_local uint64_t Polls;
static _Thread_local long FirstPoll;

static void *doNothing(void *Argument) { return Argument; }

static void *allocate(size_t Bytes) {
  void *Block = malloc(Bytes);
  if (!Block)
    adze_stop("adze: out of memory for the threads of a derivative");
  return Block;
}

unsigned long adze_thread_begin(void) {
  struct Created *New = allocate(sizeof *New);
  if (pthread_create(&New->Handle, NULL, doNothing, NULL))
    adze_stop("adze: cannot create a thread of a derivative");
  New->Next = AllCreated;
  AllCreated = New;
  ++Depth;
  RunsThreads = 1;
  Polls = 0;
  return New->Handle;
}

void adze_thread_end(void) { --Depth; }

/// Where the list has \p Handle.
static struct Created **find(unsigned long Handle) {
  for (struct Created **At = &AllCreated; *At; At = &(*At)->Next)
    if ((*At)->Handle == Handle)
      return At;
  adze_stop("adze: a derivative joins a thread that it has not created: what "
            "that thread does has no derivative");
}

void adze_thread_join(unsigned long Handle) {
  struct Created **At = find(Handle), *Old = *At;
  *At = Old->Next;
  free(Old);
  pthread_join(Handle, NULL);
}

void adze_thread_keep(unsigned long Handle, int Result) {
  (*find(Handle))->Result = Result;
}

int adze_thread_kept(unsigned long Handle) { return (*find(Handle))->Result; }

static struct Locked **findLocked(void *Mutex) {
  struct Locked **At = &AllLocked;
  while (*At && (*At)->Mutex != Mutex)
    At = &(*At)->Next;
  return At;
}

static void forget(struct Locked **At) {
  struct Locked *Old = *At;
  if (Old) {
    *At = Old->Next;
    free(Old);
  }
}

static int remember(void *Mutex, int Error) {
  if (Error)
    return Error;
  struct Locked *New = allocate(sizeof *New);
  New->Next = AllLocked;
  New->Mutex = Mutex;
  New->Depth = Depth;
  AllLocked = New;
  return 0;
}

/// Who holds the mutex and is about to wait for this thread would do so
/// forever. (Code that has no derivative may have unlocked it since.)
int adze_thread_lock(void *Mutex) {
  struct Locked **Before = findLocked(Mutex);
  if (!*Before || (*Before)->Depth >= Depth)
    return remember(Mutex, pthread_mutex_lock(Mutex));
  if (pthread_mutex_trylock(Mutex))
    adze_stop("adze: a thread locks a mutex that was locked where the thread "
              "is created; a derivative runs it there: create threads where no "
              "mutex is held that they lock");
  forget(Before);
  return remember(Mutex, 0);
}

int adze_thread_trylock(void *Mutex) {
  return remember(Mutex, pthread_mutex_trylock(Mutex));
}

int adze_thread_unlock(void *Mutex) {
  forget(findLocked(Mutex));
  return pthread_mutex_unlock(Mutex);
}

//===-- Spin locks --------------------------------------------------------===//

/// Iterations of the loop that this thread is in, and when it was found slow.
static _Thread_local uint64_t Spins;
static _Thread_local long SlowSince;

void adze_thread_spin_begin(void) { Spins = 0; }

/// A loop waits until another thread puts something back. Threads that this one
/// has run do not do so any more.
void adze_thread_spin(void) {
  enum { Slow = 1 << 16, MostSeconds = 5 };
  if (++Spins % Slow || !RunsThreads)
    return;
  sched_yield();
  if (Spins == Slow)
    SlowSince = time(NULL);
  else if (time(NULL) - SlowSince > MostSeconds)
    adze_stop("adze: a derivative waits for a lock that nobody gives back (a "
              "loop that exchanges a value); it runs threads where they are "
              "created: create them where no lock is held that they take");
}

//===-- Futures -----------------------------------------------------------===//

long syscall(long Number, ...);

/// What the library has in the status of a state: 1, and a bit if somebody
/// waits for it.
void adze_thread_ready(unsigned *Status) {
  const unsigned Ready = 1, Waiters = 1u << 31;
  if (!(__atomic_exchange_n(Status, Ready, __ATOMIC_RELEASE) & Waiters))
    return;
#ifdef __x86_64__
  enum { Futex = 202 };
#else
  enum { Futex = 98 };
#endif
  enum { Wake = 1 };
  syscall(Futex, Status, Wake, INT32_MAX);
}

RARE _Noreturn void adze_thread_unready(void) {
  adze_stop("adze: a derivative waits for a future that nobody makes ready: it "
            "runs threads where they are created, so what sets the result must "
            "be created before; and a promise may not be broken");
}

/// Code without derivative is about to wait for one.
void adze_thread_wait(void) {
  if (Depth)
    adze_thread_unready();
}

void adze_thread_poll(void) {
  enum { Most = 100, MostSeconds = 5 };
  if (Polls++ == 0)
    FirstPoll = time(NULL);
  else if (Polls > Most && time(NULL) - FirstPoll > MostSeconds)
    adze_thread_unready();
}
