; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
;
; What vector code does to the bits of doubles in lanes of 32 bits is done with
; a lane for each double; what it does to those of floats, and to numbers, stays.

declare void @__enzyme_autodiff(...)

; The lanes of the middle operation are seen from those around it.
; CHECK-LABEL: primal of @conjugated
; CHECK: xor <2 x i64> %{{.*}}, <i64 0, i64 -9223372036854775808>
; CHECK: xor <2 x i64> %{{.*}}, <i64 -9223372036854775808, i64 0>
; CHECK: and <2 x i64> %{{.*}}, <i64 -1, i64 9223372036854775807>
; CHECK: shufflevector <2 x i64> %{{.*}}, <2 x i32> <i32 1, i32 0>
; CHECK-NOT: <4 x i32>
; CHECK: ret
define double @conjugated(ptr %x) {
  %v = load <2 x double>, ptr %x, align 16
  %bits = bitcast <2 x double> %v to <4 x i32>
  %a = xor <4 x i32> %bits, <i32 0, i32 0, i32 0, i32 -2147483648>
  %b = xor <4 x i32> %a, <i32 0, i32 -2147483648, i32 0, i32 0>
  %c = and <4 x i32> %b, <i32 -1, i32 -1, i32 -1, i32 2147483647>
  %s = shufflevector <4 x i32> %c, <4 x i32> poison, <4 x i32> <i32 2, i32 3, i32 0, i32 1>
  %w = bitcast <4 x i32> %s to <2 x double>
  %p = fmul <2 x double> %w, %w
  %r = call double @llvm.vector.reduce.fadd.v2f64(double -0.0, <2 x double> %p)
  ret double %r
}

; Halves that change places are cut.
; CHECK-LABEL: primal of @halves
; CHECK: shufflevector <4 x i32>
define double @halves(ptr %x) {
  %v = load <2 x double>, ptr %x, align 16
  %bits = bitcast <2 x double> %v to <4 x i32>
  %s = shufflevector <4 x i32> %bits, <4 x i32> poison, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %t = shufflevector <4 x i32> %s, <4 x i32> poison, <4 x i32> <i32 0, i32 2, i32 1, i32 3>
  %w = bitcast <4 x i32> %t to <2 x double>
  %r = extractelement <2 x double> %w, i64 0
  ret double %r
}

; CHECK-LABEL: primal of @negated
; CHECK: xor <4 x i32>
define float @negated(ptr %x) {
  %v = load <4 x float>, ptr %x, align 16
  %bits = bitcast <4 x float> %v to <4 x i32>
  %a = xor <4 x i32> %bits, <i32 0, i32 0, i32 0, i32 -2147483648>
  %w = bitcast <4 x i32> %a to <4 x float>
  %p = fmul <4 x float> %w, %w
  %r = call float @llvm.vector.reduce.fadd.v4f32(float -0.0, <4 x float> %p)
  ret float %r
}

define void @d(ptr %x, ptr %dx) {
  call void (...) @__enzyme_autodiff(ptr @conjugated, ptr %x, ptr %dx)
  call void (...) @__enzyme_autodiff(ptr @halves, ptr %x, ptr %dx)
  call void (...) @__enzyme_autodiff(ptr @negated, ptr %x, ptr %dx)
  ret void
}
