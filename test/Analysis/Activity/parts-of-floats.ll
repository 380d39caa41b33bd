; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; A number that is written over a part of an active double takes part: what
; stands there afterwards has no derivative. A number beside the double does not.
; RUN: %adze-opt --stop-after=activity-instructions %s | FileCheck %s

; CHECK-LABEL: active instructions of adze.primal.f
define double @f(double %x, double %m, i64 %i) {
  %n = fptosi double %m to i32
  %d = alloca [4 x double]
  %s = alloca { double, i32, [8 x i8] }
  %d1 = getelementptr double, ptr %d, i64 %i
  store double %x, ptr %d1
  store double %x, ptr %s
; A half, known exactly; by an index; a byte.
  %half = getelementptr i8, ptr %d, i64 4
  store i32 %n, ptr %half                      ; CHECK: store i32 %n, ptr %half{{.*}} -> takes part
  %j = mul i64 %i, 2
  %halves = getelementptr i32, ptr %d, i64 %j
  store i32 %n, ptr %halves                    ; CHECK: store i32 %n, ptr %halves{{.*}} -> takes part
  %byte = getelementptr i8, ptr %d, i64 %i
  %b = trunc i32 %n to i8
  store i8 %b, ptr %byte                       ; CHECK: store i8 %b, ptr %byte{{.*}} -> takes part
; Beside it; characters behind it, wherever they end.
  %beside = getelementptr i8, ptr %s, i64 8
  store i32 %n, ptr %beside                    ; CHECK: store i32 %n, ptr %beside{{.*}} -> inactive
  %text = getelementptr i8, ptr %s, i64 12
  %letter = getelementptr i8, ptr %text, i64 %i
  store i8 %b, ptr %letter                     ; CHECK: store i8 %b, ptr %letter{{.*}} -> inactive
  %v = load double, ptr %d
  %w = load double, ptr %s
  %r = fmul double %v, %w
  ret double %r
}

; A pointer that walks over the odd words of an array, and one over the words of
; structures that are no doubles.
; CHECK-LABEL: active instructions of adze.primal.g
define double @g(ptr %x, i64 %n, double %m) {
entry:
  %k = fptosi double %m to i32
  %odd0 = getelementptr i8, ptr %x, i64 4
  %s = alloca [8 x { double, i32 }]
  %word0 = getelementptr i8, ptr %s, i64 8
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %odd = phi ptr [ %odd0, %entry ], [ %odd1, %loop ]
  %word = phi ptr [ %word0, %entry ], [ %word1, %loop ]
  %at = getelementptr double, ptr %x, i64 %i
  %v = load double, ptr %at
  %to = getelementptr { double, i32 }, ptr %s, i64 %i
  store double %v, ptr %to
  store i32 %k, ptr %odd                       ; CHECK: store i32 %k, ptr %odd{{.*}} -> takes part
  store i32 %k, ptr %word                      ; CHECK: store i32 %k, ptr %word{{.*}} -> inactive
  %odd1 = getelementptr i8, ptr %odd, i64 8
  %word1 = getelementptr i8, ptr %word, i64 16
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = load double, ptr %s
  ret double %r
}

define double @differentiate(double %a0, double %a1, i64 %a2) {
  %r = call double (ptr, ...) @__enzyme_autodiff_f(ptr @f, double %a0, ptr @enzyme_const, double %a1, i64 %a2)
  ret double %r
}

define void @differentiate_g(ptr %a0, ptr %d0, i64 %a1, double %a2) {
  call void (ptr, ...) @__enzyme_autodiff_g(ptr @g, ptr %a0, ptr %d0, i64 %a1, ptr @enzyme_const, double %a2)
  ret void
}
declare double @__enzyme_autodiff_f(ptr, ...)
declare void @__enzyme_autodiff_g(ptr, ...)
@enzyme_const = external global i32
