// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DWARF types of variables, parameters, members and globals are hints, at -O0
// as well as after promotion; characters, void, integers outside of
// structures and what follows a structure say nothing.
// RUN: %clang -g -O0 -fno-strict-aliasing -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=types %t.ll | FileCheck %s
// RUN: %clang -g -O1 -fno-strict-aliasing -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=types %t.ll | FileCheck %s
// RUN: %clang -O0 -fno-strict-aliasing -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=types %t.ll | FileCheck %s --check-prefix=NONE

struct Context {
  int n;
  double *a;
  double _Complex z;
  char name[8];
  unsigned b : 3, c : 7;
  long double w;
};
double use(void *, ...);
struct Context *table;

// CHECK-LABEL: types of @f:
// CHECK-NEXT:  {[0]:Pointer -> {[0]:Integer(4)?, [8]:Pointer? -> {[*8]:Float@double?}, [16]:Float@double?, [24]:Float@double?, [40]:Integer(2)?, [48]:Float@x86_fp80?}}{{$}}
// CHECK-NEXT:  {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
// CHECK-NEXT:  {[0]:Pointer -> {[*8]:Pointer? -> {[*4]:Float@float?}}}{{$}}
// CHECK-NEXT:  {[0]:Pointer}{{$}}
// NONE-LABEL:  types of @f:
// NONE-NEXT:   {[0]:Pointer}{{$}}
// NONE-NEXT:   {[0]:Pointer}{{$}}
// NONE-NEXT:   {[0]:Pointer}{{$}}
// NONE-NEXT:   {[0]:Pointer}{{$}}
double f(void *data, double *x, float *const *rows, char *text) {
  struct Context *context = data;
  return use(context, x, rows, text);
}

// CHECK-LABEL: types of @g:
// CHECK:       {[0]:Pointer -> {[0]:Integer(4)?, [8]:Pointer? -> {[*8]:Float@double?}
double g(void) { return use(&table, table); }

// CHECK-LABEL: types of @h:
// CHECK-NEXT:  {[0]:Pointer}{{$}}
// CHECK-NEXT:  {[0]:Pointer}{{$}}
double h(unsigned long *words, int *numbers) {
  return use(words, numbers);
}

void __enzyme_autodiff(void *, ...);
void differentiate(void *p, void *dp, double *x, double *dx, float *const *r,
                   float *const *dr, char *text) {
  __enzyme_autodiff((void *)f, p, dp, x, dx, r, dr, text, text);
  __enzyme_autodiff((void *)g);
  __enzyme_autodiff((void *)h, p, dp, x, dx);
}
