// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ADZE_TEST_GPU_TAPE_H
#define ADZE_TEST_GPU_TAPE_H
#include "emulator.h"

namespace gpu {

// If the program needs it.
void giveTape(const GpuModule &Module);

} // namespace gpu
#endif
