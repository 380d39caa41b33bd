// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of cg.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "cg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  cg_pattern pattern;
  int iterations;
  double *inputs; ///< value, b: the active inputs.
  double *target;
  double *work, *d_work; ///< Scratch.
} system_of_equations;

static size_t num_rows(const system_of_equations *s) {
  return (size_t)s->pattern.rows;
}

static size_t num_values(const system_of_equations *s) {
  return (size_t)s->pattern.begin[s->pattern.rows];
}

static size_t num_inputs(const system_of_equations *s) {
  return num_values(s) + num_rows(s);
}

static int *allocate_indices(size_t count) {
  int *indices = malloc(count * sizeof(int));
  if (!indices)
    bench_fail("no memory for %zu indices", count);
  return indices;
}

/// Five-point pattern of a side x side grid.
static cg_pattern grid_pattern(int side) {
  int rows = side * side;
  cg_pattern a = {rows, allocate_indices((size_t)rows + 1),
                  allocate_indices(5 * (size_t)rows)};
  int k = 0;
  for (int i = 0; i < rows; i++) {
    a.begin[i] = k;
    if (i >= side)
      a.column[k++] = i - side;
    if (i % side > 0)
      a.column[k++] = i - 1;
    a.column[k++] = i;
    if (i % side < side - 1)
      a.column[k++] = i + 1;
    if (i + side < rows)
      a.column[k++] = i + side;
  }
  a.begin[rows] = k;
  return a;
}

/// A conductivity between two cells that both of their rows compute alike.
static double conductivity(int i, int j, unsigned long seed) {
  bench_random random = {seed + (uint64_t)(i < j ? i : j) * 2654435761u +
                         (uint64_t)(i < j ? j : i)};
  return 0.5 + bench_uniform(&random);
}

static system_of_equations generate_system(int side, int iterations,
                                           unsigned long seed) {
  system_of_equations s = {.pattern = grid_pattern(side),
                           .iterations = iterations};
  s.inputs = bench_alloc(num_inputs(&s));
  const cg_pattern *a = &s.pattern;
  for (int i = 0; i < a->rows; i++) {
    double sum = 0.05;
    int diagonal = 0;
    for (int k = a->begin[i]; k < a->begin[i + 1]; k++) {
      if (a->column[k] == i) {
        diagonal = k;
        continue;
      }
      double c = conductivity(i, a->column[k], seed);
      s.inputs[k] = -c;
      sum += c;
    }
    s.inputs[diagonal] = sum;
  }
  bench_random random = {seed};
  s.target = bench_alloc(num_rows(&s));
  for (size_t i = 0; i < num_rows(&s); i++) {
    s.inputs[num_values(&s) + i] = bench_normal(&random);
    s.target[i] = bench_normal(&random);
  }
  s.work = bench_alloc(4 * num_rows(&s));
  s.d_work = bench_alloc(4 * num_rows(&s));
  return s;
}

static double primal(void *data, const double *x) {
  system_of_equations *s = data;
  return cg_primal(&s->pattern, s->iterations, x, x + num_values(s), s->target,
                   s->work);
}

static void hand(void *data, const double *x, double *gradient) {
  system_of_equations *s = data;
  size_t b = num_values(s);
  memset(gradient, 0, num_inputs(s) * sizeof(double));
  cg_hand(&s->pattern, s->iterations, x, gradient, x + b, gradient + b,
          s->target);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  system_of_equations *s = data;
  size_t b = num_values(s);
  memset(gradient, 0, num_inputs(s) * sizeof(double));
  memset(s->d_work, 0, 4 * num_rows(s) * sizeof(double));
  cg_generated(&s->pattern, s->iterations, x, gradient, x + b, gradient + b,
               s->target, s->work, s->d_work);
}
#endif

int main(int argc, char **argv) {
  int side = 64, iterations = 40;
  const bench_size sizes[] = {{"--side", "cells along a side", &side},
                              {"--iterations", "iterations", &iterations}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through conjugate gradients.", sizes, 2);
  if (options.file)
    bench_fail("cg reads no file: %s", options.file);
  system_of_equations s = generate_system(side, iterations, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "%d rows, %d iterations", side * side,
           iterations);
  bench_problem problem = {
      .name = "cg",
      .shape = shape,
      .input = "generated",
      .num_blocks = 2,
      .blocks = {{"value", num_values(&s)}, {"b", num_rows(&s)}},
      .x = s.inputs,
      .data = &s,
      .primal = primal,
      .hand = hand,
      .generated = generated};
  int status = bench_run(&problem, &options);
  free(s.pattern.begin);
  free(s.pattern.column);
  free(s.inputs);
  free(s.target);
  free(s.work);
  free(s.d_work);
  return status;
}
