// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of pages of shadows, for what threads add to at addresses of which
// only the run knows (nodes by indices). Part of Teams.c.
//
// A page to which a thread adds often gets a copy of the thread, of zeros; the
// few additions before are atomic. At the end of the reverse region, behind a
// barrier, the copies are added to the shadow, in the order of the threads'
// numbers. Who adds finds the copy in a table of the thread.
#ifndef ADZE_RUNTIME_TEAMPAGES_H
#define ADZE_RUNTIME_TEAMPAGES_H

/// Also in Rules/AtomicSum.cpp.
enum { PageBits = 12, CachedPages = 1024 };
/// A copy costs as much as this many atomic additions, about.
enum { SumsBefore = 16 };

struct CachedPage {
  uint64_t Number; // address / size
  char *Copy;
};
struct Page {
  uint64_t Number, Sums; // Sums == 0: no page
  char *Copy;
};
struct Pages {
  struct CachedPage Cache[CachedPages]; // first: others read and know it
  struct Page *Known;                   // hashed by their numbers
  uint64_t Room, Count, Copies, Most;
};

static struct Page *newPages(uint64_t Room) {
  struct Page *Known = calloc(Room, sizeof(struct Page));
  if (!Known)
    adze_stop("adze: out of memory for copies of shadows in a parallel region "
              "(-adze-openmp-adjoint=atomic needs none)");
  return Known;
}

/// Of one thread, for floats of one type; copies of \p Bytes at most. Null
/// where it is the only one, or the version of the region without copies runs.
void *adze_team_pages_begin(uint64_t Bytes, _Bool AreUsed) {
  if (!AreUsed || omp_get_num_threads() == 1)
    return NULL;
  struct Pages *P = malloc(sizeof *P);
  if (!P)
    adze_stop("adze: out of memory for copies of shadows in a parallel region "
              "(-adze-openmp-adjoint=atomic needs none)");
  for (unsigned K = 0; K < CachedPages; ++K)
    P->Cache[K].Number = UINT64_MAX;
  P->Room = 64;
  P->Known = newPages(P->Room);
  P->Count = P->Copies = 0;
  P->Most = Bytes >> PageBits;
  return P;
}

/// The page of that number, or the place for it.
static struct Page *placeOf(struct Page *Known, uint64_t Room,
                            uint64_t Number) {
  uint64_t At = Number * 0x9e3779b97f4a7c15u;
  for (At = (At ^ At >> 32) & (Room - 1);; At = (At + 1) & (Room - 1))
    if (!Known[At].Sums || Known[At].Number == Number)
      return &Known[At];
}

static void growPages(struct Pages *P) {
  struct Page *New = newPages(2 * P->Room);
  for (uint64_t K = 0; K < P->Room; ++K)
    if (P->Known[K].Sums)
      *placeOf(New, 2 * P->Room, P->Known[K].Number) = P->Known[K];
  free(P->Known);
  P->Known = New;
  P->Room *= 2;
}

/// Where the thread may add plainly instead of at \p Place; null if nowhere.
static char *copyOfPage(struct Pages *P, const char *Place) {
  const uint64_t Number = (uint64_t)Place >> PageBits;
  struct Page *At = placeOf(P->Known, P->Room, Number);
  if (!At->Sums) {
    if (2 * (P->Count + 1) > P->Room) {
      growPages(P);
      At = placeOf(P->Known, P->Room, Number);
    }
    ++P->Count;
    At->Number = Number;
  }
  if (++At->Sums > SumsBefore && !At->Copy && P->Copies < P->Most) {
    At->Copy = calloc((size_t)1 << PageBits, 1);
    P->Copies += At->Copy != NULL;
  }
  if (!At->Copy)
    return NULL;
  struct CachedPage *Cached = &P->Cache[Number & (CachedPages - 1)];
  Cached->Number = Number;
  Cached->Copy = At->Copy;
  return At->Copy + ((uint64_t)Place & ((1u << PageBits) - 1));
}

/// What the table does not know.
#define ADD_IN_PAGE(NAME, FLOAT, WORD)                                         \
  __attribute__((cold, noinline)) void NAME(struct Pages *P, char *Place,      \
                                            FLOAT Term) {                      \
    char *Copy = copyOfPage(P, Place);                                         \
    if (Copy) {                                                                \
      *(FLOAT *)Copy += Term;                                                  \
      return;                                                                  \
    }                                                                          \
    union {                                                                    \
      FLOAT Float;                                                             \
      WORD Word;                                                               \
    } Old, New;                                                                \
    Old.Word = __atomic_load_n((WORD *)Place, __ATOMIC_RELAXED);               \
    do                                                                         \
      New.Float = Old.Float + Term;                                            \
    while (!__atomic_compare_exchange_n((WORD *)Place, &Old.Word, New.Word, 0, \
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));  \
  }
ADD_IN_PAGE(adze_team_pages_add_double, double, uint64_t)
ADD_IN_PAGE(adze_team_pages_add_float, float, uint32_t)

/// Adds what this thread cares for of \p At: the same blocks as of all copies
/// (addBlocks).
static void addPage(const struct Page *At, _Bool IsDouble, uint64_t Number,
                    uint64_t Size) {
  enum { BlockBits = 10, Blocks = 1 << (PageBits - BlockBits) };
  for (uint64_t K = 0; K < Blocks; ++K) {
    const uint64_t Block = At->Number * Blocks + K;
    if (Block % Size == Number)
      (IsDouble ? addDoubles : addFloats)((char *)(Block << BlockBits),
                                          At->Copy + (K << BlockBits),
                                          1u << BlockBits);
  }
}

/// All threads have added what they have to add.
void adze_team_pages_end(struct Pages *Mine, _Bool IsDouble) {
  const uint64_t Size = (uint64_t)omp_get_num_threads();
  if (!Mine)
    return;
  const uint64_t Number = (uint64_t)omp_get_thread_num();
  const int32_t Global = __kmpc_global_thread_num(&Here);
  struct Pages **Of =
      (struct Pages **)pointersOf((void ***)&Current->Pages, Size);
  Of[Number] = Mine;
  __kmpc_barrier(&Here, Global);
  for (uint64_t Thread = 0; Thread < Size; ++Thread)
    for (uint64_t K = 0; K < Of[Thread]->Room; ++K)
      if (Of[Thread]->Known[K].Copy)
        addPage(&Of[Thread]->Known[K], IsDouble, Number, Size);
  __kmpc_barrier(&Here, Global);
  for (uint64_t K = 0; K < Mine->Room; ++K)
    free(Mine->Known[K].Copy);
  free(Mine->Known);
  free(Mine);
}

#endif
