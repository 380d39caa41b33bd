// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small matrix class that allocates on a condition in a function that is not
// inlined, for constant and for active matrices, in arrays of them, with
// results that are resized by whoever fills them.
#include "check.h"
#include <math.h>
#include <memory>
#define NOINLINE __attribute__((noinline))

namespace {
struct Matrix {
  int rows = 0, columns = 0;
  double *data = nullptr;
  ~Matrix() { delete[] data; }
  NOINLINE void resize(int r, int c) {
    if (r * c != rows * columns) {
      delete[] data;
      data = r * c ? new double[(unsigned)(r * c)] : nullptr;
    }
    rows = r;
    columns = c;
  }
  NOINLINE void set(const Matrix &from) {
    resize(from.rows, from.columns);
    for (int i = 0; i < rows * columns; ++i)
      data[i] = from.data[i];
  }
  double &operator()(int i, int j) { return data[i + j * rows]; }
  double operator()(int i, int j) const { return data[i + j * rows]; }
};
struct Owning {
  int size = 0;
  std::unique_ptr<double[]> data;
  NOINLINE void resize(int n) {
    if (n != size)
      data.reset(new double[(unsigned)n]);
    size = n;
  }
};
struct Model {
  Matrix base[3], positions;
  Owning weights;
  int parents[3] = {-1, 0, 1};
  Model() {
    for (int i = 0; i < 3; ++i) {
      base[i].resize(3, 3);
      for (int k = 0; k < 9; ++k)
        base[i].data[k] = cos(i + k);
    }
    positions.resize(3, 4);
    for (int k = 0; k < 12; ++k)
      positions.data[k] = sin(k);
    weights.resize(4);
    for (int k = 0; k < 4; ++k)
      weights.data[k] = 1.5 - k;
  }
};
Model model;

NOINLINE void multiply(const Matrix &a, const Matrix &b, Matrix *to) {
  to->resize(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      double s = 0;
      for (int k = 0; k < a.columns; ++k)
        s += a(i, k) * b(k, j);
      (*to)(i, j) = s;
    }
}
NOINLINE void scale(const Owning &a, const Owning &b, Owning *to) {
  to->resize(a.size);
  for (int i = 0; i < a.size; ++i)
    to->data[i] = a.data[i] * b.data[i];
}
NOINLINE void rotation(const double *x, Matrix *to) {
  to->resize(3, 3);
  for (int i = 0; i < 9; ++i)
    to->data[i] = i % 4 == 0;
  (*to)(0, 0) = cos(x[0]);
  (*to)(1, 0) = sin(x[0]) * x[1];
  (*to)(0, 1) = -sin(x[0]);
}
NOINLINE double run(const double *x, const Model *m) {
  Matrix *relative = new Matrix[3], *absolute = new Matrix[3];
  Matrix turned, moved;
  for (int i = 0; i < 3; ++i) {
    rotation(x + i, &turned);
    multiply(m->base[i], turned, &relative[i]);
  }
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    if (m->parents[i] < 0)
      absolute[i].set(relative[i]);
    else
      multiply(absolute[m->parents[i]], relative[i], &absolute[i]);
    multiply(absolute[i], m->positions, &moved);
    for (int k = 0; k < 12; ++k)
      s += moved.data[k] * moved.data[k] * (k + 1);
  }
  delete[] relative;
  delete[] absolute;
  return s;
}
} // namespace
void *__enzyme_inactive_global_model[] = {&model};

extern "C" void f(const double *x, double *y) {
  y[0] = run(x, &model);
  Owning active, scaled, constant;
  active.resize(4);
  for (int i = 0; i < 4; ++i)
    active.data[i] = x[i] * x[i];
  scale(active, model.weights, &scaled);
  scale(model.weights, model.weights, &constant);
  y[1] = 0;
  for (int i = 0; i < 4; ++i)
    y[1] += scaled.data[i] * constant.data[3 - i];
}
ADZE_TEST_MAP(f, 4, 2, ADZE_AT(0.5, 0.8, -0.3, 1.1))
