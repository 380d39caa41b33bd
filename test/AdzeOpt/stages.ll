; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Every stage can be stopped after and prints what it made; the printers exist
; as passes of opt as well.
;
; RUN: %adze-opt --stop-after=frontend %s | FileCheck --check-prefix=FRONTEND %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=PREPARE %s
; RUN: %adze-opt --stop-after=types %s | FileCheck --check-prefix=TYPES %s
; RUN: %adze-opt --stop-after=activity %s | FileCheck --check-prefix=ACTIVITY %s
; RUN: %adze-opt --stop-after=memory %s | FileCheck --check-prefix=MEMORY %s
; RUN: %adze-opt --stop-after=plan %s | FileCheck --check-prefix=PLAN %s
; RUN: %adze-opt --stop-after=emit %s | FileCheck --check-prefix=EMIT %s
; RUN: %adze-opt --stop-after=cleanup %s | FileCheck --check-prefix=CLEANUP %s
; RUN: %adze-opt %s | FileCheck --check-prefix=CLEANUP %s
;
; The same text as from the passes of opt:
; RUN: %adze-opt --stop-after=types %s -o %t.tool
; RUN: %opt -passes='print<adze-types>' -disable-output %s 2> %t.pass
; RUN: diff %t.tool %t.pass
; RUN: %adze-opt --stop-after=activity %s -o %t.tool
; RUN: %opt -passes='print<adze-activity>' -disable-output %s 2> %t.pass
; RUN: diff %t.tool %t.pass
; RUN: %adze-opt --stop-after=plan %s -o %t.tool
; RUN: %opt -passes='print<adze-plan>' -disable-output %s 2> %t.pass
; RUN: diff %t.tool %t.pass
;
; A printer leaves the module as it was:
; RUN: %opt -passes=verify -S %s -o %t.before.ll
; RUN: %opt -passes='print<adze-plan>' -S %s -o %t.after.ll 2> %t.pass
; RUN: diff %t.before.ll %t.after.ll
;
; FRONTEND: marker __enzyme_autodiff in 'slope'
; PREPARE: primal of @square
; PREPARE-NEXT: define {{.*}}double @{{.*}}square
; TYPES: types of @square
; ACTIVITY: activity of {{.*}}square
; MEMORY: memory of {{.*}}square
; PLAN: plan of {{.*}}square
; EMIT: define {{.*}}@{{.*}}square
; EMIT: fmul double
; CLEANUP-LABEL: define double @slope(
; CLEANUP-NOT: __enzyme_autodiff
; CLEANUP: ret double

define double @square(double %x) {
  %y = fmul double %x, %x
  ret double %y
}

declare double @__enzyme_autodiff(ptr, ...)

define double @slope(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @square, double %x)
  ret double %d
}
