// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// How programs put regions together: pipelines, regions within each other,
// tasks from one thread, work divided by hand, buffers of threads.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// Work divided by hand, with a rest for the last thread.
PROGRAM(byHand) {
  double y[24], sum = 0;
  OMP(parallel shared(y)) {
    int size = IN(size)(), id = IN(me)(), chunk = n / size;
    int end = id == size - 1 ? n : (id + 1) * chunk;
    for (int i = id * chunk; i < end; ++i)
      y[i] = x[i] * x[n - 1 - i];
  }
  for (int i = 0; i < n; ++i)
    sum += y[i] * (i % 4);
  return sum;
}

// Cyclic by hand.
PROGRAM(cyclic) {
  double total = 0;
  OMP(parallel) {
    double mine = 0;
    for (int i = IN(me)(); i < n; i += IN(size)())
      mine += sin(x[i]) * x[(i * 5) % n];
    OMP(critical)
    total += mine;
  }
  return total * total;
}

// A counter from which threads take their next piece of work.
PROGRAM(counter) {
  int next = 0;
  double y[24], sum = 0;
  OMP(parallel)
  for (;;) {
    int i;
    OMP(atomic capture)
    i = next++;
    if (i >= n)
      break;
    y[i] = exp(-x[i]) * x[(i + 5) % n];
  }
  for (int i = 0; i < n; ++i)
    sum += y[i] * y[i];
  return sum;
}

// The same, with a critical section.
PROGRAM(queue) {
  int next = 0;
  double y[24], sum = 0;
  OMP(parallel) {
    int i = 0;
    while (i < n) {
      OMP(critical(take))
      i = next++;
      if (i < n)
        y[i] = x[i] / (1 + x[(i + 1) % n]);
    }
  }
  for (int i = 0; i < n; ++i)
    sum += y[i] * i;
  return sum;
}

// Halves of a tree, as regions within regions.
static double IN(tree)(const double *x, int n, int depth) {
  if (n <= 3 || depth == 0) {
    double s = 0;
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
    return sqrt(s);
  }
  double left = 0, right = 0;
  OMP(parallel sections num_threads(2)) {
    OMP(section)
    left = IN(tree)(x, n / 2, depth - 1);
    OMP(section)
    right = IN(tree)(x + n / 2, n - n / 2, depth - 1);
  }
  return left + right + 0.1 * left * right;
}
PROGRAM(halves) { return IN(tree)(x, n, 2); }

// Tasks that one thread makes, for blocks, and a sum of them.
PROGRAM(blocks) {
  double part[6] = {0}, sum = 0;
  OMP(parallel)
  OMP(single nowait)
  for (int b = 0; b < 6; ++b) {
    OMP(task firstprivate(b)) {
      double s = 0;
      for (int i = 4 * b; i < 4 * b + 4; ++i)
        s += x[i] * x[(i + b) % n];
      part[b] = s;
    }
  }
  for (int b = 0; b < 6; ++b)
    sum += part[b] * part[(b + 1) % 6];
  return sum;
}

// A recursion of tasks, as for Fibonacci's numbers.
static double IN(recurse)(const double *x, int n) {
  if (n == 1)
    return x[0] * x[0];
  double a, b;
  OMP(task shared(a))
  a = IN(recurse)(x, n / 2);
  OMP(task shared(b))
  b = IN(recurse)(x + n / 2, n - n / 2);
  OMP(taskwait)
  return a + b + 0.01 * a * b;
}
PROGRAM(recursion) {
  double result = 0;
  OMP(parallel)
  OMP(master)
  result = IN(recurse)(x, n);
  return result;
}

// Tiles of a factorization by tasks that depend on each other.
PROGRAM(taskTiles) {
  double a[4][4];
  for (int i = 0; i < 16; ++i)
    a[i / 4][i % 4] = x[i] + (i % 5 == 0 ? 4 : 0);
  OMP(parallel)
  OMP(single)
  for (int k = 0; k < 4; ++k) {
    for (int i = k + 1; i < 4; ++i) {
      OMP(task depend(in : a[k][k]) depend(inout : a[i][k]))
      a[i][k] /= a[k][k];
    }
    for (int i = k + 1; i < 4; ++i)
      for (int j = k + 1; j < 4; ++j) {
        OMP(task depend(in : a[i][k], a[k][j]) depend(inout : a[i][j]))
        a[i][j] -= a[i][k] * a[k][j];
      }
  }
  return a[3][3] * a[2][2] + a[3][1] + n * 0;
}

// A pipeline of three stages with two buffers.
PROGRAM(pipeline) {
  double in[2][4], out[2][4], sum = 0;
  for (int step = 0; step < 6 + 2; ++step) {
    OMP(parallel sections) {
      OMP(section)
      if (step < 6)
        for (int i = 0; i < 4; ++i)
          in[step % 2][i] = x[(4 * step + i) % n] * x[i];
      OMP(section)
      if (step > 0 && step < 7)
        for (int i = 0; i < 4; ++i)
          out[(step - 1) % 2][i] = sin(in[(step - 1) % 2][i]) + 0.1 * i;
      OMP(section)
      if (step > 1)
        for (int i = 0; i < 4; ++i)
          sum += out[(step - 2) % 2][i] * out[(step - 2) % 2][(i + 1) % 4];
    }
  }
  return sum;
}

// A buffer of each thread that the region's first lines allocate, and the
// master sums behind a barrier.
PROGRAM(buffers) {
  double **all = malloc(8 * sizeof *all), sum = 0;
  int used = 1;
  OMP(parallel num_threads(Team)) {
    const int id = IN(me)();
    double *mine = all[id] = calloc(n, sizeof *mine);
    OMP(for)
    for (int i = 0; i < n; ++i)
      mine[(i * 7) % n] = x[i] * x[(i + 3) % n];
    OMP(master) {
      used = IN(size)();
      for (int t = 0; t < used; ++t)
        for (int i = 0; i < n; ++i)
          sum += all[t][i] * (i + 1);
    }
    OMP(barrier)
    free(all[id]);
  }
  free(all);
  return sum;
}

// Buffers allocated before the region.
PROGRAM(buffersBefore) {
  double *all[8], sum = 0;
  for (int t = 0; t < 8; ++t)
    all[t] = calloc(n, sizeof **all);
  int used = 1;
  OMP(parallel num_threads(Team)) {
    double *mine = all[IN(me)()];
    OMP(for)
    for (int i = 0; i < n; ++i) {
      mine[i] += x[i] * x[(i + 3) % n];
      mine[(i + 1) % n] += x[i];
    }
    OMP(single)
    used = IN(size)();
  }
  for (int t = 0; t < used; ++t)
    for (int i = 0; i < n; ++i)
      sum += all[t][i] * (i + 1);
  for (int t = 0; t < 8; ++t)
    free(all[t]);
  return sum * sum * 1e-3;
}

// Blocks that some threads make, others read, and others free.
PROGRAM(handedOn) {
  double *part[Numbers], sum = 0;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    part[i] = malloc(2 * sizeof(double));
    part[i][0] = x[i] * x[(i + 1) % n];
    part[i][1] = sin(x[i]);
  }
  OMP(parallel for reduction(+ : sum) schedule(static, 1))
  for (int i = 0; i < n; ++i)
    sum += part[i][0] * part[(i + 5) % n][1];
  OMP(parallel for schedule(dynamic))
  for (int i = 0; i < n; ++i)
    free(part[i]);
  return sum;
}

// A region that returns early in a helper function, for some.
static double IN(early)(const double *x, int i) {
  if (x[i] > 1.01)
    return x[i] * x[i];
  for (int k = 0; k < 10; ++k)
    if (x[i] * k > 2.01)
      return x[i] * k + x[(i + k) % Numbers];
  return sin(x[i]);
}
PROGRAM(helpers) {
  double sum = 0;
  OMP(parallel for reduction(+ : sum) schedule(runtime))
  for (int i = 0; i < n; ++i)
    sum += IN(early)(x, i);
  return sum;
}

// Function pointers called by threads.
static double IN(square)(double v) { return v * v; }
static double IN(wave)(double v) { return sin(v); }
static double IN(root)(double v) { return sqrt(v + 1); }
PROGRAM(pointers) {
  double (*table[3])(double) = {IN(square), IN(wave), IN(root)};
  double y[24], sum = 0;
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = table[i % 3](x[i]);
  for (int i = 0; i < n; ++i)
    sum += y[i] * (1 + i % 2);
  return sum;
}

// A switch in a loop, a while loop in it, and continue.
PROGRAM(branches) {
  double sum = 0, largest = -1e9;
  OMP(parallel for reduction(+ : sum) reduction(max : largest))
  for (int i = 0; i < n; ++i) {
    if (i % 7 == 3)
      continue;
    double v = x[i];
    switch (i % 4) {
    case 0:
      v = v * v;
      break;
    case 1:
      v += 0.5;
    case 2:
      v = exp(-v);
      break;
    default:
      while (v < 2)
        v *= 1.5;
    }
    sum += v;
    if (v > largest)
      largest = v;
  }
  return sum * largest;
}

// Sums in blocks, so that results do not depend on the team; variables behind
// lastprivate.
PROGRAM(last) {
  double last = 0, part[6];
  int where = 0;
  OMP(parallel for lastprivate(last, where) schedule(monotonic : dynamic))
  for (int b = 0; b < 6; ++b) {
    double s = 0;
    for (int i = 0; i < 4; ++i)
      s += x[4 * b + i] * (i + 1);
    part[b] = s * s;
    last = s;
    where = b;
  }
  return part[2] * last + part[5] + where + n * 0;
}

// A shared scalar that every thread reads and one sets, twice.
PROGRAM(sharedScalar) {
  double scale = x[0], y[24], norm = 0;
  OMP(parallel) {
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = scale * x[i];
    OMP(single) {
      for (int i = 0; i < n; ++i)
        norm += y[i] * y[i];
      scale = 1 / sqrt(norm);
    }
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] *= scale;
  }
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * cos(i);
  return sum;
}

// A loop over pointers, with steps, downwards, unsigned.
PROGRAM(pointerLoops) {
  double y[24], sum = 0;
  OMP(parallel for)
  for (const double *p = x; p < x + n; p += 2)
    y[p - x] = *p * p[1];
  OMP(parallel for)
  for (int i = n - 1; i > 0; i -= 2)
    y[i] = x[i] - y[i - 1];
  OMP(parallel for reduction(+ : sum))
  for (unsigned long i = 0; i < (unsigned long)n; i += 3)
    sum += y[i] * y[i];
  return sum;
}

// A region that is called from a function with a variable-length array.
static double IN(work)(int m, const double *x) {
  double a[m], b[m][2], sum = 0;
  OMP(parallel for)
  for (int i = 0; i < m; ++i) {
    a[i] = x[i] * x[i];
    b[i][0] = a[i] * x[(i + 1) % m];
    b[i][1] = sin(a[i]);
  }
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < m; ++i)
    sum += b[i][0] * b[m - 1 - i][1];
  return sum;
}
PROGRAM(variableLength) { return IN(work)(n, x) + IN(work)(n / 2, x + 3); }

// Private arrays of variable length, and firstprivate ones.
PROGRAM(privateLength) {
  const int m = n / 4;
  double a[m], sum = 0;
  for (int i = 0; i < m; ++i)
    a[i] = x[i];
  OMP(parallel for firstprivate(a) reduction(+ : sum))
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < m; ++k)
      a[k] = x[k] * x[i];
    a[i % m] += x[i];
    for (int k = 0; k < m; ++k)
      sum += a[k] * a[(k + 1) % m];
  }
  return sum * 0.01;
}

// Static variables and globals.
static double IN(table)[24], IN(scale);
PROGRAM(globals) {
  static double sum;
  sum = 0;
  IN(scale) = x[3];
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    IN(table)[i] = x[i] * IN(scale);
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += IN(table)[i] * IN(table)[(i + 1) % n];
  return sum;
}

// A linked list, whose nodes are tasks.
typedef struct IN(Node) {
  double value;
  struct IN(Node) * next;
} IN(Node);
PROGRAM(list) {
  IN(Node) *head = 0;
  for (int i = 0; i < 8; ++i) {
    IN(Node) *node = malloc(sizeof *node);
    node->value = x[i];
    node->next = head;
    head = node;
  }
  OMP(parallel)
  OMP(single)
  for (IN(Node) *p = head; p; p = p->next) {
    OMP(task firstprivate(p))
    p->value = sin(p->value) * p->value;
  }
  double sum = 0;
  int k = 1;
  while (head) {
    IN(Node) *next = head->next;
    sum += head->value * k++;
    free(head);
    head = next;
  }
  return sum + n * 0;
}

// Float, and mixed precision.
PROGRAM(mixed) {
  float y[24];
  double sum = 0;
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = (float)(0.5 * i);
  OMP(parallel for simd reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += y[i] * x[i] * x[i];
  return sum;
}

// A product of all, and a logical result that decides.
PROGRAM(product) {
  double p = 1, s = 0;
  int all = 1, any = 0;
  OMP(parallel for reduction(* : p) reduction(&& : all) reduction(|| : any)
          reduction(min : s))
  for (int i = 0; i < n; ++i) {
    p *= 1 + 0.1 * x[i];
    all = all && x[i] > 0;
    any = any || x[i] > 1.4;
    s = fmin(s, -x[i] * x[i]);
  }
  return all && any ? p + s : s;
}

// A loop of steps with regions, called many times, through a table of steps.
PROGRAM(manySteps) {
  double u[2][12];
  for (int i = 0; i < 12; ++i)
    u[0][i] = x[i];
  for (int t = 0; t < 50; ++t) {
    const double *a = u[t % 2];
    double *b = u[1 - t % 2];
    OMP(parallel for if (t % 3))
    for (int i = 0; i < 12; ++i)
      b[i] = a[i] +
             0.1 * (a[(i + 1) % 12] - 2 * a[i] + a[(i + 11) % 12]) * x[12 + i];
  }
  double sum = 0;
  for (int i = 0; i < 12; ++i)
    sum += u[0][i] * u[0][i] * (i + 1);
  return sum + n * 0;
}

#endif
