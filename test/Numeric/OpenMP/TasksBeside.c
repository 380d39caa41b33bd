// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Tasks that run beside what creates them, in both passes.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

#define APART static __attribute__((noinline))

//===-- Recursion ---------------------------------------------------------===//

APART double IN(halvesOf)(const double *x, int n) {
  if (n == 1)
    return sin(x[0]) * x[0];
  double a, b;
  OMP(task shared(a))
  a = IN(halvesOf)(x, n / 2);
  OMP(task shared(b))
  b = IN(halvesOf)(x + n / 2, n - n / 2);
  OMP(taskwait)
  return a + b + 0.1 * a * b;
}
PROGRAM(halves) {
  double s = 0;
  OMP(parallel)
  OMP(single)
  s = IN(halvesOf)(x, n);
  return s;
}

// The second half is the creator's own. It reads what the task reads, too.
APART double IN(ownOf)(const double *x, int n) {
  if (n <= 3)
    return x[0] * x[n - 1];
  double a, b;
  OMP(task shared(a))
  a = IN(ownOf)(x, n / 2 + 1);
  b = IN(ownOf)(x + n / 2 - 1, n - n / 2 + 1);
  OMP(taskwait)
  return a * x[0] + b * x[1] + 0.1 * a * b;
}
PROGRAM(own) {
  double s = 0;
  OMP(parallel)
  OMP(master)
  s = IN(ownOf)(x, n);
  return s;
}

// Code of its own between the creation and the wait, on data that the task
// reads, too.
APART double IN(betweenOf)(const double *x, int n) {
  if (n == 1)
    return x[0];
  double a = 0, b = 1;
  OMP(task shared(a))
  a = IN(betweenOf)(x, n / 2);
  for (int i = 0; i < n; ++i)
    b += 0.01 * x[i] * x[i];
  OMP(taskwait)
  return a * b + 0.1 * cos(a);
}
PROGRAM(between) {
  double s = 0;
  OMP(parallel)
  OMP(single)
  s = IN(betweenOf)(x, n);
  return s;
}

// Floats that tasks copy: what comes back to them comes from two tasks.
APART double IN(bisectOf)(const double *x, double a, double b, double fa,
                          double fb, int depth) {
  const double m = 0.5 * (a + b), fm = exp(-x[0] * m) * x[1];
  if (depth == 0)
    return (b - a) * (fa + 4 * fm + fb) / 6;
  double l, r;
  OMP(task shared(l))
  l = IN(bisectOf)(x, a, m, fa, fm, depth - 1);
  OMP(task shared(r))
  r = IN(bisectOf)(x, m, b, fm, fb, depth - 1);
  OMP(taskwait)
  return l + r + 0.01 * l * r;
}
PROGRAM(bisect) {
  double s = 0;
  OMP(parallel)
  OMP(single)
  s = IN(bisectOf)(x, x[2], 1 + x[3], x[4], x[5], 5);
  return s * x[n - 1];
}

// A task changes its own copies.
APART double IN(copiesOf)(const double *x, int n, double w) {
  if (n <= 1)
    return w * x[0];
  double l = 0, r = 0, v = w;
  int h = n;
  OMP(task shared(l) firstprivate(v, h)) {
    v *= x[0];
    h /= 2;
    l = IN(copiesOf)(x, h, v);
    v = 0;
  }
  OMP(task shared(r) firstprivate(w))
  r = IN(copiesOf)(x + n / 2, n - n / 2, w + x[1]);
  OMP(taskwait)
  return l * w + r;
}
PROGRAM(copies) {
  double s = 0;
  OMP(parallel)
  OMP(single)
  s = IN(copiesOf)(x, n, x[3]);
  return s;
}

// Sorted by halves, into a buffer and back.
APART void IN(sortOf)(double *a, double *to, int n) {
  if (n < 2)
    return;
  const int h = n / 2;
  OMP(task)
  IN(sortOf)(a, to, h);
  OMP(task)
  IN(sortOf)(a + h, to + h, n - h);
  OMP(taskwait)
  int i = 0, j = h;
  for (int k = 0; k < n; ++k)
    to[k] = j == n || (i < h && a[i] < a[j]) ? a[i++] : a[j++];
  for (int k = 0; k < n; ++k)
    a[k] = to[k] * (1 + 0.001 * k);
}
PROGRAM(sort) {
  double a[Numbers], b[Numbers], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i];
  OMP(parallel)
  OMP(single nowait)
  IN(sortOf)(a, b, n);
  for (int i = 0; i < n; ++i)
    s += a[i] * (i + 1);
  return s;
}

// Products of blocks: two waves of four.
APART void IN(productOf)(double *c, const double *a, const double *b, int n) {
  if (n == 1) {
    *c += *a * *b;
    return;
  }
  const int h = n / 2;
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        OMP(task)
        IN(productOf)(c + i * h * 4 + j * h, a + i * h * 4 + k * h,
                      b + k * h * 4 + j * h, h);
      }
    OMP(taskwait)
  }
}
PROGRAM(product) {
  double a[16], b[16], c[16] = {0}, s = 0;
  for (int i = 0; i < 16; ++i) {
    a[i] = x[i];
    b[i] = x[(i + 5) % n] * x[i];
  }
  OMP(parallel)
  OMP(single)
  IN(productOf)(c, a, b, 4);
  for (int i = 0; i < 16; ++i)
    s += c[i] * c[i] * (i + 1);
  return s;
}

//===-- Nodes -------------------------------------------------------------===//

struct IN(Node) {
  struct IN(Node) * Left, *Right;
  double In, Out;
};
APART struct IN(Node) * IN(grow)(const double *x, int n) {
  if (n == 0)
    return 0;
  struct IN(Node) *Top = malloc(sizeof(struct IN(Node)));
  Top->In = x[n / 2];
  Top->Out = 0;
  Top->Left = IN(grow)(x, n / 2);
  Top->Right = IN(grow)(x + n / 2 + 1, n - n / 2 - 1);
  return Top;
}
APART void IN(fell)(struct IN(Node) * Top) {
  if (!Top)
    return;
  IN(fell)(Top->Left);
  IN(fell)(Top->Right);
  free(Top);
}
APART double IN(walk)(struct IN(Node) * Top) {
  if (!Top)
    return 1;
  double l, r;
  OMP(task shared(l))
  l = IN(walk)(Top->Left);
  OMP(task shared(r))
  r = IN(walk)(Top->Right);
  Top->Out = sin(Top->In);
  OMP(taskwait)
  return l * Top->In + r * Top->Out;
}
PROGRAM(nodes) {
  double s = 0;
  struct IN(Node) *Top = IN(grow)(x, n);
  OMP(parallel)
  OMP(single)
  s = IN(walk)(Top);
  IN(fell)(Top);
  return s;
}

// Nobody waits within.
APART void IN(visit)(struct IN(Node) * Top, double Above) {
  if (!Top)
    return;
  Top->Out = Top->In * Above;
  OMP(task)
  IN(visit)(Top->Left, Top->Out);
  OMP(task)
  IN(visit)(Top->Right, Top->Out + Top->In);
}
APART double IN(total)(const struct IN(Node) * Top) {
  return Top ? Top->Out * Top->Out + IN(total)(Top->Left) +
                   IN(total)(Top->Right)
             : 0;
}
PROGRAM(visits) {
  double s = 0;
  struct IN(Node) *Top = IN(grow)(x, n);
  OMP(parallel)
  OMP(single) {
    OMP(taskgroup)
    IN(visit)(Top, x[0]);
    s = IN(total)(Top);
  }
  IN(fell)(Top);
  return s;
}

//===-- Loops -------------------------------------------------------------===//

PROGRAM(parts) {
  double y[Numbers], s = 0;
  OMP(parallel)
  OMP(single) {
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i) shared(y))
      y[i] = x[i] * x[(i + 1) % n] + x[0];
    }
    OMP(taskwait)
    for (int i = 0; i < n; ++i)
      s += y[i] * y[i];
  }
  return s;
}

// How many there are is not known before.
PROGRAM(steps) {
  double y[Numbers], s = 0;
  OMP(parallel)
  OMP(single) {
    int i = 0;
    double sum = 0;
    while (sum < 12 && i < n) {
      OMP(task firstprivate(i) shared(y))
      y[i] = exp(0.2 * x[i]) * x[n - 1 - i];
      sum += x[i++];
    }
    OMP(taskwait)
    for (int j = 0; j < i; ++j)
      s += y[j] * sum;
  }
  return s;
}

// Waves, each of which reads what the one before has written.
PROGRAM(waves) {
  double y[Numbers], z[Numbers], s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[i];
  OMP(parallel)
  OMP(single)
  for (int t = 0; t < 4; ++t) {
    double *from = t % 2 ? z : y, *to = t % 2 ? y : z;
    for (int b = 0; b < n; b += 4) {
      OMP(task firstprivate(b, from, to))
      for (int i = b; i < b + 4; ++i)
        to[i] = 0.5 * from[i] * from[(i + 1) % n] + from[(i + n - 1) % n];
    }
    OMP(taskwait)
    from[t] += to[t] * x[t];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

// Each thread creates tasks of its iterations.
PROGRAM(mine) {
  double y[Numbers], s = 0;
  OMP(parallel) {
    OMP(for nowait)
    for (int i = 0; i < n; ++i) {
      double p, q;
      OMP(task shared(p) firstprivate(i))
      p = x[i] * x[(i + 3) % n];
      OMP(task shared(q) firstprivate(i))
      q = cos(x[i]);
      OMP(taskwait)
      y[i] = p * q;
    }
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

// A barrier waits for them.
PROGRAM(behind) {
  double y[Numbers], s = 0, z[Numbers];
  OMP(parallel) {
    OMP(for)
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i) shared(y))
      y[i] = x[i] * x[i];
    }
    OMP(for)
    for (int i = 0; i < n; ++i)
      z[i] = y[n - 1 - i] * x[i];
    OMP(single)
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i) shared(z))
      z[i] = sin(z[i]);
    }
  }
  for (int i = 0; i < n; ++i)
    s += z[i] * (i + 1);
  return s;
}

// Copies of floats in a loop, which the next creation would overwrite.
PROGRAM(weights) {
  double y[Numbers], s = 0, w = 1;
  OMP(parallel)
  OMP(single) {
    for (int i = 0; i < n; ++i) {
      w *= x[i] + 0.3;
      OMP(task firstprivate(i, w) shared(y))
      y[i] = w * x[i];
    }
    OMP(taskwait)
  }
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s;
}

// The wait is in a loop, the creation in front of it.
PROGRAM(late) {
  double a = 0, s = 0;
  OMP(parallel)
  OMP(single) {
    OMP(task shared(a))
    a = x[0] * x[1];
    double t = x[2];
    for (int i = 0; i < n; ++i) {
      t *= 1 + 0.1 * x[i];
      OMP(taskwait)
      s += a * t;
    }
  }
  return s;
}

PROGRAM(taskloops) {
  double y[Numbers], z[Numbers], s = 0;
  OMP(parallel)
  OMP(single) {
    OMP(taskloop)
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * sin(x[n - 1 - i]);
    OMP(taskloop grainsize(3))
    for (int i = n - 1; i >= 0; i -= 1)
      z[i] = y[i] * y[(i + 1) % n];
    OMP(taskloop num_tasks(5) nogroup)
    for (int i = 0; i < n; i += 3)
      y[i] = z[i] * z[i];
    OMP(taskwait)
    OMP(taskloop collapse(2) firstprivate(n))
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 6; ++j)
        z[i * 6 + j] += y[(i + j) % n] * x[0];
    OMP(taskloop)
    for (int i = n; i < n; ++i)
      y[i] = 0;
  }
  for (int i = 0; i < n; ++i)
    s += z[i] * z[i] + y[i];
  return s;
}

//===-- Who waits, and where ----------------------------------------------===//

// A function creates a task and returns.
APART void IN(later)(double *y, const double *x, int i) {
  OMP(task)
  y[i] = x[i] * x[i] * y[i];
}
PROGRAM(helpers) {
  double y[Numbers], s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = x[(i + 1) % n];
  OMP(parallel)
  OMP(single) {
    for (int i = 0; i < n; ++i)
      IN(later)(y, x, i);
    OMP(taskwait)
    for (int i = 0; i < n; ++i)
      s += y[i] * y[i];
  }
  return s;
}

// A function waits for the tasks of who calls it, which it does not know.
APART void IN(finish)(double *y) {
  OMP(taskwait)
  *y *= 1.5;
}
PROGRAM(finished) {
  double s = 0;
  OMP(parallel)
  OMP(single) {
    double a = 0, b = x[3], c;
    OMP(task shared(a))
    a = x[0] * exp(x[1]);
    IN(finish)(&b);
    c = a * b * x[1];
    OMP(task shared(c))
    c *= x[2];
    OMP(taskwait)
    s = c * a;
  }
  return s;
}

// A task in a branch, one that the program runs at once if a condition says so.
PROGRAM(branches) {
  double s = 0;
  OMP(parallel)
  OMP(single) {
    double a = 1, b = 2, c = x[2];
    if (x[0] < x[1]) {
      OMP(task shared(a))
      a = x[0] * x[1];
    }
    OMP(task shared(b) if (n > 3))
    b = x[1] * x[2];
    OMP(task shared(c) if (n < 3))
    c *= x[3];
    OMP(taskwait)
    s = a * b + b * c;
  }
  return s;
}

// Tasks of tasks, of which only the inner ones are waited for.
PROGRAM(inner) {
  double y[Numbers], s = 0;
  OMP(parallel)
  OMP(single)
  OMP(taskgroup)
  for (int i = 0; i < n; i += 4) {
    OMP(task firstprivate(i) shared(y)) {
      double t[4];
      for (int k = 0; k < 4; ++k) {
        OMP(task firstprivate(i, k) shared(t))
        t[k] = x[i + k] * x[(i + 2 * k) % n];
      }
      OMP(taskwait)
      for (int k = 0; k < 4; ++k) {
        const double v = t[k] * t[(k + 1) % 4];
        y[i + k] = v;
      }
      OMP(task firstprivate(i) shared(y))
      y[i] *= x[i];
    }
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

//===-- Memory ------------------------------------------------------------===//

// Blocks that tasks make and the creator frees, and the other way round.
PROGRAM(memory) {
  double *y[Numbers], s = 0;
  OMP(parallel)
  OMP(single) {
    for (int i = 0; i < n; ++i) {
      double *in = malloc(2 * sizeof(double));
      in[0] = x[i];
      in[1] = x[n - 1 - i];
      OMP(task firstprivate(i, in) shared(y)) {
        y[i] = malloc(sizeof(double));
        *y[i] = in[0] * in[1] * in[0];
        free(in);
      }
    }
    OMP(taskwait)
    for (int i = 0; i < n; ++i) {
      s += *y[i] * *y[i];
      free(y[i]);
    }
  }
  return s;
}

static double IN(Results)[Numbers], IN(Factors)[Numbers];
PROGRAM(globals) {
  double s = 0;
  OMP(parallel)
  OMP(single) {
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i)) {
        IN(Results)[i] = x[i] * x[i];
        IN(Factors)[i] = 0.5 * i;
      }
    }
    OMP(taskwait)
    for (int i = 0; i < n; ++i)
      s += IN(Results)[i] * IN(Factors)[i] * x[0];
  }
  return s;
}

// Structures and arrays that tasks copy.
struct IN(Pair) {
  double a, b;
  const double *at;
  int n;
};
PROGRAM(objects) {
  double s = 0, t = 0;
  struct IN(Pair) p = {x[0], x[1], x + 2, n};
  double w[3] = {x[4], x[5], x[6]};
  OMP(parallel)
  OMP(single) {
    OMP(task firstprivate(p) shared(s)) {
      p.a *= p.at[1];
      s = p.a * p.b * p.n;
    }
    OMP(task firstprivate(w) shared(t)) {
      for (int i = 0; i < 3; ++i)
        w[i] *= x[i];
      t = w[0] * w[1] + w[2];
    }
    OMP(taskwait)
    s *= t;
  }
  return s;
}
#endif
