// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's sums in pages (Runtime/TeamPages.h), as threads of a team call
// it: pages that several threads claim, that belong to one, that are full; two
// types of floats on one page; two teams after each other; teams within teams.
// All numbers are small integers, so that no order of sums rounds.
//
// RUN: %clang -O1 -fopenmp %s -o %t && %t
#include "../../lib/Runtime/Teams.c"
int printf(const char *, ...);
void exit(int);
void omp_set_num_threads(int);
void omp_set_max_active_levels(int);
void adze_stop(const char *Text) {
  printf("%s\n", Text);
  exit(1);
}
void *adze_tape_alloc(uint64_t Bytes) { return malloc(Bytes); }
void adze_tape_free(void *Block) { free(Block); }

enum { Count = 30000, Sums = 40000 };

struct Job {
  char *Shadow; // doubles, and a float behind each
  uint64_t Bytes, Seed, Way;
  _Bool MayClaim, StartsTeams;
};

static uint64_t next(uint64_t *State) {
  return (*State = *State * 6364136223846793005u + 1442695040888963407u) >> 33;
}

/// Which element a sum of a thread goes to.
static uint64_t elementOf(const struct Job *J, uint64_t Thread, uint64_t K,
                          uint64_t Random) {
  if (J->Way == 0) // anywhere: each page a few times, or often
    return Random % Count;
  if (J->Way == 1) // each thread its own, and some of the next one
    return (Thread * 2000 + Random % 2300) % Count;
  return Random % 2 ? K * 7 % 300 : Random % Count; // all the same
}

static double *doubleAt(char *Shadow, uint64_t Element) {
  return (double *)(Shadow + Element * 16);
}
static float *floatAt(char *Shadow, uint64_t Element) {
  return (float *)(Shadow + Element * 16 + 8);
}

#define ADD(FLOAT, NAME)                                                       \
  /* As Rules/AtomicSum.cpp does. */                                           \
  static void add_##FLOAT(struct Pages *P, FLOAT *Place, FLOAT Term) {         \
    const uint64_t Number = (uint64_t)Place >> PageBits;                       \
    const struct CachedPage *At = P ? &P->Cache[Number % CachedPages] : NULL;  \
    if (!P || P->IsOwn[Number % ClaimedPages])                                 \
      *Place += Term;                                                          \
    else if (At->Number == Number)                                             \
      *(FLOAT *)(At->Copy + ((uint64_t)Place & 4095)) += Term;                 \
    else                                                                       \
      NAME(P, (char *)Place, Term);                                            \
  }
ADD(double, adze_team_pages_add_double)
ADD(float, adze_team_pages_add_float)

static void body(int32_t *Global, int32_t *Bound, void *Arguments, void *Tape) {
  const struct Job *J = Arguments;
  const uint64_t Me = (uint64_t)omp_get_thread_num();
  if (J->StartsTeams) {
    struct Job Within = *J;
    Within.Shadow += Me * Count * 16;
    Within.StartsTeams = 0;
    adze_team_run(body, &Within, NULL, 0, 0);
    return;
  }
  struct Pages *Doubles = adze_team_pages_begin(J->Bytes, 1, J->MayClaim);
  struct Pages *Floats = adze_team_pages_begin(J->Bytes, 1, J->MayClaim);
  uint64_t State = J->Seed + 77 * Me;
  for (uint64_t K = 0; K < Sums; ++K) {
    const uint64_t At = elementOf(J, Me, K, next(&State));
    add_double(Doubles, doubleAt(J->Shadow, At), (double)(K % 5));
    add_float(Floats, floatAt(J->Shadow, At), 1);
  }
  adze_team_pages_end(Doubles, 1);
  adze_team_pages_end(Floats, 0);
}

static void expect(const struct Job *J, char *Shadow, uint64_t Threads) {
  for (uint64_t Me = 0; Me < Threads; ++Me) {
    uint64_t State = J->Seed + 77 * Me;
    for (uint64_t K = 0; K < Sums; ++K) {
      const uint64_t At = elementOf(J, Me, K, next(&State));
      *doubleAt(Shadow, At) += (double)(K % 5);
      *floatAt(Shadow, At) += 1;
    }
  }
}

static int differ(const char *Got, const char *Want, uint64_t Elements) {
  for (uint64_t K = 0; K < Elements; ++K)
    if (*doubleAt((char *)Got, K) != *doubleAt((char *)Want, K) ||
        *floatAt((char *)Got, K) != *floatAt((char *)Want, K))
      return 1;
  return 0;
}

int main(void) {
  enum { Parts = 4 };
  int Wrong = 0;
  char *Got = (char *)calloc(Parts * Count + 8, 16) + 24;
  char *Want = (char *)calloc(Parts * Count + 8, 16) + 24;
  const uint64_t Rooms[] = {0, 3 << PageBits, 64 << 20};
  for (unsigned Threads = 1; Threads <= 4; ++Threads)
    for (unsigned Way = 0; Way < 3; ++Way)
      for (unsigned Room = 0; Room < 3; ++Room)
        for (unsigned MayClaim = 0; MayClaim < 2; ++MayClaim) {
          struct Job J = {Got, Rooms[Room], Way + 3 * Room, Way, MayClaim, 0};
          omp_set_num_threads((int)Threads);
          for (int Again = 0; Again < 2; ++Again) {
            adze_team_run(body, &J, NULL, 0, 0);
            expect(&J, Want, Threads);
          }
          if (differ(Got, Want, Count)) {
            printf("%u threads, way %u, room %u, claims %u\n", Threads, Way,
                   Room, MayClaim);
            return 1;
          }
        }
  omp_set_max_active_levels(2);
  omp_set_num_threads(3);
  struct Job J = {Got, 64 << 20, 5, 1, 1, 1};
  adze_team_run(body, &J, NULL, 0, 0);
  for (unsigned K = 0; K < 3; ++K)
    expect(&J, Want + K * Count * 16, 3);
  Wrong |= differ(Got, Want, Parts * Count);
  if (Wrong)
    printf("teams within teams\n");
  return Wrong;
}
