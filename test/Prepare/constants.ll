; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; Constant expressions become instructions of the entry block, one for all uses.

@table = global [8 x double] zeroinitializer
define double @f(double %x, i64 %n) {
entry:
  %c = icmp sgt i64 %n, 4
  br i1 %c, label %then, label %exit
then:
  %a = load double, ptr getelementptr inbounds ([8 x double], ptr @table, i64 0, i64 3), align 8
  br label %exit
exit:
  %p = phi ptr [ @table, %entry ], [ getelementptr inbounds ([8 x double], ptr @table, i64 0, i64 3), %then ]
  %b = load double, ptr %p, align 8
  %r = fmul double %b, %x
  ret double %r
}

declare double @__enzyme_autodiff(ptr, ...)
define double @gradient(double %x, i64 %n) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i64 %n)
  ret double %d
}

; CHECK-LABEL: ; primal of @f
; CHECK: %adze.constant = getelementptr inbounds [8 x double], ptr @table, i64 0, i64 3
; CHECK: %spec.select = select i1 %c, ptr %adze.constant, ptr @table
; CHECK: %b = load double, ptr %spec.select, align 8
; GONE-NOT: {{getelementptr inbounds \(}}
