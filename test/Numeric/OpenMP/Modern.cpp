// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -std=c++17" libs="-fopenmp"
// ADZE: skip-unless=header:omp.h
// Regions in C++ as it is written today: containers, lambdas, templates, range
// loops, methods, objects of threads, exceptions.
#ifndef TEAMS
#include <algorithm>
#include <array>
#include <complex>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(vectors) {
  std::vector<double> a(x, x + n), b(n);
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    b[i] = a[i] * a[(i + 1) % n];
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (size_t i = 0; i < b.size(); ++i)
    sum += b[i] * b[i];
  return sum;
}

PROGRAM(vectorOfVectors) {
  std::vector<std::vector<double>> rows(6, std::vector<double>(4));
  OMP(parallel for)
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 4; ++c)
      rows[r][c] = x[4 * r + c] * (1 + c);
  double sum = 0;
  OMP(parallel for reduction(+ : sum) schedule(dynamic))
  for (int r = 0; r < 6; ++r)
    sum += std::inner_product(rows[r].begin(), rows[r].end(),
                              rows[(r + 1) % 6].begin(), 0.0);
  return sum + n * 0;
}

// A method with a region; members behind this.
struct IN(Field) {
  int size;
  std::vector<double> now, next;
  double rate;
  IN(Field)(const double *x, int n)
      : size(n - 1), now(x, x + n - 1), next(n - 1), rate(x[n - 1]) {}
  double at(int i) const { return now[(i + size) % size]; }
  void step() {
    OMP(parallel for)
    for (int i = 0; i < size; ++i)
      next[i] = at(i) + 0.1 * rate * (at(i - 1) - 2 * at(i) + at(i + 1));
    std::swap(now, next);
  }
  double energy() const {
    double e = 0;
    OMP(parallel for reduction(+ : e))
    for (int i = 0; i < size; ++i)
      e += now[i] * now[i];
    return e;
  }
};
PROGRAM(field) {
  IN(Field) f(x, n);
  for (int t = 0; t < 6; ++t)
    f.step();
  return f.energy();
}

template <class F> static void IN(each)(int n, F &&f) {
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    f(i);
}
PROGRAM(lambdas) {
  std::vector<double> y(n), z(n);
  const double k = x[2];
  IN(each)(n, [&](int i) { y[i] = k * x[i] * x[i]; });
  double *p = z.data();
  IN(each)(n, [=, &y](int i) { p[i] = y[i] + k * y[(i + 1) % n]; });
  return std::accumulate(z.begin(), z.end(), 0.0);
}

template <class T, class F> static T IN(sumOf)(int n, T start, F f) {
  T sum = start;
  OMP(parallel) {
    T mine = T(0);
    OMP(for nowait)
    for (int i = 0; i < n; ++i)
      mine += f(i);
    OMP(critical)
    sum += mine;
  }
  return sum;
}
PROGRAM(templates) {
  const double a = IN(sumOf)(n, 0.0, [&](int i) { return x[i] * x[i]; });
  const double b = IN(sumOf)(n, 1.0, [&](int i) { return std::sin(x[i]) * a; });
  return a * b * 0.1;
}

PROGRAM(complexSum) {
  using C = std::complex<double>;
  OMP(declare reduction(added:C : omp_out += omp_in)
          initializer(omp_priv = C(0)))
  C sum = 0;
  OMP(parallel for reduction(added : sum))
  for (int i = 0; i < n; ++i)
    sum += C(x[i], x[(i + 1) % n]) * C(std::cos(i), std::sin(i));
  return std::norm(sum);
}

PROGRAM(vectorSum) {
  using V = std::vector<double>;
  OMP(declare reduction(vadd
:V : std::transform(omp_out.begin(), omp_out.end(), omp_in.begin(),
                    omp_out.begin(), std::plus<double>()))
          initializer(omp_priv = V(omp_orig.size())))
  V bins(5);
  OMP(parallel for reduction(vadd : bins))
  for (int i = 0; i < n; ++i)
    bins[i % 5] += x[i] * x[(i + 2) % n];
  double sum = 0;
  for (double b : bins)
    sum += b * b;
  return sum;
}

PROGRAM(firstprivateVector) {
  std::vector<double> scratch(4, x[0]);
  double sum = 0;
  OMP(parallel for firstprivate(scratch) reduction(+ : sum))
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 4; ++k)
      scratch[k] = x[i] * (k + 1) + x[(i + k) % n];
    sum += scratch[1] * scratch[3];
  }
  return sum;
}

PROGRAM(scratchVector) {
  double sum = 0;
  OMP(parallel reduction(+ : sum)) {
    std::vector<double> work(6);
    OMP(for)
    for (int i = 0; i < n; ++i) {
      for (size_t k = 0; k < work.size(); ++k)
        work[k] = x[i] * x[(i + k) % n];
      sum += *std::max_element(work.begin(), work.end()) + work[0] * work[5];
    }
  }
  return sum;
}

PROGRAM(vectorOfIteration) {
  std::vector<double> out(n);
  OMP(parallel for schedule(dynamic, 2))
  for (int i = 0; i < n; ++i) {
    std::vector<double> local;
    for (int k = 0; k <= i % 4; ++k)
      local.push_back(x[i] * x[k]);
    out[i] = std::accumulate(local.begin(), local.end(), 0.0);
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += out[i] * out[n - 1 - i];
  return sum;
}

struct IN(Particle) {
  std::array<double, 3> at;
  double charge;
};
PROGRAM(particles) {
  std::vector<IN(Particle)> p(6);
  for (int i = 0; i < 6; ++i)
    p[i] = {{x[4 * i], x[4 * i + 1], x[4 * i + 2]}, x[4 * i + 3]};
  double energy = 0;
  OMP(parallel for reduction(+ : energy) schedule(dynamic))
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j) {
      double r = 0.05;
      for (int c = 0; c < 3; ++c)
        r += (p[i].at[c] - p[j].at[c]) * (p[i].at[c] - p[j].at[c]);
      energy += p[i].charge * p[j].charge / std::sqrt(r);
    }
  return energy + n * 0;
}

struct IN(Law) {
  virtual ~IN(Law)() = default;
  virtual double of(double v) const = 0;
};
struct IN(Power) : IN(Law) {
  double k;
  explicit IN(Power)(double k) : k(k) {}
  double of(double v) const override { return std::pow(v, k); }
};
struct IN(Decay) : IN(Law) {
  double k;
  explicit IN(Decay)(double k) : k(k) {}
  double of(double v) const override { return std::exp(-k * v); }
};
PROGRAM(virtualCalls) {
  std::vector<std::unique_ptr<IN(Law)>> laws;
  laws.push_back(std::make_unique<IN(Power)>(x[0]));
  laws.push_back(std::make_unique<IN(Decay)>(x[1]));
  laws.push_back(std::make_unique<IN(Power)>(x[2]));
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += laws[i % 3]->of(x[i]);
  return sum;
}

// Exceptions that stay within an iteration, and one around a region.
PROGRAM(caught) {
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i) {
    try {
      if (x[i] > 1.22)
        throw std::runtime_error("large");
      sum += x[i] * x[i];
    } catch (const std::runtime_error &) {
      sum += 2 * x[i];
    }
  }
  return sum;
}
PROGRAM(tryAround) {
  std::vector<double> y(n);
  try {
    OMP(parallel for)
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
    if (y.at(3) > 1e6)
      throw std::out_of_range("never");
  } catch (const std::exception &) {
    return 0;
  }
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += y[i] * i;
  return sum;
}

// Objects of each thread with constructors and destructors.
struct IN(Scope) {
  double *to, value = 0;
  explicit IN(Scope)(double *to) : to(to) {}
  IN(Scope)(const IN(Scope) & other) : to(other.to), value(other.value) {}
  ~IN(Scope)() {
    OMP(atomic)
    *to += value;
  }
};
PROGRAM(destructors) {
  double total = 0;
  {
    OMP(parallel) {
      IN(Scope) mine(&total);
      OMP(for)
      for (int i = 0; i < n; ++i)
        mine.value += std::sin(x[i]) * x[i];
    }
  }
  return total * total;
}
PROGRAM(privateObjects) {
  double total = 0;
  {
    IN(Scope) each(&total);
    OMP(parallel for firstprivate(each))
    for (int i = 0; i < n; ++i)
      each.value += x[i] * x[(i + 1) % n];
  }
  return total;
}

// Views and matrices, two-dimensional indices by operators.
template <class T> struct IN(Matrix) {
  int rows, columns;
  std::vector<T> data;
  IN(Matrix)(int r, int c) : rows(r), columns(c), data(r * c) {}
  T &operator()(int i, int j) { return data[i * columns + j]; }
  const T &operator()(int i, int j) const { return data[i * columns + j]; }
};
template <class T>
static IN(Matrix)<T> operator*(const IN(Matrix) < T > &a,
                               const IN(Matrix) < T > &b) {
  IN(Matrix)<T> c(a.rows, b.columns);
  OMP(parallel for collapse(2))
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      T s{};
      for (int k = 0; k < a.columns; ++k)
        s += a(i, k) * b(k, j);
      c(i, j) = s;
    }
  return c;
}
PROGRAM(matrices) {
  IN(Matrix)<double> a(4, 3), b(3, 4);
  for (int i = 0; i < 12; ++i) {
    a.data[i] = x[i];
    b.data[i] = x[12 + i];
  }
  auto c = a * b, d = c * c;
  double t = 0;
  for (int i = 0; i < 4; ++i)
    t += d(i, i);
  return t + n * 0;
}

// A function object with state, std::function, and a pointer to a member.
struct IN(Kernel) {
  double a, b;
  double operator()(double v) const { return a * v * v + b; }
};
PROGRAM(functors) {
  IN(Kernel) k{x[0], x[1]};
  double sum = 0;
  OMP(parallel for reduction(+ : sum) firstprivate(k))
  for (int i = 0; i < n; ++i)
    sum += k(x[i]);
  return sum;
}
PROGRAM(erased) {
  std::function<double(double)> f = IN(Kernel){x[0], x[1]};
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += f(x[i]);
  return sum;
}

// References captured by structured bindings and tuples.
PROGRAM(bindings) {
  std::pair<std::vector<double>, std::vector<double>> both{
      std::vector<double>(n), std::vector<double>(n)};
  auto &first = both.first;
  auto &second = both.second;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    auto [s, c] = std::pair<double, double>(std::sin(x[i]), std::cos(x[i]));
    first[i] = s * x[i];
    second[i] = c + x[i];
  }
  return std::inner_product(first.begin(), first.end(), second.begin(), 0.0);
}

// Smart pointers and shared data.
PROGRAM(smart) {
  auto data = std::make_shared<std::vector<double>>(x, x + n);
  std::unique_ptr<double[]> out(new double[n]);
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    out[i] = (*data)[i] * (*data)[(i + 1) % n];
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += out[i];
  return sum * sum;
}

#endif
