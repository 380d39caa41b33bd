; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; Complex functions are called with separate parts, whatever the platform's way
; is; constants are the second operand of symmetric functions.
;
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

declare double @__enzyme_autodiff(ptr, ...)
declare <2 x float> @cexpf(<2 x float>)
declare { x86_fp80, x86_fp80 } @csinl(ptr byval({ x86_fp80, x86_fp80 }) align 16)
declare { double, double } @cexp(double, double)
declare double @fmax(double, double)
declare double @atan2(double, double)

; CHECK-LABEL: define internal double @adze.primal.f(
; CHECK: call { float, float } @adze.complex.cexpf(float %{{.*}}, float %{{.*}})
; CHECK-NOT: byval
; CHECK: call { x86_fp80, x86_fp80 } @adze.complex.csinl(x86_fp80 %{{.*}}, x86_fp80 %{{.*}})
; CHECK: call { double, double } @cexp(double %x, double %x)
; CHECK: call double @fmax(double %x, double 1.000000e+00)
; CHECK: call double @atan2(double 1.000000e+00, double %x)
define double @f(double %x) {
  %xf = fptrunc double %x to float
  %z = insertelement <2 x float> zeroinitializer, float %xf, i32 1
  %w = call <2 x float> @cexpf(<2 x float> %z)
  %wr = extractelement <2 x float> %w, i32 0
  %m = alloca { x86_fp80, x86_fp80 }, align 16
  %xl = fpext double %x to x86_fp80
  %im = getelementptr x86_fp80, ptr %m, i64 1
  store x86_fp80 %xl, ptr %m, align 16
  store x86_fp80 %xl, ptr %im, align 16
  %l = call { x86_fp80, x86_fp80 } @csinl(ptr byval({ x86_fp80, x86_fp80 }) align 16 %m)
  %lr = extractvalue { x86_fp80, x86_fp80 } %l, 1
  %d = call { double, double } @cexp(double %x, double %x)
  %dr = extractvalue { double, double } %d, 0
  %t = call double @fmax(double 1.0, double %x)
  %a = call double @atan2(double 1.0, double %x)
  %s0 = fpext float %wr to double
  %s1 = fptrunc x86_fp80 %lr to double
  %s2 = fadd double %s0, %s1
  %s3 = fadd double %s2, %dr
  %s4 = fadd double %s3, %t
  %s5 = fadd double %s4, %a
  ret double %s5
}

define double @call(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
