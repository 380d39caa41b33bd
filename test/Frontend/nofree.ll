; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; What a front end annotates as enzyme_nofree has LLVM's attribute; numbers cannot have it.
; RUN: %adze-opt %s -o - | FileCheck %s

; CHECK: declare void @function(ptr, double) #[[ATTRIBUTES:[0-9]+]]
; CHECK: declare void @parameter(ptr nofree "enzyme_nofree", double "enzyme_nofree")
; CHECK: attributes #[[ATTRIBUTES]] = { nofree "enzyme_nofree" }
declare void @function(ptr, double) "enzyme_nofree"
declare void @parameter(ptr "enzyme_nofree", double "enzyme_nofree")
define double @f(double %x) {
  ret double %x
}
define double @differentiate(double %x) {
  call void @function(ptr null, double %x)
  call void @parameter(ptr null, double %x)
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
declare double @__enzyme_autodiff(ptr, ...)
