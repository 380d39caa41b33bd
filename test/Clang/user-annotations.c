// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What users annotate for others stays: on globals, functions, variables,
// members.
// RUN: %import-c -O0 | FileCheck %s
// RUN: %import-c -O0 -DOTHERS_ONLY | FileCheck --check-prefix=KEPT %s
#ifndef OTHERS_ONLY
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }
#endif

struct S { int n; __attribute__((annotate("member"))) double x; };
__attribute__((annotate("global"))) double g;
__attribute__((annotate("function"))) double f(struct S *s) {
  __attribute__((annotate("variable", 1, 2))) double v = s->x;
  return v * g;
}
// KEPT: llvm.global.annotations
// CHECK-DAG: c"member\00", section "llvm.metadata"
// CHECK-DAG: c"global\00", section "llvm.metadata"
// CHECK-DAG: c"function\00", section "llvm.metadata"
// CHECK-DAG: c"variable\00", section "llvm.metadata"
// CHECK-DAG: @llvm.global.annotations = appending global [2 x
// CHECK: %v = alloca double, align 8, !adze.type
// CHECK: call void @llvm.var.annotation.p0.p0(ptr %v, {{.*}} ptr @.args)
// CHECK: %x = getelementptr inbounds %struct.S{{.*}}, i32 1, !adze.type
// CHECK-NEXT: call ptr @llvm.ptr.annotation
// CHECK-NOT: call {{.*}}.annotation
// CHECK: ret double
// CHECK-NOT: adze-
