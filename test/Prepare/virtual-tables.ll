; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A virtual call reaches functions at its own entry of virtual tables, and
; functions whose address the program takes elsewhere; where it passes a
; reference, only those that expect one.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s

declare double @__enzyme_autodiff(ptr, ...)
declare void @keep(ptr)

@_ZTI1A = external constant ptr
@_ZTV1A = constant { [4 x ptr] } { [4 x ptr] [ptr null, ptr @_ZTI1A, ptr @first, ptr @second] }
@_ZTV1B = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr null, ptr @other] }
@table = constant [1 x ptr] [ptr @plain]

define double @first(ptr nonnull dereferenceable(8) %this, double %x) {
  %y = fmul double %x, 2.0
  ret double %y
}
define double @second(ptr nonnull dereferenceable(8) %this, double %x) {
  %y = fmul double %x, 3.0
  ret double %y
}
define double @other(ptr nonnull dereferenceable(8) %this, double %x) {
  %y = fmul double %x, 4.0
  ret double %y
}
define double @plain(ptr %p, double %x) {
  %v = load double, ptr %p
  %y = fmul double %x, %v
  ret double %y
}
define double @reference(ptr nonnull dereferenceable(8) %p, double %x) {
  call void @keep(ptr @reference)
  %y = fmul double %x, 6.0
  ret double %y
}

; The second entry of a table, for an object.
; CHECK-LABEL: define internal double @adze.primal.f(
; CHECK-NOT: @first
; CHECK-NOT: @other
; CHECK-NOT: @plain
; CHECK-DAG: icmp eq ptr %{{.*}}, @second
; CHECK-DAG: icmp eq ptr %{{.*}}, @reference
define double @f(ptr %p, double %x) {
  %table = load ptr, ptr %p
  %entry = getelementptr ptr, ptr %table, i64 1
  %callee = load ptr, ptr %entry
  %r = call double %callee(ptr nonnull dereferenceable(8) %p, double %x)
  ret double %r
}

; The first entry; the operand is no reference, so every function may be meant
; whose address does not stand in virtual tables alone.
; CHECK-LABEL: define internal double @adze.primal.g(
; CHECK-NOT: @second
; CHECK-DAG: icmp eq ptr %{{.*}}, @first
; CHECK-DAG: icmp eq ptr %{{.*}}, @other
; CHECK-DAG: icmp eq ptr %{{.*}}, @plain
; CHECK-DAG: icmp eq ptr %{{.*}}, @reference
define double @g(ptr %p, double %x) {
  %table = load ptr, ptr %p
  %callee = load ptr, ptr %table
  %r = call double %callee(ptr %p, double %x)
  ret double %r
}

; At a distance that only the run knows it may be any.
; CHECK-LABEL: define internal double @adze.primal.h(
; CHECK-DAG: icmp eq ptr %{{.*}}, @first
; CHECK-DAG: icmp eq ptr %{{.*}}, @second
; CHECK-DAG: icmp eq ptr %{{.*}}, @other
define double @h(ptr %p, double %x, i64 %i) {
  %table = load ptr, ptr %p
  %entry = getelementptr ptr, ptr %table, i64 %i
  %callee = load ptr, ptr %entry
  %r = call double %callee(ptr %p, double %x)
  ret double %r
}

define void @markers(ptr %p, double %x) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %p, ptr %p, double %x)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @g, ptr %p, ptr %p, double %x)
  %c = call double (ptr, ...) @__enzyme_autodiff(ptr @h, ptr %p, ptr %p, double %x, i64 0)
  ret void
}
