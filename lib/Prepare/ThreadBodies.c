// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What starts, ends and excludes threads, as LibraryBodies.c has it for other
// functions of libraries. In a derivative a thread is run where it is created,
// by who creates it: one of the orders in which the program may run, if no
// thread waits for another one but for its end (docs/Parallel.md).
#include <stddef.h>

/// A handle that no other thread has. Between the two, code of a thread runs.
extern unsigned long adze_thread_begin(void);
extern void adze_thread_end(void);
extern void adze_thread_join(unsigned long Thread);
extern int adze_thread_lock(void *Mutex);
extern int adze_thread_trylock(void *Mutex);
extern int adze_thread_unlock(void *Mutex);

//===-- POSIX -------------------------------------------------------------===//

int body_thread_create(unsigned long *Thread, const void *Attributes,
                       void *(*Start)(void *), void *Argument) {
  (void)Attributes;
  *Thread = adze_thread_begin();
  (void)Start(Argument);
  adze_thread_end();
  return 0;
}

/// Stays what it is, and is refused, where a result is asked for.
extern int pthread_join(unsigned long Thread, void **Result);

int body_thread_join(unsigned long Thread, void **Result) {
  if (Result)
    return pthread_join(Thread, Result);
  adze_thread_join(Thread);
  return 0;
}

int body_mutex_lock(void *Mutex) { return adze_thread_lock(Mutex); }
int body_mutex_trylock(void *Mutex) { return adze_thread_trylock(Mutex); }
int body_mutex_unlock(void *Mutex) { return adze_thread_unlock(Mutex); }

//===-- C11 ---------------------------------------------------------------===//

/// What a thread has returned, until it is joined.
extern void adze_thread_keep(unsigned long Thread, int Result);
extern int adze_thread_kept(unsigned long Thread);

enum { Success, Busy };

int body_c_thread_create(unsigned long *Thread, int (*Start)(void *),
                         void *Argument) {
  *Thread = adze_thread_begin();
  const int Result = Start(Argument);
  adze_thread_end();
  adze_thread_keep(*Thread, Result);
  return Success;
}

int body_c_thread_join(unsigned long Thread, int *Result) {
  const int Kept = adze_thread_kept(Thread);
  adze_thread_join(Thread);
  if (Result)
    *Result = Kept;
  return Success;
}

int body_c_mutex_lock(void *Mutex) {
  (void)adze_thread_lock(Mutex);
  return Success;
}
int body_c_mutex_trylock(void *Mutex) {
  return adze_thread_trylock(Mutex) ? Busy : Success;
}
int body_c_mutex_unlock(void *Mutex) {
  (void)adze_thread_unlock(Mutex);
  return Success;
}

//===-- libstdc++: std::thread --------------------------------------------===//

struct State;
struct StateTable {
  void (*Destroy)(struct State *), (*Delete)(struct State *);
  void (*Run)(struct State *);
};
struct State {
  const struct StateTable *Table;
};
struct Thread {
  unsigned long Handle;
};

void body_std_thread_start(struct Thread *Thread, struct State **Owner,
                           void (*Depend)(void)) {
  (void)Depend;
  struct State *S = *Owner;
  *Owner = NULL;
  // Here it may be seen which class the state is of.
  const struct StateTable Table = *S->Table;
  Thread->Handle = adze_thread_begin();
  Table.Run(S);
  adze_thread_end();
  Table.Delete(S);
}

void body_std_thread_join(struct Thread *Thread) {
  adze_thread_join(Thread->Handle);
  Thread->Handle = 0;
}

void body_std_thread_state_end(struct State *S) { (void)S; }

void body_std_thread_swap(struct Thread *Thread, struct Thread *Other) {
  const unsigned long Handle = Thread->Handle;
  Thread->Handle = Other->Handle;
  Other->Handle = Handle;
}

//===-- TBB: in this thread -----------------------------------------------===//

struct Delegate;
struct DelegateTable {
  _Bool (*Run)(const struct Delegate *);
};
struct Delegate {
  const struct DelegateTable *Table;
};

void body_tbb_isolate(const struct Delegate *D, long Isolation) {
  (void)Isolation;
  const struct DelegateTable Table = *D->Table;
  (void)Table.Run(D);
}

//===-- Requests to stop --------------------------------------------------===//

/// std::stop_callback, in the list of those to call.
struct StopCallback {
  void (*Run)(struct StopCallback *);
  struct StopCallback *Previous, *Next;
  _Bool *Destroyed;
};
/// What std::stop_source and its tokens share.
struct StopState {
  unsigned Owners, Value;
  struct StopCallback *First;
  unsigned long Requester;
};

extern unsigned long pthread_self(void);

/// std::stop_source::request_stop without the lock: no other thread runs.
_Bool body_stop_request(struct StopState *S) {
  enum { StopRequested = 1 };
  if (S->Value & StopRequested)
    return 0;
  S->Value |= StopRequested;
  // Where code without derivative ends a callback that this thread has called,
  // it waits for nobody.
  S->Requester = pthread_self();
  while (S->First) {
    struct StopCallback *C = S->First;
    S->First = C->Next;
    if (S->First)
      S->First->Previous = NULL;
    _Bool Destroyed = 0;
    C->Destroyed = &Destroyed;
    C->Run(C);
    if (!Destroyed)
      C->Destroyed = NULL;
  }
  return 1;
}

/// The end of std::stop_callback.
void body_stop_forget(struct StopState *S, struct StopCallback *C) {
  if (S->First == C)
    S->First = C->Next;
  else if (C->Previous)
    C->Previous->Next = C->Next;
  else { // it has been called, or is right now
    if (C->Destroyed)
      *C->Destroyed = 1;
    return;
  }
  if (C->Next)
    C->Next->Previous = C->Previous;
}
