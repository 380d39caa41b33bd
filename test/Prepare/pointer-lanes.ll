; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A structure that was read as a vector, with a pointer among its members, is read member by member.
; One of numbers alone stays a vector.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s

declare void @__enzyme_autodiff(...)

; CHECK-LABEL: primal of @mixed
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %s, i64 16
; CHECK: %[[P:.*]] = load ptr, ptr %[[AT]], align 16
; CHECK: load double, ptr %{{.*}}, align 32
; CHECK: load <4 x double>, ptr %[[P]], align 8
; CHECK-NOT: inttoptr
define double @mixed(ptr %s) {
  %v = load <4 x double>, ptr %s, align 32
  %same = shufflevector <4 x double> %v, <4 x double> poison, <4 x i32> zeroinitializer
  %bits = bitcast <4 x double> %v to <4 x i64>
  %address = extractelement <4 x i64> %bits, i64 2
  %p = inttoptr i64 %address to ptr
  %w = load <4 x double>, ptr %p, align 8
  %product = fmul <4 x double> %same, %w
  %sum = call double @llvm.vector.reduce.fadd.v4f64(double -0.0, <4 x double> %product)
  ret double %sum
}

; CHECK-LABEL: primal of @numbers
; CHECK: load <2 x double>, ptr %s
define double @numbers(ptr %s) {
  %v = load <2 x double>, ptr %s, align 16
  %bits = bitcast <2 x double> %v to <2 x i64>
  %low = extractelement <2 x i64> %bits, i64 0
  %odd = and i64 %low, 1
  %c = icmp eq i64 %odd, 0
  %a = extractelement <2 x double> %v, i64 1
  %r = select i1 %c, double %a, double 1.0
  ret double %r
}

define void @main(ptr %s, ptr %ds) {
  call void (...) @__enzyme_autodiff(ptr @mixed, ptr %s, ptr %ds)
  call void (...) @__enzyme_autodiff(ptr @numbers, ptr %s, ptr %ds)
  ret void
}

declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
