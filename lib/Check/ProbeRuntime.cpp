// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProbeRuntime.h"
#include "adze/Runtime.h"

using namespace llvm;

namespace adze {

// Made of ProbeRuntime.c while the plugin is built.
extern const unsigned char ProbeBitcode[];
extern const unsigned long ProbeBitcodeSize;
static const RuntimeUnit ProbeUnit = {"probe", ProbeBitcode, &ProbeBitcodeSize};

ProbeRuntime probeRuntime(Module &M) {
  ProbeRuntime R;
  R.Begin = runtimeFunction(M, ProbeUnit, "adze.probe.begin");
  R.End = runtimeFunction(M, ProbeUnit, "adze.probe.end");
  R.At = runtimeFunction(M, ProbeUnit, "adze.probe.at");
  R.Stopped = runtimeFunction(M, ProbeUnit, "adze.probe.stopped");
  return R;
}

} // namespace adze
