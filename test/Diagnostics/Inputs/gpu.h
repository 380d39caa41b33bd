// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for NVPTX and AMDGPU without the headers of CUDA and HIP.
#ifdef __AMDGCN__
#define KERNEL __attribute__((amdgpu_kernel))
#define THREAD __builtin_amdgcn_workitem_id_x()
#define WAIT __builtin_amdgcn_s_barrier()
#define FENCE __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent")
#else
#define KERNEL __attribute__((nvptx_kernel))
#define THREAD __nvvm_read_ptx_sreg_tid_x()
#define WAIT __nvvm_bar_sync(0)
#define FENCE __nvvm_membar_gl()
#endif
