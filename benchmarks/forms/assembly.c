// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forces of triangles on their corners: each gathers three positions in the
// plane, computes nonlinear spring forces of its edges, e (e . e - 1), and adds
// them to the corners. The inputs are positions, x and y of each node in turn;
// n is the number of nodes in a row of the mesh, index holds the corners.
// Adjoint: each triangle gathers the adjoints of three forces and adds to three
// positions.

#include "common/forms.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 200 };

static size_t inputs(int n) { return 2 * (size_t)n * n; }

static int triangles(int n) { return 2 * (n - 1) * (n - 1); }

static size_t indices(int n) { return 3 * (size_t)triangles(n); }

static void make_indices(int n, int *index) {
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j + 1 < n; j++) {
      int p = i * n + j;
      int corners[6] = {p, p + 1, p + n, p + 1, p + n + 1, p + n};
      memcpy(index, corners, sizeof corners);
      index += 6;
    }
}

static void hand(int n, const int *index, const double *x, double *d_x) {
  double *restrict f = calloc(2 * (size_t)n * n, sizeof *f);
  for (int t = 0; t < triangles(n); t++, index += 3)
    for (int e = 0; e < 3; e++) {
      int p = 2 * index[e], q = 2 * index[(e + 1) % 3];
      double u = x[q] - x[p], v = x[q + 1] - x[p + 1];
      double s = u * u + v * v - 1.0;
      f[p] += s * u;
      f[p + 1] += s * v;
      f[q] -= s * u;
      f[q + 1] -= s * v;
    }
  for (int t = 0; t < triangles(n); t++) {
    index -= 3;
    for (int e = 0; e < 3; e++) {
      int p = 2 * index[e], q = 2 * index[(e + 1) % 3];
      double u = x[q] - x[p], v = x[q + 1] - x[p + 1];
      double s = u * u + v * v - 1.0;
      double a = f[p] - f[q], b = f[p + 1] - f[q + 1];
      double d_s = 2.0 * (a * u + b * v);
      double d_u = s * a + d_s * u, d_v = s * b + d_s * v;
      d_x[q] += d_u;
      d_x[p] -= d_u;
      d_x[q + 1] += d_v;
      d_x[p + 1] -= d_v;
    }
  }
  free(f);
}

COMPUTATION = {"assembly", 200, 6, inputs, indices, make_indices, NULL, hand};

FORM(edge_by_edge, double, 2 * n * n) {
  memset(work, 0, 2 * (size_t)n * n * sizeof *work);
  for (int t = 0; t < triangles(n); t++)
    for (int e = 0; e < 3; e++) {
      int p = 2 * index[3 * t + e], q = 2 * index[3 * t + (e + 1) % 3];
      double u = x[q] - x[p], v = x[q + 1] - x[p + 1];
      double s = u * u + v * v - 1.0;
      work[p] += s * u;
      work[p + 1] += s * v;
      work[q] -= s * u;
      work[q + 1] -= s * v;
    }
  return half_squares(2 * (size_t)n * n, work);
}

FORM(local_arrays, double, 2 * n * n) {
  memset(work, 0, 2 * (size_t)n * n * sizeof *work);
  for (int t = 0; t < triangles(n); t++) {
    double position[3][2], force[3][2] = {{0.0}};
    for (int c = 0; c < 3; c++)
      for (int d = 0; d < 2; d++)
        position[c][d] = x[2 * index[3 * t + c] + d];
    for (int c = 0; c < 3; c++) {
      double edge[2], s = -1.0;
      for (int d = 0; d < 2; d++) {
        edge[d] = position[(c + 1) % 3][d] - position[c][d];
        s += edge[d] * edge[d];
      }
      for (int d = 0; d < 2; d++) {
        force[c][d] += s * edge[d];
        force[(c + 1) % 3][d] -= s * edge[d];
      }
    }
    for (int c = 0; c < 3; c++)
      for (int d = 0; d < 2; d++)
        work[2 * index[3 * t + c] + d] += force[c][d];
  }
  return half_squares(2 * (size_t)n * n, work);
}

struct point {
  double x, y;
};

static struct point spring(struct point p, struct point q) {
  double u = q.x - p.x, v = q.y - p.y, s = u * u + v * v - 1.0;
  return (struct point){s * u, s * v};
}

static void add(struct point *to, struct point f, double sign) {
  to->x += sign * f.x;
  to->y += sign * f.y;
}

FORM(structs_on_heap, double, 0) {
  const struct point *nodes = (const struct point *)x;
  struct point *forces = calloc((size_t)n * n, sizeof *forces);
  for (int t = 0; t < triangles(n); t++) {
    int a = index[3 * t], b = index[3 * t + 1], c = index[3 * t + 2];
    struct point ab = spring(nodes[a], nodes[b]);
    struct point bc = spring(nodes[b], nodes[c]);
    struct point ca = spring(nodes[c], nodes[a]);
    add(&forces[a], ab, 1.0);
    add(&forces[b], ab, -1.0);
    add(&forces[b], bc, 1.0);
    add(&forces[c], bc, -1.0);
    add(&forces[c], ca, 1.0);
    add(&forces[a], ca, -1.0);
  }
  double value = 0.0;
  for (int i = 0; i < n * n; i++)
    value += forces[i].x * forces[i].x + forces[i].y * forces[i].y;
  free(forces);
  return 0.5 * value;
}

static void assemble(size_t count, const int *restrict index,
                     const double *restrict x, double *restrict f) {
  for (size_t t = 0; t < count; t++) {
    const int *c = index + 3 * t;
    for (int e = 0; e < 3; e++) {
      int p = 2 * c[e], q = 2 * c[e == 2 ? 0 : e + 1];
      double u = x[q] - x[p], v = x[q + 1] - x[p + 1];
      double s = u * u + v * v - 1.0;
      f[p] += s * u;
      f[p + 1] += s * v;
      f[q] -= s * u;
      f[q + 1] -= s * v;
    }
  }
}

FORM(restrict_size_t, double, 2 * n * n) {
  for (int i = 0; i < 2 * n * n; i++)
    work[i] = 0.0;
  assemble((size_t)triangles(n), index, x, work);
  return half_squares(2 * (size_t)n * n, work);
}

FORM(forces_of_all_edges_first, double, 0) {
  int count = triangles(n);
  double(*edges)[2] = malloc(3 * (size_t)count * sizeof *edges);
  double *f = calloc(2 * (size_t)n * n, sizeof *f);
  for (int k = 0; k < 3 * count; k++) {
    int p = index[k], q = k % 3 == 2 ? index[k - 2] : index[k + 1];
    double u = x[2 * q] - x[2 * p], v = x[2 * q + 1] - x[2 * p + 1];
    double s = u * u + v * v - 1.0;
    edges[k][0] = s * u;
    edges[k][1] = s * v;
  }
  for (int k = 0; k < 3 * count; k++) {
    int p = index[k], q = k % 3 == 2 ? index[k - 2] : index[k + 1];
    for (int d = 0; d < 2; d++) {
      f[2 * p + d] += edges[k][d];
      f[2 * q + d] -= edges[k][d];
    }
  }
  double value = half_squares(2 * (size_t)n * n, f);
  free(edges);
  free(f);
  return value;
}

FORM(static_components_unsigned, double, 0) {
  static double px[MAX_N * MAX_N], py[MAX_N * MAX_N];
  static double fx[MAX_N * MAX_N], fy[MAX_N * MAX_N];
  unsigned nodes = (unsigned)(n * n), count = (unsigned)triangles(n);
  const unsigned *corner = (const unsigned *)index;
  for (unsigned i = 0; i < nodes; i++) {
    px[i] = x[2 * i];
    py[i] = x[2 * i + 1];
    fx[i] = fy[i] = 0.0;
  }
  for (unsigned t = 0; t < count; t++)
    for (unsigned e = 0; e < 3; e++) {
      unsigned p = corner[3 * t + e], q = corner[3 * t + (e + 1) % 3];
      double u = px[q] - px[p], v = py[q] - py[p];
      double s = u * u + v * v - 1.0;
      fx[p] += s * u;
      fy[p] += s * v;
      fx[q] -= s * u;
      fy[q] -= s * v;
    }
  return half_squares(nodes, fx) + half_squares(nodes, fy);
}

FORM(edge_by_edge_float, float, 2 * n * n) {
  memset(work, 0, 2 * (size_t)n * n * sizeof *work);
  for (int t = 0; t < triangles(n); t++)
    for (int e = 0; e < 3; e++) {
      int p = 2 * index[3 * t + e], q = 2 * index[3 * t + (e + 1) % 3];
      float u = x[q] - x[p], v = x[q + 1] - x[p + 1];
      float s = u * u + v * v - 1.0f;
      work[p] += s * u;
      work[p + 1] += s * v;
      work[q] -= s * u;
      work[q + 1] -= s * v;
    }
  return half_squares_single(2 * (size_t)n * n, work);
}
