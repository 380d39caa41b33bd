; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What goes through a global variable that is declared inactive is dropped. A pointer to memory that
; has a shadow is not: that is an error.
; RUN: sed -e s/INACTIVE/!0/ -e 's/, !adze.inactive LEADS//' %s | %adze-opt --stop-after=activity - | FileCheck %s
; RUN: sed -e s/INACTIVE/!0/ -e s/LEADS/!0/ %s | not %adze-opt --stop-after=activity - 2>&1 | FileCheck %s --check-prefix=LEADS
; RUN: sed 's/, !adze.inactive [A-Z]*//' %s | %adze-opt --stop-after=activity - | FileCheck %s --check-prefix=PLAIN

; CHECK: store double %x, ptr @read{{.*}}  -> inactive
; CHECK: %v = load double, ptr @read{{.*}}  -> inactive

; LEADS-NOT: '{{read|kept}}'
; LEADS: active data reaches memory that was declared inactive: global variable 'leads'

; PLAIN: store double %x, ptr @read{{.*}}  -> takes part
; PLAIN: %v = load double, ptr @read{{.*}}  -> active

@read = global double 0.0, !adze.inactive INACTIVE
@kept = global double 0.0, !adze.inactive INACTIVE
@leads = global ptr null, !adze.inactive LEADS
define double @f(double %x, ptr %p) {
  store double %x, ptr @kept
  store double %x, ptr @read
  call void @barrier()
  %v = load double, ptr @read
  ret double %v
}
define double @g(double %x, ptr %p) {
  store ptr %p, ptr @leads
  call void @barrier()
  %q = load ptr, ptr @leads
  %v = load double, ptr %q
  ret double %v
}
declare void @barrier() "enzyme_inactive"
define double @differentiate(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, ptr %p, ptr %dp)
  ret double %r
}
define double @differentiate_g(double %x, ptr %p, ptr %dp) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double %x, ptr %p, ptr %dp)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
!0 = !{}
