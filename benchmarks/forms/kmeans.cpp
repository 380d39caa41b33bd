// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of k-means: each of n points in 4 dimensions goes to the nearest of 16
// centroids; the centroids become the means of their points, and the value is
// half the sum of their squares. The inputs are points, then centroids.
// Adjoint: each point gets the mean's adjoint over the count of its cluster.

#include "common/forms.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int dims = 4, clusters = 16, max_n = 20000;

size_t inputs(int n) { return size_t(dims) * (n + clusters); }

void make_inputs(int n, double *x) {
  unsigned state = 5;
  for (int i = 0; i < dims * (n + clusters); i++) {
    state = state * 1664525u + 1013904223u;
    x[i] = (state >> 8) * 0x1p-23 - 1.0;
  }
}

int nearest(const double *p, const double *centroids) {
  int best = 0;
  double least = 1e300;
  for (int c = 0; c < clusters; c++) {
    double distance = 0.0;
    for (int d = 0; d < dims; d++) {
      double t = p[d] - centroids[c * dims + d];
      distance += t * t;
    }
    if (distance < least) {
      least = distance;
      best = c;
    }
  }
  return best;
}

void hand(int n, const int *, const double *x, double *d_x) {
  std::vector<int> owner(n);
  double mean[clusters][dims] = {}, count[clusters] = {};
  for (int i = 0; i < n; i++) {
    int c = owner[i] = nearest(x + dims * i, x + dims * n);
    count[c] += 1.0;
    for (int d = 0; d < dims; d++)
      mean[c][d] += x[dims * i + d];
  }
  for (int c = 0; c < clusters; c++)
    for (int d = 0; d < dims && count[c] > 0.0; d++)
      mean[c][d] /= count[c] * count[c];
  for (int i = 0; i < n; i++)
    for (int d = 0; d < dims; d++)
      d_x[dims * i + d] += mean[owner[i]][d];
}

} // namespace

COMPUTATION = {"kmeans", 20000,   60,          inputs,
               nullptr,  nullptr, make_inputs, hand};

FORM(flat_work_space, double, (dims + 1) * clusters) {
  double *sum = work, *count = work + dims * clusters, value = 0.0;
  memset(work, 0, (dims + 1) * clusters * sizeof *work);
  for (int i = 0; i < n; i++) {
    int best = 0;
    double least = 1e300;
    for (int c = 0; c < clusters; c++) {
      double distance = 0.0;
      for (int d = 0; d < dims; d++) {
        double t = x[i * dims + d] - x[(n + c) * dims + d];
        distance += t * t;
      }
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    count[best] += 1.0;
    for (int d = 0; d < dims; d++)
      sum[best * dims + d] += x[i * dims + d];
  }
  for (int c = 0; c < clusters; c++)
    for (int d = 0; d < dims; d++)
      if (count[c] > 0.0) {
        double mean = sum[c * dims + d] / count[c];
        value += mean * mean;
      }
  return 0.5 * value;
}

FORM(labels_first, double, 0) {
  std::vector<int> label(n), count(clusters);
  std::vector<double> sum(dims * clusters);
  for (int i = 0; i < n; i++)
    label[i] = nearest(x + i * dims, x + n * dims);
  for (int i = 0; i < n; i++) {
    count[label[i]]++;
    for (int d = 0; d < dims; d++)
      sum[label[i] * dims + d] += x[i * dims + d];
  }
  double value = 0.0;
  for (int c = 0; c < clusters; c++)
    for (int d = 0; d < dims && count[c]; d++)
      value += sum[c * dims + d] / count[c] * (sum[c * dims + d] / count[c]);
  return 0.5 * value;
}

FORM(two_dimensional_on_stack, double, 0) {
  double sum[clusters][dims] = {}, value = 0.0;
  unsigned count[clusters] = {};
  const double(*point)[dims] = (const double(*)[dims])x;
  const double(*centroid)[dims] = point + n;
  for (unsigned i = 0; i < unsigned(n); i++) {
    double least = 1e300;
    unsigned best = 0;
    for (unsigned c = 0; c < clusters; c++) {
      double distance = 0.0;
      for (unsigned d = 0; d < dims; d++)
        distance +=
            (point[i][d] - centroid[c][d]) * (point[i][d] - centroid[c][d]);
      if (distance < least)
        least = distance, best = c;
    }
    count[best]++;
    for (unsigned d = 0; d < dims; d++)
      sum[best][d] += point[i][d];
  }
  for (unsigned c = 0; c < clusters; c++)
    for (unsigned d = 0; d < dims; d++)
      if (count[c]) {
        sum[c][d] /= count[c];
        value += sum[c][d] * sum[c][d];
      }
  return 0.5 * value;
}

FORM(distances_stored, double, clusters) {
  double sum[clusters * dims] = {}, count[clusters] = {}, value = 0.0;
  for (int i = 0; i < n; i++) {
    for (int c = 0; c < clusters; c++) {
      work[c] = 0.0;
      for (int d = 0; d < dims; d++) {
        double t = x[i * dims + d] - x[(n + c) * dims + d];
        work[c] += t * t;
      }
    }
    int best = 0;
    for (int c = 1; c < clusters; c++)
      if (work[c] < work[best])
        best = c;
    count[best] += 1.0;
    for (int d = 0; d < dims; d++)
      sum[best * dims + d] += x[i * dims + d];
  }
  for (int c = 0; c < clusters; c++)
    for (int d = 0; d < dims && count[c] > 0.0; d++) {
      double mean = sum[c * dims + d] / count[c];
      value += mean * mean;
    }
  return 0.5 * value;
}

namespace {

using Point = std::array<double, dims>;

double distance(const Point &a, const Point &b) {
  double sum = 0.0;
  for (int d = 0; d < dims; d++)
    sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

struct Cluster {
  Point sum{};
  size_t count = 0;
  void add(const Point &p) {
    for (int d = 0; d < dims; d++)
      sum[d] += p[d];
    count++;
  }
  double squared_mean() const {
    double value = 0.0;
    for (double s : sum)
      value += s / double(count) * (s / double(count));
    return value;
  }
};

} // namespace

FORM(vectors_of_arrays, double, 0) {
  std::vector<Point> points(n), centroids(clusters);
  memcpy(points.data(), x, n * sizeof(Point));
  memcpy(centroids.data(), x + n * dims, clusters * sizeof(Point));
  std::vector<Cluster> result(clusters);
  for (const Point &p : points) {
    size_t best = 0;
    for (size_t c = 1; c < centroids.size(); c++)
      if (distance(p, centroids[c]) < distance(p, centroids[best]))
        best = c;
    result[best].add(p);
  }
  double value = 0.0;
  for (const Cluster &c : result)
    if (c.count)
      value += c.squared_mean();
  return 0.5 * value;
}

FORM(coordinates_apart, double, 0) {
  static double coordinate[dims][max_n], sum[dims][clusters];
  int count[clusters] = {};
  double value = 0.0;
  memset(sum, 0, sizeof sum);
  for (int i = 0; i < n; i++)
    for (int d = 0; d < dims; d++)
      coordinate[d][i] = x[i * dims + d];
  for (int i = 0; i < n; i++) {
    int best = 0;
    double least = 1e300;
    for (int c = 0; c < clusters; c++) {
      double t = 0.0;
      for (int d = 0; d < dims; d++)
        t += (coordinate[d][i] - x[(n + c) * dims + d]) *
             (coordinate[d][i] - x[(n + c) * dims + d]);
      best = t < least ? c : best;
      least = t < least ? t : least;
    }
    count[best]++;
    for (int d = 0; d < dims; d++)
      sum[d][best] += coordinate[d][i];
  }
  for (int c = 0; c < clusters; c++)
    for (int d = 0; d < dims && count[c]; d++)
      value += sum[d][c] * sum[d][c] / (double(count[c]) * count[c]);
  return 0.5 * value;
}

FORM(flat_float, float, 0) {
  float sum[clusters * dims] = {}, count[clusters] = {}, value = 0.0f;
  for (int i = 0; i < n; i++) {
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < clusters; c++) {
      float t = 0.0f;
      for (int d = 0; d < dims; d++)
        t += (x[i * dims + d] - x[(n + c) * dims + d]) *
             (x[i * dims + d] - x[(n + c) * dims + d]);
      if (t < least)
        least = t, best = c;
    }
    count[best] += 1.0f;
    for (int d = 0; d < dims; d++)
      sum[best * dims + d] += x[i * dims + d];
  }
  for (int c = 0; c < clusters; c++)
    for (int d = 0; d < dims && count[c] > 0.0f; d++)
      value += sum[c * dims + d] * sum[c * dims + d] / (count[c] * count[c]);
  return 0.5f * value;
}
