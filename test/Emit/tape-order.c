// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tape memory may be given back in any order and by any thread; what is not
// kept for the next gradient goes back to the system, and so does, when a
// thread ends, what it held. The functions for it are taken out of a file that
// has a tape; they are tried with the table of kept blocks, without it, and
// without being told of a thread's end.
//
// RUN: %clang -O1 %adze -S -emit-llvm %s -o %t.kept.ll
// RUN: %clang -O1 -Xclang -load -Xclang %plugin -mllvm -adze-keep-tapes=0 %adze -S -emit-llvm %s -o %t.0.ll
// RUN: sed -e "s/^define internal \(.*adze.tape.alloc\)/define \1/" -e "s/^define internal \(.*adze.tape.free(\)/define \1/" %t.kept.ll > %t.kept.open.ll
// RUN: sed -e "s/^define internal \(.*adze.tape.alloc\)/define \1/" -e "s/^define internal \(.*adze.tape.free(\)/define \1/" %t.0.ll > %t.0.open.ll
// RUN: %clang -O1 -pthread -Wl,--wrap=malloc,--wrap=free %t.kept.open.ll %S/Inputs/tape-order.c -o %t.kept -lm
// RUN: sed -e "s/@__cxa_thread_atexit_impl/@no_such_function/" %t.0.open.ll > %t.untold.ll
// RUN: %clang -O1 -pthread -Wl,--wrap=malloc,--wrap=free %t.untold.ll %S/Inputs/tape-order.c -o %t.untold -lm
// RUN: %clang -O1 -pthread -Wl,--wrap=malloc,--wrap=free %t.0.open.ll %S/Inputs/tape-order.c -o %t.0 -lm
// RUN: %t.kept 1024 | FileCheck %s
// RUN: %t.untold 0 | FileCheck %s
// RUN: %t.0 0 | FileCheck %s
// CHECK: right
double sin(double);
double __enzyme_autodiff(void *, ...);
double f(double x, long n) {
  for (long i = 0; i < n; ++i)
    x = sin(x);
  return x;
}
double gradient(double x, long n) {
  return __enzyme_autodiff((void *)f, x, n);
}
