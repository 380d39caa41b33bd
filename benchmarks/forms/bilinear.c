// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bilinear interpolation in a table of 64 x 64 numbers at n points; the inputs
// are the table, then two coordinates of each point in turn. The value is half
// the sum of squares of what is found. Adjoint: four additions to the table,
// and the slopes of the cell.

#include "common/forms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, MAX_N = 50000 };

static size_t inputs(int n) { return SIDE * SIDE + 2 * (size_t)n; }

static void make_inputs(int n, double *x) {
  unsigned state = 17;
  for (int i = 0; i < SIDE * SIDE + 2 * n; i++) {
    state = state * 1664525u + 1013904223u;
    double u = (state >> 8) * 0x1p-24;
    // Points stay away from the cells' borders, where there is no slope.
    double cell = floor((SIDE - 1) * u);
    x[i] = i < SIDE * SIDE ? 2.0 * u - 1.0
                           : cell + 0.1 + 0.8 * ((SIDE - 1) * u - cell);
  }
}

static void hand(int n, const int *index FORMS_UNUSED, const double *x,
                 double *restrict d_x) {
  const double *points = x + SIDE * SIDE;
  double *restrict d_points = d_x + SIDE * SIDE;
  for (int i = 0; i < n; i++) {
    int r = (int)points[2 * i], c = (int)points[2 * i + 1];
    double s = points[2 * i] - r, t = points[2 * i + 1] - c;
    const double *p = x + r * SIDE + c, *q = p + SIDE;
    double *d_p = d_x + r * SIDE + c, *d_q = d_p + SIDE;
    double above = p[0] + t * (p[1] - p[0]), below = q[0] + t * (q[1] - q[0]);
    double y = above + s * (below - above);
    d_points[2 * i] += y * (below - above);
    d_points[2 * i + 1] += y * ((1.0 - s) * (p[1] - p[0]) + s * (q[1] - q[0]));
    d_p[0] += y * (1.0 - s) * (1.0 - t);
    d_p[1] += y * (1.0 - s) * t;
    d_q[0] += y * s * (1.0 - t);
    d_q[1] += y * s * t;
  }
}

COMPUTATION = {"bilinear", 50000, 50, inputs, NULL, NULL, make_inputs, hand};

FORM(sum_of_four_products, double, n) {
  const double *points = x + SIDE * SIDE;
  for (int i = 0; i < n; i++) {
    int r = (int)points[2 * i], c = (int)points[2 * i + 1];
    double s = points[2 * i] - r, t = points[2 * i + 1] - c;
    work[i] = (1.0 - s) * (1.0 - t) * x[r * SIDE + c] +
              (1.0 - s) * t * x[r * SIDE + c + 1] +
              s * (1.0 - t) * x[(r + 1) * SIDE + c] +
              s * t * x[(r + 1) * SIDE + c + 1];
  }
  return half_squares((size_t)n, work);
}

FORM(no_array, double, 0) {
  const double *points = x + SIDE * SIDE;
  double value = 0.0;
  for (int i = 0; i < n; i++) {
    double r = floor(points[2 * i]), c = floor(points[2 * i + 1]);
    double s = points[2 * i] - r, t = points[2 * i + 1] - c;
    const double *p = x + (int)r * SIDE + (int)c;
    double above = p[0] + t * (p[1] - p[0]);
    double below = p[SIDE] + t * (p[SIDE + 1] - p[SIDE]);
    double y = above + s * (below - above);
    value += y * y;
  }
  return 0.5 * value;
}

static double look_up(const double (*table)[SIDE], double row, double column) {
  size_t r = (size_t)row, c = (size_t)column;
  double s = row - r, t = column - c;
  return (1.0 - s) * ((1.0 - t) * table[r][c] + t * table[r][c + 1]) +
         s * ((1.0 - t) * table[r + 1][c] + t * table[r + 1][c + 1]);
}

FORM(function_size_t, double, n) {
  const double *points = x + SIDE * SIDE;
  for (size_t i = 0; i < (size_t)n; i++)
    work[i] =
        look_up((const double(*)[SIDE])x, points[2 * i], points[2 * i + 1]);
  return half_squares((size_t)n, work);
}

static void look_up_all(int n, const double *restrict table,
                        const double *restrict points, double *restrict y) {
  for (int i = 0; i < n; i++) {
    unsigned r = (unsigned)points[2 * i], c = (unsigned)points[2 * i + 1];
    double s = points[2 * i] - r, t = points[2 * i + 1] - c;
    const double *p = table + r * SIDE + c;
    y[i] = (1.0 - s) * ((1.0 - t) * p[0] + t * p[1]) +
           s * ((1.0 - t) * p[SIDE] + t * p[SIDE + 1]);
  }
}

FORM(restrict_unsigned, double, n) {
  look_up_all(n, x, x + SIDE * SIDE, work);
  return half_squares((size_t)n, work);
}

FORM(table_copied_static, double, 0) {
  static double table[SIDE][SIDE], y[MAX_N];
  for (int r = 0; r < SIDE; r++)
    for (int c = 0; c < SIDE; c++)
      table[r][c] = x[r * SIDE + c];
  for (int i = 0; i < n; i++) {
    double u = x[SIDE * SIDE + 2 * i], v = x[SIDE * SIDE + 2 * i + 1];
    int r = (int)u, c = (int)v;
    double s = u - r, t = v - c;
    y[i] = (1.0 - s) * ((1.0 - t) * table[r][c] + t * table[r][c + 1]) +
           s * ((1.0 - t) * table[r + 1][c] + t * table[r + 1][c + 1]);
  }
  return half_squares((size_t)n, y);
}

FORM(indices_and_weights_first, double, 0) {
  int *cell = malloc((size_t)n * sizeof *cell);
  double(*weight)[4] = malloc((size_t)n * sizeof *weight);
  double *y = malloc((size_t)n * sizeof *y);
  for (int i = 0; i < n; i++) {
    double u = x[SIDE * SIDE + 2 * i], v = x[SIDE * SIDE + 2 * i + 1];
    int r = (int)u, c = (int)v;
    double s = u - r, t = v - c;
    cell[i] = r * SIDE + c;
    weight[i][0] = (1.0 - s) * (1.0 - t);
    weight[i][1] = (1.0 - s) * t;
    weight[i][2] = s * (1.0 - t);
    weight[i][3] = s * t;
  }
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int k = 0; k < 4; k++)
      y[i] += weight[i][k] * x[cell[i] + (k / 2) * SIDE + k % 2];
  }
  double value = half_squares((size_t)n, y);
  free(cell);
  free(weight);
  free(y);
  return value;
}

struct table {
  int side;
  double *cells;
};

struct sample {
  double row, column;
};

static double at(const struct table *t, const struct sample *p) {
  int r = (int)p->row, c = (int)p->column;
  double a = p->row - r, b = p->column - c, sum = 0.0;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      sum += (i ? a : 1.0 - a) * (j ? b : 1.0 - b) *
             t->cells[(r + i) * t->side + c + j];
  return sum;
}

FORM(structs_on_heap, double, n) {
  struct table t = {SIDE, malloc(SIDE * SIDE * sizeof(double))};
  memcpy(t.cells, x, SIDE * SIDE * sizeof(double));
  const struct sample *samples = (const struct sample *)(x + SIDE * SIDE);
  for (int i = 0; i < n; i++)
    work[i] = at(&t, &samples[i]);
  free(t.cells);
  return half_squares((size_t)n, work);
}

FORM(no_array_float, float, 0) {
  const float *points = x + SIDE * SIDE;
  float value = 0.0f;
  for (int i = 0; i < n; i++) {
    int r = (int)points[2 * i], c = (int)points[2 * i + 1];
    float s = points[2 * i] - (float)r, t = points[2 * i + 1] - (float)c;
    const float *p = x + r * SIDE + c;
    float above = p[0] + t * (p[1] - p[0]);
    float below = p[SIDE] + t * (p[SIDE + 1] - p[SIDE]);
    float y = above + s * (below - above);
    value += y * y;
  }
  return 0.5f * value;
}
