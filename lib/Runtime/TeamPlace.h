/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which part of which parallel region this thread runs (Teams.c), for units
 * that keep the order of what threads do (MpiThreads.h). In both passes of a
 * gradient it is the same. Null outside of regions of derivatives.
 */
#ifndef ADZE_RUNTIME_TEAMPLACE_H
#define ADZE_RUNTIME_TEAMPLACE_H

#include <stdint.h>

struct TeamPlace {
  const void *Outermost, *Team; // regions
  uint64_t Number;              // of the thread, in the team
  _Bool IsHalf;                 // of a gradient
};

__attribute__((
    weak, visibility("hidden"))) _Thread_local struct TeamPlace adze_team_place;

#endif
