// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of ba.h: reads ADBench's files or generates data.

#include "../common/bench.h"
#include "../common/support.h"
#include "ba.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  ba_scene scene;
  int *camera_of, *point_of;
  double *features;
  double *x; ///< Cameras, points, weights: the active inputs.
  double *errors;
  double *directions; ///< Fixed weights of the residuals in the checks.
} adjustment;

static size_t num_errors(const adjustment *a) {
  return (size_t)a->scene.num_observations * BA_ROWS;
}

static size_t cameras_size(const adjustment *a) {
  return (size_t)a->scene.num_cameras * BA_CAMERA;
}

static size_t points_size(const adjustment *a) {
  return (size_t)a->scene.num_points * 3;
}

/// ADBench's order: observation i is of point i mod m by camera i mod n.
static adjustment allocate(int n, int m, int p) {
  adjustment a = {.scene = {n, m, p, NULL, NULL, NULL}};
  size_t observations = (size_t)p;
  a.camera_of = malloc(observations * sizeof(int));
  a.point_of = malloc(observations * sizeof(int));
  if (!a.camera_of || !a.point_of)
    bench_fail("no memory for %d observations", p);
  for (int i = 0; i < p; i++) {
    a.camera_of[i] = i % n;
    a.point_of[i] = i % m;
  }
  a.features = bench_alloc(2 * observations);
  a.x = bench_alloc(cameras_size(&a) + points_size(&a) + observations);
  a.errors = bench_alloc(num_errors(&a));
  a.directions = bench_alloc(num_errors(&a));
  a.scene.camera_of = a.camera_of;
  a.scene.point_of = a.point_of;
  a.scene.features = a.features;
  return a;
}

/// `count` copies of a group of `size` numbers, each number off by a part in a
/// thousand so that cameras and points differ.
static double *repeat(double *at, const double *group, int size, int count,
                      bench_random *random) {
  for (int i = 0; i < count; i++)
    for (int j = 0; j < size; j++)
      *at++ = group[j] * (1.0 + 1e-3 * (bench_uniform(random) - 0.5));
  return at;
}

static adjustment fill(int n, int m, int p, const double *camera,
                       const double *point, double weight,
                       const double *feature, unsigned long seed) {
  adjustment a = allocate(n, m, p);
  bench_random random = {seed};
  double *at = repeat(a.x, camera, BA_CAMERA, n, &random);
  at = repeat(at, point, 3, m, &random);
  repeat(at, &weight, 1, p, &random);
  repeat(a.features, feature, 2, p, &random);
  for (size_t i = 0; i < num_errors(&a); i++)
    a.directions[i] = bench_normal(&random);
  return a;
}

static adjustment read_file(const char *path, unsigned long seed) {
  bench_reader reader = bench_open(path);
  int n = bench_read_size(&reader, "the number of cameras");
  int m = bench_read_size(&reader, "the number of points");
  int p = bench_read_size(&reader, "the number of observations");
  double *camera = bench_read_array(&reader, BA_CAMERA, "a camera");
  double *point = bench_read_array(&reader, 3, "a point");
  double weight = bench_read_number(&reader, "a weight");
  double *feature = bench_read_array(&reader, 2, "a feature");
  bench_close(&reader);
  adjustment a = fill(n, m, p, camera, point, weight, feature, seed);
  free(feature);
  free(point);
  free(camera);
  return a;
}

static adjustment generate(int n, int m, int p, unsigned long seed) {
  const double camera[BA_CAMERA] = {-0.7,  -1.1, -0.8, 3.0,  4.0,  5.0,
                                    400.0, 5.0,  -8.0, 0.08, 0.003};
  const double point[3] = {0.7, 0.1, 0.3};
  const double feature[2] = {27.0, 83.0};
  return fill(n, m, p, camera, point, 0.4, feature, seed);
}

static double primal(void *data, const double *x) {
  adjustment *a = data;
  const double *points = x + cameras_size(a);
  ba_primal(&a->scene, x, points, points + points_size(a), a->errors);
  return bench_dot(a->directions, a->errors, num_errors(a));
}

static void hand(void *data, const double *x, double *jacobian) {
  adjustment *a = data;
  const double *points = x + cameras_size(a);
  ba_hand(&a->scene, x, points, points + points_size(a), jacobian);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *x, double *jacobian) {
  adjustment *a = data;
  const double *points = x + cameras_size(a);
  ba_generated(&a->scene, x, points, points + points_size(a), jacobian);
}
#endif

static void add_scaled(double *to, double factor, const double *from,
                       int size) {
  for (int i = 0; i < size; i++)
    to[i] += factor * from[i];
}

static void contract(void *data, const double *jacobian, double *gradient) {
  adjustment *a = data;
  const ba_scene *s = &a->scene;
  double *points = gradient + cameras_size(a);
  double *weights = points + points_size(a);
  memset(gradient, 0,
         (cameras_size(a) + points_size(a) + (size_t)s->num_observations) *
             sizeof(double));
  for (size_t e = 0; e < num_errors(a); e++) {
    const double *row = jacobian + e * BA_COLUMNS;
    size_t i = e / BA_ROWS;
    double w = a->directions[e];
    add_scaled(gradient + BA_CAMERA * s->camera_of[i], w, row, BA_CAMERA);
    add_scaled(points + 3 * s->point_of[i], w, row + BA_CAMERA, 3);
    add_scaled(weights + i, w, row + BA_CAMERA + 3, 1);
  }
}

BENCH_DECLARE_TOOLS(ba);

int main(int argc, char **argv) {
  int n = 49, m = 7776, p = 31843;
  const bench_size sizes[] = {{"--cameras", "cameras", &n},
                              {"--points", "points", &m},
                              {"--observations", "observations", &p}};
  bench_options options = bench_parse(
      argc, argv, "Sparse Jacobian of bundle adjustment.", sizes, 3);
  adjustment a = options.file ? read_file(options.file, options.seed)
                              : generate(n, m, p, options.seed);
  char shape[64];
  snprintf(shape, sizeof shape, "n=%d m=%d p=%d", a.scene.num_cameras,
           a.scene.num_points, a.scene.num_observations);
  bench_problem problem = {
      .name = "ba",
      .shape = shape,
      .input = options.file ? options.file : "generated",
      .num_blocks = 3,
      .blocks = {{"cameras", cameras_size(&a)},
                 {"points", points_size(&a)},
                 {"weights", (size_t)a.scene.num_observations}},
      .x = a.x,
      .data = &a,
      .primal = primal,
      .hand = hand,
      .generated = generated,
      .tools = BENCH_TOOLS(ba),
      .constants = &a.scene,
      .num_parts = 1,
      .parts = {{"jacobian", num_errors(&a) * BA_COLUMNS}},
      .contract = contract};
  int status = bench_run(&problem, &options);
  free(a.directions);
  free(a.errors);
  free(a.x);
  free(a.features);
  free(a.point_of);
  free(a.camera_of);
  return status;
}
