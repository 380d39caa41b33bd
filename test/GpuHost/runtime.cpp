// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's library for programs whose kernels run on the emulator (test/Gpu).
//
// Memory of the device is closed to code of the host, and filled with NaNs.
// What goes to a stream is done later, in an order drawn at random among the
// streams: at the latest where something waits for it. What the program, or a
// derivative, must not do ends it with a message.
#include "runtime.h"
#include "emulator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <sys/mman.h>
#include <vector>

extern "C" const GpuModule gpu_module;

namespace {

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "runtime: %s\n", Why.c_str());
  std::_Exit(3);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

enum class Of { Device, Managed, Pinned, Variable };
struct Block {
  size_t Bytes;
  Of Is;
};
std::map<char *, Block> &blocks() {
  static std::map<char *, Block> All; // before anything is initialized
  return All;
}
std::map<char *, size_t> Freed; // of the device; never used again

constexpr size_t Page = 4096, ArenaBytes = size_t(1) << 30;
char *arena() {
  static char *const A = [] {
    void *Made = mmap(nullptr, ArenaBytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Made == MAP_FAILED)
      fail("no memory");
    return static_cast<char *>(Made);
  }();
  return A;
}
size_t Used = 0;

/// The runtime, or a kernel, accesses memory of the device.
class Open {
public:
  Open() {
    if (Depth++ == 0 && Used)
      mprotect(arena(), Used, PROT_READ | PROT_WRITE);
  }
  ~Open() {
    if (--Depth == 0 && Used)
      mprotect(arena(), Used, PROT_NONE);
  }
  Open(const Open &) = delete;

private:
  static int Depth;
};
int Open::Depth = 0;

/// The block that \p Pointer leads into.
std::pair<char *const, Block> *blockOf(const void *Pointer) {
  char *P = static_cast<char *>(const_cast<void *>(Pointer));
  auto It = blocks().upper_bound(P);
  if (It == blocks().begin())
    return nullptr;
  --It;
  return P < It->first + std::max<size_t>(It->second.Bytes, 1) ? &*It : nullptr;
}
bool isOnDevice(const void *P) {
  auto *B = blockOf(P);
  return B && B->second.Is != Of::Pinned;
}
bool isClosed(const void *P) {
  return P >= arena() && P < arena() + ArenaBytes;
}

cudaError_t allocate(void **To, size_t Bytes, Of Is) {
  char *Made = nullptr;
  if (Is == Of::Device) {
    Made = arena() + Used;
    Used += (Bytes / Page + 2) * Page; // and a page that nobody has
    if (Used > ArenaBytes)
      return cudaErrorMemoryAllocation;
    Open Access;
    std::memset(Made, 0xFF, Bytes);
  } else {
    Made = static_cast<char *>(std::malloc(Bytes + 1));
    std::memset(Made, 0xFF, Bytes);
  }
  blocks()[Made] = {Bytes, Is};
  if (Is != Of::Pinned)
    gpu_add_buffer(Made, Bytes, "memory of the device");
  *To = Made;
  return cudaSuccess;
}

void checkRange(const void *P, size_t Bytes, const char *What) {
  auto *B = blockOf(P);
  if (B && static_cast<const char *>(P) + Bytes > B->first + B->second.Bytes)
    fail(std::string(What) + " goes beyond the end of its memory");
  if (!B && isClosed(P))
    fail(std::string(What) + " of memory that was freed");
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

std::mt19937 Random(17);

} // namespace

struct CUevent_st {
  unsigned Recorded = 0, Done = 0;
};
struct CUstream_st {
  struct Work {
    std::function<bool()> IsReady;
    std::function<void()> Run;
  };
  std::deque<Work> Queue;
};

namespace {

std::vector<CUstream_st *> Streams;

bool isDefault(cudaStream_t S) { return reinterpret_cast<size_t>(S) <= 2; }

bool runOne(CUstream_st &S) {
  if (S.Queue.empty() || !S.Queue.front().IsReady())
    return false;
  auto Run = std::move(S.Queue.front().Run);
  S.Queue.pop_front();
  Run();
  return true;
}

/// Until \p Done, in any order that streams allow.
void runUntil(const std::function<bool()> &Done) {
  while (!Done()) {
    std::vector<CUstream_st *> Order = Streams;
    std::shuffle(Order.begin(), Order.end(), Random);
    if (std::none_of(Order.begin(), Order.end(),
                     [](CUstream_st *S) { return runOne(*S); }))
      fail("streams wait for each other");
  }
}

void runAll() {
  runUntil([] {
    return std::all_of(Streams.begin(), Streams.end(),
                       [](CUstream_st *S) { return S->Queue.empty(); });
  });
}

void enqueue(
    cudaStream_t S, std::function<void()> Run,
    std::function<bool()> IsReady = [] { return true; }) {
  if (isDefault(S)) {
    runAll();
    Run();
    return;
  }
  if (std::find(Streams.begin(), Streams.end(), S) == Streams.end())
    fail("a stream that was destroyed is used");
  S->Queue.push_back({std::move(IsReady), std::move(Run)});
  if (Random() % 3 == 0)
    runOne(*S);
}

void copyNow(void *To, const void *From, size_t Bytes) {
  Open Access;
  checkRange(To, Bytes, "a copy");
  checkRange(From, Bytes, "a copy");
  std::memmove(To, From, Bytes);
}

void checkDirection(const void *To, const void *From, cudaMemcpyKind Kind) {
  const bool ToDevice = isOnDevice(To), FromDevice = isOnDevice(From);
  auto *T = blockOf(To), *F = blockOf(From);
  const bool Managed =
      (T && T->second.Is == Of::Managed) || (F && F->second.Is == Of::Managed);
  if (Kind == cudaMemcpyDefault || Managed)
    return;
  const bool Fits = ToDevice == (Kind == cudaMemcpyHostToDevice ||
                                 Kind == cudaMemcpyDeviceToDevice) &&
                    FromDevice == (Kind == cudaMemcpyDeviceToHost ||
                                   Kind == cudaMemcpyDeviceToDevice);
  if (!Fits)
    fail("a copy goes in another direction than it says");
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

struct Configuration {
  dim3 Grid, Block;
  size_t Shared;
  void *Stream;
};
std::vector<Configuration> Configurations;

std::map<const void *, std::string> &kernels() {
  static std::map<const void *, std::string> Names;
  return Names;
}

/// Variables of the device, by the address that the host has for them.
std::map<const void *, char *> &variables() {
  static std::map<const void *, char *> Addresses;
  return Addresses;
}
char *variableOf(const void *Variable) {
  auto It = variables().find(Variable);
  if (It == variables().end())
    fail("a variable that the device does not have");
  return It->second;
}

uint64_t argumentsOf(const std::string &Kernel) {
  for (uint64_t I = 0; I < gpu_module.NumKernels; ++I)
    if (Kernel == gpu_module.Kernels[I].Name)
      return gpu_module.Kernels[I].Number;
  fail("the device has no kernel " + Kernel);
}

void runKernel(const std::string &Kernel, const Configuration &C,
               std::vector<uint64_t> Values) {
  static const bool Loaded = (gpu_load(&gpu_module), true);
  (void)Loaded;
  std::vector<void *> Arguments;
  for (uint64_t &V : Values)
    Arguments.push_back(&V);
  GpuLaunch Launch{};
  const dim3 From[] = {C.Grid, C.Block};
  uint32_t *const To[] = {Launch.Grid, Launch.Block};
  for (int I = 0; I < 2; ++I) {
    To[I][0] = From[I].x;
    To[I][1] = From[I].y;
    To[I][2] = From[I].z;
  }
  Launch.DynamicShared = uint32_t(C.Shared);
  Launch.WarpSize = 32;
  Launch.Order = 2;
  Launch.Seed = Random();
  GpuCounts Counts;
  Open Access;
  if (gpu_launch(Kernel.c_str(), Arguments.data(), &Launch, &Counts))
    fail("kernel " + Kernel + ":\n" + gpu_faults());
}

} // namespace

namespace runtime {

void fail(const std::string &Why) { ::fail(Why); }
bool isOnDevice(const void *P) { return ::isOnDevice(P); }
void checkRange(const void *P, size_t Bytes, const char *What) {
  ::checkRange(P, Bytes, What);
}
void enqueue(cudaStream_t S, std::function<void()> Work) {
  ::enqueue(S, [=] {
    Open Access;
    Work();
  });
}

} // namespace runtime

extern "C" {

cudaError_t cudaMalloc(void **To, size_t Bytes) {
  return allocate(To, Bytes, Of::Device);
}
cudaError_t cudaMallocAsync(void **To, size_t Bytes, cudaStream_t) {
  return allocate(To, Bytes, Of::Device);
}
cudaError_t cudaMallocManaged(void **To, size_t Bytes, unsigned) {
  return allocate(To, Bytes, Of::Managed);
}
cudaError_t cudaMallocHost(void **To, size_t Bytes) {
  return allocate(To, Bytes, Of::Pinned);
}

static cudaError_t release(void *Memory, bool OfHost) {
  if (!Memory)
    return cudaSuccess;
  runAll();
  auto It = blocks().find(static_cast<char *>(Memory));
  if (It == blocks().end() || (It->second.Is == Of::Pinned) != OfHost)
    fail("memory is freed that was not allocated so, or twice");
  if (!OfHost)
    gpu_remove_buffer(Memory);
  if (It->second.Is != Of::Device)
    std::free(Memory);
  blocks().erase(It);
  return cudaSuccess;
}
cudaError_t cudaFree(void *Memory) { return release(Memory, false); }
cudaError_t cudaFreeAsync(void *Memory, cudaStream_t) {
  return release(Memory, false);
}
cudaError_t cudaFreeHost(void *Memory) { return release(Memory, true); }

cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                       cudaMemcpyKind Kind) {
  checkDirection(To, From, Kind);
  runAll();
  copyNow(To, From, Bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                            cudaMemcpyKind Kind, cudaStream_t S) {
  checkDirection(To, From, Kind);
  if (blockOf(To) && blockOf(From)) {
    enqueue(S, [=] { copyNow(To, From, Bytes); });
    return cudaSuccess;
  }
  // Other memory of the host is copied at once.
  if (isDefault(S))
    runAll();
  else
    runUntil([=] { return S->Queue.empty(); });
  copyNow(To, From, Bytes);
  return cudaSuccess;
}
cudaError_t cudaMemset(void *To, int Byte, size_t Bytes) {
  return cudaMemsetAsync(To, Byte, Bytes, nullptr);
}
cudaError_t cudaMemsetAsync(void *To, int Byte, size_t Bytes, cudaStream_t S) {
  if (!isOnDevice(To))
    fail("a fill of memory that is not of the device");
  enqueue(S, [=] {
    Open Access;
    checkRange(To, Bytes, "a fill");
    std::memset(To, Byte, Bytes);
  });
  return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbol(const void *Variable, const void *From,
                               size_t Bytes, size_t Offset,
                               cudaMemcpyKind Kind) {
  return cudaMemcpy(variableOf(Variable) + Offset, From, Bytes, Kind);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *Variable, const void *From,
                                    size_t Bytes, size_t Offset,
                                    cudaMemcpyKind Kind, cudaStream_t S) {
  return cudaMemcpyAsync(variableOf(Variable) + Offset, From, Bytes, Kind, S);
}
cudaError_t cudaMemcpyFromSymbol(void *To, const void *Variable, size_t Bytes,
                                 size_t Offset, cudaMemcpyKind Kind) {
  return cudaMemcpy(To, variableOf(Variable) + Offset, Bytes, Kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Variable,
                                      size_t Bytes, size_t Offset,
                                      cudaMemcpyKind Kind, cudaStream_t S) {
  return cudaMemcpyAsync(To, variableOf(Variable) + Offset, Bytes, Kind, S);
}
cudaError_t cudaGetSymbolAddress(void **To, const void *Variable) {
  *To = variableOf(Variable);
  return cudaSuccess;
}
cudaError_t cudaGetSymbolSize(size_t *To, const void *Variable) {
  *To = blocks().find(variableOf(Variable))->second.Bytes;
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *To) {
  Streams.push_back(*To = new CUstream_st);
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *To, unsigned) {
  return cudaStreamCreate(To);
}
cudaError_t cudaStreamSynchronize(cudaStream_t S) {
  if (isDefault(S))
    runAll();
  else
    runUntil([=] { return S->Queue.empty(); });
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t S) {
  cudaStreamSynchronize(S);
  Streams.erase(std::find(Streams.begin(), Streams.end(), S));
  delete S;
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *To) {
  *To = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t E, cudaStream_t S) {
  const unsigned Number = ++E->Recorded;
  enqueue(S, [=] { E->Done = std::max(E->Done, Number); });
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t S, cudaEvent_t E, unsigned) {
  const unsigned Number = E->Recorded;
  enqueue(S, [] {}, [=] { return E->Done >= Number; });
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t E) {
  const unsigned Number = E->Recorded;
  runUntil([=] { return E->Done >= Number; });
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() {
  runAll();
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t) { return "an error"; }

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *To, const void *P) {
  auto *B = blockOf(P);
  To->type = !B                             ? cudaMemoryTypeUnregistered
             : B->second.Is == Of::Device   ? cudaMemoryTypeDevice
             : B->second.Is == Of::Variable ? cudaMemoryTypeDevice
             : B->second.Is == Of::Managed  ? cudaMemoryTypeManaged
                                            : cudaMemoryTypeHost;
  return cudaSuccess;
}
int cuMemGetAddressRange_v2(unsigned long long *Begin, size_t *Bytes,
                            unsigned long long P) {
  auto *B = blockOf(reinterpret_cast<void *>(P));
  // Of variables the driver need not know.
  if (!B || B->second.Is == Of::Pinned || B->second.Is == Of::Variable)
    return 1;
  *Begin = reinterpret_cast<unsigned long long>(B->first);
  *Bytes = B->second.Bytes;
  return 0;
}

unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block, size_t Shared,
                                     void *Stream) {
  Configurations.push_back({Grid, Block, Shared, Stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block, size_t *Shared,
                                       void *Stream) {
  if (Configurations.empty())
    fail("a kernel is called without a configuration");
  const Configuration C = Configurations.back();
  Configurations.pop_back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *static_cast<void **>(Stream) = C.Stream;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void *Stub, dim3 Grid, dim3 Block,
                             void **Arguments, size_t Shared, cudaStream_t S) {
  auto It = kernels().find(Stub);
  if (It == kernels().end())
    fail("a kernel is launched that was not registered");
  const std::string Name = It->second;
  std::vector<uint64_t> Values(argumentsOf(Name));
  for (size_t I = 0; I < Values.size(); ++I)
    std::memcpy(&Values[I], Arguments[I], sizeof(uint64_t));
  const Configuration C = {Grid, Block, Shared, S};
  enqueue(S, [=] { runKernel(Name, C, Values); });
  return cudaSuccess;
}

void **__cudaRegisterFatBinary(void *) {
  static void *Handle;
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
int __cudaRegisterFunction(void **, const char *Stub, char *, const char *Name,
                           int, void *, void *, void *, void *, int *) {
  kernels()[Stub] = Name;
  return 0;
}
void __cudaRegisterVar(void **, char *Variable, char *, const char *Name, int,
                       size_t Bytes, int, int) {
  for (uint64_t I = 0; I < gpu_module.NumVariables; ++I)
    if (std::string(gpu_module.Variables[I].Name) == Name) {
      char *Address = static_cast<char *>(gpu_module.Variables[I].Address);
      blocks()[Address] = {Bytes, Of::Variable};
      variables()[Variable] = Address;
    }
}
}
