// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a library in place of CUDA's own (blas.cpp) needs of runtime.cpp.
#ifndef ADZE_TEST_GPUHOST_RUNTIME_H
#define ADZE_TEST_GPUHOST_RUNTIME_H

#include "cuda_runtime.h"
#include <functional>
#include <string>

namespace runtime {

[[noreturn]] void fail(const std::string &Why);
bool isOnDevice(const void *);
/// Ends the program if \p Bytes behind \p P are not of one block.
void checkRange(const void *P, size_t Bytes, const char *What);
/// Runs \p Work, which accesses memory of the device, when its turn in the
/// stream has come.
void enqueue(cudaStream_t, std::function<void()> Work);

} // namespace runtime
#endif
