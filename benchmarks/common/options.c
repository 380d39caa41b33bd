// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of a benchmark program.

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_usage(FILE *out, const char *program, const char *about,
                        const bench_size *sizes, int num_sizes) {
  fprintf(out, "usage: %s [FILE] [flags]\n%s\n\n", program, about);
  fprintf(out, "  %-14s input file; without one, data are generated\n", "FILE");
  for (int i = 0; i < num_sizes; i++)
    fprintf(out, "  %-12s N %s (default %d)\n", sizes[i].flag, sizes[i].help,
            *sizes[i].value);
  fprintf(out, "  --runs       N rounds of timing (default 11; 0: only check)\n"
               "  --min-time  MS shortest timed sample (default 20 ms)\n"
               "  --seed       N of generated data and of random directions\n"
               "  --once PROGRAM call primal, hand, generated or another once "
               "and print the peak memory\n"
               "  --no-tools     without other tools and differences\n"
               "  --key-values   print for a script\n");
}

/// The value after argv[*i] as a number of at least `least`; *i moves onto it.
static bool take_number(int argc, char **argv, int *i, double least,
                        double *value) {
  if (*i + 1 >= argc)
    return false;
  char *end;
  *value = strtod(argv[++*i], &end);
  return end != argv[*i] && *end == '\0' && *value >= least && *value < 1e9;
}

static bool take_argument(int argc, char **argv, int *i, bench_options *options,
                          const bench_size *sizes, int num_sizes) {
  const char *argument = argv[*i];
  double value = 0.0;
  if (strcmp(argument, "--key-values") == 0)
    return options->key_values = true;
  if (strcmp(argument, "--no-tools") == 0) {
    options->tools = false;
    return true;
  }
  if (strcmp(argument, "--runs") == 0) {
    bool good = take_number(argc, argv, i, 0, &value);
    options->runs = (int)value;
    return good;
  }
  if (strcmp(argument, "--min-time") == 0) {
    bool good = take_number(argc, argv, i, 0, &value);
    options->min_seconds = 1e-3 * value;
    return good;
  }
  if (strcmp(argument, "--once") == 0) {
    if (*i + 1 >= argc)
      return false;
    options->once = argv[++*i];
    return true;
  }
  if (strcmp(argument, "--seed") == 0) {
    bool good = take_number(argc, argv, i, 0, &value);
    options->seed = (unsigned long)value;
    return good;
  }
  for (int s = 0; s < num_sizes; s++) {
    if (strcmp(argument, sizes[s].flag) != 0)
      continue;
    bool good = take_number(argc, argv, i, 1, &value);
    *sizes[s].value = (int)value;
    return good;
  }
  if (argument[0] == '-' || options->file)
    return false;
  options->file = argument;
  return true;
}

bench_options bench_parse(int argc, char **argv, const char *about,
                          const bench_size *sizes, int num_sizes) {
  bench_options options = {11, 20e-3, false, NULL, 1, true, NULL};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      print_usage(stdout, argv[0], about, sizes, num_sizes);
      exit(0);
    }
    int at = i;
    if (!take_argument(argc, argv, &i, &options, sizes, num_sizes)) {
      fprintf(stderr, "bench: cannot use the argument %s\n", argv[at]);
      print_usage(stderr, argv[0], about, sizes, num_sizes);
      exit(2);
    }
  }
  return options;
}
