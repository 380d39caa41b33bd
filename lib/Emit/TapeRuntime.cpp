// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
// Of chunks that get empty the arena holds on to the last one, lest calls at
// the brink of a chunk ask for it again and again; and while no block is in
// use, to the first one, if the C library calls us back at the thread's end.
//
// A gradient is asked for again and again, and each time its tape has the same
// sizes. The system hands out big blocks as pages that do not exist yet, and
// making them exist costs more than writing and reading the tape does. So big
// blocks, and chunks, are not given back but kept for the next tape, in a table
// that all threads share: up to -adze-keep-tapes MiB, the oldest go first. A
// lock guards the table. Who does not get it soon does without the table, so
// nobody waits for a thread that sleeps or, after a fork, is no more.
//
// Nobody else touches the arena and the table, so to the optimizer these
// functions are what malloc and free are: an array that nothing reads goes away
// with its block. They must not be inlined, for inside they are no such thing.
#include "TapeRuntime.h"
#include "adze/Options.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/TargetParser/Triple.h"
#include <utility>

using namespace llvm;

namespace adze {

namespace {

constexpr const char *Declarations = R"(
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @adze.tape.exhausted()
declare void @adze.tape.too.big()
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare ptr @llvm.threadlocal.address.p0(ptr)

; What runs once for a big block or a new chunk is left as it stands: to
; optimize it would take longer than most derivatives do.
attributes #0 = { noinline nounwind optnone }
attributes #1 = { alwaysinline nounwind }
attributes #5 = { nounwind }
attributes #2 = { noinline nounwind memory(inaccessiblemem: readwrite)
    allockind("alloc,uninitialized") allocsize(0) "alloc-family"="adze.tape" }
attributes #3 = { noinline nounwind
    memory(argmem: readwrite, inaccessiblemem: readwrite)
    allockind("free") "alloc-family"="adze.tape" }
attributes #4 = { cold noinline nounwind optnone }

!0 = !{!"branch_weights", i32 1000, i32 1}
!1 = !{!"branch_weights", i32 1, i32 1000}
)";

/// The two ways in, and small blocks.
constexpr const char *Small = R"(
; The newest block, where the next one begins, the end of the chunk, the chunk,
; an empty chunk or null, whether we are told of the thread's end.
@adze.tape.arena = thread_local global [6 x ptr] zeroinitializer, align 64

; A block of at least this many bytes, aligned as malloc aligns. A size that
; does not fit its 64 bits is asked for as the largest number.
define noalias nonnull align 16 ptr @adze.tape.alloc(i64 %bytes) #2 {
entry:
  %small = icmp ult i64 %bytes, 32768
  br i1 %small, label %bump, label %big
big:
  %big.block = call ptr @adze.tape.big(i64 %bytes)
  br label %done
bump:
  %arena = call ptr @llvm.threadlocal.address.p0(ptr @adze.tape.arena)
  %room.at = getelementptr i8, ptr %arena, i64 8
  %end.at = getelementptr i8, ptr %arena, i64 16
  %above = add i64 %bytes, 31
  %size = and i64 %above, -16
  %room = load ptr, ptr %room.at
  %end = load ptr, ptr %end.at
  %end.int = ptrtoint ptr %end to i64
  %room.int = ptrtoint ptr %room to i64
  %left = sub i64 %end.int, %room.int
  %fits = icmp ule i64 %size, %left
  br i1 %fits, label %put, label %full, !prof !0
full:
  %new.room = call ptr @adze.tape.push()
  br label %put
put:
  %head = phi ptr [ %room, %bump ], [ %new.room, %full ]
  %next.room = getelementptr i8, ptr %head, i64 %size
  store ptr %next.room, ptr %room.at
  %top = load ptr, ptr %arena
  store i64 %bytes, ptr %head
  %below.at = getelementptr i8, ptr %head, i64 8
  store ptr %top, ptr %below.at
  store ptr %head, ptr %arena
  %small.block = getelementptr i8, ptr %head, i64 16
  br label %done
done:
  %block = phi ptr [ %big.block, %big ], [ %small.block, %put ]
  POISON
  ret ptr %block
}

; The block is no longer used; null is none.
define void @adze.tape.free(ptr allocptr %block) #3 {
entry:
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %measure
measure:
  %head = getelementptr i8, ptr %block, i64 -16
  %bytes = load i64, ptr %head
  %small = icmp ult i64 %bytes, 32768
  br i1 %small, label %bump, label %big
big:
  call void @adze.tape.release(ptr %block)
  br label %done
bump:
  %arena = call ptr @llvm.threadlocal.address.p0(ptr @adze.tape.arena)
  %top = load ptr, ptr %arena
  %newest = icmp eq ptr %top, %head
  br i1 %newest, label %pop, label %mark, !prof !0
mark:
  %old = atomicrmw or ptr %head, i64 -9223372036854775808 release
  br label %done
pop:
  %popped = phi ptr [ %head, %bump ], [ %below, %look ]
  %below.at = getelementptr i8, ptr %popped, i64 8
  %below = load ptr, ptr %below.at
  store ptr %below, ptr %arena
  %room.at = getelementptr i8, ptr %arena, i64 8
  store ptr %popped, ptr %room.at
  %chunk.at = getelementptr i8, ptr %arena, i64 24
  %chunk = load ptr, ptr %chunk.at
  %first = getelementptr i8, ptr %chunk, i64 64
  %was.first = icmp eq ptr %popped, %first
  br i1 %was.first, label %empty, label %next, !prof !1
empty:
  call void @adze.tape.pop()
  br label %next
next:
  %last = icmp eq ptr %below, null
  br i1 %last, label %done, label %look
look:
  %word = load atomic i64, ptr %below acquire, align 8
  %dead = icmp slt i64 %word, 0
  br i1 %dead, label %pop, label %done, !prof !1
done:
  ret void
}
)";

/// The arena's chunks. A chunk begins with the address of the one before, the
/// room and the end of that, and its own size.
constexpr const char *Chunks = R"(
; A new chunk for the arena. Returns its room.
define ptr @adze.tape.push() #4 {
entry:
  %arena = call ptr @llvm.threadlocal.address.p0(ptr @adze.tape.arena)
  %room.at = getelementptr i8, ptr %arena, i64 8
  %end.at = getelementptr i8, ptr %arena, i64 16
  %chunk.at = getelementptr i8, ptr %arena, i64 24
  %spare.at = getelementptr i8, ptr %arena, i64 32
  %chunk = load ptr, ptr %chunk.at
  %spare = load ptr, ptr %spare.at
  %has.spare = icmp ne ptr %spare, null
  br i1 %has.spare, label %reuse, label %ask
reuse:
  store ptr null, ptr %spare.at
  br label %link
ask:
  %none = icmp eq ptr %chunk, null
  br i1 %none, label %begin, label %measure
begin:
  call void @adze.tape.begin()
  br label %make
measure:
  %old.size.at = getelementptr i8, ptr %chunk, i64 24
  %old.size = load i64, ptr %old.size.at
  %twice = shl i64 %old.size, 1
  %limited = call i64 @llvm.umin.i64(i64 %twice, i64 16777216)
  br label %make
make:
  %new.size = phi i64 [ 65536, %begin ], [ %limited, %measure ]
  %made = call ptr @adze.tape.big(i64 %new.size)
  %new.size.at = getelementptr i8, ptr %made, i64 24
  store i64 %new.size, ptr %new.size.at
  br label %link
link:
  %new = phi ptr [ %spare, %reuse ], [ %made, %make ]
  %old.room = load ptr, ptr %room.at
  %old.end = load ptr, ptr %end.at
  %saved.room.at = getelementptr i8, ptr %new, i64 8
  %saved.end.at = getelementptr i8, ptr %new, i64 16
  %size.at = getelementptr i8, ptr %new, i64 24
  %size = load i64, ptr %size.at
  store ptr %chunk, ptr %new
  store ptr %old.room, ptr %saved.room.at
  store ptr %old.end, ptr %saved.end.at
  %new.room = getelementptr i8, ptr %new, i64 64
  %new.end = getelementptr i8, ptr %new, i64 %size
  store ptr %new.room, ptr %room.at
  store ptr %new.end, ptr %end.at
  store ptr %new, ptr %chunk.at
  ret ptr %new.room
}

; The arena's last chunk is empty.
define void @adze.tape.pop() #4 {
entry:
  %arena = call ptr @llvm.threadlocal.address.p0(ptr @adze.tape.arena)
  %room.at = getelementptr i8, ptr %arena, i64 8
  %end.at = getelementptr i8, ptr %arena, i64 16
  %chunk.at = getelementptr i8, ptr %arena, i64 24
  %spare.at = getelementptr i8, ptr %arena, i64 32
  %told.at = getelementptr i8, ptr %arena, i64 40
  %chunk = load ptr, ptr %chunk.at
  %older = load ptr, ptr %chunk
  %spare = load ptr, ptr %spare.at
  store ptr null, ptr %spare.at
  %has.spare = icmp ne ptr %spare, null
  br i1 %has.spare, label %release, label %look
release:
  call void @adze.tape.release(ptr %spare)
  br label %look
look:
  %first = icmp eq ptr %older, null
  br i1 %first, label %unused, label %step
step:
  %saved.room.at = getelementptr i8, ptr %chunk, i64 8
  %saved.end.at = getelementptr i8, ptr %chunk, i64 16
  %room = load ptr, ptr %saved.room.at
  %end = load ptr, ptr %saved.end.at
  store ptr %room, ptr %room.at
  store ptr %end, ptr %end.at
  store ptr %older, ptr %chunk.at
  store ptr %chunk, ptr %spare.at
  ret void
unused:
  %told = load i64, ptr %told.at
  %held = icmp ne i64 %told, 0
  br i1 %held, label %done, label %let.go
let.go:
  call void @adze.tape.end(ptr %arena)
  br label %done
done:
  ret void
}

; The thread's first chunk is being made: asks to be told of the thread's end.
define void @adze.tape.begin() #4 {
entry:
  %arena = call ptr @llvm.threadlocal.address.p0(ptr @adze.tape.arena)
  %told.at = getelementptr i8, ptr %arena, i64 40
  %told = load i64, ptr %told.at
  %before = icmp ne i64 %told, 0
  %nobody = icmp eq ptr ATEXIT, null
  %skip = or i1 %before, %nobody
  br i1 %skip, label %done, label %ask
ask:
  %failed = call i32 ATEXIT(ptr @adze.tape.end, ptr %arena, ptr HANDLE)
  %fine = icmp eq i32 %failed, 0
  %fine.word = zext i1 %fine to i64
  store i64 %fine.word, ptr %told.at
  br label %done
done:
  ret void
}

; The thread ends, or is not going to tell. What is still in use stays.
define void @adze.tape.end(ptr %arena) #4 {
entry:
  %room.at = getelementptr i8, ptr %arena, i64 8
  %end.at = getelementptr i8, ptr %arena, i64 16
  %chunk.at = getelementptr i8, ptr %arena, i64 24
  %spare.at = getelementptr i8, ptr %arena, i64 32
  %told.at = getelementptr i8, ptr %arena, i64 40
  store i64 0, ptr %told.at
  %spare = load ptr, ptr %spare.at
  store ptr null, ptr %spare.at
  %has.spare = icmp ne ptr %spare, null
  br i1 %has.spare, label %release.spare, label %look
release.spare:
  call void @adze.tape.release(ptr %spare)
  br label %look
look:
  %top = load ptr, ptr %arena
  %chunk = load ptr, ptr %chunk.at
  %none = icmp eq ptr %chunk, null
  %used = icmp ne ptr %top, null
  %stays = or i1 %none, %used
  br i1 %stays, label %done, label %release
release:
  store ptr null, ptr %room.at
  store ptr null, ptr %end.at
  store ptr null, ptr %chunk.at
  call void @adze.tape.release(ptr %chunk)
  br label %done
done:
  ret void
}
)";

/// Big blocks. Their first byte is at a multiple of 64; 16 bytes before it
/// stands the capacity, 8 bytes before it what malloc gave.
constexpr const char *Big = R"(
; A block of its own, from the table if that has one that fits.
define ptr @adze.tape.big(i64 %bytes) #0 {
entry:
  %possible = icmp ult i64 %bytes, 4611686018427387904
  br i1 %possible, label %look, label %too.big
look:
  %taken = call ptr @adze.tape.take(i64 %bytes)
  %found = icmp ne ptr %taken, null
  br i1 %found, label %done, label %ask
ask:
  %total = add i64 %bytes, 80
  %made = call ptr @malloc(i64 %total)
  %none = icmp eq ptr %made, null
  br i1 %none, label %exhausted, label %mark
mark:
  %above = getelementptr i8, ptr %made, i64 79
  %new = call ptr @llvm.ptrmask.p0.i64(ptr %above, i64 -64)
  %capacity.at = getelementptr i8, ptr %new, i64 -16
  %made.at = getelementptr i8, ptr %new, i64 -8
  store i64 %bytes, ptr %capacity.at
  store ptr %made, ptr %made.at
  br label %done
too.big:
  call void @adze.tape.too.big()
  unreachable
exhausted:
  call void @adze.tape.exhausted()
  unreachable
done:
  %block = phi ptr [ %taken, %look ], [ %new, %mark ]
  ret ptr %block
}

; Gives such a block back to the system.
define void @adze.tape.drop(ptr %block) #0 {
entry:
  %made.at = getelementptr i8, ptr %block, i64 -8
  %made = load ptr, ptr %made.at
  call void @free(ptr %made)
  ret void
}
)";

/// The table of kept blocks, in order of age, and their capacities. It knows
/// blocks by what malloc gave, lest tools that look for leaks take them for
/// lost.
constexpr const char *Table = R"(
; The lock, the number of entries, the sum of their capacities, the entries. All
; one variable, so that no analysis of variables one by one takes the rest for
; unchanged by who waits for the lock.
@adze.tape.pool = global { i64, i64, i64, [64 x { ptr, i64 }] } zeroinitializer

; Whether the table is ours now.
define i1 @adze.tape.try() #0 {
entry:
  br label %look
look:
  %tries = phi i64 [ 0, %entry ], [ %tries.next, %busy ]
  %seen = load atomic i32, ptr @adze.tape.pool monotonic, align 4
  %open = icmp eq i32 %seen, 0
  br i1 %open, label %seize, label %busy
seize:
  %was = atomicrmw xchg ptr @adze.tape.pool, i32 1 acquire
  %ours = icmp eq i32 %was, 0
  br i1 %ours, label %done, label %busy
busy:
  %tries.next = add i64 %tries, 1
  %again = icmp ult i64 %tries.next, 200
  br i1 %again, label %look, label %done
done:
  %result = phi i1 [ true, %seize ], [ false, %busy ]
  ret i1 %result
}

; Takes entry %i out.
define void @adze.tape.remove(i64 %i) #0 {
entry:
  %count = load i64, ptr getelementptr (i8, ptr @adze.tape.pool, i64 8)
  %left = sub i64 %count, 1
  store atomic i64 %left, ptr getelementptr (i8, ptr @adze.tape.pool, i64 8) monotonic, align 8
  %bytes = load i64, ptr getelementptr (i8, ptr @adze.tape.pool, i64 16)
  %to = getelementptr { ptr, i64 }, ptr getelementptr (i8, ptr @adze.tape.pool, i64 24), i64 %i
  %capacity.at = getelementptr i8, ptr %to, i64 8
  %capacity = load i64, ptr %capacity.at
  %bytes.left = sub i64 %bytes, %capacity
  store i64 %bytes.left, ptr getelementptr (i8, ptr @adze.tape.pool, i64 16)
  %from = getelementptr { ptr, i64 }, ptr %to, i64 1
  %younger = sub i64 %left, %i
  %moved = shl i64 %younger, 4
  call void @llvm.memmove.p0.p0.i64(ptr %to, ptr %from, i64 %moved, i1 false)
  ret void
}

; The youngest block that fits and is not twice as large as it need be, or null.
define ptr @adze.tape.take(i64 %bytes) #0 {
entry:
  %seen = load atomic i64, ptr getelementptr (i8, ptr @adze.tape.pool, i64 8) monotonic, align 8
  %empty = icmp eq i64 %seen, 0
  br i1 %empty, label %none, label %wait
wait:
  %ours = call i1 @adze.tape.try()
  br i1 %ours, label %begin, label %none
begin:
  %most = shl i64 %bytes, 1
  %count = load i64, ptr getelementptr (i8, ptr @adze.tape.pool, i64 8)
  br label %search
search:
  %above = phi i64 [ %count, %begin ], [ %i, %measure ]
  %over = icmp eq i64 %above, 0
  br i1 %over, label %unlock, label %measure
measure:
  %i = sub i64 %above, 1
  %entry.i = getelementptr { ptr, i64 }, ptr getelementptr (i8, ptr @adze.tape.pool, i64 24), i64 %i
  %capacity.at = getelementptr i8, ptr %entry.i, i64 8
  %capacity = load i64, ptr %capacity.at
  %enough = icmp uge i64 %capacity, %bytes
  %not.wasted = icmp ule i64 %capacity, %most
  %fits = and i1 %enough, %not.wasted
  br i1 %fits, label %found, label %search
found:
  %made = load ptr, ptr %entry.i
  %made.above = getelementptr i8, ptr %made, i64 79
  %block = call ptr @llvm.ptrmask.p0.i64(ptr %made.above, i64 -64)
  call void @adze.tape.remove(i64 %i)
  br label %unlock
unlock:
  %result = phi ptr [ null, %search ], [ %block, %found ]
  store atomic i32 0, ptr @adze.tape.pool release, align 4
  ret ptr %result
none:
  ret ptr null
}

; Keeps a block, or gives it back to the system.
define void @adze.tape.release(ptr %block) #0 {
entry:
  %capacity.at = getelementptr i8, ptr %block, i64 -16
  %capacity = load i64, ptr %capacity.at
  %worth = icmp ule i64 %capacity, BUDGET
  br i1 %worth, label %wait, label %drop
wait:
  %ours = call i1 @adze.tape.try()
  br i1 %ours, label %make.room, label %drop
make.room:
  %count = load i64, ptr getelementptr (i8, ptr @adze.tape.pool, i64 8)
  %bytes = load i64, ptr getelementptr (i8, ptr @adze.tape.pool, i64 16)
  %sum = add i64 %bytes, %capacity
  %few = icmp ult i64 %count, 64
  %little = icmp ule i64 %sum, BUDGET
  %room = and i1 %few, %little
  br i1 %room, label %put, label %evict
evict:
  %oldest = load ptr, ptr getelementptr (i8, ptr @adze.tape.pool, i64 24)
  call void @free(ptr %oldest)
  call void @adze.tape.remove(i64 0)
  br label %make.room
put:
  %entry.i = getelementptr { ptr, i64 }, ptr getelementptr (i8, ptr @adze.tape.pool, i64 24), i64 %count
  %entry.capacity = getelementptr i8, ptr %entry.i, i64 8
  %made.at = getelementptr i8, ptr %block, i64 -8
  %made = load ptr, ptr %made.at
  store ptr %made, ptr %entry.i
  store i64 %capacity, ptr %entry.capacity
  store i64 %sum, ptr getelementptr (i8, ptr @adze.tape.pool, i64 16)
  %more = add i64 %count, 1
  store atomic i64 %more, ptr getelementptr (i8, ptr @adze.tape.pool, i64 8) monotonic, align 8
  store atomic i32 0, ptr @adze.tape.pool release, align 4
  ret void
drop:
  call void @adze.tape.drop(ptr %block)
  ret void
}
)";

/// Arrays whose size is not known: chunks of 16, 32, 64, .. elements, so that
/// nothing is ever copied. Chunks begin where the index plus 16 is a power of
/// two. An array is known by the address at which its element 0 would lie if
/// its last chunk went back that far.
constexpr const char *Growing = R"(
; The loop of an array enters iteration %index, whose element has some bytes.
define ptr @adze.tape.grow(ptr %array, i64 %index, i64 %bytes) #1 {
entry:
  %place = add nuw i64 %index, 16
  %below = add nuw i64 %index, 15
  %common = and i64 %place, %below
  %full = icmp eq i64 %common, 0
  br i1 %full, label %make, label %done, !prof !1
make:
  %longer = call ptr @adze.tape.extend(ptr %array, i64 %index, i64 %bytes)
  br label %done
done:
  %result = phi ptr [ %array, %entry ], [ %longer, %make ]
  ret ptr %result
}

; The reverse of iteration %index is done: what grow() has given may go.
define ptr @adze.tape.shrink(ptr %array, i64 %index, i64 %bytes, i1 %keep) #1 {
entry:
  %place = add nuw i64 %index, 16
  %below = add nuw i64 %index, 15
  %common = and i64 %place, %below
  %used.up = icmp eq i64 %common, 0
  br i1 %used.up, label %leave, label %done, !prof !1
leave:
  %shorter = call ptr @adze.tape.retreat(ptr %array, i64 %index, i64 %bytes,
                                         i1 %keep)
  br label %done
done:
  %result = phi ptr [ %array, %entry ], [ %shorter, %leave ]
  ret ptr %result
}

; A chunk for the elements from %index on. It begins with the array so far.
define ptr @adze.tape.extend(ptr %array, i64 %index, i64 %bytes) #5 {
entry:
  %count = add nuw i64 %index, 16
  %size = mul i64 %count, %bytes
  %total = add i64 %size, 16
  %chunk = call ptr @adze.tape.alloc(i64 %total)
  store ptr %array, ptr %chunk
  %elements = getelementptr i8, ptr %chunk, i64 16
  %before = mul i64 %index, %bytes
  %back = sub i64 0, %before
  %longer = getelementptr i8, ptr %elements, i64 %back
  ret ptr %longer
}

; The array without the chunk that begins with element %index.
define ptr @adze.tape.retreat(ptr %array, i64 %index, i64 %bytes, i1 %keep) #5 {
entry:
  %before = mul i64 %index, %bytes
  %elements = getelementptr i8, ptr %array, i64 %before
  %chunk = getelementptr i8, ptr %elements, i64 -16
  %shorter = load ptr, ptr %chunk
  br i1 %keep, label %done, label %release
release:
  call void @adze.tape.free(ptr %chunk)
  br label %done
done:
  ret ptr %shorter
}
)";

/// Fills a fresh block, for tests: what is read must have been written.
constexpr const char *Poison =
    "call void @llvm.memset.p0.i64(ptr %block, i8 -1, i64 %bytes, i1 false)";

void replaceAll(std::string &Text, StringRef Word, StringRef By) {
  for (size_t At; (At = Text.find(Word.str())) != std::string::npos;)
    Text.replace(At, Word.size(), By.str());
}

} // namespace

std::string tapeRuntime(const Triple &Target) {
  const Options &O = Options::get();
  std::string Text;
  for (const char *Part : {Declarations, Small, Chunks, Big, Table, Growing})
    Text += Part;
  // The C libraries that have it; where it is missing it is null.
  bool HasAtExit =
      Target.isOSBinFormatELF() && !Target.isNVPTX() && !Target.isAMDGPU();
  if (HasAtExit)
    Text += "declare extern_weak i32 @__cxa_thread_atexit_impl(ptr, ptr, ptr)\n"
            "@__dso_handle = extern_weak hidden global i8\n";
  replaceAll(Text, "ATEXIT", HasAtExit ? "@__cxa_thread_atexit_impl" : "null");
  replaceAll(Text, "HANDLE", HasAtExit ? "@__dso_handle" : "null");
  replaceAll(Text, "BUDGET", std::to_string(uint64_t(O.KeepTapes) << 20));
  replaceAll(Text, "POISON", O.PoisonTapes ? Poison : "");
  return Text;
}

} // namespace adze
