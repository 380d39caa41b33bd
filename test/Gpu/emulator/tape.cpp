// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the tapes of gradients, as a host gives it (include/adze/gpu.h).
#include "tape.h"
#include "adze/gpu.h"
#include "memory.h"
#include <cstring>
#include <memory>

using namespace gpu;

namespace {
constexpr uint64_t Segments = 512, BytesOfLane = 16384, MostLanes = 64;

struct Tape {
  std::unique_ptr<char[]> Memory{
      new char[Segments * BytesOfLane * MostLanes]}; // not touched until used
  uint32_t Users[Segments];
  uint64_t Needed;
};
} // namespace

void gpu::giveTape(const GpuModule &Module) {
  static Tape Given;
  for (uint64_t I = 0; I < Module.NumVariables; ++I) {
    if (std::strcmp(Module.Variables[I].Name, "adze_gpu_tape_state") != 0)
      continue;
    const uint64_t Bytes = BytesOfLane * MostLanes;
    const adze_gpu_tape_memory State = {
        Given.Memory.get(), Bytes, Segments, 0, Given.Users, &Given.Needed};
    std::memcpy(Module.Variables[I].Address, &State, sizeof(State));
    memory().add("the tape", Given.Memory.get(), Segments * Bytes, Space::Tape);
    memory().add("the users of the tape", Given.Users, sizeof(Given.Users),
                 Space::Tape);
    memory().add("what the tape needs", &Given.Needed, sizeof(Given.Needed),
                 Space::Tape);
  }
}
