; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; How adze-opt reads, writes and fails.
;
; Text and bitcode, from a file and from standard input, to a file:
; RUN: %adze-opt %s -o %t.ll && FileCheck %s < %t.ll
; RUN: llvm-as %s -o %t.bc && %adze-opt %t.bc | FileCheck %s
; RUN: %adze-opt < %s | FileCheck %s
; RUN: %adze-opt --disable-output %s | count 0
;
; Passes of LLVM run before the pass:
; RUN: %adze-opt --passes='function(instcombine)' %s | FileCheck --check-prefix=BEFORE %s
; RUN: not %adze-opt --passes=no-such-pass %s 2>&1 | FileCheck --check-prefix=NOPASS %s
;
; Broken input:
; RUN: not %adze-opt %t.missing.ll 2>&1 | FileCheck --check-prefix=MISSING %s
; RUN: echo 'define void @f() { ret i32 0 }' > %t.broken.ll
; RUN: not %adze-opt %t.broken.ll 2>&1 | FileCheck --check-prefix=BROKEN %s
; RUN: not %adze-opt --stop-after=nowhere %s 2>&1 | FileCheck --check-prefix=STAGE %s
;
; CHECK-LABEL: define i32 @twice(
; CHECK: add i32 %x, %x
; BEFORE-LABEL: define i32 @twice(
; BEFORE: shl i32 %x, 1
; NOPASS: adze-opt: error: unknown pass name 'no-such-pass'
; MISSING: {{[Nn]}}o such file
; BROKEN: error:
; STAGE: nowhere

define i32 @twice(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
}
