// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables of a thread without thread-local storage, which many JITs do not
// have: a block for each thread, by a key of the system's threads
// (Cleanup/ThreadStates.cpp).
#include "Runtime.h"

typedef unsigned SystemKey; // pthread_key_t of Linux
int pthread_key_create(SystemKey *Key, void (*AtEnd)(void *));
void *pthread_getspecific(SystemKey Key);
int pthread_setspecific(SystemKey Key, const void *Value);

enum { NotMade, IsBeingMade, Made };

struct Key {
  uint64_t State;
  SystemKey Is;
};

RARE static void makeKey(struct Key *K) {
  uint64_t Was = NotMade;
  if (__atomic_compare_exchange_n(&K->State, &Was, IsBeingMade, 0,
                                  __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
    if (pthread_key_create(&K->Is, free))
      adze_stop("adze: the system has no more keys for variables of threads");
    __atomic_store_n(&K->State, Made, __ATOMIC_RELEASE);
  }
  while (__atomic_load_n(&K->State, __ATOMIC_ACQUIRE) != Made)
    ;
}

RARE static void *makeState(struct Key *K, uint64_t Bytes) {
  void *State = malloc(Bytes);
  if (!State || pthread_setspecific(K->Is, State))
    adze_stop("adze: out of memory for variables of a thread");
  __builtin_memset(State, 0, Bytes);
  return State;
}

/// The thread's block, of zeros at first.
__attribute__((noinline)) void *adze_state_of_thread(struct Key *K,
                                                     uint64_t Bytes) {
  if (__atomic_load_n(&K->State, __ATOMIC_ACQUIRE) != Made)
    makeKey(K);
  void *State = pthread_getspecific(K->Is);
  return State ? State : makeState(K, Bytes);
}
