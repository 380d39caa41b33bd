/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What all units of the runtime share. They are C that asks for nothing but
 * pointers of 64 bits. A function adze_tape_alloc() is called adze.tape.alloc
 * in programs.
 */
#ifndef ADZE_RUNTIME_RUNTIME_H
#define ADZE_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs once for a big block or a new chunk, or not at all: such a function is
 * left as it stands. To optimize it would take longer than most derivatives do.
 */
#define RARE __attribute__((cold, noinline))

/* A part of such functions. Code generation costs more for a function than for
 * its few instructions, and every program with a derivative has these. */
#define PART __attribute__((always_inline))

void *malloc(size_t Bytes);
void free(void *Block);

/* A deallocation of the primal that reverse mode puts off: DeferredFrees.c. */
struct Deferred {
  struct Deferred *Next;
  void *Block;
  void (*Deallocator)(void *);
};

/* Writes the text and a new line to file 2, and ends the program. */
_Noreturn void adze_stop(const char *Text);

#endif
