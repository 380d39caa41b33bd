; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Sums and products of variables that do not overflow are calculated in 64 bits
; before the optimizer forgets that they do not.
; RUN: %opt -passes=adze-widen -S %s | FileCheck %s
; RUN: sed -e '/call.*__enzyme/d' %s | %opt -passes=adze-widen -S | FileCheck %s --check-prefix=PLAIN
; PLAIN-NOT: mul nsw i64
; PLAIN-NOT: add nsw i64

@size = external global i32
declare void @__enzyme_autodiff(ptr, ...)
declare ptr @element(ptr, i64)

; CHECK-LABEL: define double @f(
define double @f(ptr %a, ptr %at, i32 %n, i32 %i) {
  %j = alloca i32
  store i32 %i, ptr %j
; An element of a matrix. Both uses of %row are widened by themselves.
; CHECK: [[I:%.*]] = sext i32 %i to i64
; CHECK: [[N:%.*]] = sext i32 %n to i64
; CHECK: [[ROW:%.*]] = mul nsw i64 [[I]], [[N]]
; CHECK: [[J:%.*]] = sext i32 %load to i64
; CHECK: [[AT:%.*]] = add nsw i64 [[ROW]], [[J]]
; CHECK: getelementptr inbounds double, ptr %a, i64 [[AT]]
  %row = mul nsw i32 %i, %n
  %load = load i32, ptr %j
  %sum = add nsw i32 %row, %load
  %index = sext i32 %sum to i64
  %p = getelementptr inbounds double, ptr %a, i64 %index
  %v = load double, ptr %p
; A global size and a member are variables, too.
; CHECK: [[M:%.*]] = load i32, ptr @size
; CHECK: sub nsw i64 {{.*}}, 1
; CHECK: mul nsw i64
; CHECK: %p2 = getelementptr
  %m = load i32, ptr @size
  %less = sub nsw i32 %m, 1
  %scaled = mul nsw i32 %less, 3
  %index2 = sext i32 %scaled to i64
  %p2 = getelementptr inbounds double, ptr %p, i64 %index2
  %v2 = load double, ptr %p2
; An index from an array: left in 32 bits.
; CHECK: %three = mul nsw i32 %node, 3
; CHECK: sext i32 %three to i64
  %pn = getelementptr inbounds i32, ptr %at, i64 %index2
  %node = load i32, ptr %pn
  %three = mul nsw i32 %node, 3
  %index3 = sext i32 %three to i64
  %p3 = getelementptr inbounds double, ptr %a, i64 %index3
  %v3 = load double, ptr %p3
; An argument may be the index of a container.
; CHECK: [[NEXT:%.*]] = add nsw i64 {{.*}}, 1
; CHECK: call ptr @element(ptr %a, i64 [[NEXT]])
  %next = add nsw i32 %i, 1
  %index5 = sext i32 %next to i64
  %p5 = call ptr @element(ptr %a, i64 %index5)
; A place in a triangle is a quotient of a product, and the only quotient.
; CHECK: [[SQUARE:%.*]] = mul nsw i64
; CHECK: [[HALF:%.*]] = sdiv i64 [[SQUARE]], 2
; CHECK: getelementptr inbounds double, ptr %a, i64 [[HALF]]
; CHECK: %eighth = sdiv i32 %i, 8
; CHECK: sext i32 %eighth to i64
  %above = add nsw i32 %i, 1
  %square = mul nsw i32 %i, %above
  %half = sdiv i32 %square, 2
  %index6 = sext i32 %half to i64
  %p6 = getelementptr inbounds double, ptr %a, i64 %index6
  %eighth = sdiv i32 %i, 8
  %index7 = sext i32 %eighth to i64
  %p7 = getelementptr inbounds double, ptr %a, i64 %index7
; What may overflow, and what is no index.
; CHECK: %wraps = add i32 %n, 1
; CHECK: sext i32 %wraps to i64
; CHECK: %number = add nsw i32 %n, 2
; CHECK: sext i32 %number to i64
  %wraps = add i32 %n, 1
  %index4 = sext i32 %wraps to i64
  %p4 = getelementptr inbounds double, ptr %a, i64 %index4
  %v4 = load double, ptr %p4
  %number = add nsw i32 %n, 2
  %wide = sext i32 %number to i64
  %as.float = sitofp i64 %wide to double
  %s = fadd double %v, %v2
  %s2 = fadd double %s, %v3
  %s3 = fadd double %s2, %v4
  %s4 = fadd double %s3, %as.float
  ret double %s4
}

; Nothing leads here from a marker.
; CHECK-LABEL: define double @other(
; CHECK: mul nsw i32
define double @other(ptr %a, i32 %n, i32 %i) {
  %row = mul nsw i32 %i, %n
  %index = sext i32 %row to i64
  %p = getelementptr inbounds double, ptr %a, i64 %index
  %v = load double, ptr %p
  ret double %v
}

define void @g(ptr %a, ptr %d, ptr %at, i32 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @f, ptr %a, ptr %d, ptr %at, i32 %n, i32 0)
  ret void
}
