// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MpiUnits.h"
#include "adze/Runtime.h"
#include "adze/SerialThreads.h"

namespace adze {

// Made of the C files here while the plugin is built.
#define ADZE_UNIT(FILE, ...)                                                   \
  extern const unsigned char FILE##Bitcode[];                                  \
  extern const unsigned long FILE##BitcodeSize;                                \
  const RuntimeUnit FILE##Unit = {__VA_ARGS__};
#define ADZE_UNIT_OF(FILE, NAME, ...)                                          \
  ADZE_UNIT(FILE, NAME, FILE##Bitcode, &FILE##BitcodeSize, __VA_ARGS__)

ADZE_UNIT_OF(Stop, "stop", nullptr)
ADZE_UNIT_OF(Tape, "tape", nullptr)
ADZE_UNIT_OF(DeferredFrees, "deferred", "adze.deferred")
ADZE_UNIT_OF(KeptBlocks, "kept.blocks", "adze.kept")
ADZE_UNIT_OF(ExceptionShadows, "exception", "adze.exception.list")
ADZE_UNIT_OF(NotFinite, "trap", nullptr)
ADZE_UNIT_OF(Digamma, "digamma", nullptr)
ADZE_UNIT_OF(Checkpoints, "checkpoint", nullptr)
ADZE_UNIT_OF(Teams, "team", nullptr)
ADZE_UNIT_OF(PlacedFloats, "placed", nullptr)
ADZE_UNIT_OF(Threads, "thread", nullptr)
ADZE_UNIT_OF(ThreadStates, "states", nullptr)
ADZE_UNIT_OF(Records, "record", nullptr)
ADZE_UNIT_OF(RowTables, "rows", nullptr)
ADZE_UNIT_OF(LaneSums, "lanes", nullptr)
ADZE_UNIT_OF(DynamicShared, "shared", nullptr)
ADZE_UNIT_OF(LaneShufflesNvptx, "lanes", nullptr)
ADZE_UNIT_OF(LaneShufflesAmdgpu, "lanes", nullptr)
ADZE_UNIT_OF(LaneTapeNvptx, "lanes", nullptr)
ADZE_UNIT_OF(LaneTapeAmdgpu, "lanes", nullptr)
ADZE_UNIT_OF(Mpi, "mpi", nullptr)
ADZE_UNIT_OF(MpiNumbered, "mpi", nullptr)
ADZE_UNIT_OF(MpiFortran, "mpi.fortran", nullptr)
ADZE_UNIT_OF(MpiFortranNumbered, "mpi.fortran", nullptr)

} // namespace adze
