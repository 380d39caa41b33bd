// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVPTX's intrinsics, by the names that HostCode gives them.
#include "machine.h"
#include <cmath>
#include <cstring>

using namespace gpu;

extern "C" {

#define GPU_REGISTER(name, value)                                              \
  uint32_t gpu_nvvm_read_ptx_sreg_##name() { return value; }
GPU_REGISTER(tid_x, machine().Current->Position.X)
GPU_REGISTER(tid_y, machine().Current->Position.Y)
GPU_REGISTER(tid_z, machine().Current->Position.Z)
GPU_REGISTER(ctaid_x, machine().Block.X)
GPU_REGISTER(ctaid_y, machine().Block.Y)
GPU_REGISTER(ctaid_z, machine().Block.Z)
GPU_REGISTER(ntid_x, machine().Launch.Block[0])
GPU_REGISTER(ntid_y, machine().Launch.Block[1])
GPU_REGISTER(ntid_z, machine().Launch.Block[2])
GPU_REGISTER(nctaid_x, machine().Launch.Grid[0])
GPU_REGISTER(nctaid_y, machine().Launch.Grid[1])
GPU_REGISTER(nctaid_z, machine().Launch.Grid[2])
GPU_REGISTER(laneid, machine().Current->Lane)
GPU_REGISTER(warpid, machine().Current->Warp)
GPU_REGISTER(smid, machine().BlockNumber)
GPU_REGISTER(warpsize, machine().Launch.WarpSize)
GPU_REGISTER(dynamic_smem_size, machine().Launch.DynamicShared)
GPU_REGISTER(lanemask_eq, uint32_t(1) << machine().Current->Lane)
GPU_REGISTER(lanemask_lt, (uint32_t(1) << machine().Current->Lane) - 1)
GPU_REGISTER(lanemask_le, (uint32_t(2) << machine().Current->Lane) - 1)
GPU_REGISTER(lanemask_gt, ~((uint32_t(2) << machine().Current->Lane) - 1))
GPU_REGISTER(lanemask_ge, ~((uint32_t(1) << machine().Current->Lane) - 1))

static unsigned barrier(unsigned Id, bool Value) {
  machine().Current->BarrierId = Id;
  return countAtBarrier(Value);
}
static unsigned aliveThreads() {
  unsigned N = 0;
  for (const Thread &T : machine().Threads)
    N += !T.Done;
  return N;
}
void gpu_nvvm_barrier0() { barrier(0, false); }
void gpu_nvvm_barrier_n(uint32_t Id) { barrier(Id, false); }
void gpu_nvvm_bar_sync(uint32_t Id) { barrier(Id, false); }
void gpu_nvvm_barrier_sync(uint32_t Id) { barrier(Id, false); }
uint32_t gpu_nvvm_barrier0_popc(uint32_t P) { return barrier(0, P != 0); }
uint32_t gpu_nvvm_barrier0_or(uint32_t P) { return barrier(0, P != 0) != 0; }
uint32_t gpu_nvvm_barrier0_and(uint32_t P) {
  unsigned Alive = aliveThreads();
  return barrier(0, P != 0) == Alive;
}
void gpu_nvvm_bar_warp_sync(uint32_t Mask) { warpBarrier(Mask); }
void gpu_nvvm_membar_cta() {}
void gpu_nvvm_membar_gl() {}
void gpu_nvvm_membar_sys() {}

// PTX's shfl.sync: `c` holds the end of the lane's segment, and which bits of
// the lane name the segment. A lane outside gets its own value.
static uint32_t segment(uint32_t c) { return c >> 8 & 0x1f; }
static uint32_t least(uint32_t c, uint32_t Lane) { return Lane & segment(c); }
static uint32_t greatest(uint32_t c, uint32_t Lane) {
  return least(c, Lane) | ((c & 0x1f) & ~segment(c));
}
static uint32_t moved(uint32_t Mask, uint32_t Value, int64_t Source,
                      bool Inside) {
  uint32_t Lane = machine().Current->Lane;
  return static_cast<uint32_t>(
      shuffle(Mask, Value, Inside ? static_cast<unsigned>(Source) : Lane));
}

uint32_t gpu_nvvm_shfl_sync_down_i32(uint32_t Mask, uint32_t Value, uint32_t b,
                                     uint32_t c) {
  int64_t Lane = machine().Current->Lane, Source = Lane + (b & 0x1f);
  return moved(Mask, Value, Source,
               Source <= greatest(c, machine().Current->Lane));
}
// For `up`, c's low bits are the least lane of a segment: zero in all that
// compilers make.
uint32_t gpu_nvvm_shfl_sync_up_i32(uint32_t Mask, uint32_t Value, uint32_t b,
                                   uint32_t c) {
  int64_t Lane = machine().Current->Lane, Source = Lane - int64_t(b & 0x1f);
  return moved(Mask, Value, Source,
               Source >= greatest(c, machine().Current->Lane));
}
uint32_t gpu_nvvm_shfl_sync_bfly_i32(uint32_t Mask, uint32_t Value, uint32_t b,
                                     uint32_t c) {
  int64_t Lane = machine().Current->Lane, Source = Lane ^ (b & 0x1f);
  return moved(Mask, Value, Source,
               Source <= greatest(c, machine().Current->Lane));
}
uint32_t gpu_nvvm_shfl_sync_idx_i32(uint32_t Mask, uint32_t Value, uint32_t b,
                                    uint32_t c) {
  uint32_t Lane = machine().Current->Lane;
  int64_t Source = least(c, Lane) | ((b & 0x1f) & ~segment(c));
  return moved(Mask, Value, Source, Source <= greatest(c, Lane));
}
#define GPU_FLOAT_SHUFFLE(name)                                                \
  float gpu_nvvm_shfl_sync_##name##_f32(uint32_t Mask, float Value,            \
                                        uint32_t b, uint32_t c) {              \
    uint32_t Bits;                                                             \
    std::memcpy(&Bits, &Value, 4);                                             \
    Bits = gpu_nvvm_shfl_sync_##name##_i32(Mask, Bits, b, c);                  \
    std::memcpy(&Value, &Bits, 4);                                             \
    return Value;                                                              \
  }
GPU_FLOAT_SHUFFLE(down)
GPU_FLOAT_SHUFFLE(up)
GPU_FLOAT_SHUFFLE(bfly)
GPU_FLOAT_SHUFFLE(idx)

// The lanes that come here together.
uint32_t gpu_nvvm_activemask() {
  return static_cast<uint32_t>(ballot(0, true));
}
uint32_t gpu_nvvm_match_any_sync_i32(uint32_t Mask, uint32_t Value) {
  uint32_t Same = 0;
  for (unsigned L = 0; L < 32; ++L)
    if ((Mask >> L & 1) && shuffle(Mask, Value, L) == Value)
      Same |= 1u << L;
  return Same;
}
uint32_t gpu_nvvm_vote_ballot_sync(uint32_t Mask, bool P) {
  return static_cast<uint32_t>(ballot(Mask, P));
}
bool gpu_nvvm_vote_any_sync(uint32_t Mask, bool P) {
  return ballot(Mask, P) != 0;
}
// Lanes that have ended do not vote.
bool gpu_nvvm_vote_all_sync(uint32_t Mask, bool P) {
  return ballot(Mask, !P) == 0;
}
bool gpu_nvvm_vote_uni_sync(uint32_t Mask, bool P) {
  bool AnyTrue = ballot(Mask, P) != 0, AnyFalse = ballot(Mask, !P) != 0;
  return AnyTrue != AnyFalse;
}

double gpu_nvvm_fma_rn_d(double x, double y, double z) {
  return std::fma(x, y, z);
}
float gpu_nvvm_fma_rn_f(float x, float y, float z) { return std::fma(x, y, z); }
double gpu_nvvm_sqrt_rn_d(double x) { return std::sqrt(x); }
float gpu_nvvm_sqrt_rn_f(float x) { return std::sqrt(x); }
float gpu_nvvm_sqrt_f(float x) { return std::sqrt(x); }
float gpu_nvvm_sqrt_approx_f(float x) { return std::sqrt(x); }
float gpu_nvvm_rsqrt_approx_f(float x) { return 1 / std::sqrt(x); }
double gpu_nvvm_rsqrt_approx_d(double x) { return 1 / std::sqrt(x); }
double gpu_nvvm_rcp_rn_d(double x) { return 1 / x; }
float gpu_nvvm_rcp_rn_f(float x) { return 1 / x; }
double gpu_nvvm_div_rn_d(double x, double y) { return x / y; }
float gpu_nvvm_div_rn_f(float x, float y) { return x / y; }
float gpu_nvvm_div_approx_f(float x, float y) { return x / y; }
float gpu_nvvm_sin_approx_f(float x) { return std::sin(x); }
float gpu_nvvm_cos_approx_f(float x) { return std::cos(x); }
float gpu_nvvm_ex2_approx_f(float x) { return std::exp2(x); }
float gpu_nvvm_lg2_approx_f(float x) { return std::log2(x); }
double gpu_nvvm_fabs_d(double x) { return std::fabs(x); }
float gpu_nvvm_fabs_f(float x) { return std::fabs(x); }
double gpu_nvvm_fmin_d(double x, double y) { return std::fmin(x, y); }
float gpu_nvvm_fmin_f(float x, float y) { return std::fmin(x, y); }
double gpu_nvvm_fmax_d(double x, double y) { return std::fmax(x, y); }
float gpu_nvvm_fmax_f(float x, float y) { return std::fmax(x, y); }
double gpu_nvvm_floor_d(double x) { return std::floor(x); }
float gpu_nvvm_floor_f(float x) { return std::floor(x); }
double gpu_nvvm_ceil_d(double x) { return std::ceil(x); }
float gpu_nvvm_ceil_f(float x) { return std::ceil(x); }
double gpu_nvvm_add_rn_d(double x, double y) { return x + y; }
float gpu_nvvm_add_rn_f(float x, float y) { return x + y; }
double gpu_nvvm_mul_rn_d(double x, double y) { return x * y; }
float gpu_nvvm_mul_rn_f(float x, float y) { return x * y; }

bool gpu_nvvm_isspacep_local(const void *Address) {
  return machine().Current->Code->ownsAddress(Address);
}
void gpu_nvvm_exit() { machine().stop("a thread ends itself"); }
int gpu_vprintf(const char *, void *) { return 0; }
[[noreturn]] void gpu_assertfail(const char *Text, const char *, uint32_t,
                                 const char *, uint64_t) {
  machine().stop(std::string("assert: ") + Text);
}
}
