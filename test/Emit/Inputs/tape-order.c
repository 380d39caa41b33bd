// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes and gives back blocks of tape memory in the opposite order, in a
// random one, as a window that slides, and from another thread than took them.
// Every block keeps what was written to it, and in the end no more blocks are
// held than the table may keep.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void *take(int64_t bytes) __asm__("adze.tape.alloc");
void give(void *block) __asm__("adze.tape.free");

static int held; // what take and give have from the system
void *__real_malloc(size_t bytes);
void __real_free(void *block);
void *__wrap_malloc(size_t bytes) {
  __atomic_add_fetch(&held, 1, __ATOMIC_RELAXED);
  return __real_malloc(bytes);
}
void __wrap_free(void *block) {
  __atomic_sub_fetch(&held, 1, __ATOMIC_RELAXED);
  __real_free(block);
}

enum { COUNT = 3000 };
struct part {
  unsigned seed;
  uint64_t *blocks[COUNT];
  uint64_t sizes[COUNT], marks[COUNT];
  int order[COUNT];
};

static unsigned next(struct part *p) {
  return (p->seed = p->seed * 1664525u + 1013904223u) >> 8;
}

static void fill(struct part *p, int i) {
  unsigned kind = next(p) % 100;
  uint64_t size = kind == 0 ? next(p) % 200000 : next(p) % (kind < 9 ? 40000 : 300);
  uint64_t words = size / 8;
  p->blocks[i] = take(size);
  p->sizes[i] = words;
  p->marks[i] = ((uint64_t)p->seed << 32) + i;
  if ((uintptr_t)p->blocks[i] % (size < 32768 ? 16 : 64))
    printf("misaligned\n"), exit(1);
  for (uint64_t k = 0; k < words; ++k)
    p->blocks[i][k] = p->marks[i] + k;
}

static void empty(struct part *p, int i) {
  for (uint64_t k = 0; k < p->sizes[i]; ++k)
    if (p->blocks[i][k] != p->marks[i] + k)
      printf("overwritten\n"), exit(1);
  give(p->blocks[i]);
}

static void *shuffled(void *part) {
  struct part *p = part;
  for (int i = 0; i < COUNT; ++i)
    p->order[i] = i;
  for (int i = COUNT - 1; i > 0; --i) {
    int k = next(p) % (i + 1), old = p->order[i];
    p->order[i] = p->order[k];
    p->order[k] = old;
  }
  for (int i = 0; i < COUNT; ++i)
    empty(p, p->order[i]);
  return 0;
}

static void once(struct part *p) {
  for (int i = 0; i < COUNT; ++i)
    fill(p, i);
  for (int i = COUNT; i-- > 0;)
    empty(p, i);
  for (int i = 0; i < COUNT; ++i)
    fill(p, i);
  shuffled(p);
  for (int i = 0; i < COUNT; ++i) {
    fill(p, i);
    if (i >= 10)
      empty(p, i - 10);
  }
  for (int i = COUNT - 10; i < COUNT; ++i)
    empty(p, i);
  // Another thread gives these back; what comes afterwards cleans up.
  for (int i = 0; i < COUNT; ++i)
    fill(p, i);
  pthread_t other;
  pthread_create(&other, 0, shuffled, p);
  pthread_join(other, 0);
  give(take(100));
}

static void *work(void *part) {
  for (int i = 0; i < 4; ++i)
    once(part);
  return 0;
}

int main(int argc, char **argv) {
  enum { THREADS = 4 };
  static struct part parts[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    parts[i].seed = i + 1;
    pthread_create(&threads[i], 0, work, &parts[i]);
  }
  for (int i = 0; i < THREADS; ++i)
    pthread_join(threads[i], 0);
  printf("%s\n", held <= atoi(argv[1]) ? "right" : "too many are held");
  return 0;
}
