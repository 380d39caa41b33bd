// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of a computation: makes its data, checks the gradients of all its
// forms and times them. Prints lines of JSON for benchmarks/forms/run.
//
//   NAME [--quick | --size N] [--runs N] [--min-time MS]
//        [--only FORM | --once FORM]
//
// --once prints the most heap memory that the form's primal and its gradient
// take, each called once. Ends with 1 if a gradient is wrong.

#include "forms.h"

#include "../../common/heap.h"
#include "../../common/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FORMS = 32, DIRECTIONS = 3, ROUNDS_OF_A_CHECK = 2 };

typedef struct {
  const char *name;
  size_t float_bytes;
  size_t (*num_work)(int n);
  form_primal primal;
  form_gradient gradient;
} form;

static form forms[MAX_FORMS];
static int num_forms;

void forms_add(const char *name, size_t float_bytes, size_t (*num_work)(int n),
               form_primal primal, form_gradient gradient) {
  int f = 0;
  while (f < num_forms && strcmp(forms[f].name, name) != 0)
    f++;
  if (f == MAX_FORMS)
    bench_fail("more than %d forms", MAX_FORMS);
  if (f == num_forms)
    forms[num_forms++] = (form){name, float_bytes, num_work, NULL, NULL};
  if (primal)
    forms[f].primal = primal;
  if (gradient)
    forms[f].gradient = gradient;
}

/// The data of the computation, in both precisions.
typedef struct {
  int n;
  size_t inputs;
  int *index;
  double *x;
  float *x_single;
  double *reference; ///< The gradient that all are compared with.
} problem;

/// Where the gradients of a form go, and its work space.
typedef struct {
  const form *f; ///< Null: the adjoint by hand.
  size_t work_bytes, gradient_bytes;
  void *d_x, *work, *d_work;
} buffers;

static void *make(size_t bytes) {
  void *block = malloc(bytes ? bytes : 1);
  if (!block)
    bench_fail("no memory for %zu bytes", bytes);
  memset(block, 0, bytes);
  return block;
}

static problem make_problem(int n) {
  const computation *c = &forms_computation;
  problem p = {.n = n, .inputs = c->num_inputs(n)};
  if (c->make_indices) {
    p.index = make(c->num_indices(n) * sizeof(int));
    c->make_indices(n, p.index);
  }
  p.x = make(p.inputs * sizeof(double));
  bench_random random = {1};
  if (c->make_inputs)
    c->make_inputs(n, p.x);
  else
    for (size_t i = 0; i < p.inputs; i++)
      p.x[i] = bench_normal(&random);
  p.x_single = make(p.inputs * sizeof(float));
  for (size_t i = 0; i < p.inputs; i++)
    p.x_single[i] = (float)p.x[i];
  p.reference = make(p.inputs * sizeof(double));
  return p;
}

static buffers make_buffers(const problem *p, const form *f) {
  size_t bytes = f ? f->float_bytes : sizeof(double);
  size_t work = f ? f->num_work(p->n) * bytes : 0;
  return (buffers){
      f,          work,      p->inputs * bytes, make(p->inputs * bytes),
      make(work), make(work)};
}

static const void *point_of(const problem *p, const form *f) {
  return f->float_bytes == sizeof(float) ? (const void *)p->x_single
                                         : (const void *)p->x;
}

/// A value nobody reads, so that timed calls have a use.
static volatile double sink;

static void call_primal(const problem *p, const buffers *b) {
  sink = b->f->primal(p->n, p->index, point_of(p, b->f), b->work);
}

static void call_gradient(const problem *p, const buffers *b) {
  memset(b->d_x, 0, b->gradient_bytes);
  memset(b->d_work, 0, b->work_bytes);
  if (b->f)
    b->f->gradient(p->n, p->index, point_of(p, b->f), b->d_x, b->work,
                   b->d_work);
  else
    forms_computation.hand(p->n, p->index, p->x, b->d_x);
}

static double component(const buffers *b, size_t i) {
  return b->f && b->f->float_bytes == sizeof(float) ? ((float *)b->d_x)[i]
                                                    : ((double *)b->d_x)[i];
}

/// The largest difference from the reference, relative to the larger of the
/// component and the root mean square of all.
static double off_reference(const problem *p, const buffers *b) {
  double rms = bench_norm(p->reference, p->inputs) / sqrt((double)p->inputs);
  double worst = 0.0;
  for (size_t i = 0; i < p->inputs; i++) {
    double error = fabs(component(b, i) - p->reference[i]);
    if (error != 0.0)
      error /= fmax(fabs(p->reference[i]), rms);
    if (!(error <= worst))
      worst = isnan(error) ? INFINITY : error;
  }
  return worst;
}

/// The largest error along random directions against central differences of
/// fourth order of the form's primal (see common/bench.c).
static double off_differences(const problem *p, const buffers *b) {
  const double h = 1e-4;
  static const double steps[4] = {1.0, -1.0, 2.0, -2.0};
  static const double weights[4] = {8.0, -8.0, -1.0, 1.0};
  double *v = make(p->inputs * sizeof(double));
  double *point = make(p->inputs * sizeof(double));
  double typical =
      bench_norm(p->reference, p->inputs) / sqrt((double)p->inputs);
  bench_random random = {7};
  double worst = 0.0;
  for (int d = 0; d < DIRECTIONS; d++) {
    for (size_t i = 0; i < p->inputs; i++)
      v[i] = bench_normal(&random);
    double norm = bench_norm(v, p->inputs), slope = 0.0, found = 0.0;
    for (size_t i = 0; i < p->inputs; i++) {
      v[i] /= norm;
      found += v[i] * component(b, i);
    }
    for (int s = 0; s < 4; s++) {
      for (size_t i = 0; i < p->inputs; i++)
        point[i] = p->x[i] + steps[s] * h * v[i];
      slope += weights[s] * b->f->primal(p->n, p->index, point, b->work);
    }
    double error = fabs(found - slope / (12.0 * h));
    error /= fmax(fabs(slope / (12.0 * h)), typical);
    if (!(error <= worst))
      worst = isnan(error) ? INFINITY : error;
  }
  free(v);
  free(point);
  return worst;
}

/// What may be off. Single precision gathers rounding over all operations.
static double tolerance(const form *f, bool by_differences) {
  if (f->float_bytes == sizeof(float))
    return 2e-2;
  return by_differences ? 1e-5 : 1e-9;
}

static bool check(const problem *p, const buffers *b) {
  for (int round = 0; round < ROUNDS_OF_A_CHECK; round++)
    call_gradient(p, b);
  double reference = off_reference(p, b), differences = 0.0;
  if (b->f->float_bytes == sizeof(double))
    differences = off_differences(p, b);
  bool right = reference <= tolerance(b->f, false) &&
               differences <= tolerance(b->f, true);
  printf("{\"form\": \"%s\", \"off_reference\": %.3e, \"off_differences\": "
         "%.3e, \"right\": %s}\n",
         b->f->name, fmin(reference, 1e300), fmin(differences, 1e300),
         right ? "true" : "false");
  return right;
}

/// Programs in the order of a round: 0 is the adjoint by hand, if there is one,
/// 2 f + 1 the primal of form f, 2 f + 2 its gradient.
typedef struct {
  int repeats;
  double *times;
} schedule;

static double time_calls(const problem *p, const buffers *all, int program,
                         int repeats) {
  const buffers *b = &all[(program + 1) / 2];
  double start = bench_seconds();
  for (int i = 0; i < repeats; i++)
    if (program % 2 == 1)
      call_primal(p, b);
    else
      call_gradient(p, b);
  return (bench_seconds() - start) / repeats;
}

static double median_ratio(const schedule *above, const schedule *below,
                           int runs, double *scratch) {
  for (int r = 0; r < runs; r++)
    scratch[r] = above->times[r] / below->times[r];
  return bench_median(scratch, (size_t)runs);
}

static double median_time(const schedule *s, int runs, double *scratch) {
  memcpy(scratch, s->times, (size_t)runs * sizeof(double));
  return bench_median(scratch, (size_t)runs);
}

static bool is_timed(const buffers *all, int program) {
  const form *f = all[(program + 1) / 2].f;
  return program == 0 ? forms_computation.hand != NULL : f != NULL;
}

static void print_times(const buffers *all, const schedule *s, int runs) {
  double *scratch = bench_alloc((size_t)runs);
  int best = 0;
  for (int f = 0; f < num_forms; f++)
    if (is_timed(all, 2 * f + 1) && forms[f].float_bytes == sizeof(double) &&
        (!best || median_time(&s[2 * f + 1], runs, scratch) <
                      median_time(&s[best], runs, scratch)))
      best = 2 * f + 1;
  for (int f = 0; f < num_forms; f++) {
    const schedule *primal = &s[2 * f + 1], *gradient = &s[2 * f + 2];
    if (!is_timed(all, 2 * f + 1))
      continue;
    printf("{\"form\": \"%s\", \"float_bytes\": %zu, \"primal_seconds\": %.6e, "
           "\"gradient_seconds\": %.6e, \"over_primal\": %.4f",
           forms[f].name, forms[f].float_bytes,
           median_time(primal, runs, scratch),
           median_time(gradient, runs, scratch),
           median_ratio(gradient, primal, runs, scratch));
    if (best)
      printf(", \"over_best_primal\": %.4f",
             median_ratio(gradient, &s[best], runs, scratch));
    if (is_timed(all, 0))
      printf(", \"over_hand\": %.4f, \"hand_seconds\": %.6e",
             median_ratio(gradient, &s[0], runs, scratch),
             median_time(&s[0], runs, scratch));
    printf("}\n");
  }
  free(scratch);
}

static void measure(const problem *p, const buffers *all, int runs,
                    double min_seconds) {
  schedule s[2 * MAX_FORMS + 1];
  int programs = 2 * num_forms + 1;
  for (int i = 0; i < programs; i++) {
    s[i] = (schedule){1, bench_alloc((size_t)runs)};
    if (!is_timed(all, i))
      continue;
    double seconds = time_calls(p, all, i, 1);
    for (; seconds * s[i].repeats < min_seconds && s[i].repeats < 1 << 20;
         seconds = time_calls(p, all, i, s[i].repeats))
      s[i].repeats *= 2;
  }
  for (int run = 0; run < runs; run++)
    for (int k = 0; k < programs; k++) {
      int i = run % 2 == 0 ? k : programs - 1 - k;
      if (is_timed(all, i))
        s[i].times[run] = time_calls(p, all, i, s[i].repeats);
    }
  print_times(all, s, runs);
  for (int i = 0; i < programs; i++)
    free(s[i].times);
}

static int run_once(const problem *p, const buffers *b) {
  bench_heap_start();
  call_primal(p, b);
  long primal = bench_heap_peak();
  bench_heap_start();
  call_gradient(p, b);
  printf("{\"form\": \"%s\", \"primal_heap_bytes\": %ld, "
         "\"gradient_heap_bytes\": %ld}\n",
         b->f->name, primal, bench_heap_peak());
  return 0;
}

static void make_reference(const problem *p) {
  buffers b = make_buffers(p, forms_computation.hand ? NULL : &forms[0]);
  call_gradient(p, &b);
  memcpy(p->reference, b.d_x, b.gradient_bytes);
}

int main(int argc, char **argv) {
  int n = forms_computation.size, runs = 0;
  double min_seconds = 0.01;
  const char *only = NULL, *once = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--quick"))
      n = forms_computation.quick;
    else if (!strcmp(argv[i], "--size") && i + 1 < argc)
      n = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--runs") && i + 1 < argc)
      runs = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--min-time") && i + 1 < argc)
      min_seconds = 1e-3 * atof(argv[++i]);
    else if (!strcmp(argv[i], "--only") && i + 1 < argc)
      only = argv[++i];
    else if (!strcmp(argv[i], "--once") && i + 1 < argc)
      once = argv[++i];
    else
      bench_fail("unknown argument %s", argv[i]);
  }
  problem p = make_problem(n);
  buffers all[MAX_FORMS + 1] = {0};
  all[0] = make_buffers(&p, NULL);
  const char *chosen = once ? once : only;
  for (int f = 0; f < num_forms; f++)
    if (!chosen || !strcmp(chosen, forms[f].name))
      all[f + 1] = make_buffers(&p, &forms[f]);
  bool right = true;
  if (!once)
    make_reference(&p);
  for (int f = 1; f <= num_forms; f++)
    if (all[f].f && once)
      return run_once(&p, &all[f]);
    else if (all[f].f)
      right = check(&p, &all[f]) && right;
  if (runs > 0)
    measure(&p, all, runs, min_seconds);
  return right ? 0 : 1;
}
