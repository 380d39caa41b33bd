// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small helpers under the benchmark programs: a clock, statistics and norms,
// random numbers, and reading numbers from a file. Failures that leave nothing
// to measure (no memory, a broken input file) end the program with a message
// and status 2.

#ifndef ADZE_BENCHMARKS_COMMON_SUPPORT_H
#define ADZE_BENCHMARKS_COMMON_SUPPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/// Seconds of processor time of this process, user and system.
double bench_seconds(void);

/// The most memory this process has held, in KiB.
long bench_peak_kib(void);

/// Median; sorts `values` in place. NaN for an empty array.
double bench_median(double *values, size_t count);

/// Euclidean norm, and scalar product.
double bench_norm(const double *v, size_t n);
double bench_dot(const double *a, const double *b, size_t n);

/// An array of `count` doubles, not initialized. The caller frees it.
double *bench_alloc(size_t count);

/// A small random generator with the same stream on every platform
/// (SplitMix64: Steele, Lea and Flood, OOPSLA 2014).
typedef struct {
  uint64_t state;
} bench_random;

/// Uniform in [0, 1); and standard normal.
double bench_uniform(bench_random *random);
double bench_normal(bench_random *random);

/// A file of white-space separated numbers.
typedef struct {
  FILE *file;
  const char *path;
} bench_reader;

bench_reader bench_open(const char *path);
/// A positive integer.
int bench_read_size(bench_reader *reader, const char *what);
double bench_read_number(bench_reader *reader, const char *what);
/// `count` numbers into a new array that the caller frees.
double *bench_read_array(bench_reader *reader, size_t count, const char *what);
void bench_close(bench_reader *reader);

/// Prints `bench: message` to standard error and exits with status 2.
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void bench_fail(const char *format, ...);

#endif
