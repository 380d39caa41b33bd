/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where states of a loop are saved so that it can be reversed with few of them:
 * the binomial schedule of Griewank and Walther (Algorithm 799, Revolve, TOMS
 * 2000).
 *
 * With s saved states, of which the first is that before the loop, and at most
 * r runs of each step, beta(s, r) = C(s + r, r) steps can be reversed. The
 * least number of steps that are run forwards to reverse l of them, where the
 * derivative of a step runs the step once more itself, is
 *
 *   P(l, s) = r l - C(s + r, r - 1)   for beta(s, r - 1) < l <= beta(s, r).
 *
 * It is reached by all that save the next state m steps behind the first, with
 *
 *   beta(s, r - 2) <= m <= beta(s, r - 1),
 *   beta(s - 1, r - 1) <= l - m <= beta(s - 1, r).
 */
#ifndef ADZE_RUNTIME_CHECKPOINTSCHEDULE_H
#define ADZE_RUNTIME_CHECKPOINTSCHEDULE_H

#include <stdint.h>

/** How far behind a state the next one is saved, if \p Steps (at least 1)
 * follow the first, and there is room for \p States, that one included. With
 * room for no other, or nothing to save it for: \p Steps. */
static inline uint64_t adze_checkpoint_distance(uint64_t Steps,
                                                uint64_t States) {
  if (States < 2 || Steps < 2)
    return Steps;
  /* beta(States, Repeats) and that of one repeat less, and of one state less;
   * where 64 bits do not hold the next one, it is as many as anybody needs. */
  uint64_t All = 1, Less = 1;
  for (uint64_t Repeats = 0; All < Steps;) {
    Less = All;
    ++Repeats;
    if (All > UINT64_MAX / (States + Repeats)) {
      All = UINT64_MAX;
      break;
    }
    All = All * (States + Repeats) / Repeats;
    /* C(s - 1 + r - 1, r - 1) = C(s + r - 1, r - 1) s / (s + r - 1). */
    if (All >= Steps) {
      uint64_t Rest = Less > UINT64_MAX / States
                          ? Less
                          : Less * States / (States + Repeats - 1);
      return Less < Steps - Rest ? Less : Steps - Rest;
    }
  }
  return Less < Steps - 1 ? Less : Steps - 1;
}

#endif
