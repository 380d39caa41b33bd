; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The mark of a float of which a part was overwritten is all ones: where it lies
; over other floats' bytes, their high bytes do not become zero, which would be a
; wrong number.
; RUN: %adze-opt --stop-after=emit %s | FileCheck %s

; CHECK: define {{.*}} @adze.fwd.f(
; CHECK: select i1 %{{.*}}, double 0xFFFFFFFFFFFFFFFF, double %{{.*}}

define double @f(ptr %x) {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  store double %w, ptr %x
  %low = getelementptr inbounds i8, ptr %x, i64 4
  store i32 7, ptr %low
  %r = load double, ptr %x
  ret double %r
}

define double @differentiate(ptr %x, ptr %d) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, ptr %x, ptr %d)
  ret double %r
}
declare double @__enzyme_fwddiff(ptr, ...)
