// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory.h"
#include <algorithm>
#include <cstring>

using namespace gpu;

// Where all dynamic shared memory of a block lies.
extern "C" {
alignas(64) char gpu_dynamic_shared[Memory::MaxDynamicShared];
}

Memory &gpu::memory() {
  static Memory Instance;
  return Instance;
}

void Memory::add(std::string Name, void *Base, uint64_t Size, Space Where) {
  auto R = std::make_unique<Region>();
  R->Name = std::move(Name);
  R->Base = static_cast<char *>(Base);
  R->Size = Size;
  R->Where = Where;
  auto At =
      std::upper_bound(Regions.begin(), Regions.end(), R->Base,
                       [](char *A, const auto &B) { return A < B->Base; });
  Regions.insert(At, std::move(R));
}

void Memory::remove(void *Base) {
  Last = nullptr;
  auto At = std::find_if(Regions.begin(), Regions.end(),
                         [&](const auto &R) { return R->Base == Base; });
  if (At != Regions.end())
    Regions.erase(At);
}

Region *Memory::find(const void *Address) {
  auto *Byte = static_cast<const char *>(Address);
  if (Last && Byte >= Last->Base && Byte < Last->Base + Last->Size)
    return Last;
  auto At = std::upper_bound(
      Regions.begin(), Regions.end(), Byte,
      [](const char *A, const auto &B) { return A < B->Base; });
  if (At == Regions.begin())
    return nullptr;
  Region *R = std::prev(At)->get();
  if (Byte >= R->Base + R->Size)
    return nullptr;
  return Last = R;
}

void Memory::beginLaunch() {
  for (auto &R : Regions)
    R->Cells.clear();
}

void Memory::beginBlock(uint64_t DynamicShared) {
  remove(gpu_dynamic_shared);
  if (DynamicShared)
    add("dynamic shared memory", gpu_dynamic_shared, DynamicShared,
        Space::Shared);
  for (auto &R : Regions)
    if (R->Where == Space::Shared) {
      std::memset(R->Base, 0xff, R->Size);
      R->Cells.clear();
    }
}

std::string Memory::describe(const Region &R, uint64_t Offset) const {
  return R.Name + " at byte " + std::to_string(Offset);
}

extern "C" {

void gpu_add_buffer(void *Address, uint64_t Size, const char *Name) {
  memory().add(Name, Address, Size, Space::Global);
}

void gpu_remove_buffer(void *Address) { memory().remove(Address); }

void gpu_access(const void *Address, uint64_t Size, uint32_t Kind,
                uint32_t Place) {
  Machine &M = machine();
  M.Place = Place;
  if (!Size)
    return;
  auto A = static_cast<Access>(Kind);
  if (M.Current->Code->ownsAddress(Address)) {
    if (A == Access::Atomic)
      M.stop("own: " + M.placeName(Place) +
             " changes memory of the thread by an atomic operation");
    M.Counts.LocalBytes += Size;
    return;
  }
  Region *R = memory().find(Address);
  static const char *const Names[] = {"reads", "writes", "changes"};
  if (!R)
    M.stop("outside: " + M.placeName(Place) + " " + Names[Kind] +
           " memory that is not there");
  uint64_t Offset =
      static_cast<uint64_t>(static_cast<const char *>(Address) - R->Base);
  if (Offset + Size > R->Size)
    M.stop("outside: " + M.placeName(Place) + " " + Names[Kind] +
           " beyond the end of " + R->Name);
  if (R->Where == Space::Constant) {
    if (A != Access::Read)
      M.stop("constant: " + M.placeName(Place) + " " + Names[Kind] + " " +
             R->Name);
  } else if (R->Where != Space::Tape) {
    checkAccess(*R, Offset, Size, A, Place);
  }
  (R->Where == Space::Shared ? M.Counts.SharedBytes : M.Counts.GlobalBytes) +=
      Size;
  M.Counts.Atomics += A == Access::Atomic;
  // Atomics are where orders show in programs that are right.
  if (M.Launch.EachAccess ? M.Random() % 4 == 0
                          : A == Access::Atomic && M.Launch.Order == 2)
    M.switchThread();
  M.Place = Place;
}

void gpu_count(uint64_t Instructions, uint64_t LocalBytes) {
  machine().Counts.Instructions += Instructions;
  machine().Counts.LocalBytes += LocalBytes;
}

void gpu_at(uint32_t Place) { machine().Place = Place; }
void gpu_enter(uint32_t Place) { machine().Current->Calls.push_back(Place); }
void gpu_leave() { machine().Current->Calls.pop_back(); }

void gpu_trap() {
  machine().stop("trap: " + machine().placeName(machine().Place));
}

// Memory from the device's heap holds no numbers either.
void *gpu_malloc(uint64_t Size) {
  void *Block = std::malloc(Size ? Size : 1);
  std::memset(Block, 0xff, Size);
  memory().add("a block of the heap from " +
                   machine().placeName(machine().Place),
               Block, Size, Space::Global);
  return Block;
}

void gpu_free(void *Block) {
  if (!Block)
    return;
  Region *R = memory().find(Block);
  if (!R || R->Base != Block)
    machine().stop("heap: " + machine().placeName(machine().Place) +
                   " frees what is no block");
  memory().remove(Block);
  std::free(Block);
}
}
