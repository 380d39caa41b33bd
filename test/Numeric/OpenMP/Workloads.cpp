// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -std=c++17" libs="-fopenmp"
// ADZE: skip-unless=header:omp.h
// What programs do with regions: members of classes, ragged rows, triangles,
// locks of buckets, blocks of each thread that its iterations use again, sums
// of vectors, results in the order of threads.
#ifndef TEAMS
#include <cmath>
#include <vector>

#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

class IN(Field) {
  std::vector<double> u, flux;
  int n;

public:
  IN(Field)(const double *x, int n) : u(x, x + n), flux(n + 1), n(n) {}
  void step(double dt) {
    OMP(parallel) {
      OMP(for)
      for (int i = 1; i < n; ++i)
        flux[i] = 0.5 * (u[i] * u[i] + u[i - 1] * u[i - 1]) - u[i] + u[i - 1];
      OMP(single) {
        flux[0] = flux[n - 1];
        flux[n] = flux[1];
      }
      OMP(for)
      for (int i = 0; i < n; ++i)
        u[i] -= dt * (flux[i + 1] - flux[i]);
    }
  }
  double energy() const {
    double sum = 0;
    OMP(parallel for reduction(+ : sum) schedule(guided))
    for (int i = 0; i < n; ++i)
      sum += u[i] * u[i] * u[i];
    return sum;
  }
};
PROGRAM(members) {
  IN(Field) f(x, n);
  double sum = 0;
  for (int t = 0; t < 3; ++t) {
    f.step(0.05);
    sum += f.energy();
  }
  return sum;
}

PROGRAM(raggedRows) {
  std::vector<std::vector<double>> rows(n);
  OMP(parallel for schedule(dynamic))
  for (int i = 0; i < n; ++i) {
    rows[i].resize(i + 1);
    for (int j = 0; j <= i; ++j)
      rows[i][j] = x[i] * x[j] + 3;
  }
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    for (double v : rows[i])
      sum += std::sqrt(v * v + 1);
  return sum;
}

PROGRAM(triangles) {
  std::vector<double> m(n * n, 0.0);
  OMP(parallel for collapse(2))
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      m[i * n + j] = x[i] * std::cos(x[j]) + x[j] * x[j];
  double sum = 0;
  OMP(parallel for collapse(2) reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j)
      sum += m[j * n + i] * m[i * n + i];
  return sum;
}

PROGRAM(locksOfBuckets) {
  omp_lock_t locks[4];
  double bucket[4] = {1, 1, 1, 1};
  for (omp_lock_t &l : locks)
    omp_init_lock(&l);
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    const int k = (i * 7 + 3) % 4;
    omp_set_lock(&locks[k]);
    bucket[k] *= 1 + 0.1 * x[i];
    omp_unset_lock(&locks[k]);
  }
  for (omp_lock_t &l : locks)
    omp_destroy_lock(&l);
  return bucket[0] * bucket[1] + bucket[2] * bucket[3];
}

// Variables of a thread that every iteration writes anew, in loops of which
// threads take chunks as they come.
PROGRAM(usedAgain) {
  double sum = 0;
  OMP(parallel reduction(+ : sum)) {
    std::vector<double> b(n);
    double q[4];
    OMP(for schedule(dynamic))
    for (int i = 0; i < n; ++i) {
      double own[4];
      for (int j = 0; j < n; ++j)
        b[j] = x[j] * x[i];
      for (int j = 0; j < 4; ++j) {
        q[j] = b[j] * b[(j + i) % n];
        own[j] = std::sin(x[i]) * (j + 1);
      }
      for (int j = 1; j < n; ++j)
        b[j] += 0.1 * b[j - 1] * b[j];
      sum += b[n - 1] * q[i & 3] + own[0] * own[3];
    }
  }
  return sum;
}

PROGRAM(slots) {
  std::vector<double> out(n);
  int next = 0;
  OMP(parallel for schedule(dynamic))
  for (int i = 0; i < n; ++i) {
    int k;
    OMP(atomic capture)
    k = next++;
    out[k] = x[i] * x[i] * x[i];
  }
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += std::exp(-out[i] * out[i]);
  return sum;
}

PROGRAM(largest) {
  double best = -100;
  int at = 0;
  OMP(parallel) {
    double mine = -100;
    int k = 0;
    OMP(for nowait)
    for (int i = 0; i < n; ++i) {
      const double v = x[i] * x[n - 1 - i] + 0.01 * i;
      if (v > mine) {
        mine = v;
        k = i;
      }
    }
    OMP(critical)
    if (mine > best) {
      best = mine;
      at = k;
    }
  }
  return best * best + x[at];
}

PROGRAM(appended) {
  std::vector<double> found;
  OMP(parallel) {
    std::vector<double> mine;
    OMP(for nowait)
    for (int i = 0; i < n; ++i)
      if (i % 3 != 1)
        mine.push_back(x[i] * x[i]);
    OMP(critical)
    found.insert(found.end(), mine.begin(), mine.end());
  }
  double product = 1;
  for (double v : found)
    product *= 1 + 0.1 * v;
  return product;
}

#endif
