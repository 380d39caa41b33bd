// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With glibc a program's malloc replaces the library's for all parts of it,
// shared libraries included, and the library's stays at hand as __libc_malloc.

#include "heap.h"

#include <stdbool.h>
#include <stdlib.h>

#ifdef __GLIBC__

#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *block);

static bool counting;
static long live, peak;

static void *counted(void *block) {
  if (counting && block) {
    live += (long)malloc_usable_size(block);
    if (live > peak)
      peak = live;
  }
  return block;
}

static void forget(void *block) {
  if (counting && block)
    live -= (long)malloc_usable_size(block);
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) {
  return counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size) {
  long before = counting && block ? (long)malloc_usable_size(block) : 0;
  void *moved = __libc_realloc(block, size);
  if (moved || size == 0)
    live -= before;
  return counted(moved);
}

void *memalign(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
  void *made = memalign(alignment, size);
  if (!made)
    return ENOMEM;
  *block = made;
  return 0;
}

void free(void *block) {
  forget(block);
  __libc_free(block);
}

void bench_heap_start(void) {
  live = peak = 0;
  counting = true;
}

long bench_heap_peak(void) {
  counting = false;
  return peak;
}

#else

void bench_heap_start(void) {}

long bench_heap_peak(void) { return -1; }

#endif
