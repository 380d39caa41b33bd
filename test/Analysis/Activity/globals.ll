; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A global that one callee writes and another reads; one that only other code
; writes; a constant table.
; RUN: %adze-opt --stop-after=activity %s | FileCheck %s

; CHECK-LABEL: activity of adze.primal.f
; CHECK-NEXT:   double %x  -> active
; CHECK-NEXT:   i64 %i  -> inactive
; CHECK-NEXT:   %0:
; CHECK-NEXT:   call void @set(double %x)  -> takes part
; CHECK-NEXT:   %v = call double @get()  -> active
; CHECK-NEXT:   %w = load double, ptr @outside, align 8  -> inactive
; CHECK-NEXT:   %t = getelementptr double, ptr @table, i64 %i  -> inactive
; CHECK-NEXT:   %k = load double, ptr %t, align 8  -> inactive
; CHECK-NEXT:   %vw = fmul double %v, %w  -> active
; CHECK-NEXT:   %r = fmul double %vw, %k  -> active
; CHECK-NEXT:   ret double %r  -> takes part
; CHECK-NEXT:   @state  -> shadow

@state = internal global double 0.0
@outside = internal global double 3.0
@table = internal constant [2 x double] [double 1.0, double 2.0]
define internal void @set(double %x) noinline {
  store double %x, ptr @state
  ret void
}
define internal double @get() noinline {
  %v = load double, ptr @state
  ret double %v
}
define double @f(double %x, i64 %i) {
  call void @set(double %x)
  %v = call double @get()
  %w = load double, ptr @outside
  %t = getelementptr double, ptr @table, i64 %i
  %k = load double, ptr %t
  %vw = fmul double %v, %w
  %r = fmul double %vw, %k
  ret double %r
}
define void @init(double %x) {
  store double %x, ptr @outside
  ret void
}

define double @differentiate(double %x, i64 %i) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %i)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
@enzyme_const = external global i32
@enzyme_dup = external global i32
