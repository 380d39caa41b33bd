; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; The address of a member beside addresses of whole objects: a table that has room for one entry in itself, and a list
; whose header stands in another object. What is behind the other addresses tells nothing of what follows the member,
; and what follows the member nothing of nodes.
; RUN: %adze-opt --stop-after=types %s | FileCheck %s

; The array that the table may also have begins no array in the table: behind the one entry stands another member.
; CHECK-LABEL: types of @table:
; CHECK-DAG:   %t: {[0]:Pointer -> {[0]:Pointer -> {[*8]:Pointer -> {[0]:Float@double}}, [8]:Pointer~ -> {[0]:Float@double~}, [16]:Pointer -> {[0]:Float@float}}}{{$}}
define double @table(ptr %t, i64 %n, ptr %new, i1 %one) {
  %single = getelementptr i8, ptr %t, i64 8
  %entries = select i1 %one, ptr %single, ptr %new
  store ptr %entries, ptr %t
  %array = load ptr, ptr %t
  %slot = getelementptr ptr, ptr %array, i64 %n
  %entry = load ptr, ptr %slot
  %v = load double, ptr %entry
  %next = getelementptr i8, ptr %t, i64 16
  %other = load ptr, ptr %next
  %w = load float, ptr %other
  ret double %v
}

; The number of nodes stands behind the header, as the float stands in a node.
; CHECK-LABEL: types of @list:
; CHECK-DAG:   %o: {[0]:Pointer -> {[8]:Pointer -> {{.*}}, [16]:Float@double}, [16]:Pointer, [24]:Integer(8)~}}{{$}}
define double @list(ptr %o) {
  %header = getelementptr i8, ptr %o, i64 8
  %back = getelementptr i8, ptr %o, i64 16
  %count = getelementptr i8, ptr %o, i64 24
  %last = load ptr, ptr %back
  %node = load ptr, ptr %header
  store ptr %header, ptr %node
  %prev = getelementptr i8, ptr %node, i64 8
  store ptr %header, ptr %prev
  %data = getelementptr i8, ptr %node, i64 16
  %v = load double, ptr %data
  store ptr %header, ptr %header
  %n = load i64, ptr %count
  %n1 = add i64 %n, 1
  store i64 %n1, ptr %count
  ret double %v
}

; Before anything else of a node is known, its data tells nothing of what stands as far behind the header; nor does it
; where a float was seen that it is not.
; CHECK-LABEL: types of @payload:
; CHECK-DAG:   %o: {[0]:Pointer -> {[8]:Pointer -> {{.*}}, [16]:Integer(4), [24]:Float@double}}}{{$}}
define double @payload(ptr %o) {
  %header = getelementptr i8, ptr %o, i64 8
  %node = load ptr, ptr %header
  store ptr %header, ptr %header
  %keyAt = getelementptr i8, ptr %node, i64 16
  %key = load i32, ptr %keyAt
  %data = getelementptr i8, ptr %node, i64 24
  %v = load double, ptr %data
  %k = sitofp i32 %key to double
  %r = fadd double %v, %k
  ret double %r
}
; CHECK-LABEL: types of @wrong:
; CHECK-DAG:   %o: {[0]:Pointer -> {[8]:Pointer -> {{.*}}, [12]:Integer(4), [16]:Float@double}, [16]:Float@float}}{{$}}
define double @wrong(ptr %o) {
  %header = getelementptr i8, ptr %o, i64 8
  %loadAt = getelementptr i8, ptr %o, i64 16
  %load = load float, ptr %loadAt
  %node = load ptr, ptr %header
  store ptr %header, ptr %node
  store ptr %header, ptr %header
  %keyAt = getelementptr i8, ptr %node, i64 8
  %key = load i32, ptr %keyAt
  %k = sitofp i32 %key to double
  %hashAt = getelementptr i8, ptr %node, i64 12
  %hash = load i32, ptr %hashAt
  %h = sitofp i32 %hash to double
  %data = getelementptr i8, ptr %node, i64 16
  %v = load double, ptr %data
  %s = fadd double %v, %k
  %r = fadd double %s, %h
  ret double %r
}

; Members that are no pointers are seen through such an address.
; CHECK-LABEL: types of @buffer:
; CHECK-DAG:   %b: {[0]:Pointer -> {[0]:Pointer -> {[*8]:Float@double}, [8*8]:Float@double~}}{{$}}
define double @buffer(ptr %b, i64 %n) {
  %room = getelementptr i8, ptr %b, i64 8
  store ptr %room, ptr %b
  %data = load ptr, ptr %b
  %p = getelementptr double, ptr %data, i64 %n
  %v = load double, ptr %p
  ret double %v
}

define void @differentiate(ptr %a0, ptr %d0, i64 %n, ptr %a1, ptr %d1, i1 %one) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @table, ptr %a0, ptr %d0, i64 %n, ptr %a1, ptr %d1, i1 %one)
  call void (ptr, ...) @__enzyme_autodiff(ptr @list, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @payload, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @wrong, ptr %a0, ptr %d0)
  call void (ptr, ...) @__enzyme_autodiff(ptr @buffer, ptr %a0, ptr %d0, i64 %n)
  ret void
}
declare void @__enzyme_autodiff(ptr, ...)
