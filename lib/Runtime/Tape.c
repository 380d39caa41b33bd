// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the arrays of the tape, and for the tapes of calls.
//
// Small blocks, of less than 32 KiB, come from the thread's arena: a stack of
// chunks, the first of 64 KiB, each twice as large as the one before, up to 16
// MiB. The reverse pass gives blocks back in the opposite order, so that a
// recursion's tapes cost a few instructions each and lie together. A block
// begins with its size and the address of the block below. It is given back by
// moving the top down to it; one that is not on top, because another thread
// made it or tapes were reversed in another order, is marked instead, and goes
// when it comes to the top. So every order and every thread is right; only
// memory may stay longer. A longjmp across a derivative leaves its blocks as it
// would leave them on the heap.
//
// Of chunks that get empty the arena holds on to the last one, so that calls at
// the end of a chunk do not ask for it again and again; and while no block is
// in use, to the first one, if the C library calls us back at the thread's end.
//
// A gradient is asked for again and again, and each time its tape has the same
// sizes. The system hands out big blocks as pages that do not exist yet, and
// making them exist costs more than writing and reading the tape does. So big
// blocks, and chunks, are not given back but kept for the next tape, in a table
// that all threads share, and all files: up to -adze-keep-tapes MiB, the oldest
// go first. A
// lock guards the table. Who does not get it soon does without the table, so
// nobody waits for a thread that sleeps or, after a fork, is no more.
//
// Nobody else touches the arena and the table, so to the optimizer these
// functions are what malloc and free are: an array that nothing reads goes away
// with its block (Emit/TapeMemory.cpp says so). They must not be inlined, for
// inside they are no such thing.
#include "Runtime.h"

enum {
  SmallBytes = 32768, // a block of at least so many is a big one
  FirstChunkBytes = 65536,
  MostChunkBytes = 16777216,
  MostKept = 1024,
  FenceBytes = SmallBytes,
  MostFences = 10,       // the largest has 16 MiB
  TrimmedBytes = 131072, // who frees less at once keeps it
  MostTries = 200,       // for the lock
  MostRounds = 10000,    // of blocks, or of tries, by who gives all back
};

/// The options of the compilation: whether fresh blocks are filled, for tests
/// (what is read must have been written), and how many bytes are kept.
extern const bool adze_tape_poison;
extern const uint64_t adze_tape_budget;
/// Every block is a big one: there is no arena (-adze-tape-allocator=malloc).
extern const bool adze_tape_plain;

static void *bigBlock(uint64_t Bytes);
static void release(void *Block);

//===-- Small blocks ------------------------------------------------------===//

/// What stands before a small block. The highest bit of Bytes marks one that
/// was given back, perhaps by another thread, while it was not on top.
struct Head {
  uint64_t Bytes;
  struct Head *Below;
};
#define DEAD ((uint64_t)1 << 63)

/// What a chunk begins with: the one before, with its room and its end.
struct Chunk {
  struct Chunk *Before;
  char *Room, *End;
  uint64_t Bytes;
  char Unused[32];
};
_Static_assert(sizeof(struct Chunk) == 64, "blocks are aligned");

struct Arena {
  struct Head *Top;
  char *Room, *End; // where the next block begins, the end of the chunk
  struct Chunk *Chunk;
  struct Chunk *Spare; // an empty one, or null
  uint64_t IsTold;     // of the thread's end
};

_Thread_local struct Arena adze_tape_arena __attribute__((aligned(64)));

static char *pushChunk(void);
static void popChunk(void);

/// A block of at least \p Bytes, aligned as malloc aligns. A size that does not
/// fit its 64 bits is asked for as the largest number.
__attribute__((noinline)) void *adze_tape_alloc(uint64_t Bytes) {
  void *Block;
  if (adze_tape_plain || Bytes >= SmallBytes) {
    Block = bigBlock(Bytes);
  } else {
    struct Arena *A = &adze_tape_arena;
    uint64_t Size = (Bytes + sizeof(struct Head) + 15) & ~(uint64_t)15;
    char *Room = A->Room;
    if (__builtin_expect(Size > (uint64_t)A->End - (uint64_t)Room, 0))
      Room = pushChunk();
    struct Head *H = (struct Head *)Room;
    A->Room = Room + Size;
    H->Bytes = Bytes;
    H->Below = A->Top;
    A->Top = H;
    Block = H + 1;
  }
  if (adze_tape_poison)
    __builtin_memset(Block, -1, Bytes);
  return Block;
}

/// The block is no longer used; null is none.
__attribute__((noinline)) void adze_tape_free(void *Block) {
  if (!Block)
    return;
  struct Head *H = (struct Head *)Block - 1;
  if (adze_tape_plain || H->Bytes >= SmallBytes) {
    release(Block);
    return;
  }
  struct Arena *A = &adze_tape_arena;
  if (__builtin_expect(A->Top != H, 0)) {
    __atomic_fetch_or(&H->Bytes, DEAD, __ATOMIC_RELEASE);
    return;
  }
  do {
    struct Head *Below = H->Below;
    A->Top = Below;
    A->Room = (char *)H;
    if (__builtin_expect((char *)H == (char *)(A->Chunk + 1), 0))
      popChunk();
    H = Below;
  } while (H &&
           __builtin_expect(
               (__atomic_load_n(&H->Bytes, __ATOMIC_ACQUIRE) & DEAD) != 0, 0));
}

//===-- The arena's chunks ------------------------------------------------===//

/// The C libraries that have it; elsewhere it is null.
int __cxa_thread_atexit_impl(void (*Function)(void *), void *Argument,
                             void *Library) __attribute__((weak));
extern char __dso_handle __attribute__((weak, visibility("hidden")));

/// The thread ends, or is not going to tell. What is still in use stays.
RARE static void endArena(void *Arena) {
  struct Arena *A = Arena;
  A->IsTold = 0;
  struct Chunk *Spare = A->Spare;
  A->Spare = NULL;
  if (Spare)
    release(Spare);
  struct Chunk *Chunk = A->Chunk;
  if (!Chunk || A->Top)
    return;
  A->Room = A->End = NULL;
  A->Chunk = NULL;
  release(Chunk);
}

/// The thread's first chunk is being made: asks to be told of the thread's end.
PART static void beginArena(void) {
  struct Arena *A = &adze_tape_arena;
  if (!A->IsTold && __cxa_thread_atexit_impl)
    A->IsTold = __cxa_thread_atexit_impl(endArena, A, &__dso_handle) == 0;
}

/// A new chunk for the arena. Returns its room.
RARE static char *pushChunk(void) {
  struct Arena *A = &adze_tape_arena;
  struct Chunk *New = A->Spare;
  if (New) {
    A->Spare = NULL;
  } else {
    uint64_t Bytes = FirstChunkBytes;
    if (!A->Chunk)
      beginArena();
    else if ((Bytes = 2 * A->Chunk->Bytes) > MostChunkBytes)
      Bytes = MostChunkBytes;
    New = bigBlock(Bytes);
    New->Bytes = Bytes;
  }
  New->Before = A->Chunk;
  New->Room = A->Room;
  New->End = A->End;
  A->Chunk = New;
  A->Room = (char *)(New + 1);
  A->End = (char *)New + New->Bytes;
  return A->Room;
}

/// The arena's last chunk is empty.
RARE static void popChunk(void) {
  struct Arena *A = &adze_tape_arena;
  struct Chunk *Last = A->Chunk, *Spare = A->Spare;
  A->Spare = NULL;
  if (Spare)
    release(Spare);
  if (Last->Before) {
    A->Room = Last->Room;
    A->End = Last->End;
    A->Chunk = Last->Before;
    A->Spare = Last;
  } else if (!A->IsTold) {
    endArena(A);
  }
}

//===-- Big blocks --------------------------------------------------------===//

/// What stands before a big block, which is at a multiple of 64.
struct BigHead {
  uint64_t Capacity;
  void *Made; // what malloc gave
};
enum {
  Alignment = 64,
  Colors = 64,
  BigRoom = Alignment + sizeof(struct BigHead) + (Colors - 1) * Alignment
};

/// The C library hands out big blocks at the same distance from the begin of a
/// page. A loop that fills or reads a dozen of such arrays together would have
/// all of them in one set of the nearest cache, and wait for stores to others
/// of which only the lowest bits of the address are like those of a load. So
/// blocks begin at different lines of their first page, as a hash of its
/// address says.
static void *blockIn(void *Made) {
  uint64_t Page = (uint64_t)Made / ((uint64_t)Colors * Alignment);
  uint64_t Color = Page * 0x9E3779B97F4A7C15 >> 58;
  char *First = (char *)Made + sizeof(struct BigHead) + Alignment - 1;
  return (char *)__builtin_align_down(First, Alignment) + Color * Alignment;
}

static void *takeKept(uint64_t Least, uint64_t Most);

/// A block of its own that nobody had before.
PART static void *freshBlock(uint64_t Bytes) {
  void *Made = malloc(Bytes + BigRoom);
  if (!Made)
    adze_stop("adze: out of memory for the tape of a derivative");
  void *New = blockIn(Made);
  ((struct BigHead *)New)[-1] = (struct BigHead){Bytes, Made};
  return New;
}

/// A block of its own, from the table if that has one that fits.
RARE static void *bigBlock(uint64_t Bytes) {
  if (Bytes >> 62)
    adze_stop("adze: the tape of a derivative is larger than memory can be");
  // Not twice as large as it need be.
  void *Taken = takeKept(Bytes, 2 * Bytes);
  return Taken ? Taken : freshBlock(Bytes);
}

/// The table of kept blocks, in order of age, and their capacities. It knows
/// blocks by what malloc gave, so that tools that look for leaks find them. All
/// is one variable, so that no analysis of variables one by one takes the rest
/// for unchanged by who waits for the lock. Files with derivatives share it: it
/// is one for the program, with the shared libraries that see its symbols.
struct Kept {
  void *Made;
  uint64_t Capacity;
};
__attribute__((weak)) struct {
  uint64_t Lock, Count, Bytes;
  struct Kept Blocks[MostKept];
} adze_tape_pool;

/// Whether the table is ours now.
RARE static bool tryLock(void) {
  for (int Tries = 0; Tries < MostTries; ++Tries)
    if (!__atomic_load_n(&adze_tape_pool.Lock, __ATOMIC_RELAXED) &&
        !__atomic_exchange_n(&adze_tape_pool.Lock, 1, __ATOMIC_ACQUIRE))
      return true;
  return false;
}

static void unlock(void) {
  __atomic_store_n(&adze_tape_pool.Lock, 0, __ATOMIC_RELEASE);
}

/// Who does not hold the lock looks at the count, too.
static void setCount(uint64_t Count) {
  __atomic_store_n(&adze_tape_pool.Count, Count, __ATOMIC_RELAXED);
}

/// Takes entry \p I out of the table.
PART static void forget(uint64_t I) {
  uint64_t Left = adze_tape_pool.Count - 1;
  setCount(Left);
  struct Kept *At = adze_tape_pool.Blocks + I;
  adze_tape_pool.Bytes -= At->Capacity;
  __builtin_memmove(At, At + 1, (Left - I) * sizeof(struct Kept));
}

/// The youngest block of at least \p Least bytes and at most \p Most, or null.
RARE static void *takeKept(uint64_t Least, uint64_t Most) {
  if (!__atomic_load_n(&adze_tape_pool.Count, __ATOMIC_RELAXED) || !tryLock())
    return NULL;
  void *Block = NULL;
  for (uint64_t I = adze_tape_pool.Count; I-- > 0 && !Block;) {
    const struct Kept *K = adze_tape_pool.Blocks + I;
    if (K->Capacity < Least || K->Capacity > Most)
      continue;
    Block = blockIn(K->Made);
    forget(I);
  }
  unlock();
  return Block;
}

/// Keeps a big block, or gives it back to the system.
RARE static void release(void *Block) {
  struct BigHead H = ((struct BigHead *)Block)[-1];
  if (H.Capacity > adze_tape_budget || !tryLock()) {
    free(H.Made);
    return;
  }
  while (adze_tape_pool.Count >= MostKept ||
         adze_tape_pool.Bytes + H.Capacity > adze_tape_budget) {
    free(adze_tape_pool.Blocks[0].Made);
    forget(0);
  }
  uint64_t Count = adze_tape_pool.Count;
  adze_tape_pool.Blocks[Count] = (struct Kept){H.Made, H.Capacity};
  adze_tape_pool.Bytes += H.Capacity;
  setCount(Count + 1);
  unlock();
}

/// Gives all kept blocks back to the C library. Programs call it as
/// adze_release_memory() of adze/adze.h.
RARE void adze_release_kept_memory(void) {
  // Not for ever: after a fork the lock's owner may be no more, and other
  // threads may keep blocks all the time.
  for (int Rounds = 0; Rounds < MostRounds; ++Rounds) {
    if (!__atomic_load_n(&adze_tape_pool.Count, __ATOMIC_RELAXED))
      return;
    void *Block = takeKept(0, UINT64_MAX);
    if (Block)
      free(((struct BigHead *)Block)[-1].Made);
  }
}

//===-- Blocks of the program ---------------------------------------------===//
//
// What the primal has freed, and the shadows of that, is freed when the
// outermost derivative is done, all at once: vectors that functions return, for
// one. The C library then gives the top of its heap back to the system, and the
// next gradient meets pages that do not exist yet. It cannot where a block that
// is in use lies above; so one is made there, and kept as blocks of the tape
// are: the memory below is the C library's, for whoever asks.

/// Whether a block at \p Address lies above \p Last, not farther from it than
/// memory is kept.
static bool isFence(const void *Address, uint64_t Last) {
  return (uint64_t)Address > Last &&
         (uint64_t)Address - Last <= adze_tape_budget;
}

RARE static bool hasFence(uint64_t Last) {
  if (!tryLock())
    return true;
  bool Found = false;
  for (uint64_t I = 0; I < adze_tape_pool.Count && !Found; ++I)
    Found = isFence(adze_tape_pool.Blocks[I].Made, Last);
  unlock();
  return Found;
}

/// The blocks of the list \p First are about to be freed. (Those that lie far
/// from the first one are none of the heap.)
RARE void adze_tape_hold(const struct Deferred *First) {
  if (!First || !adze_tape_budget)
    return;
  uint64_t Least = (uint64_t)First->Block, Last = Least;
  for (const struct Deferred *Next = First->Next; Next; Next = Next->Next) {
    uint64_t Block = (uint64_t)Next->Block;
    if (Block < Least && Last - Block <= adze_tape_budget)
      Least = Block;
    else if (Block > Last && Block - Least <= adze_tape_budget)
      Last = Block;
  }
  if (Last - Least < TrimmedBytes || hasFence(Last))
    return;
  // What others have given back below would serve as well. So it is taken, in
  // larger and larger blocks, until one lies above.
  void *Below[MostFences];
  int Count = 0;
  for (uint64_t Bytes = FenceBytes; Count < MostFences; Bytes *= 2) {
    void *Fence = freshBlock(Bytes);
    if (isFence(Fence, Last)) {
      release(Fence);
      break;
    }
    Below[Count++] = Fence;
  }
  while (Count > 0)
    free(((struct BigHead *)Below[--Count])[-1].Made);
}

//===-- Arrays whose size is not known ------------------------------------===//
//
// Chunks of 16, 32, 64, .. elements, so that nothing is ever copied. Chunks
// begin where the index plus 16 is a power of two. An array is known by the
// address at which its element 0 would lie if its last chunk went back that
// far.

static bool beginsChunk(uint64_t Index) {
  return __builtin_expect(((Index + 16) & (Index + 15)) == 0, 0);
}

/// A chunk for the elements from \p Index on. It begins with the array so far.
char *adze_tape_extend(char *Array, uint64_t Index, uint64_t Bytes) {
  char **Chunk = adze_tape_alloc((Index + 16) * Bytes + 16);
  *Chunk = Array;
  return (char *)Chunk + 16 - Index * Bytes;
}

/// The array without the chunk that begins with element \p Index.
char *adze_tape_retreat(char *Array, uint64_t Index, uint64_t Bytes,
                        bool Keep) {
  char **Chunk = (char **)(Array + Index * Bytes - 16);
  char *Shorter = *Chunk;
  if (!Keep)
    adze_tape_free(Chunk);
  return Shorter;
}

/// The loop of an array enters iteration \p Index, whose element has \p Bytes.
__attribute__((always_inline)) char *adze_tape_grow(char *Array, uint64_t Index,
                                                    uint64_t Bytes) {
  return beginsChunk(Index) ? adze_tape_extend(Array, Index, Bytes) : Array;
}

/// The reverse of iteration \p Index is done: what adze_tape_grow() has given
/// may go.
__attribute__((always_inline)) char *
adze_tape_shrink(char *Array, uint64_t Index, uint64_t Bytes, bool Keep) {
  return beginsChunk(Index) ? adze_tape_retreat(Array, Index, Bytes, Keep)
                            : Array;
}
