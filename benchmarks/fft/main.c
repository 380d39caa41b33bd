// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of fft.h; its data are always generated.

#include "../common/bench.h"
#include "../common/support.h"
#include "fft.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int n;
  double *inputs; ///< The signal: the active input.
  double *data;   ///< Copy that a call overwrites.
  double *twiddle, *target;
} signal_data;

static size_t num_inputs(const signal_data *s) { return 2 * (size_t)s->n; }

/// A signal of unit variance, and the flat spectrum it would have on average.
static signal_data generate_signal(int n, unsigned long seed) {
  size_t size = 2 * (size_t)n;
  signal_data s = {n, bench_alloc(size), bench_alloc(size),
                   bench_alloc((size_t)n), bench_alloc((size_t)n)};
  bench_random random = {seed};
  double scale = 1.0 / sqrt((double)n);
  for (size_t i = 0; i < size; i++)
    s.inputs[i] = scale * bench_normal(&random);
  const double pi = 3.141592653589793;
  for (int k = 0; k < n / 2; k++) {
    s.twiddle[2 * k] = cos(2.0 * pi * k / n);
    s.twiddle[2 * k + 1] = -sin(2.0 * pi * k / n);
  }
  for (int k = 0; k < n; k++)
    s.target[k] = 1.0 + bench_uniform(&random);
  return s;
}

static double *fresh_data(signal_data *s, const double *x) {
  return memcpy(s->data, x, num_inputs(s) * sizeof(double));
}

static double primal(void *data, const double *x) {
  signal_data *s = data;
  return fft_primal(s->n, fresh_data(s, x), s->twiddle, s->target);
}

static void hand(void *data, const double *x, double *gradient) {
  signal_data *s = data;
  memset(gradient, 0, num_inputs(s) * sizeof(double));
  fft_hand(s->n, fresh_data(s, x), gradient, s->twiddle, s->target);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *gradient) {
  signal_data *s = data;
  memset(gradient, 0, num_inputs(s) * sizeof(double));
  fft_generated(s->n, fresh_data(s, x), gradient, s->twiddle, s->target);
}
#endif

int main(int argc, char **argv) {
  int bits = 12;
  const bench_size sizes[] = {
      {"--bits", "binary logarithm of the length", &bits}};
  bench_options options = bench_parse(
      argc, argv, "Gradient through a fast Fourier transform.", sizes, 1);
  if (options.file)
    bench_fail("fft reads no file: %s", options.file);
  if (bits > 24)
    bench_fail("a length of 2^%d is too much", bits);
  signal_data s = generate_signal(1 << bits, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d", s.n);
  bench_problem problem = {.name = "fft",
                           .shape = shape,
                           .input = "generated",
                           .num_blocks = 1,
                           .blocks = {{"data", num_inputs(&s)}},
                           .x = s.inputs,
                           .data = &s,
                           .primal = primal,
                           .hand = hand,
                           .generated = generated};
  int status = bench_run(&problem, &options);
  free(s.inputs);
  free(s.data);
  free(s.twiddle);
  free(s.target);
  return status;
}
