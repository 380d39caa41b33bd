/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions of the program that are called several times where the program
 * calls one: registered derivatives, once for each direction. A run of what
 * the program calls says what it writes, as steps do, and is undone. So are all
 * calls of the derivatives but the last. Part of Checkpoints.c.
 *
 *   C = repeats(); f(x) that says what it writes, to C; first(C);
 *   augmented(x, dx1); undo(C); augmented(x, dx2); undo(C) ...
 *   augmented(x, dxn); done(C);
 */
#ifndef ADZE_RUNTIME_REPEATEDCALLS_H
#define ADZE_RUNTIME_REPEATEDCALLS_H

struct Checkpoints *adze_checkpoint_repeats(void) {
  struct Checkpoints *C = adze_checkpoint_begin(1, 0, 0, 1);
  C->IsCall = C->Tracks = true;
  return C;
}

/* Memory is as it was. */
void adze_checkpoint_undo(struct Checkpoints *C) {
  const char *From = C->Original;
  for (uint64_t I = 0; I < C->NumExtents; ++I) {
    copyBytes(C->Extents[I].Base, From, C->Extents[I].Bytes);
    From += C->Extents[I].Bytes;
  }
}

/* Behind the run that says what it writes. */
void adze_checkpoint_first(struct Checkpoints *C) {
  stopAtBlocks(C);
  adze_checkpoint_undo(C);
}

void adze_checkpoint_done(struct Checkpoints *C) {
  freeSet(&C->Covered);
  freeSet(&C->FollowedBytes);
  free(C->Freed);
  freeAll(C);
}

#endif
