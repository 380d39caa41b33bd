// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a derivative says about the memory it accesses. See AliasScopes.h.
//
// RUN: %clang -O1 -fno-inline -Xclang -disable-llvm-passes -fno-discard-value-names -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=mem2reg -S %t.ll -o %t.ssa.ll
// RUN: %adze-opt --stop-after=emit %t.ssa.ll | FileCheck %s
// RUN: %adze-opt --stop-after=cleanup %t.ssa.ll | FileCheck --check-prefix=NAMES %s
extern int enzyme_const, enzyme_dup, enzyme_runtime_activity;
void __enzyme_autodiff(void *, ...);

// Primal memory is read and written, its shadow is another, and what is read
// again in the reverse pass is primal memory.
// CHECK-LABEL: define {{.*}} @adze.grad.square(
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata ![[#PRIMAL:]])
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata ![[#SHADOW:]])
// CHECK: call void @llvm.experimental.noalias.scope.decl(metadata ![[#TAPE:]])
// CHECK: load double, ptr %x, {{.*}}!alias.scope ![[#PRIMAL]], !noalias ![[#NOPRIMAL:]]
// CHECK: store double {{.*}}, ptr %x, {{.*}}!alias.scope ![[#PRIMAL]], !noalias ![[#NOPRIMAL]]
// CHECK: load double, ptr %x.shadow, {{.*}}!alias.scope ![[#SHADOW]], !noalias ![[#NOSHADOW:]]
// CHECK: store double 0{{.*}}, ptr %x.shadow, {{.*}}!alias.scope ![[#SHADOW]], !noalias ![[#NOSHADOW]]
// CHECK: load double, ptr %x.shadow, {{.*}}!alias.scope ![[#SHADOW]], !noalias ![[#NOSHADOW]]
void square(double *x) { *x = *x * *x; }

// A shadow that may be the primal: nothing is said.
// CHECK-LABEL: define {{.*}} @adze.grad.plain(
// CHECK: load double, ptr %x, {{.*}}!alias.scope
// CHECK-NOT: ptr %x.shadow, {{.*}}!alias.scope
// CHECK-NOT: load double, ptr %{{[0-9]+}}, {{.*}}!alias.scope
// CHECK: ret void
void plain(double *x) { *x = *x * *x; }

// A shadow parameter is not noalias where the primal's is. What is written
// through `to` is disjoint from all else; what is read through `a` and `b` may
// be the same.
// CHECK-LABEL: define {{.*}} @adze.grad.both(ptr noalias %to, ptr %to.shadow, ptr noalias %a, ptr %a.shadow, ptr noalias %b, ptr %b.shadow)
// CHECK: store double 0{{.*}}, ptr %to.shadow, {{.*}}!alias.scope ![[#TO:]], !noalias ![[#NOTTO:]]
// CHECK: store double {{.*}}, ptr %b.shadow, {{.*}}!alias.scope ![[#B:]], !noalias ![[#READ:]]
// CHECK: store double {{.*}}, ptr %a.shadow, {{.*}}!alias.scope ![[#A:]], !noalias ![[#READ]]
void both(double *restrict to, const double *restrict a, const double *restrict b) {
  *to = *a * *b;
}

void g(double *x, double *d, double *y, double *e, double *z) {
  __enzyme_autodiff((void *)square, enzyme_dup, x, d);
  __enzyme_autodiff((void *)plain, enzyme_runtime_activity, enzyme_dup, x, d);
  __enzyme_autodiff((void *)both, enzyme_dup, x, d, enzyme_dup, y, e, enzyme_dup, y, z);
}

// The same with names, in the simplified module.
// NAMES-LABEL: define {{.*}} @adze.grad.both(
// NAMES: load double, ptr %a, {{.*}}!alias.scope ![[PRIMAL:[0-9]+]], !noalias ![[NOPRIMAL:[0-9]+]]
// NAMES: store double 0{{.*}}, ptr %to.shadow, {{.*}}!alias.scope ![[TO:[0-9]+]], !noalias ![[NOTTO:[0-9]+]]
// NAMES: store double {{.*}}, ptr %b.shadow, {{.*}}!alias.scope ![[B:[0-9]+]], !noalias ![[READ:[0-9]+]]
// NAMES: store double {{.*}}, ptr %a.shadow, {{.*}}!alias.scope ![[A:[0-9]+]], !noalias ![[READ]]
// NAMES-DAG: ![[PRIMAL]] = !{![[P:[0-9]+]]}
// NAMES-DAG: ![[P]] = distinct !{![[P]], ![[KINDS:[0-9]+]], !"adze.primal"}
// NAMES-DAG: ![[S:[0-9]+]] = distinct !{![[S]], ![[KINDS]], !"adze.shadow"}
// NAMES-DAG: ![[T:[0-9]+]] = distinct !{![[T]], ![[KINDS]], !"adze.tape"}
// NAMES-DAG: ![[NOPRIMAL]] = !{![[S]], ![[T]]}
// NAMES-DAG: ![[TO]] = !{![[S]], ![[STO:[0-9]+]]}
// NAMES-DAG: ![[STO]] = distinct !{![[STO]], ![[ARGS:[0-9]+]], !"adze.to"}
// NAMES-DAG: ![[O:[0-9]+]] = distinct !{![[O]], ![[ARGS]], !"adze.other"}
// NAMES-DAG: ![[SA:[0-9]+]] = distinct !{![[SA]], ![[ARGS]], !"adze.a"}
// NAMES-DAG: ![[SB:[0-9]+]] = distinct !{![[SB]], ![[ARGS]], !"adze.b"}
// NAMES-DAG: ![[NOTTO]] = !{![[P]], ![[T]], ![[O]], ![[SA]], ![[SB]]}
// NAMES-DAG: ![[A]] = !{![[S]], ![[SA]]}
// NAMES-DAG: ![[B]] = !{![[S]], ![[SB]]}
// NAMES-DAG: ![[READ]] = !{![[P]], ![[T]]}
