// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -std=c++17" libs="-fopenmp"
// ADZE: skip-unless=header:omp.h
// Loops over containers by iterators, and range loops.
#ifndef TEAMS
#include <cmath>
#include <vector>

#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(rangeLoop) {
  std::vector<double> v(x, x + n);
  OMP(parallel for)
  for (double &e : v)
    e = e * e + 1 / e;
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (double e : v)
    sum += std::log(e);
  return sum;
}

PROGRAM(iterators) {
  std::vector<double> v(x, x + n), w(n);
  OMP(parallel for)
  for (auto it = v.begin(); it < v.end(); ++it)
    w[it - v.begin()] = *it * v[(it - v.begin() + 4) % n];
  double sum = 0;
  OMP(parallel for reduction(+ : sum) schedule(guided))
  for (auto it = w.cbegin(); it != w.cend(); it += 2)
    sum += *it * it[1];
  return sum;
}

#endif
