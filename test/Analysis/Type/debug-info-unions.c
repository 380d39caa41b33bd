// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a union, what all members agree on; recursive types end; a structure
// behind a pointer is no array.
// RUN: %clang -x c++ -g -fstandalone-debug -O0 -fno-strict-aliasing -S -emit-llvm %s -o %t.ll
// RUN: %adze-opt --stop-after=types %t.ll | FileCheck %s

struct Same {
  union {
    float f;
    float g[2];
  } u;
  union {
    double d;
    long l;
  } v;
  Same *next;
};
struct Virtual {
  virtual ~Virtual();
  double d;
};
enum Color : short { Red };
typedef const Color Shade;
extern "C" double use(Same *, Virtual *, Virtual &, Shade *, double (*)[3]);

// CHECK-LABEL: types of @f:
// CHECK-NEXT:  {[0]:Pointer -> {[0]:Float@float?, [16]:Pointer? -> {[0]:Float@float?, [16]:Pointer? -> {[0]:Float@float?, [16]:Pointer?}}}}{{$}}
// CHECK-NEXT:  {[0]:Pointer -> {[0]:Pointer?{{.*}}, [8]:Float@double?}}{{$}}
// CHECK-NEXT:  {[0]:Pointer -> {[0]:Pointer?{{.*}}, [8]:Float@double?}}{{$}}
// CHECK-NEXT:  {[0]:Pointer -> {[*2]:Integer(2)?}}{{$}}
// CHECK-NEXT:  {[0]:Pointer -> {[*8]:Float@double?}}{{$}}
extern "C" double f(Same *s, Virtual *v, Virtual &w, Shade *c,
                    double (*rows)[3]) {
  return use(s, v, w, c, rows);
}

extern "C" void __enzyme_autodiff(void *, ...);
extern "C" void differentiate(Same *s, Virtual *v, Shade *c,
                              double (*rows)[3]) {
  __enzyme_autodiff((void *)f, s, s, v, v, v, v, c, c, rows, rows);
}
