; What a device's library looks like to clang: functions to be inlined, with
; slow paths that have no derivative.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = private constant [4 x double] [double 1.0, double 2.0, double 3.0, double 4.0]

define double @__nv_sin(double %x) alwaysinline {
  %y = call double @slow(double %x)
  ret double %y
}

define double @__nv_cos(double %x) alwaysinline {
  %y = call double @slow(double %x)
  %z = fadd double %y, 1.0
  ret double %z
}

define double @__nv_exp(double %x) alwaysinline {
  %y = call double @slow(double %x)
  %z = fmul double %y, 5.0
  ret double %z
}

define internal double @slow(double %x) noinline {
  %i = call i64 asm "mad.lo.u64 $0, $1, $1, $1;", "=l,d"(double %x)
  %j = and i64 %i, 3
  %e = getelementptr double, ptr @table, i64 %j
  %t = load double, ptr %e
  ret double %t
}
