// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often the runtime runs steps, and that the state is right whenever one is reversed: known
// counts, unknown ones, and counts that were not kept; states in memory and on disk; memory that is
// found while the steps run.
//
// RUN: mkdir -p %t.dir && %clang -O1 -I%srcroot/lib/Runtime %s -o %t
// RUN: env ADZE_CHECKPOINT_DIRECTORY=%t.dir %t | FileCheck %s
// RUN: rmdir %t.dir
// RUN: not env ADZE_CHECKPOINT_DIRECTORY=%t.dir %t | FileCheck --check-prefix=NONE %s
// RUN: not env -u ADZE_CHECKPOINT_DIRECTORY %t | FileCheck --check-prefix=UNSET %s
// RUN: not env ADZE_CHECKPOINT_DIRECTORY=/tmp %t full | FileCheck --check-prefix=FULL %s
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

static double runOnDisk(uint64_t Steps, uint64_t States, uint64_t OnDisk, uint64_t Budget,
                        uint64_t Count) {
  double State = 0, Runs = 0;
  uint64_t Left = Steps;
  struct Checkpoints *C = adze_checkpoint_begin((int64_t)States, OnDisk, Budget, Count);
  adze_checkpoint_region((char *)&State, (char *)&State, sizeof State, NULL, C, 0);
  for (uint64_t T = 0; T < Steps; T++, Runs++) {
    adze_checkpoint_step(C);
    State++;
  }
  adze_checkpoint_end(C);
  State += 0.5;
  for (int32_t Todo; (Todo = adze_checkpoint_next(C)); State++) {
    expect(!States || C->Storage.InMemory <= States + 1, "too many states");
    if (Todo == RunStep)
      Runs++;
    else
      expect(State == --Left, "another state");
  }
  expect(!Left && State == Steps + 0.5, "another end");
  return Steps ? Runs / Steps : 0;
}

static double run(uint64_t Steps, uint64_t States, uint64_t Budget, uint64_t Count) {
  return runOnDisk(Steps, States, 0, Budget, Count);
}

// A step advances one element, the next one of Elements, and owns a block beside them.
enum { Elements = 700 };
static void track(uint64_t Steps, int64_t States, uint64_t OnDisk, uint64_t Count, uint64_t Stride) {
  static double Memory[Elements + 1];
  double Seen[Elements] = {0};
  uint64_t At = 0;
  uint64_t Left = Steps;
  for (uint64_t I = 0; I <= Elements; I++)
    Memory[I] = 0;
  struct Checkpoints *C = adze_checkpoint_begin(States, OnDisk, 0, Count);
  adze_checkpoint_region((char *)&At, (char *)&At, sizeof At, NULL, C, 0);
  adze_checkpoint_track(C);
  for (uint64_t T = 0; T < Steps; T++) {
    adze_checkpoint_step(C);
    char *Place = (char *)&Memory[At % Elements], *Own = (char *)&Memory[Elements];
    adze_checkpoint_own(Own, Own, 8, NULL, C);
    adze_checkpoint_write(Place, Place, 8, NULL, C);
    adze_checkpoint_write(Own, Own, 8, NULL, C);
    Memory[At % Elements] += 1;
    adze_checkpoint_disown(Own, Own, 0, NULL, C);
    At += Stride;
  }
  adze_checkpoint_end(C);
  for (uint64_t T = 0; T < Steps; T++)
    Seen[T * Stride % Elements]++;
  for (int32_t Todo; (Todo = adze_checkpoint_next(C)); At += Stride) {
    expect(C->ExtentBytes <= Elements * 8, "too much found");
    if (Todo == ReverseStep) {
      expect(At == --Left * Stride, "another place");
      Seen[At % Elements]--;
      for (uint64_t I = 0; I < Elements; I++)
        expect(Memory[I] == Seen[I], "another element");
    }
    Memory[At % Elements] += 1;
  }
  expect(!Left && At == Steps * Stride, "another end");
}

int main(int N, char **Args) {
  if (N > 1) { // a file that cannot grow
    struct State S = {.Bytes = 1 << 20};
    struct Storage Storage = {.File = -1};
    S.InMemory = takeBuffer(&Storage, S.Bytes);
    openFile(&Storage);
    close(Storage.File);
    // FULL: cannot write a state of a loop to a file
    toFile(&Storage, &S);
  }
  // NONE: cannot make a file for the states of a loop in the directory
  // UNSET: set the environment variable ADZE_CHECKPOINT_DIRECTORY
  for (uint64_t States = 1; States < 5; States++)
    for (uint64_t Steps = 0; Steps < 60; Steps++)
      for (uint64_t OnDisk = 0; OnDisk < 5; OnDisk++) {
        runOnDisk(Steps, States, OnDisk, 0, Steps);
        runOnDisk(Steps, States, OnDisk, 0, Never);
      }
  for (uint64_t Steps = 0; Steps < 1500; Steps += 83)
    for (uint64_t Stride = 1; Stride < 12; Stride += 5) {
      track(Steps, 3, 0, Steps, Stride);
      track(Steps, 4, 3, Never, Stride);
      track(Steps, -40000, 0, Steps, Stride);
      track(Steps, -40000, 2, Never, Stride);
    }
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
  // CHECK: disk 3.798
  printf("disk %.3f\n", runOnDisk(10000, 8, 12, 0, 10000));
}
