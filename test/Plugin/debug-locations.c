// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives carry the locations of the primal's lines, in a function of
// their own; and debug information changes no code.
//
// RUN: %clang -O2 -g %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=IR %s
// RUN: %clang -O2 -g %adze -c %s -o %t.o
// RUN: llvm-dwarfdump --verify %t.o
// RUN: llvm-dwarfdump --debug-info %t.o | FileCheck --check-prefix=INFO %s
// RUN: llvm-objdump -dlr --no-show-raw-insn %t.o | FileCheck --check-prefix=LINES %s
//
// The functions between which calls may be inlined, at all levels; the same
// code as without debug information.
// RUN: %clang -O0 -g %adze -c %s -o %t.g0.o && llvm-dwarfdump --verify %t.g0.o
// RUN: %clang -O0 %adze -c %s -o %t.n0.o
// RUN: llvm-objcopy -O binary -j .text %t.g0.o %t.g0.bin && llvm-objcopy -O binary -j .text %t.n0.o %t.n0.bin && cmp %t.g0.bin %t.n0.bin
// RUN: %clang -O1 -g %adze -c %s -o %t.g1.o && llvm-dwarfdump --verify %t.g1.o
// RUN: %clang -O1 %adze -c %s -o %t.n1.o
// RUN: llvm-objcopy -O binary -j .text %t.g1.o %t.g1.bin && llvm-objcopy -O binary -j .text %t.n1.o %t.n1.bin && cmp %t.g1.bin %t.n1.bin
// RUN: %clang -O2 %adze -c %s -o %t.n2.o
// RUN: llvm-objcopy -O binary -j .text %t.o %t.g2.bin && llvm-objcopy -O binary -j .text %t.n2.o %t.n2.bin && cmp %t.g2.bin %t.n2.bin
// RUN: %clang -O3 -gline-tables-only %adze -c %s -o %t.g3.o && llvm-dwarfdump --verify %t.g3.o
// RUN: %clang -O3 %adze -c %s -o %t.n3.o
// RUN: llvm-objcopy -O binary -j .text %t.g3.o %t.g3.bin && llvm-objcopy -O binary -j .text %t.n3.o %t.n3.bin && cmp %t.g3.bin %t.n3.bin
//
// Without debug information there is none.
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=NONE %s
// NONE: @adze.grad.f
// NONE-NOT: {{DISubprogram|DILocation|!dbg}}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double exp(double);
double sin(double);

static double leaf(double x) { return sin(x) * x; } // line 35

__attribute__((noinline)) static void split(double *x, int n) {
  for (int i = 1; i < n; ++i)
    x[i] = sin(x[i]) + x[i - 1]; // line 39
}

double f(double *x, int n) { // line 42
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double v = leaf(x[i]);
    s += exp(v); // line 46
  }
  split(x, n);
  return s * x[n - 1];
}

double recursive(double x, int n) {
  return n ? sin(recursive(x * x, n - 1)) : x;
}

void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)f, x, dx, n);
}
double slope(double x, int n) {
  return __enzyme_autodiff((void *)recursive, x, n);
}
double second(double x, int n) { // forward over reverse
  return __enzyme_fwddiff((void *)slope, x, 1.0, n);
}

// One function each, artificial, at the lines of its primal.
// IR: define internal {{.*}} @adze.grad.f({{.*}} !dbg ![[GRAD:[0-9]+]]
// IR: call {{.*}} @adze.rev.split({{.*}}), !dbg ![[CALL:[0-9]+]]
// IR-DAG: ![[CALL]] = !DILocation(line: 48,
// IR-DAG: ![[GRAD]] = distinct !DISubprogram(name: "adze.grad.f", linkageName: "adze.grad.f", {{.*}}line: 42, {{.*}}flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition | DISPFlagOptimized
// IR-DAG: !DILocation(line: 46, {{.*}}scope: ![[BLOCK:[0-9]+]]
// IR-DAG: distinct !DISubprogram(name: "adze.aug.split", {{.*}}line: 37,
// IR-DAG: distinct !DISubprogram(name: "adze.rev.split", {{.*}}line: 37,
// IR-NOT: name: "adze.primal.
//
// What was inlined into the primal is inlined into its derivative.
// INFO: DW_AT_name ("adze.grad.f")
// INFO: DW_AT_decl_line (42)
// INFO: DW_AT_artificial (true)
// INFO: DW_TAG_inlined_subroutine
// INFO-NEXT: DW_AT_abstract_origin ({{.*}}"leaf")
// INFO: DW_AT_call_line (45)
//
// LINES-LABEL: <adze.grad.f>:
// LINES: debug-locations.c:46
// LINES: PLT32 exp
// LINES-LABEL: <adze.rev.split>:
// LINES: debug-locations.c:39
// LINES: PLT32 {{.*}}cos
//
// No hole in a profile: as emitted, all but phis and variables has a line.
// RUN: %clang -O1 -g -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=emit %t.ll | %python %S/Inputs/locations.py | FileCheck --check-prefix=ALL %s
// ALL: {{^[1-9][0-9]+}} instructions, 0 without location
//
// A profiler sees through what was inlined, in both passes.
// RUN: %python %S/Inputs/frames.py %t.o adze.grad.f exp | FileCheck --check-prefix=FORWARD %s
// FORWARD: adze.grad.f in {{.*}}debug-locations.c:46:
// RUN: %python %S/Inputs/frames.py %t.o adze.grad.f cos | FileCheck --check-prefix=REVERSE %s
// REVERSE: leaf in {{.*}}debug-locations.c:35:{{[0-9]+}} in adze.grad.f in {{.*}}debug-locations.c:45:
