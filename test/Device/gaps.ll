; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What has no derivative on GPUs is refused by name where active data goes
; through it, in both modes, and left alone where none does.
;
; RUN: split-file %s %t
; RUN: not %clang -O1 %adze --target=nvptx64-nvidia-cuda -march=sm_80 -S %t/nvptx.ll -o %t/out 2>&1 | FileCheck %t/nvptx.ll
; RUN: not %clang -O1 %adze --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -S %t/amdgcn.ll -o %t/out 2>&1 | FileCheck %t/amdgcn.ll
; RUN: %opt -passes=adze -S -o - %t/inactive.ll | FileCheck %t/inactive.ll

;--- nvptx.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK-DAG: error: {{.*}}cannot differentiate 'llvm.nvvm.tex.unified.1d.v4f32.f32, a texture, a surface or a buffer of graphics'
; CHECK-DAG: to fix: read and write memory through pointers, which have shadows
; CHECK-DAG: error: {{.*}}cannot differentiate 'llvm.nvvm.f2tf32.rna, an instruction of tensor or matrix cores'
; CHECK-DAG: to fix: differentiate the scalar form: write the product as loops
; CHECK-DAG: error: {{.*}}cannot differentiate 'llvm.nvvm.ff2f16x2.rz, a pair of floats rounded towards zero'
; CHECK-DAG: error: {{.*}}cannot differentiate 'cudaLaunchDeviceV2, a kernel that is launched by a kernel'
; CHECK-DAG: in the derivative that '__enzyme_fwddiff' asks for in 'forward'
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
declare i32 @llvm.nvvm.f2tf32.rna(float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rz(float, float)
declare i32 @cudaLaunchDeviceV2(ptr, ptr)
declare float @__enzyme_autodiff(ptr, ...)
declare float @__enzyme_fwddiff(ptr, ...)

define float @texture(float %x) {
  %t = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 7, float %x)
  %y = extractvalue { float, float, float, float } %t, 0
  ret float %y
}
define float @rounds(float %x) {
  %i = call i32 @llvm.nvvm.f2tf32.rna(float %x)
  %y = bitcast i32 %i to float
  ret float %y
}
define float @packs(float %x) {
  %v = call <2 x half> @llvm.nvvm.ff2f16x2.rz(float %x, float %x)
  %h = extractelement <2 x half> %v, i32 0
  %y = fpext half %h to float
  ret float %y
}
define float @launches(float %x) {
  %p = alloca float
  store float %x, ptr %p
  %i = call i32 @cudaLaunchDeviceV2(ptr %p, ptr null)
  %y = load float, ptr %p
  ret float %y
}
define float @reverse(float %x) {
  %a = call float (ptr, ...) @__enzyme_autodiff(ptr @texture, float %x)
  %b = call float (ptr, ...) @__enzyme_autodiff(ptr @rounds, float %x)
  %c = call float (ptr, ...) @__enzyme_autodiff(ptr @packs, float %x)
  %d = call float (ptr, ...) @__enzyme_autodiff(ptr @launches, float %x)
  ret float %a
}
define float @forward(float %x) {
  %a = call float (ptr, ...) @__enzyme_fwddiff(ptr @texture, float %x, float 1.0)
  ret float %a
}

;--- amdgcn.ll
target triple = "amdgcn-amd-amdhsa"
; CHECK-DAG: error: {{.*}}cannot differentiate 'llvm.amdgcn.mfma.f32.4x4x1f32, an instruction of tensor or matrix cores'
; CHECK-DAG: error: {{.*}}cannot differentiate 'llvm.amdgcn.trig.preop.f64, a part of a division or of the reduction of an angle'
declare <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float, float, <4 x float>, i32 immarg, i32 immarg, i32 immarg)
declare double @llvm.amdgcn.trig.preop.f64(double, i32)
declare float @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)

define float @product(float %x) {
  %m = call <4 x float> @llvm.amdgcn.mfma.f32.4x4x1f32(float %x, float %x, <4 x float> zeroinitializer, i32 0, i32 0, i32 0)
  %y = extractelement <4 x float> %m, i32 0
  ret float %y
}
define double @angle(double %x) {
  %y = call double @llvm.amdgcn.trig.preop.f64(double %x, i32 1)
  ret double %y
}
define float @reverse(float %x) {
  %a = call float (ptr, ...) @__enzyme_autodiff(ptr @product, float %x)
  ret float %a
}
define double @forward(double %x) {
  %a = call double (ptr, ...) @__enzyme_fwddiff(ptr @angle, double %x, double 1.0)
  ret double %a
}

;--- inactive.ll
target triple = "nvptx64-nvidia-cuda"
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare float @__enzyme_autodiff(ptr, ...)
@clock = global i64 0

define float @reads(float %x, float %at, i32 %k) {
  %t = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 7, float %at)
  %w = extractvalue { float, float, float, float } %t, 0
  %i = call i32 @llvm.nvvm.prmt(i32 %k, i32 3, i32 %k)
  %j = call i32 @llvm.nvvm.mulhi.i(i32 %i, i32 7)
  %f = sitofp i32 %j to float
  %c = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  store i64 %c, ptr @clock
  %v = fmul float %w, %f
  %y = fmul float %v, %x
  ret float %y
}
; CHECK-LABEL: define float @reverse(
; CHECK-COUNT-1: @llvm.nvvm.read.ptx.sreg.clock64()
; CHECK-NOT: clock64
; CHECK: ret float
define float @reverse(float %x, float %at, i32 %k) {
  %a = call float (ptr, ...) @__enzyme_autodiff(ptr @reads, float %x, metadata !"enzyme_const", float %at, i32 %k)
  ret float %a
}
