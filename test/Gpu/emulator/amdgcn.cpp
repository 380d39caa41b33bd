// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMDGPU's intrinsics, by the names that HostCode gives them. Waves have 64
// lanes, and instructions name no lanes: those take part that execute them
// together.
#include "memory.h"
#include <cmath>

using namespace gpu;

namespace {
// What kernels read of the launch: parts of hsa_kernel_dispatch_packet_t and of
// the implicit arguments of code object version 5.
struct DispatchPacket {
  uint16_t Header, Setup, WorkgroupSize[3], Reserved;
  uint32_t GridSize[3];
  uint32_t Rest[10];
};
struct ImplicitArguments {
  uint32_t BlockCount[3];
  uint16_t GroupSize[3], Remainder[3];
  uint32_t Rest[58];
};
DispatchPacket Packet;
ImplicitArguments Implicit;

// Registers what the runtime writes before it launches.
template <class T> T *readable(T &Object, const char *Name) {
  if (!memory().find(&Object))
    memory().add(Name, &Object, sizeof(Object), Space::Constant);
  return &Object;
}
} // namespace

extern "C" {

uint32_t gpu_amdgcn_workitem_id_x() { return machine().Current->Position.X; }
uint32_t gpu_amdgcn_workitem_id_y() { return machine().Current->Position.Y; }
uint32_t gpu_amdgcn_workitem_id_z() { return machine().Current->Position.Z; }
uint32_t gpu_amdgcn_workgroup_id_x() { return machine().Block.X; }
uint32_t gpu_amdgcn_workgroup_id_y() { return machine().Block.Y; }
uint32_t gpu_amdgcn_workgroup_id_z() { return machine().Block.Z; }

void *gpu_amdgcn_dispatch_ptr() {
  const GpuLaunch &L = machine().Launch;
  for (unsigned I = 0; I < 3; ++I) {
    Packet.WorkgroupSize[I] = static_cast<uint16_t>(L.Block[I]);
    Packet.GridSize[I] = L.Grid[I] * L.Block[I];
  }
  return readable(Packet, "the dispatch packet");
}
void *gpu_amdgcn_implicitarg_ptr() {
  const GpuLaunch &L = machine().Launch;
  for (unsigned I = 0; I < 3; ++I) {
    Implicit.BlockCount[I] = L.Grid[I];
    Implicit.GroupSize[I] = static_cast<uint16_t>(L.Block[I]);
  }
  return readable(Implicit, "the implicit arguments");
}

void gpu_amdgcn_s_barrier() { countAtBarrier(false); }
void gpu_amdgcn_wave_barrier() { warpBarrier(0); }

uint32_t gpu_amdgcn_mbcnt_lo(uint32_t Mask, uint32_t Base) {
  unsigned Lane = machine().Current->Lane;
  uint32_t Below = Lane >= 32 ? ~0u : (1u << Lane) - 1;
  return Base + static_cast<uint32_t>(__builtin_popcount(Mask & Below));
}
uint32_t gpu_amdgcn_mbcnt_hi(uint32_t Mask, uint32_t Base) {
  unsigned Lane = machine().Current->Lane;
  uint32_t Below = Lane <= 32 ? 0u : (1u << (Lane - 32)) - 1;
  return Base + static_cast<uint32_t>(__builtin_popcount(Mask & Below));
}

bool gpu_amdgcn_is_private(const void *Address) {
  return machine().Current->Code->ownsAddress(Address);
}
void gpu_amdgcn_endpgm() { machine().stop("a thread ends itself"); }

uint32_t gpu_amdgcn_ds_bpermute(uint32_t Address, uint32_t Value) {
  return static_cast<uint32_t>(shuffle(0, Value, Address >> 2 & 63));
}
uint32_t gpu_amdgcn_ds_permute(uint32_t Address, uint32_t Value) {
  return static_cast<uint32_t>(push(Value, Address >> 2 & 63));
}
uint64_t gpu_amdgcn_ballot_i64(bool P) { return ballot(0, P); }
// The first lane of those that take part.
uint32_t gpu_amdgcn_readfirstlane_i32(uint32_t Value) {
  unsigned First = static_cast<unsigned>(__builtin_ctzll(ballot(0, true)));
  return static_cast<uint32_t>(shuffle(0, Value, First));
}
uint32_t gpu_amdgcn_readfirstlane(uint32_t Value) {
  return gpu_amdgcn_readfirstlane_i32(Value);
}
uint32_t gpu_amdgcn_readlane_i32(uint32_t Value, uint32_t Lane) {
  return static_cast<uint32_t>(shuffle(0, Value, Lane & 63));
}

// The lane that ds_swizzle reads from: four of each quad in any order, or bits
// of the lane within 32 lanes.
uint32_t gpu_amdgcn_ds_swizzle(uint32_t Value, uint32_t Pattern) {
  unsigned Lane = machine().Current->Lane, Source;
  if (Pattern >> 15)
    Source = (Lane & ~3u) | (Pattern >> (2 * (Lane & 3)) & 3);
  else
    Source = (Lane & 32) |
             ((((Lane & Pattern) | Pattern >> 5) ^ Pattern >> 10) & 31);
  return static_cast<uint32_t>(shuffle(0, Value, Source));
}

// The lane that a DPP control reads from, or -1 beyond the end of a row.
static int sourceOfDpp(unsigned Control, int Lane) {
  int Row = Lane & ~15, In = Lane & 15, By = Control & 15;
  auto InRow = [&](int At) { return At >= 0 && At < 16 ? Row + At : -1; };
  if (Control < 0x100)
    return (Lane & ~3) | static_cast<int>(Control >> (2 * (Lane & 3)) & 3);
  switch (Control & ~15u) {
  case 0x100:
    return InRow(In + By);
  case 0x110:
    return InRow(In - By);
  case 0x120:
    return Row + ((In - By) & 15);
  case 0x150:
    return Row + By;
  case 0x160:
    return Lane ^ By;
  }
  switch (Control) {
  case 0x130: // the lane above in the wave
    return Lane < 63 ? Lane + 1 : -1;
  case 0x134:
    return (Lane + 1) & 63;
  case 0x138:
    return Lane - 1;
  case 0x13c:
    return (Lane - 1) & 63;
  case 0x140:
    return Row + 15 - In;
  case 0x141:
    return Row + (In ^ 7);
  case 0x142: // the last lane of the row below
    return Row - 1;
  case 0x143: // lane 31, in the upper half
    return Lane >= 32 ? 31 : -1;
  }
  machine().stop("the emulator does not know the DPP control " +
                 std::to_string(Control));
}

uint32_t gpu_amdgcn_update_dpp_i32(uint32_t Old, uint32_t Value,
                                   uint32_t Control, uint32_t RowMask,
                                   uint32_t BankMask, bool ZeroBeyond) {
  int Lane = static_cast<int>(machine().Current->Lane),
      Source = sourceOfDpp(Control, Lane);
  bool Enabled =
      (RowMask >> (Lane >> 4) & 1) && (BankMask >> (Lane >> 2 & 3) & 1);
  auto Other = static_cast<uint32_t>(
      shuffle(0, Value, static_cast<unsigned>(Source < 0 ? Lane : Source)));
  if (!Enabled)
    return Old;
  return Source >= 0 ? Other : ZeroBeyond ? 0 : Old;
}
uint32_t gpu_amdgcn_mov_dpp_i32(uint32_t Value, uint32_t Control,
                                uint32_t RowMask, uint32_t BankMask,
                                bool ZeroBeyond) {
  return gpu_amdgcn_update_dpp_i32(0, Value, Control, RowMask, BankMask,
                                   ZeroBeyond);
}

double gpu_amdgcn_rcp_f64(double x) { return 1 / x; }
float gpu_amdgcn_rcp_f32(float x) { return 1 / x; }
double gpu_amdgcn_rsq_f64(double x) { return 1 / std::sqrt(x); }
float gpu_amdgcn_rsq_f32(float x) { return 1 / std::sqrt(x); }
}
