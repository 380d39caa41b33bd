// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../lib/Runtime/CheckpointSchedule.h"
#include <gtest/gtest.h>

namespace {

uint64_t binomial(uint64_t N, uint64_t K) {
  uint64_t Result = 1;
  for (uint64_t I = 1; I <= K; ++I)
    Result = Result * (N - K + I) / I;
  return Result;
}

/// The least number of steps that are run to reverse \p Steps, by theory.
uint64_t leastRuns(uint64_t Steps, uint64_t States) {
  uint64_t Repeats = 0;
  while (binomial(States + Repeats, Repeats) < Steps)
    ++Repeats;
  return Repeats * Steps -
         (Repeats ? binomial(States + Repeats, Repeats - 1) : 0);
}

/// What the schedule needs.
uint64_t runs(uint64_t Steps, uint64_t States) {
  if (Steps <= 1)
    return 0;
  if (States == 1)
    return Steps * (Steps - 1) / 2;
  uint64_t Distance = adze_checkpoint_distance(Steps, States);
  EXPECT_GE(Distance, 1u);
  EXPECT_LT(Distance, Steps);
  return Distance + runs(Steps - Distance, States - 1) + runs(Distance, States);
}

TEST(CheckpointScheduleTest, IsOptimal) {
  for (uint64_t States = 1; States <= 12; ++States)
    for (uint64_t Steps = 1; Steps <= 200; ++Steps)
      EXPECT_EQ(runs(Steps, States), leastRuns(Steps, States))
          << Steps << " steps, " << States << " states";
  EXPECT_EQ(runs(10000, 20), 37976u);
}

TEST(CheckpointScheduleTest, SavesNothingWhereThereIsNoRoom) {
  EXPECT_EQ(adze_checkpoint_distance(7, 1), 7u);
  EXPECT_EQ(adze_checkpoint_distance(1, 5), 1u);
}

TEST(CheckpointScheduleTest, HoldsForHugeNumbers) {
  for (uint64_t Steps : {uint64_t(1) << 40, UINT64_MAX - 1})
    for (uint64_t States : {uint64_t(2), uint64_t(1000), uint64_t(1) << 40}) {
      uint64_t Distance = adze_checkpoint_distance(Steps, States);
      EXPECT_GE(Distance, 1u);
      EXPECT_LT(Distance, Steps);
    }
}

} // namespace
