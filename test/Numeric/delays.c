// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked into a program of threads: random short delays around the calls of
// LLVM's OpenMP runtime, so that threads come in other orders than they would.
// They begin with the number ADZE_DELAYS of the environment (not 0).
// What is defined here stands before the runtime's own function of that name.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

static _Thread_local uint64_t State;
static uint64_t Seed, Threads;

__attribute__((constructor)) static void begin(void) {
  const char *Text = getenv("ADZE_DELAYS");
  Seed = Text ? (uint64_t)atoi(Text) : 1;
}

static uint64_t number(void) {
  if (!State)
    State = (Seed + 1) * 0x9e3779b97f4a7c15u +
            __atomic_add_fetch(&Threads, 1, __ATOMIC_RELAXED);
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return State >> 20;
}

static void delay(void) {
  const uint64_t N = number();
  if (!Seed || N % 4 < 2)
    return;
  if (N % 4 == 2) {
    sched_yield();
    return;
  }
  if (N / 4 % 8)
    return;
  struct timespec Time = {0, (long)(N / 32 % 60000)};
  nanosleep(&Time, 0);
}

/// A function of the runtime that returns a RESULT, with delays around it.
#define AROUND(RESULT, NAME, PARAMETERS, ...)                                  \
  RESULT NAME PARAMETERS {                                                     \
    static RESULT(*Next) PARAMETERS;                                           \
    if (!Next)                                                                 \
      Next = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);                    \
    delay();                                                                   \
    RESULT Result = Next(__VA_ARGS__);                                         \
    delay();                                                                   \
    return Result;                                                             \
  }
#define AROUND_VOID(NAME, PARAMETERS, ...)                                     \
  void NAME PARAMETERS {                                                       \
    static void(*Next) PARAMETERS;                                             \
    if (!Next)                                                                 \
      Next = (void(*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);                      \
    delay();                                                                   \
    Next(__VA_ARGS__);                                                         \
    delay();                                                                   \
  }

AROUND(int, omp_get_thread_num, (void))
AROUND(int, __kmpc_global_thread_num, (void *P), P)
AROUND(int, __kmpc_single, (void *P, int G), P, G)
AROUND(int, __kmpc_dispatch_next_4,
       (void *P, int G, void *A, void *B, void *C, void *D), P, G, A, B, C, D)
AROUND(int, __kmpc_dispatch_next_4u,
       (void *P, int G, void *A, void *B, void *C, void *D), P, G, A, B, C, D)
AROUND(int, __kmpc_dispatch_next_8,
       (void *P, int G, void *A, void *B, void *C, void *D), P, G, A, B, C, D)
AROUND(int, __kmpc_dispatch_next_8u,
       (void *P, int G, void *A, void *B, void *C, void *D), P, G, A, B, C, D)
AROUND(int, __kmpc_omp_task, (void *P, int G, void *T), P, G, T)
AROUND(int, __kmpc_omp_taskwait, (void *P, int G), P, G)
AROUND_VOID(__kmpc_end_single, (void *P, int G), P, G)
AROUND_VOID(__kmpc_barrier, (void *P, int G), P, G)
AROUND_VOID(__kmpc_critical, (void *P, int G, void *N), P, G, N)
AROUND_VOID(__kmpc_critical_with_hint, (void *P, int G, void *N, unsigned H), P,
            G, N, H)
AROUND_VOID(__kmpc_end_critical, (void *P, int G, void *N), P, G, N)
AROUND_VOID(__kmpc_ordered, (void *P, int G), P, G)
AROUND_VOID(__kmpc_end_ordered, (void *P, int G), P, G)
AROUND_VOID(__kmpc_for_static_fini, (void *P, int G), P, G)
AROUND_VOID(omp_set_lock, (void *L), L)
AROUND_VOID(omp_unset_lock, (void *L), L)

#ifdef __cplusplus
}
#endif
