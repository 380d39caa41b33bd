; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
; RUN: %adze-opt --stop-after=prepare %s | FileCheck %s
; RUN: %adze-opt --stop-after=prepare %s | FileCheck --check-prefix=GONE %s
; A handler that catches makes exceptions values, in the function that holds it and in what it
; calls. Elsewhere they leave the function.

; CHECK-LABEL: ; primal of @f
; CHECK: %y = call double @g(double %x) #[[#CATCHES:]]
; CHECK-NEXT: %[[T:.*]] = call i1 @adze.exception.threw()
; CHECK-NEXT: br i1 %[[T]], label %pad, label %good
; CHECK: pad:
; CHECK: %[[E:.*]] = call ptr @adze.exception.take()
; CHECK: %[[S:.*]] = call i32 @adze.exception.select(ptr %[[E]])
; CHECK: icmp eq i32 %[[S]], 1
; CHECK: call void @adze.exception.leave(ptr %[[E]])
define double @f(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %y = invoke double @g(double %x) to label %good unwind label %pad
good:
  %r = fmul double %y, %y
  ret double %r
pad:
  %l = landingpad { ptr, i32 } catch ptr @_ZTIi
  %e = extractvalue { ptr, i32 } %l, 0
  %s = extractvalue { ptr, i32 } %l, 1
  %id = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIi)
  %is = icmp eq i32 %s, %id
  br i1 %is, label %handler, label %others
handler:
  %p = call ptr @__cxa_begin_catch(ptr %e)
  %z = call double @quiet(double %x)
  call void @__cxa_end_catch()
  ret double %z
others:
  resume { ptr, i32 } %l
}

; CHECK-LABEL: ; primal of @g
; CHECK: call void @__cxa_throw(ptr %o, ptr @_ZTIi, ptr null) #[[#CATCHES]]
; CHECK-NEXT: br label %{{.*}}
define double @g(double %x) noinline {
  %bad = fcmp olt double %x, 0.0
  br i1 %bad, label %throw, label %fine
throw:
  %o = call ptr @__cxa_allocate_exception(i64 4)
  store i32 1, ptr %o
  call void @__cxa_throw(ptr %o, ptr @_ZTIi, ptr null)
  unreachable
fine:
  %r = fmul double %x, 3.0
  ret double %r
}

; Nothing in it throws.
; CHECK-LABEL: ; primal of @quiet
; CHECK-NOT: threw
define double @quiet(double %x) noinline {
  %r = call double @sin(double %x)
  ret double %r
}

; The handler throws again.
; CHECK-LABEL: ; primal of @cleanup
; CHECK: %y = call double @h(double %x)
; CHECK-NEXT: %r = fmul
define double @cleanup(double %x) personality ptr @__gxx_personality_v0 {
entry:
  %y = invoke double @h(double %x) to label %good unwind label %pad
good:
  %r = fmul double %y, %y
  ret double %r
pad:
  %l = landingpad { ptr, i32 } catch ptr null
  %e = extractvalue { ptr, i32 } %l, 0
  %p = call ptr @__cxa_begin_catch(ptr %e)
  call void @__cxa_rethrow()
  unreachable
}
define double @h(double %x) noinline {
  call void @_ZSt20__throw_length_errorPKc(ptr null)
  %r = fmul double %x, 3.0
  ret double %r
}

; GONE-NOT: {{^  .*(landingpad|resume|invoke)}}
@_ZTIi = external constant ptr
declare ptr @__cxa_allocate_exception(i64)
declare void @__cxa_throw(ptr, ptr, ptr) noreturn
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @__cxa_rethrow() noreturn
declare void @_ZSt20__throw_length_errorPKc(ptr) noreturn
declare i32 @llvm.eh.typeid.for.p0(ptr)
declare i32 @__gxx_personality_v0(...)
declare double @sin(double) nounwind

declare double @__enzyme_autodiff(ptr, ...)
define double @gradients(double %x) {
  %a = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  %g = call double (ptr, ...) @__enzyme_autodiff(ptr @g, double %x)
  %q = call double (ptr, ...) @__enzyme_autodiff(ptr @quiet, double %x)
  %b = call double (ptr, ...) @__enzyme_autodiff(ptr @cleanup, double %x)
  %d = fadd double %a, %b
  ret double %d
}
