/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Tags that may stand before an argument of a marker call. Declare the marker
 * itself with the return type it has in your program, for example
 *     extern double __enzyme_autodiff(void *, ...);
 * Any function whose name contains the marker's name is one. With ADZE_MARKER
 * before the declaration, a file that is compiled without the plugin is told so
 * by the compiler, at each call, and not by the linker:
 *     ADZE_MARKER double __enzyme_autodiff(void *, ...);
 *
 * What has no derivative is said by global variables that contain these names,
 *     void *__enzyme_inactivefn_x[] = {(void *)f, (void *)g};
 *     void *__enzyme_inactive_global_x[] = {&variable};
 *     void *__enzyme_function_like_x[] = {(void *)f, "sin"};
 *     void *__enzyme_nofree_x[] = {(void *)f};
 * or for one call, y = __enzyme_call_inactive((void *)f, x), or by clang's
 * __attribute__((annotate("enzyme_inactive"))). See docs/Activity.md. */
#ifndef ADZE_ADZE_H
#define ADZE_ADZE_H
#if defined(__GNUC__)
#define ADZE_MARKER                                                            \
  __attribute__((error("compiled without Adze, give the compiler "             \
                       "-fpass-plugin=/path/to/Adze.so")))
#else
#define ADZE_MARKER
#endif
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_const;     /* the argument is not differentiated          */
extern int enzyme_dup;       /* value and shadow follow                     */
extern int enzyme_dupnoneed; /* as dup; the primal result need not be there */
/* Several directions at once (docs/Directions.md): a constant number n follows
 * enzyme_width, and n shadows follow each value; after the others a number of
 * bytes, the value, and the first of n shadows that lie so many bytes apart. */
extern int enzyme_width, enzyme_dupv, enzyme_dupnoneedv;
extern int enzyme_out;   /* by value; its derivative is returned        */
extern int enzyme_noret; /* the return value is not differentiated      */
extern int enzyme_primal_return;    /* return the primal's result too */
extern int enzyme_const_return;     /* another name of enzyme_noret */
extern int enzyme_active_return;    /* the result holds active floats */
extern int enzyme_dup_return;       /* the result and its tangent or shadow */
extern int enzyme_dupnoneed_return; /* the tangent or shadow alone */
extern int adze_seed; /* the adjoint of the result follows the arguments */
extern int enzyme_runtime_activity; /* a shadow that is its primal: constant  */
extern int enzyme_strong_zero; /* a derivative of 0 stays 0, times anything  */
/* In __enzyme_batch, see docs/Batches.md: */
extern int enzyme_width;  /* the number of sets follows                     */
extern int enzyme_vector; /* a value for each set follows                   */
extern int enzyme_scalar; /* one value for all follows                      */
extern int enzyme_buffer; /* bytes between values, the first one's address  */
/* In reverse mode: other threads run gradients on the same shadows at the same
 * time, so what is added to them is added atomically. */
extern int adze_shared_shadows;
/* In __enzyme_augmentfwd and __enzyme_reverse, see docs/SplitMode.md: */
extern int enzyme_allocated; /* bytes of the memory for the tape follow     */
extern int enzyme_tape;      /* the tape's address follows                  */
extern int enzyme_nofree;    /* the tape will be used again                 */
/* Gradients keep the memory of large tapes, and of shadows of blocks, for the
 * next one (-mllvm -adze-keep-tapes): this gives all that is kept back to the C
 * library, of all files with derivatives and all threads. A thread holds 64 KiB
 * more for each file until it ends. Any thread may call it at any time. */
#if defined(__GNUC__)
extern void adze_release_kept_memory(void) __attribute__((weak));
static inline void adze_release_memory(void) {
  if (adze_release_kept_memory)
    adze_release_kept_memory();
}
#endif
/* In the body of a loop over time steps: its derivative keeps at most `states`
 * states of it, and runs steps again from them. What a state is, and when
 * pointers have to follow, each with a number of bytes (size_t): see
 * docs/Checkpoints.md. 0 states: as many as -mllvm -adze-checkpoint-memory=2G
 * has room for. */
ADZE_MARKER void adze_checkpoint(int states, ...);
/* The same, with a number of bytes for the states in place of their number. */
ADZE_MARKER void adze_checkpoint_memory(size_t bytes, ...);
/* The same, with so many more states in a file in the directory that the
 * environment variable ADZE_CHECKPOINT_DIRECTORY names. */
ADZE_MARKER void adze_checkpoint_disk(int in_memory, int on_disk, ...);
#ifdef __cplusplus
}
#endif
#endif
