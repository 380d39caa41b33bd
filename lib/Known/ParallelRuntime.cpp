// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adze/ParallelRuntime.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace adze {

namespace {

struct Model {
  const char *Name, *Cure;
  std::initializer_list<StringRef> Prefixes;
};

const Model Models[] = {
    {"OpenMP",
     "compile the code that is differentiated without -fopenmp, or keep "
     "parallel regions around the call of the derivative, not inside",
     {"__kmpc_", "__tgt_", "omp_", "GOMP_"}},
    {"MPI",
     "use the functions that docs/Mpi.md lists, or communicate outside of what "
     "is differentiated, and exchange the adjoints there",
     {"MPI_", "PMPI_", "mpi_", "pmpi_"}},
    {"TBB",
     "let the algorithm run in one thread (std::execution::seq), or write the "
     "loop with OpenMP",
     {"_ZN3tbb6detail2r1", "_ZN3tbb4task", "_ZN3tbb8internal"}},
    {"POSIX threads and those of C++",
     "a derivative runs each thread where it is created: let threads give "
     "results through memory, and the others wait for their end alone "
     "(pthread_join without the thread's result, std::thread::join)",
     {"pthread_", "sem_", "thrd_", "mtx_", "cnd_", "_ZNSt6thread",
      "_ZNSt18condition_variable"}}};

const Model &Exchanges = Models[1], &Threads = std::end(Models)[-1];

constexpr const char *DeviceModel = "code for GPUs";

const Model *modelOf(const Function &F) {
  const auto *It = find_if(Models, [&](const Model &M) {
    return any_of(M.Prefixes, [&](StringRef Prefix) {
      // A Fortran compiler writes MPI_SEND as mpi_send_.
      bool Fortran = Prefix.contains("mpi");
      return F.getName().starts_with(Prefix) &&
             (!Fortran || F.getName().ends_with("_"));
    });
  });
  return It == std::end(Models) ? nullptr : It;
}

} // namespace

StringRef parallelModelOf(const Function &F) {
  const Model *M = modelOf(F);
  return M ? M->Name : "";
}

bool usesInsideOfFuture(const Instruction &I) {
  return any_of(I.operands(), [](const Use &Op) {
    auto *V = dyn_cast<GlobalValue>(Op->stripInBoundsConstantOffsets());
    return V && (V->getName().contains("_M_futex_wait_until") ||
                 V->getName().contains("_M_set_delayed_result") ||
                 V->getName().contains("_Make_ready") ||
                 (V->getName().starts_with("_ZZNSt9once_flag18_Prepare_") &&
                  V->getName().contains("St13__future_base")));
  });
}

namespace {

struct Gap {
  const char *What, *Cure;
  std::initializer_list<StringRef> Prefixes;
};

const Gap Gaps[] = {
#define ADZE_DEVICE_GAP(WHAT, CURE, ...) {WHAT, CURE, {__VA_ARGS__}},
#include "DeviceGaps.def"
};

/// A prefix with an end is the whole name.
bool begins(StringRef Name, StringRef Prefix) {
  return Prefix.consume_back("\n") ? Name == Prefix : Name.starts_with(Prefix);
}

} // namespace

std::optional<MissingFunction> deviceGap(const Function &F) {
  for (const Gap &G : Gaps)
    if (any_of(G.Prefixes,
               [&](StringRef Prefix) { return begins(F.getName(), Prefix); }))
      return deviceRefusal(sourceName(F) + ", " + G.What, G.Cure);
  return std::nullopt;
}

MissingFunction missingFunction(const Function &F) {
  if (std::optional<MissingFunction> Gap = deviceGap(F))
    return *Gap;
  if (const Model *M = modelOf(F))
    return {Diag::ParallelRuntime, {sourceName(F), M->Name, M->Cure}};
  return {Diag::MissingBody, {sourceName(F)}};
}

MissingFunction threadsRefusal(const std::string &What) {
  return {Diag::ParallelRuntime, {What, Threads.Name, Threads.Cure}};
}

MissingFunction nestedExchangeRefusal() {
  return {Diag::ParallelRuntime,
          {"a derivative that exchanges data with other processes",
           Exchanges.Name, "differentiate once"}};
}

MissingFunction deviceRefusal(const std::string &What,
                              const std::string &Cure) {
  return {Diag::ParallelRuntime, {What, DeviceModel, Cure}};
}

} // namespace adze
