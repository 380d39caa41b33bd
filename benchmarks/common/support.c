// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define _POSIX_C_SOURCE 200809L

#include "support.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

void bench_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

double bench_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

long bench_peak_kib(void) {
  // What getrusage calls the peak starts with that of the process before exec,
  // such as an interpreter that runs the benchmarks.
  FILE *status = fopen("/proc/self/status", "r");
  char line[256];
  long peak = -1;
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "VmHWM: %ld", &peak) == 1)
      break;
  if (status)
    fclose(status);
  if (peak < 0)
    bench_fail("the system does not tell the peak of the memory");
  return peak;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *values, size_t count) {
  if (count == 0)
    return NAN;
  qsort(values, count, sizeof(double), compare_doubles);
  if (count % 2 == 1)
    return values[count / 2];
  return 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

double bench_norm(const double *v, size_t n) {
  return sqrt(bench_dot(v, v, n));
}

double bench_dot(const double *a, const double *b, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

double *bench_alloc(size_t count) {
  double *array = malloc((count ? count : 1) * sizeof(double));
  if (!array)
    bench_fail("no memory for %zu numbers", count);
  return array;
}

static uint64_t next_random(bench_random *random) {
  uint64_t z = random->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double bench_uniform(bench_random *random) {
  return (double)(next_random(random) >> 11) * 0x1p-53;
}

double bench_normal(bench_random *random) {
  const double two_pi = 6.283185307179586;
  double radius = sqrt(-2.0 * log(1.0 - bench_uniform(random)));
  return radius * cos(two_pi * bench_uniform(random));
}

bench_reader bench_open(const char *path) {
  bench_reader reader = {fopen(path, "r"), path};
  if (!reader.file)
    bench_fail("%s cannot be opened", path);
  return reader;
}

int bench_read_size(bench_reader *reader, const char *what) {
  int value;
  if (fscanf(reader->file, "%d", &value) != 1 || value < 1)
    bench_fail("%s: expected %s, a positive integer", reader->path, what);
  return value;
}

double bench_read_number(bench_reader *reader, const char *what) {
  double value;
  if (fscanf(reader->file, "%lf", &value) != 1)
    bench_fail("%s: expected %s, a number", reader->path, what);
  return value;
}

double *bench_read_array(bench_reader *reader, size_t count, const char *what) {
  double *array = bench_alloc(count);
  for (size_t i = 0; i < count; i++)
    array[i] = bench_read_number(reader, what);
  return array;
}

void bench_close(bench_reader *reader) { fclose(reader->file); }
