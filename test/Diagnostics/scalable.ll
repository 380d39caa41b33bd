; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Vectors of a size known at run time only, with debug records that mention
; them: named where they are active, left alone where they are not.
;
; RUN: split-file %s %t
; RUN: cat %t/active.ll %t/common.ll > %t/a.ll
; RUN: not %adze-opt -disable-output %t/a.ll 2>&1 | FileCheck %s
; RUN: not %opt -passes=adze -disable-output %t/a.ll 2>&1 | FileCheck %s
; RUN: cat %t/idle.ll %t/common.ll > %t/i.ll
; RUN: %adze-opt %t/i.ll -o %t/i.out.ll
; RUN: opt -passes=verify -disable-output %t/i.out.ll
; RUN: FileCheck --check-prefix=IDLE %s < %t/i.out.ll

; CHECK: error: scalable.c:3:5: no derivative rule for this instruction: a vector of a size not known at compile time
; CHECK: in the derivative that '__enzyme_autodiff' asks for in 'gradient'
; CHECK: to fix: keep it away from active data, or mark the data enzyme_const
; CHECK-NOT: error:

; IDLE: define {{.*}}@gradient(
; IDLE-NOT: __enzyme_autodiff

;--- active.ll
define double @f(double %x) !dbg !6 {
    #dbg_value(double %x, !7, !DIExpression(), !8)
  %a = insertelement <vscale x 2 x double> poison, double %x, i64 0, !dbg !8
    #dbg_value(<vscale x 2 x double> %a, !7, !DIExpression(), !8)
  %b = fmul <vscale x 2 x double> %a, %a, !dbg !8
    #dbg_value(<vscale x 2 x double> %b, !7, !DIExpression(), !8)
  %c = extractelement <vscale x 2 x double> %b, i64 0, !dbg !8
  ret double %c, !dbg !8
}

define double @gradient(double %x, ptr %p) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}

;--- idle.ll
define double @f(double %x, ptr %p, i64 %n) !dbg !6 {
  %slot = alloca <vscale x 2 x i64>, align 16
    #dbg_declare(ptr %slot, !7, !DIExpression(), !8)
  %v = load <vscale x 2 x i64>, ptr %p, align 8, !dbg !8
    #dbg_value(<vscale x 2 x i64> %v, !7, !DIExpression(), !8)
  %w = add <vscale x 2 x i64> %v, %v, !dbg !8
  store <vscale x 2 x i64> %w, ptr %slot, align 16, !dbg !8
  %u = load <vscale x 2 x i64>, ptr %slot, align 16, !dbg !8
  store <vscale x 2 x i64> %u, ptr %p, align 8, !dbg !8
  %r = fmul double %x, %x, !dbg !8
  ret double %r, !dbg !8
}

@enzyme_const = external global i32

define double @gradient(double %x, ptr %p) {
  %const = load i32, ptr @enzyme_const
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x, i32 %const, ptr %p, i32 %const, i64 3)
  ret double %d
}

;--- common.ll
declare double @__enzyme_autodiff(ptr, ...)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "scalable.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{!5, !5}
!5 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!6 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, scopeLine: 1, spFlags: DISPFlagDefinition, unit: !0)
!7 = !DILocalVariable(name: "a", scope: !6, file: !1, line: 2, type: !5)
!8 = !DILocation(line: 3, column: 5, scope: !6)
