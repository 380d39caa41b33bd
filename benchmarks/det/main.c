// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of det.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "det.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double *a;
  int *rows, *columns;
} matrix;

static size_t num_entries(const matrix *m) {
  return (size_t)m->n * (size_t)m->n;
}

static int *new_list(int n) {
  int *list = malloc(((size_t)n + 1) * sizeof(int));
  if (!list)
    bench_fail("no memory for a list of %d", n);
  return list;
}

static matrix generate_matrix(int n, unsigned long seed) {
  matrix m = {n, NULL, new_list(n), new_list(n)};
  bench_random random = {seed};
  m.a = bench_alloc(num_entries(&m));
  for (size_t i = 0; i < num_entries(&m); i++)
    m.a[i] = 2.0 * bench_uniform(&random) - 1.0;
  return m;
}

static double primal(void *data, const double *a) {
  matrix *m = data;
  return det_primal(m->n, a, m->rows, m->columns);
}

static void hand(void *data, const double *a, double *gradient) {
  matrix *m = data;
  memset(gradient, 0, num_entries(m) * sizeof(double));
  det_hand(m->n, a, gradient, m->rows, m->columns);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *a, double *gradient) {
  matrix *m = data;
  memset(gradient, 0, num_entries(m) * sizeof(double));
  det_generated(m->n, a, gradient, m->rows, m->columns);
}
#endif

BENCH_DECLARE_TOOLS(det);

int main(int argc, char **argv) {
  int n = 9;
  const bench_size sizes[] = {{"--n", "rows and columns", &n}};
  bench_options options =
      bench_parse(argc, argv, "Gradient of a determinant by minors.", sizes, 1);
  if (options.file)
    bench_fail("det reads no file: %s", options.file);
  matrix m = generate_matrix(n, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d", n);
  bench_problem problem = {.name = "det",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 1,
                           .blocks = {{"a", num_entries(&m)}},
                           .x = m.a,
                           .data = &m,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated,
                           .tools = BENCH_TOOLS(det),
                           .constants = &m.n};
  int status = bench_run(&problem, &options);
  free(m.columns);
  free(m.rows);
  free(m.a);
  return status;
}
