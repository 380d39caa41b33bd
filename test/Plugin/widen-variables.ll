; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Variables that count, and what is copied or computed from them, have 64 bits
; before the optimizer begins; what others read is a truncation without loss.
; RUN: %opt -passes=adze-widen -S %s | FileCheck %s
; RUN: sed -e '/call.*__enzyme/d' %s | %opt -passes=adze-widen -S | FileCheck %s --check-prefix=PLAIN
; PLAIN-NOT: alloca i64

declare void @__enzyme_autodiff(ptr, ...)
declare void @start(ptr)
declare i32 @other(i32)

; for (b = 0; b < n; b += 24) { e = least(b + 24, n); a[e - 1] = a[b % 3]; }
; CHECK-LABEL: define void @blocks(
define void @blocks(ptr %a, i32 %n) {
entry:
; CHECK: %b = alloca i64, align 8
; CHECK: %e = alloca i64, align 8
; CHECK: %end = alloca i64, align 8
  %n.addr = alloca i32
  %b = alloca i32
  %e = alloca i32
  %end = alloca i32
  store i32 %n, ptr %n.addr
  store i32 0, ptr %b
  br label %test
test:
; CHECK: [[B:%.*]] = load i64, ptr %b
; CHECK: [[N:%.*]] = sext i32 %n0 to i64
; CHECK: icmp slt i64 [[B]], [[N]]
  %b0 = load i32, ptr %b
  %n0 = load i32, ptr %n.addr
  %goes = icmp slt i32 %b0, %n0
  br i1 %goes, label %body, label %exit
body:
; CHECK: [[END:%.*]] = add nsw i64 {{.*}}, 24
; CHECK: store i64 [[END]], ptr %end
; CHECK-NOT: call ptr @least
; CHECK: phi i64
  %b1 = load i32, ptr %b
  %sum = add nsw i32 %b1, 24
  store i32 %sum, ptr %end
  %which = call ptr @least(ptr %end, ptr %n.addr)
  %least = load i32, ptr %which
  store i32 %least, ptr %e
; CHECK: [[LESS:%.*]] = sub nsw i64 {{.*}}, 1
; CHECK: getelementptr inbounds double, ptr %a, i64 [[LESS]]
; CHECK: [[REST:%.*]] = srem i64 {{.*}}, 3
; CHECK: getelementptr inbounds double, ptr %a, i64 [[REST]]
  %e0 = load i32, ptr %e
  %last = sub nsw i32 %e0, 1
  %wide = sext i32 %last to i64
  %p = getelementptr inbounds double, ptr %a, i64 %wide
  %b2 = load i32, ptr %b
  %rest = srem i32 %b2, 3
  %wide2 = sext i32 %rest to i64
  %q = getelementptr inbounds double, ptr %a, i64 %wide2
  %v = load double, ptr %q
  store double %v, ptr %p
; CHECK: [[PLUS:%.*]] = add nsw i64 {{.*}}, 1
; CHECK: [[NARROW:%.*]] = trunc nsw i64 [[PLUS]] to i32
; CHECK: call i32 @other(i32 [[NARROW]])
  %b3 = load i32, ptr %b
  %plus = add nsw i32 %b3, 1
  %o = call i32 @other(i32 %plus)
; CHECK: [[NEXT:%.*]] = add nsw i64 {{.*}}, 24
; CHECK: store i64 [[NEXT]], ptr %b
  %b4 = load i32, ptr %b
  %next = add nsw i32 %b4, 24
  store i32 %next, ptr %b
  br label %test
exit:
  ret void
}

; std::min, as the front end makes it.
define linkonce_odr ptr @least(ptr %x, ptr %y) {
entry:
  %result = alloca ptr
  %x.addr = alloca ptr
  %y.addr = alloca ptr
  store ptr %x, ptr %x.addr
  store ptr %y, ptr %y.addr
  %y0 = load ptr, ptr %y.addr
  %vy = load i32, ptr %y0
  %x0 = load ptr, ptr %x.addr
  %vx = load i32, ptr %x0
  %less = icmp slt i32 %vy, %vx
  br i1 %less, label %second, label %first
second:
  %y1 = load ptr, ptr %y.addr
  store ptr %y1, ptr %result
  br label %end
first:
  %x1 = load ptr, ptr %x.addr
  store ptr %x1, ptr %result
  br label %end
end:
  %r = load ptr, ptr %result
  ret ptr %r
}

; What wraps around, is unsigned, is known to others, or begins with what a call
; has put into a variable (a thread's first iteration) stays.
; CHECK-LABEL: define void @others(
; CHECK-NOT: alloca i64
define void @others(ptr %a, i32 %n) {
entry:
  %wraps = alloca i32
  %known = alloca i32
  %first = alloca i32
  %i = alloca i32
  store i32 0, ptr %wraps
  store i32 0, ptr %known
  call void @start(ptr %known)
  call void @start(ptr %first)
  %f = load i32, ptr %first
  store i32 %f, ptr %i
  br label %body
body:
  %w = load i32, ptr %wraps
  %w1 = add i32 %w, 1
  store i32 %w1, ptr %wraps
  %k = load i32, ptr %known
  %k1 = add nsw i32 %k, 1
  store i32 %k1, ptr %known
  %i0 = load i32, ptr %i
  %i1 = add nsw i32 %i0, 24
  store i32 %i1, ptr %i
  %goes = icmp ult i32 %w1, %n
  br i1 %goes, label %body, label %exit
exit:
  ret void
}

define void @g(ptr %a, ptr %da, i32 %n) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @blocks, ptr %a, ptr %da, i32 %n)
  call void (ptr, ...) @__enzyme_autodiff(ptr @others, ptr %a, ptr %da, i32 %n)
  ret void
}
