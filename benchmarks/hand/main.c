// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Benchmark program of hand.h: reads ADBench's files, a pose with the folder
// `model` beside it, or generates a hand.

#include "../common/bench.h"
#include "../common/support.h"
#include "hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  hand_model model;
  double *vertices, *weights, *measured;
  int *correspondences;
  double *theta;  ///< The active inputs.
  double *errors; ///< Results of a call.
  double *work, *d_work;
  double *directions; ///< Fixed weights of the residuals in the checks.
} tracking;

static size_t num_rows(const tracking *t) {
  return 3 * (size_t)t->model.num_correspondences;
}

static void allocate_vertices(tracking *t, int vertices) {
  size_t n = (size_t)vertices;
  t->model.num_vertices = vertices;
  t->vertices = bench_alloc(3 * n);
  t->weights = bench_alloc(HAND_BONES * n);
  memset(t->weights, 0, HAND_BONES * n * sizeof(double));
  t->work = bench_alloc(3 * n);
  t->d_work = bench_alloc(HAND_DIRECTIONS * 3 * n);
}

static void allocate_points(tracking *t, int correspondences) {
  t->model.num_correspondences = correspondences;
  t->measured = bench_alloc(num_rows(t));
  t->errors = bench_alloc(num_rows(t));
  t->directions = bench_alloc(num_rows(t));
  t->correspondences = malloc((size_t)correspondences * sizeof(int));
  if (!t->correspondences)
    bench_fail("no memory for %d points", correspondences);
}

/// Numbers of ADBench's model files stand between colons.
static double read_field(bench_reader *reader, const char *what) {
  double value = bench_read_number(reader, what);
  int next = fgetc(reader->file);
  if (next != ':' && next != EOF)
    ungetc(next, reader->file);
  return value;
}

/// A map in a file has a fourth row, 0 0 0 1.
static void read_map(bench_reader *reader, double *map) {
  for (int i = 0; i < 16; i++) {
    double value = read_field(reader, "an entry of a bone's map");
    if (i < HAND_AFFINE)
      map[i] = value;
  }
}

static void read_bones(tracking *t, const char *path) {
  bench_reader reader = bench_open(path);
  for (int b = 0; b < HAND_BONES; b++) {
    if (fscanf(reader.file, " %*[^:]") == EOF || fgetc(reader.file) != ':')
      bench_fail("%s: expected %d bones", path, HAND_BONES);
    t->model.parents[b] = (int)read_field(&reader, "a bone's parent");
    if (t->model.parents[b] >= b)
      bench_fail("%s: bone %d stands before its parent", path, b);
    read_map(&reader, t->model.base_relatives[b]);
    read_map(&reader, t->model.inverse_absolutes[b]);
  }
  bench_close(&reader);
}

static int count_lines(const char *path) {
  bench_reader reader = bench_open(path);
  int lines = 0, c;
  while ((c = fgetc(reader.file)) != EOF)
    lines += c == '\n';
  bench_close(&reader);
  return lines;
}

static void read_vertices(tracking *t, const char *path) {
  allocate_vertices(t, count_lines(path));
  bench_reader reader = bench_open(path);
  int n = t->model.num_vertices;
  for (int v = 0; v < n; v++) {
    for (int i = 0; i < 8; i++) {
      double value = read_field(&reader, "a coordinate");
      if (i < 3)
        t->vertices[3 * v + i] = value;
    }
    int count = (int)read_field(&reader, "a number of bones");
    for (int i = 0; i < count; i++) {
      int bone = (int)read_field(&reader, "a bone");
      if (bone < 0 || bone >= HAND_BONES)
        bench_fail("%s: there is no bone %d", path, bone);
      t->weights[bone * n + v] = read_field(&reader, "a weight");
    }
  }
  bench_close(&reader);
}

static void read_pose(tracking *t, const char *path) {
  bench_reader reader = bench_open(path);
  allocate_points(t, bench_read_size(&reader, "the number of points"));
  if (bench_read_size(&reader, "the number of parameters") != HAND_POSE)
    bench_fail("%s: the pose has not %d parameters", path, HAND_POSE);
  for (int c = 0; c < t->model.num_correspondences; c++) {
    int v = (int)bench_read_number(&reader, "a vertex");
    if (v < 0 || v >= t->model.num_vertices)
      bench_fail("%s: there is no vertex %d", path, v);
    t->correspondences[c] = v;
    for (int i = 0; i < 3; i++)
      t->measured[3 * c + i] = bench_read_number(&reader, "a coordinate");
  }
  t->theta = bench_read_array(&reader, HAND_POSE, "a parameter");
  bench_close(&reader);
}

static tracking read_file(const char *path) {
  tracking t = {0};
  char name[4096];
  const char *slash = strrchr(path, '/');
  int folder = slash ? (int)(slash - path) + 1 : 0;
  snprintf(name, sizeof name, "%.*smodel/bones.txt", folder, path);
  read_bones(&t, name);
  snprintf(name, sizeof name, "%.*smodel/vertices.txt", folder, path);
  read_vertices(&t, name);
  read_pose(&t, path);
  return t;
}

static void generate_map(bench_random *random, double *map) {
  for (int i = 0; i < HAND_AFFINE; i++)
    map[i] = (i % 5 == 0 ? 0.8 : 0.0) + 0.2 * bench_normal(random);
}

/// A hand of the same skeleton and sizes, its maps and weights at random.
static tracking generate(int vertices, int points, unsigned long seed) {
  tracking t = {0};
  bench_random random = {seed};
  for (int b = 0; b < HAND_BONES; b++) {
    bool finger = b > 0 && b < HAND_BONES - 1;
    t.model.parents[b] = finger && b % 4 != 1 ? b - 1 : b == 0 ? -1 : 0;
    generate_map(&random, t.model.base_relatives[b]);
    generate_map(&random, t.model.inverse_absolutes[b]);
  }
  allocate_vertices(&t, vertices);
  for (int v = 0; v < vertices; v++) {
    for (int i = 0; i < 3; i++)
      t.vertices[3 * v + i] = bench_normal(&random);
    double share = bench_uniform(&random);
    t.weights[v % HAND_BONES * vertices + v] += share;
    t.weights[(v + 1) % HAND_BONES * vertices + v] += 1.0 - share;
  }
  allocate_points(&t, points);
  for (int c = 0; c < points; c++) {
    t.correspondences[c] = (int)(bench_uniform(&random) * vertices);
    for (int i = 0; i < 3; i++)
      t.measured[3 * c + i] = bench_normal(&random);
  }
  t.theta = bench_alloc(HAND_POSE);
  for (int i = 0; i < HAND_POSE; i++)
    t.theta[i] = bench_normal(&random);
  return t;
}

static double primal(void *data, const double *theta) {
  tracking *t = data;
  hand_primal(&t->model, theta, t->errors, t->work);
  return bench_dot(t->directions, t->errors, num_rows(t));
}

static void hand(void *data, const double *theta, double *jacobian) {
  tracking *t = data;
  hand_hand(&t->model, theta, jacobian, t->work);
}

#ifdef ADZE_NO_GENERATED
static const bench_gradient generated = NULL;
#else
static void generated(void *data, const double *theta, double *jacobian) {
  tracking *t = data;
  hand_generated(&t->model, theta, jacobian, t->errors, t->work, t->d_work);
}
#endif

static void contract(void *data, const double *jacobian, double *gradient) {
  tracking *t = data;
  for (int i = 0; i < HAND_POSE; i++)
    gradient[i] = bench_dot(t->directions, jacobian + (size_t)i * num_rows(t),
                            num_rows(t));
}

static void release(tracking *t) {
  free(t->vertices);
  free(t->weights);
  free(t->measured);
  free(t->correspondences);
  free(t->theta);
  free(t->errors);
  free(t->work);
  free(t->d_work);
  free(t->directions);
}

BENCH_DECLARE_TOOLS(hand);

int main(int argc, char **argv) {
  int vertices = 544, points = 200;
  const bench_size sizes[] = {{"--vertices", "vertices of the hand", &vertices},
                              {"--points", "measured points", &points}};
  bench_options options = bench_parse(
      argc, argv, "Dense Jacobian of an articulated hand.", sizes, 2);
  tracking t = options.file ? read_file(options.file)
                            : generate(vertices, points, options.seed);
  t.model.vertices = t.vertices;
  t.model.weights = t.weights;
  t.model.measured = t.measured;
  t.model.correspondences = t.correspondences;
  bench_random random = {options.seed};
  for (size_t i = 0; i < num_rows(&t); i++)
    t.directions[i] = bench_normal(&random);
  char shape[64];
  snprintf(shape, sizeof shape, "%d points, 26 columns",
           t.model.num_correspondences);
  bench_problem problem = {
      .name = "hand",
      .shape = shape,
      .input = options.file ? options.file : "generated",
      .num_blocks = 3,
      .blocks = {{"rotation", 3}, {"translation", 3}, {"fingers", 20}},
      .x = t.theta,
      .data = &t,
      .primal = primal,
      .hand = hand,
      .generated = generated,
      .tools = BENCH_TOOLS(hand),
      .constants = &t.model,
      .num_parts = 3,
      .parts = {{"rotation", 3 * num_rows(&t)},
                {"translation", 3 * num_rows(&t)},
                {"fingers", 20 * num_rows(&t)}},
      .contract = contract};
  int status = bench_run(&problem, &options);
  release(&t);
  return status;
}
