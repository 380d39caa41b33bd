// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -std=c++17" libs="-fopenmp"
// ADZE: skip-unless=header:omp.h
// Exceptions that begin and end in one iteration, task or section of a region.
#ifndef TEAMS
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// What is thrown is active.
PROGRAM(values) {
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i) {
    try {
      if (x[i] > 0.77)
        throw x[i] * x[(i + 1) % n];
      sum += x[i];
    } catch (double v) {
      sum += v * v;
    }
  }
  return sum;
}

struct IN(Error) : std::runtime_error {
  double by;
  IN(Error)(const char *text, double by) : std::runtime_error(text), by(by) {}
};
__attribute__((noinline)) static double IN(root)(double v) {
  if (v < 0.77)
    throw IN(Error)("small", v * v);
  return std::sqrt(v);
}
struct IN(Guard) {
  double &to, value;
  ~IN(Guard)() { to += value; }
};
__attribute__((noinline)) static double IN(guarded)(double v, double &passed) {
  IN(Guard) guard{passed, 0.1 * v};
  return IN(root)(v) * v;
}
PROGRAM(calls) {
  std::vector<double> y(n), passed(n);
  OMP(parallel for schedule(dynamic))
  for (int i = 0; i < n; ++i) {
    try {
      y[i] = IN(guarded)(x[i], passed[i]);
    } catch (const IN(Error) & e) {
      y[i] = 2 * e.by;
    }
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * y[i] + passed[i];
  return sum;
}

PROGRAM(tasks) {
  double y[Numbers], sum = 0;
  OMP(parallel)
  OMP(single)
  for (int i = 0; i < n; ++i) {
    OMP(task firstprivate(i) shared(y)) {
      try {
        y[i] = IN(root)(x[i]);
      } catch (const std::runtime_error &) {
        y[i] = x[i] * x[i];
      }
    }
  }
  for (int i = 0; i < n; ++i)
    sum += y[i];
  return sum;
}

// An exception around regions, and one in a section.
PROGRAM(around) {
  double a = 0, b = 0, y[Numbers];
  try {
    OMP(parallel sections) {
      OMP(section)
      try {
        a = IN(root)(x[0]);
      } catch (...) {
        a = x[0] * x[1];
      }
      OMP(section)
      b = IN(root)(x[1]);
    }
    OMP(parallel for)
    for (int i = 0; i < n; ++i)
      y[i] = a * x[i] + b;
    IN(root)(y[0] * 0.1);
  } catch (const IN(Error) & e) {
    b += e.by;
  }
  double sum = a * b;
  for (int i = 0; i < n; ++i)
    sum += y[i] * y[i];
  return sum;
}

#endif
