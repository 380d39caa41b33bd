// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References are pointers; enumerations, bool and pointers to members are
// numbers; std::byte is a byte of anything.
// RUN: %import-c++ -O0 -std=c++17 | FileCheck %s
#include <cstddef>
template <class R, class... A> R __enzyme_autodiff(void *, A...);
double marked(double);
double uses(double x) { return __enzyme_autodiff<double>((void *)marked, x); }

enum class Kind : short { A };
struct S { double x; double f(); };
void use(...);

// CHECK-LABEL: define{{.*}} @_Z9variablesRd(
// CHECK-SAME: "adze_type"="{[0]:Pointer? -> {[0]:Float@double?}}" %r)
// CHECK-DAG: %alias = alloca ptr{{.*}} !adze.type ![[POINTER:[0-9]+]]
// CHECK-DAG: %kind = alloca i16{{.*}} !adze.type ![[SHORT:[0-9]+]]
// CHECK-DAG: %flag = alloca i8{{.*}} !adze.type ![[BYTE:[0-9]+]]
// CHECK-DAG: %member = alloca i64{{.*}} !adze.type ![[WORD:[0-9]+]]
// CHECK-DAG: %method = alloca { i64, i64 }{{.*}} !adze.type ![[WORDS:[0-9]+]]
// CHECK-DAG: %raw = alloca [8 x i8], align 1{{$}}
void variables(double &r) {
  double &alias = r;
  Kind kind = Kind::A;
  bool flag = true;
  double S::*member = &S::x;
  double (S::*method)() = &S::f;
  std::byte raw[8];
  use(&alias, &kind, &flag, &member, &method, raw);
}
// CHECK-DAG: ![[POINTER]] = !{!"{[0]:Pointer? -> {[0]:Pointer? -> {[0]:Float@double?}}}"}
// CHECK-DAG: ![[SHORT]] = !{!"{[0]:Pointer? -> {[0]:Integer(2)?}}"}
// CHECK-DAG: ![[BYTE]] = !{!"{[0]:Pointer? -> {[0]:Integer?}}"}
// CHECK-DAG: ![[WORD]] = !{!"{[0]:Pointer? -> {[0]:Integer(8)?}}"}
// CHECK-DAG: ![[WORDS]] = !{!"{[0]:Pointer? -> {[0]:Integer(16)?}}"}
