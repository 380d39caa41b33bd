// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of std::pmr's memory resources, as LibraryBodies.c has it for other
// functions. What the library's own classes do with memory is not visible, and
// a derivative could not follow it: memory that is given back at once, when the
// resource ends, is needed on the way back. So a resource of the library that a
// differentiated function makes is one of the heap there: each block is
// allocated by operator new, and given back where the program says so. Memory
// that a program leaves to the end of its resource stays allocated.
#include <stddef.h>

struct Resource;
struct Functions {
  void (*End)(struct Resource *), (*Delete)(struct Resource *);
  void *(*Allocate)(struct Resource *, size_t Bytes, size_t Align);
  void (*Deallocate)(struct Resource *, void *Block, size_t Bytes,
                     size_t Align);
  _Bool (*IsEqual)(const struct Resource *, const struct Resource *);
};
struct Resource {
  const struct Functions *Table;
};

_Noreturn void adze_stop(const char *Text);

extern void *operator_new(size_t Bytes,
                          size_t Align) __asm__("_ZnwmSt11align_val_t");
extern void operator_delete(void *Block,
                            size_t Align) __asm__("_ZdlPvSt11align_val_t");
extern void delete_object(void *Object) __asm__("_ZdlPv");
extern struct Resource *
gnu_heap(void) __asm__("_ZNSt3pmr19new_delete_resourceEv");
extern struct Resource *
llvm_heap(void) __asm__("_ZNSt3__13pmr19new_delete_resourceEv");
extern struct Resource *
gnu_default(void) __asm__("_ZNSt3pmr20get_default_resourceEv");
extern struct Resource *
llvm_default(void) __asm__("_ZNSt3__13pmr20get_default_resourceEv");

//===-- The resource of the heap ------------------------------------------===//
//
// Its functions are called by code that is not differentiated.

static void *allocate(struct Resource *R, size_t Bytes, size_t Align) {
  (void)R;
  return operator_new(Bytes, Align);
}

static void deallocate(struct Resource *R, void *Block, size_t Bytes,
                       size_t Align) {
  (void)R;
  (void)Bytes;
  operator_delete(Block, Align);
}

static _Bool isEqual(const struct Resource *R, const struct Resource *S) {
  return R == S;
}

static void end(struct Resource *R) { (void)R; }

static void endAndDelete(struct Resource *R) { delete_object(R); }

/// Calls of functions at these places may be calls of these: VirtualTables.cpp
/// knows it by its name.
static void (*const heap_table[])(void) = {
    (void (*)(void))end, (void (*)(void))endAndDelete, (void (*)(void))allocate,
    (void (*)(void))deallocate, (void (*)(void))isEqual};
#define HEAP ((const struct Functions *)heap_table)

static const struct Resource HeapResource = {HEAP};

//===-- Members -----------------------------------------------------------===//

void body_resource_begin(struct Resource *R) { R->Table = HEAP; }

void body_resource_end(struct Resource *R) { (void)R; }

void body_resource_delete(struct Resource *R) { delete_object(R); }

struct Resource *body_resource_upstream(const struct Resource *R) {
  (void)R;
  adze_stop("adze: a derivative does not know the resource behind another one "
            "(upstream_resource)");
}

/// Of a resource that is none of the heap's, the program has the class; else it
/// ends there. What the library returns, nobody would know to be its own.
#define MEMBERS(LIBRARY)                                                       \
  static _Bool LIBRARY##_isHeap(const struct Resource *R) {                    \
    return R == &HeapResource || R == LIBRARY##_heap();                        \
  }                                                                            \
  static _Bool LIBRARY##_isOfHeap(const struct Resource *R) {                  \
    return R->Table == HEAP || R == LIBRARY##_heap();                          \
  }                                                                            \
  const struct Resource *body_##LIBRARY##_heap(void) { return &HeapResource; } \
  const struct Resource *body_##LIBRARY##_default(void) {                      \
    if (!LIBRARY##_isHeap(LIBRARY##_default()))                                \
      adze_stop("adze: the default memory resource of a derivative has to be " \
                "std::pmr::new_delete_resource()");                            \
    return &HeapResource;                                                      \
  }                                                                            \
  void *body_##LIBRARY##_allocate(struct Resource *R, size_t Bytes,            \
                                  size_t Align) {                              \
    if (LIBRARY##_isOfHeap(R))                                                 \
      return operator_new(Bytes, Align);                                       \
    return R->Table->Allocate(R, Bytes, Align);                                \
  }                                                                            \
  void body_##LIBRARY##_deallocate(struct Resource *R, void *Block,            \
                                   size_t Bytes, size_t Align) {               \
    if (LIBRARY##_isOfHeap(R))                                                 \
      operator_delete(Block, Align);                                           \
    else                                                                       \
      R->Table->Deallocate(R, Block, Bytes, Align);                            \
  }                                                                            \
  _Bool body_##LIBRARY##_equal(const struct Resource *R,                       \
                               const struct Resource *S) {                     \
    if (LIBRARY##_isOfHeap(R))                                                 \
      return R == S || (LIBRARY##_isHeap(R) && LIBRARY##_isHeap(S));           \
    return R->Table->IsEqual(R, S);                                            \
  }
MEMBERS(gnu)
MEMBERS(llvm)
