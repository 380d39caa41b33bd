// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of pages of shadows, for what threads add to at addresses of which
// only the run knows (nodes by indices), and near the bounds of their
// iterations. Part of Teams.c.
//
// A page to which a thread adds often gets a copy of the thread, of zeros. The
// few terms before there is a copy are kept in a list. At the end of the
// reverse region, behind a barrier, copies and lists are added to the shadow,
// in the order of the threads' numbers. Who adds finds the copy in a table of
// the thread. Beyond the memory that a thread may use for copies, it adds to
// the shadow atomically.
//
// If nobody adds to such pages in another way while the region runs
// (Replica::IsClaimed), a page belongs to the first thread that adds to it,
// which adds to the shadow itself. Beyond the memory for copies, all that are
// not the owner share one copy of a page, and add there atomically. Pages whose
// numbers end alike have one owner. So there is one comparison and exchange for
// a page and thread, nothing that may be full, and what a thread finds once
// holds for as long as the region runs.
#ifndef ADZE_RUNTIME_TEAMPAGES_H
#define ADZE_RUNTIME_TEAMPAGES_H

/// Also in Rules/AtomicSum.cpp.
enum { PageBits = 12, CachedPages = 1024, ClaimedPages = 1 << 14 };
/// A copy costs as much as this many terms in a list, about.
enum { SumsBefore = 16 };
/// What one thread cares for at the end, in turn.
enum { BlockBits = 10 };

struct CachedPage {
  uint64_t Number; // address / size
  char *Copy;
};
struct Page {
  uint64_t Number, Sums; // Sums == 0: no page
  char *Copy;
  char *Common; // Claims::Common has it as well
};
/// Pages, hashed by their numbers.
struct PageTable {
  struct Page *Known;
  uint64_t Room, Count;
};
/// What is added at the end.
struct LaterSum {
  char *Place;
  double Term;
};
struct Pages {
  struct CachedPage Cache[CachedPages]; // first: others read and know both
  uint8_t IsOwn[ClaimedPages];          // of the pages whose numbers end so
  struct Claims *Claims;                // null: pages belong to nobody
  uint32_t Owner;                       // 1 + the thread's number
  struct PageTable Of;
  uint64_t Copies, Most;
  struct LaterSum *Later;
  uint64_t LaterRoom, LaterCount;
};
_Static_assert(__builtin_offsetof(struct Pages, IsOwn) ==
                   sizeof(struct CachedPage) * CachedPages,
               "where sums look");

/// Of a team.
struct Claims {
  uint32_t Owner[ClaimedPages]; // 1 + the thread's number; 0: none
  uint64_t IsHeld;              // 1: a thread looks at Common
  struct PageTable Common[2];   // of floats, of doubles
};

static void *zeros(uint64_t Count, size_t Bytes) {
  void *Block = calloc(Count, Bytes);
  if (!Block)
    adze_stop("adze: out of memory for copies of shadows in a parallel region "
              "(-adze-openmp-adjoint=atomic needs none)");
  return Block;
}

/// Of this team. The first thread that comes makes them.
static struct Claims *claimsOfTeam(void) {
  struct Claims *Known = __atomic_load_n(&Current->Claims, __ATOMIC_ACQUIRE);
  if (Known)
    return Known;
  struct Claims *New = zeros(1, sizeof *New);
  if (__atomic_compare_exchange_n(&Current->Claims, &Known, New, 0,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return New;
  free(New);
  return Known;
}

static void freeClaims(struct Claims *Claims) {
  for (unsigned Kind = 0; Claims && Kind < 2; ++Kind) {
    const struct PageTable *Of = &Claims->Common[Kind];
    for (uint64_t K = 0; K < Of->Room; ++K)
      free(Of->Known[K].Common);
    free(Of->Known);
  }
  free(Claims);
}

/// Of one thread, for floats of one type; copies of \p Bytes at most. Null
/// where it is the only one, or the version of the region without copies runs.
void *adze_team_pages_begin(uint64_t Bytes, _Bool AreUsed, _Bool MayClaim) {
  if (!AreUsed || omp_get_num_threads() == 1)
    return NULL;
  struct Pages *P = zeros(1, sizeof *P);
  for (unsigned K = 0; K < CachedPages; ++K)
    P->Cache[K].Number = UINT64_MAX;
  P->Claims = MayClaim ? claimsOfTeam() : NULL;
  // In a region of one thread within, it would have another number.
  P->Owner = 1 + (uint32_t)omp_get_thread_num();
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

static void growPages(struct PageTable *Of) {
  const uint64_t Room = Of->Room ? 2 * Of->Room : 64;
  struct Page *New = zeros(Room, sizeof(struct Page));
  for (uint64_t K = 0; K < Of->Room; ++K)
    if (Of->Known[K].Sums)
      *placeOf(New, Room, Of->Known[K].Number) = Of->Known[K];
  free(Of->Known);
  Of->Known = New;
  Of->Room = Room;
}

/// Counts a sum in the page of that number.
static struct Page *pageIn(struct PageTable *Of, uint64_t Number) {
  if (2 * (Of->Count + 1) > Of->Room)
    growPages(Of);
  struct Page *At = placeOf(Of->Known, Of->Room, Number);
  Of->Count += At->Sums == 0;
  ++At->Sums;
  At->Number = Number;
  return At;
}

static char *within(char *Page, const char *Place) {
  return Page + ((uint64_t)Place & ((1u << PageBits) - 1));
}

/// The page is this thread's, now or since it has been here before.
static _Bool claimPage(struct Pages *P, uint64_t Number) {
  const uint64_t At = Number & (ClaimedPages - 1);
  const uint32_t Me = P->Owner;
  uint32_t *Place = &P->Claims->Owner[At];
  uint32_t Owner = __atomic_load_n(Place, __ATOMIC_RELAXED);
  P->IsOwn[At] = Owner == Me ||
                 (Owner == 0 && __atomic_compare_exchange_n(Place, &Owner, Me,
                                                            0, __ATOMIC_RELAXED,
                                                            __ATOMIC_RELAXED));
  return P->IsOwn[At];
}

/// The copy that the thread has of the page; null if it has none.
static char *copyOfPage(struct Pages *P, struct Page *At) {
  if (At->Sums > SumsBefore && !At->Copy && P->Copies < P->Most) {
    At->Copy = calloc((size_t)1 << PageBits, 1);
    P->Copies += At->Copy != NULL;
  }
  if (!At->Copy)
    return NULL;
  struct CachedPage *Cached = &P->Cache[At->Number & (CachedPages - 1)];
  Cached->Number = At->Number;
  Cached->Copy = At->Copy;
  return At->Copy;
}

/// The copy that all threads share that do not own the page.
static char *commonPage(struct Pages *P, struct Page *At, _Bool IsDouble) {
  struct Claims *Claims = P->Claims;
  if (At->Common)
    return At->Common;
  while (__atomic_exchange_n(&Claims->IsHeld, 1, __ATOMIC_ACQUIRE))
    sched_yield();
  struct Page *Common = pageIn(&Claims->Common[IsDouble], At->Number);
  if (!Common->Common)
    Common->Common = zeros((size_t)1 << PageBits, 1);
  At->Common = Common->Common;
  __atomic_store_n(&Claims->IsHeld, 0, __ATOMIC_RELEASE);
  return At->Common;
}

static void addLater(struct Pages *P, char *Place, double Term) {
  if (P->LaterCount == P->LaterRoom) {
    const uint64_t Room = P->LaterRoom ? 2 * P->LaterRoom : 256;
    struct LaterSum *New = zeros(Room, sizeof *New);
    for (uint64_t K = 0; K < P->LaterCount; ++K)
      New[K] = P->Later[K];
    free(P->Later);
    P->Later = New;
    P->LaterRoom = Room;
  }
  P->Later[P->LaterCount].Place = Place;
  P->Later[P->LaterCount++].Term = Term;
}

/// What the tables do not know.
#define ADD_IN_PAGE(NAME, FLOAT, WORD)                                         \
  static void NAME##_atomic(char *Place, FLOAT Term) {                         \
    union {                                                                    \
      FLOAT Float;                                                             \
      WORD Word;                                                               \
    } Old, New;                                                                \
    Old.Word = __atomic_load_n((WORD *)Place, __ATOMIC_RELAXED);               \
    do                                                                         \
      New.Float = Old.Float + Term;                                            \
    while (!__atomic_compare_exchange_n((WORD *)Place, &Old.Word, New.Word, 0, \
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));  \
  }                                                                            \
  __attribute__((cold, noinline)) void NAME(struct Pages *P, char *Place,      \
                                            FLOAT Term) {                      \
    const uint64_t Number = (uint64_t)Place >> PageBits;                       \
    if (P->Claims && claimPage(P, Number)) {                                   \
      *(FLOAT *)Place += Term;                                                 \
      return;                                                                  \
    }                                                                          \
    struct Page *At = pageIn(&P->Of, Number);                                  \
    char *Copy = copyOfPage(P, At);                                            \
    if (Copy)                                                                  \
      *(FLOAT *)within(Copy, Place) += Term;                                   \
    else if (At->Sums <= SumsBefore)                                           \
      addLater(P, Place, (double)Term);                                        \
    else if (!P->Claims)                                                       \
      NAME##_atomic(Place, Term);                                              \
    else                                                                       \
      NAME##_atomic(within(commonPage(P, At, sizeof(FLOAT) == 8), Place),      \
                    Term);                                                     \
  }
ADD_IN_PAGE(adze_team_pages_add_double, double, uint64_t)
ADD_IN_PAGE(adze_team_pages_add_float, float, uint32_t)

/// Adds what this thread cares for of \p Copy of the page: the same blocks as
/// of all copies (addBlocks).
static void addPage(uint64_t Page, const char *Copy, _Bool IsDouble,
                    uint64_t Number, uint64_t Size) {
  enum { Blocks = 1 << (PageBits - BlockBits) };
  for (uint64_t K = 0; Copy && K < Blocks; ++K) {
    const uint64_t Block = Page * Blocks + K;
    if (Block % Size == Number)
      (IsDouble ? addDoubles : addFloats)((char *)(Block << BlockBits),
                                          Copy + (K << BlockBits),
                                          1u << BlockBits);
  }
}

/// The same of what \p P has put off.
static void addPutOff(const struct Pages *P, _Bool IsDouble, uint64_t Number,
                      uint64_t Size) {
  for (uint64_t K = 0; K < P->LaterCount; ++K) {
    const struct LaterSum *Sum = &P->Later[K];
    if (((uint64_t)Sum->Place >> BlockBits) % Size != Number)
      continue;
    if (IsDouble)
      *(double *)Sum->Place += Sum->Term;
    else
      *(float *)Sum->Place += (float)Sum->Term;
  }
}

static void freePages(struct Pages *P) {
  for (uint64_t K = 0; K < P->Of.Room; ++K)
    free(P->Of.Known[K].Copy);
  free(P->Of.Known);
  free(P->Later);
  free(P);
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
  for (uint64_t Thread = 0; Thread < Size; ++Thread) {
    const struct PageTable *Pages = &Of[Thread]->Of;
    for (uint64_t K = 0; K < Pages->Room; ++K)
      addPage(Pages->Known[K].Number, Pages->Known[K].Copy, IsDouble, Number,
              Size);
    addPutOff(Of[Thread], IsDouble, Number, Size);
  }
  if (Mine->Claims) {
    const struct PageTable *Common = &Mine->Claims->Common[IsDouble];
    for (uint64_t K = 0; K < Common->Room; ++K)
      addPage(Common->Known[K].Number, Common->Known[K].Common, IsDouble,
              Number, Size);
  }
  __kmpc_barrier(&Here, Global);
  freePages(Mine);
}

#endif
