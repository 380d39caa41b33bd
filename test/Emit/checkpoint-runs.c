// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the runtime runs steps, and that the state is right whenever one is reversed: known
// counts, unknown ones, and counts that were not kept.
//
// RUN: %clang -O1 -I%srcroot/lib/Runtime %s -o %t && %t | FileCheck %s
#include "Checkpoints.c"
#include <stdio.h>
#include <stdlib.h>

_Noreturn void adze_stop(const char *Text) {
  puts(Text);
  exit(1);
}

static void expect(bool Good, const char *What) {
  if (Good)
    return;
  puts(What);
  exit(1);
}

static double run(uint64_t Steps, uint64_t States, uint64_t Budget, uint64_t Count) {
  double State = 0, Runs = 0;
  uint64_t Left = Steps;
  struct Checkpoints *C = adze_checkpoint_begin(States, Budget, Count);
  adze_checkpoint_region((char *)&State, (char *)&State, sizeof State, NULL, C);
  for (uint64_t T = 0; T < Steps; T++, Runs++) {
    adze_checkpoint_step(C);
    State++;
  }
  adze_checkpoint_end(C);
  State += 0.5;
  for (int32_t Todo; (Todo = adze_checkpoint_next(C)); State++) {
    expect(!States || C->Kept <= States, "too many states");
    if (Todo == RunStep)
      Runs++;
    else
      expect(State == --Left, "another state");
  }
  expect(!Left && State == Steps + 0.5, "another end");
  return Steps ? Runs / Steps : 0;
}

int main(void) {
  for (uint64_t States = 1; States < 9; States++)
    for (uint64_t Steps = 0; Steps < 120; Steps++) {
      run(Steps, States, 0, Steps);
      run(Steps, States, 0, Never);
      run(Steps, States, 0, Steps + 7);
      run(Steps, States, 0, Steps / 2);
    }
  // The schedule needs 37,976 runs.
  // CHECK: known 3.798
  printf("known %.3f\n", run(10000, 20, 0, 10000));
  // CHECK: unknown 4.040
  printf("unknown %.3f\n", run(10000, 20, 0, Never));
  // One of the 21 is that at the end.
  // CHECK: bytes 3.798
  printf("bytes %.3f\n", run(10000, 0, 21 * sizeof(double), 10000));
}
