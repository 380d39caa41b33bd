// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types that contain themselves end at a fixed depth, and structures that point
// to each other many ways at a fixed size.
// RUN: %import-c -O0 | FileCheck %s
extern double __enzyme_autodiff(void *, ...);
extern double marked(double);
double uses(double x) { return __enzyme_autodiff((void *)marked, x); }

struct List { double x; struct List *next; };
// CHECK-DAG: !{!"struct.List", i64 16, !"{[0]:Float@double?, [8]:Pointer? -> {[0]:Float@double?, [8]:Pointer? -> {[0]:Float@double?, [8]:Pointer? -> {[0]:Float@double?, [8]:Pointer? -> {[0]:Float@double?, [8]:Pointer? -> {[0]:Float@double?, [8]:Pointer?}}}}}}"}
double sum(struct List *l) {
  double s = 0;
  for (; l; l = l->next)
    s += l->x;
  return s;
}

// Ten ways from each, a million facts at depth six: one level is said.
struct Graph { struct Graph *to[2], *a, *b, *c, *d, *e, *f, *g, *h; double x; };
// CHECK-DAG: !{!"struct.Graph", i64 88, !"{[*8x2]:Pointer? -> {[*8x2]:Pointer?, [16]:Pointer?, {{[^>]*}}[80]:Float@double?}, [16]:Pointer? -> {{.*}}, [80]:Float@double?}"}
double walk(struct Graph *g) { return g->to[0]->a->x; }
