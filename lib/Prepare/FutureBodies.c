// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of the states behind std::future of libstdc++, as ThreadBodies.c has
// what starts and ends threads. The headers' own bodies wait for a number in
// the kernel, and run what is to run once through variables of the thread. In a
// derivative the thread of std::async has ended where it was created: a state
// is ready, or nobody makes it so while one waits (docs/Parallel.md).
#include <stddef.h>

extern unsigned long adze_thread_begin(void);
extern void adze_thread_end(void);
extern void adze_thread_join(unsigned long Thread);
/// The state whose status this is has its result; who waits for that without
/// derivative is told.
extern void adze_thread_ready(unsigned *Status);
/// Somebody asks whether a state is ready, and it is not.
extern void adze_thread_poll(void);
/// Somebody waits until it is.
_Noreturn extern void adze_thread_unready(void);

//===-- Results -----------------------------------------------------------===//

struct Result;
struct ResultTable {
  void (*Destroy)(struct Result *);
};
struct Result {
  const struct ResultTable *Table;
  void *Error; // std::exception_ptr
};

extern void
release_exception(void **) __asm__("_ZNSt15__exception_ptr13exception_ptr10_M_"
                                   "releaseEv");

/// What is derived puts its table there.
void body_future_result_begin(struct Result *R) { R->Error = NULL; }

void body_future_result_end(struct Result *R) {
  if (R->Error)
    release_exception(&R->Error);
}

//===-- States ------------------------------------------------------------===//

struct State;
struct StateTable {
  void (*Destroy)(struct State *), (*Delete)(struct State *);
  void (*Complete)(struct State *);
  _Bool (*IsDeferred)(const struct State *);
};
struct State {
  const struct StateTable *Table;
  struct Result *Result;
  unsigned Status;
  unsigned char Retrieved;
  int Once;
};
/// That of std::async in a thread.
struct AsyncState {
  struct State Base;
  unsigned long Thread;
  int Once;
};

enum { NotReady, Ready, Waiters = 1u << 31 };
/// What glibc has in flags of functions that have run.
enum { HasRun = 2 };

static _Bool isReady(const struct State *S) {
  return (S->Status & ~Waiters) == Ready;
}

struct Result *body_future_wait(struct State *S) {
  const struct StateTable Table = *S->Table;
  Table.Complete(S);
  if (!isReady(S))
    adze_thread_unready();
  return S->Result;
}

/// std::future_status
int body_future_poll(struct State *S, const void *Time) {
  enum { IsReady, TimeIsOver, IsDeferred };
  (void)Time;
  if (isReady(S))
    return IsReady;
  const struct StateTable Table = *S->Table;
  if (Table.IsDeferred(S))
    return IsDeferred;
  adze_thread_poll();
  return TimeIsOver;
}

/// std::function<std::unique_ptr<Result>()>
struct Maker {
  void *Object[2];
  void *Manage;
  void (*Invoke)(struct Result **, const void *Object);
};

extern void throw_future_error(int) __asm__("_ZSt20__throw_future_errori");

void body_future_set(struct State *S, const struct Maker *Make, _Bool Ignore) {
  enum { AlreadySatisfied = 2 };
  if (S->Once == HasRun) {
    if (!Ignore)
      throw_future_error(AlreadySatisfied);
    return;
  }
  S->Once = HasRun;
  struct Result *New = NULL, *Old = S->Result;
  Make->Invoke(&New, Make);
  S->Result = New;
  if (Old)
    Old->Table->Destroy(Old);
  adze_thread_ready(&S->Status);
}

/// Nobody sets the result any more. Who waits for it ends the program.
void body_future_break(struct State *S, struct Result **Own) {
  struct Result *Old = S->Result;
  if (!*Own)
    return;
  S->Result = *Own;
  *Own = Old;
}

void body_future_join(struct AsyncState *S) {
  if (!S->Thread)
    return;
  adze_thread_join(S->Thread);
  S->Thread = 0;
}

/// What runs a function for a result, and is copied where std::function has it.
/// Without optimization it is not seen what is copied.
struct Setter {
  void *Result, *Function;
};

void body_future_copy(struct Setter *To, const struct Setter *From) {
  To->Result = From->Result;
  To->Function = From->Function;
}

//===-- std::async --------------------------------------------------------===//

/// A pointer to a member that is not virtual.
struct Member {
  void (*Function)(void *);
  long Offset;
};

/// std::thread(Run, State)
void body_future_start(unsigned long *Thread, const struct Member *Run,
                       char *const *State) {
  const struct Member M = *Run;
  char *S = *State;
  *Thread = adze_thread_begin();
  M.Function(S + M.Offset);
  adze_thread_end();
}
