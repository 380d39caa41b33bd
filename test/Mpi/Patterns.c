// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Patterns of messages: a master and workers, pipelines, trees, cubes, particles
// that change ranks, sums of those before.
#include "check.h"

static void where(int *me, int *all) {
  MPI_Comm_rank(MPI_COMM_WORLD, me);
  MPI_Comm_size(MPI_COMM_WORLD, all);
}

// ---- A master gives tasks to who asks; who does which one is left to chance ----
enum { TASKS = 11, TASK_TAG = 1, STOP_TAG = 2, RESULT_TAG = 3 };

static double work(double a) { return sin(a) * a + exp(-a * a); }

static void work_until_stop(void) {
  for (;;) {
    double task[2];
    MPI_Status status;
    MPI_Recv(task, 2, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    if (status.MPI_TAG == STOP_TAG)
      return;
    double result[2] = {task[0], work(task[1])};
    MPI_Send(result, 2, MPI_DOUBLE, 0, RESULT_TAG, MPI_COMM_WORLD);
  }
}
static void give_task(const double *x, int task, int to) {
  double message[2] = {task, x[task]};
  MPI_Send(message, 2, MPI_DOUBLE, to, TASK_TAG, MPI_COMM_WORLD);
}
static void tasks(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  memset(y, 0, TASKS * sizeof *y);
  if (me != 0) {
    work_until_stop();
    return;
  }
  int next = 0, open = 0;
  for (int r = 1; r < all && next < TASKS; ++r, ++open)
    give_task(x, next++, r);
  for (; open > 0; --open) {
    double result[2];
    MPI_Status status;
    MPI_Recv(result, 2, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT_TAG, MPI_COMM_WORLD,
             &status);
    y[(int)result[0]] = result[1] * x[0];
    if (next < TASKS) {
      give_task(x, next++, status.MPI_SOURCE);
      ++open;
    }
  }
  for (int r = 1; r < all; ++r) {
    double nothing[2] = {0, 0};
    MPI_Send(nothing, 2, MPI_DOUBLE, r, STOP_TAG, MPI_COMM_WORLD);
  }
  for (; next < TASKS; ++next) // alone
    y[next] = work(x[next]) * x[0];
}
static void tasks_whole(const double *x, double *y) {
  memset(y, 0, (size_t)(TASKS * ranks) * sizeof *y);
  for (int i = 0; i < TASKS; ++i)
    y[i] = work(x[i]) * x[0];
}

// ---- A front of waves: a row is done when the one above and the rank to the
// left are --------------------------------------------------------------------
static void front_of(const double *x, double *y, int rows, int columns) {
  int me, all;
  where(&me, &all);
  double *u = (double *)malloc((size_t)(rows * columns) * sizeof *u);
  for (int i = 0; i < rows; ++i) {
    double left = 1;
    if (me > 0)
      MPI_Recv(&left, 1, MPI_DOUBLE, me - 1, i, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    for (int j = 0; j < columns; ++j) {
      const double above = i > 0 ? u[(i - 1) * columns + j] : 1;
      left = (left + above * x[j]) / (4 + left * left);
      u[i * columns + j] = left;
    }
    if (me + 1 < all)
      MPI_Send(&u[i * columns + columns - 1], 1, MPI_DOUBLE, me + 1, i,
               MPI_COMM_WORLD);
  }
  memcpy(y, u + (rows - 1) * columns, (size_t)columns * sizeof *y);
  free(u);
}
static void front(const double *x, double *y) { front_of(x, y, 4, 3); }
static void front_whole(const double *x, double *y) {
  const int n = 3 * ranks;
  for (int i = 0; i < 4; ++i) {
    double left = 1;
    for (int j = 0; j < n; ++j) {
      const double above = i > 0 ? y[j] : 1;
      left = (left + above * x[j]) / (4 + left * left);
      y[j] = left;
    }
  }
}
static void long_front(const double *x, double *y) { front_of(x, y, 200, 5); }

// ---- Trees by hand ------------------------------------------------------------
static void tree_sum(double *s, int n, int me, int all, MPI_Comm comm) {
  double other[4];
  for (int step = 1; step < all; step *= 2) {
    if (me % (2 * step) == step) {
      MPI_Send(s, n, MPI_DOUBLE, me - step, step, comm);
      return;
    }
    if (me + step < all) {
      MPI_Recv(other, n, MPI_DOUBLE, me + step, step, comm, MPI_STATUS_IGNORE);
      for (int i = 0; i < n; ++i)
        s[i] += other[i] + 0.1 * s[i] * other[i];
    }
  }
}
static void tree_share(double *s, int n, int me, int all, MPI_Comm comm) {
  int top = 1;
  while (top < all)
    top *= 2;
  for (int step = top / 2; step >= 1; step /= 2) {
    if (me % (2 * step) == step)
      MPI_Recv(s, n, MPI_DOUBLE, me - step, step, comm, MPI_STATUS_IGNORE);
    else if (me % (2 * step) == 0 && me + step < all)
      MPI_Send(s, n, MPI_DOUBLE, me + step, step, comm);
  }
}
static void tree(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  double s[4];
  for (int i = 0; i < 4; ++i)
    s[i] = sin(x[i]);
  tree_sum(s, 4, me, all, MPI_COMM_WORLD);
  tree_share(s, 4, me, all, MPI_COMM_WORLD);
  for (int i = 0; i < 4; ++i)
    y[i] = s[i] * x[3 - i];
}

// Recursive, each call with half of the ranks.
static double halves(double mine, int first, int count, int me) {
  if (count == 1)
    return mine;
  const int left = count / 2, split = first + left;
  const int is_left = me < split;
  mine = is_left ? halves(mine, first, left, me)
                 : halves(mine, split, count - left, me);
  if (me == split)
    MPI_Send(&mine, 1, MPI_DOUBLE, first, count, MPI_COMM_WORLD);
  if (me == first) {
    double other;
    MPI_Recv(&other, 1, MPI_DOUBLE, split, count, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    mine = mine * other + 0.5 * mine;
  }
  return mine;
}
static void divide(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  y[0] = halves(x[0] * x[1], 0, all, me);
  y[1] = halves(x[1] * x[2], 0, all, me);
}

// ---- Partners at distances of powers of two -------------------------------------
static void cube_of(const double *x, double *y, int n) {
  int me, all;
  where(&me, &all);
  double *mine = (double *)malloc((size_t)n * sizeof *mine);
  double *theirs = (double *)malloc((size_t)n * sizeof *theirs);
  memcpy(mine, x, (size_t)n * sizeof *mine);
  for (int bit = 1; bit < all; bit <<= 1) {
    const int partner = me ^ bit;
    if (partner >= all)
      continue;
    MPI_Sendrecv(mine, n, MPI_DOUBLE, partner, bit, theirs, n, MPI_DOUBLE,
                 partner, bit, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; ++i)
      mine[i] = 0.5 * mine[i] * theirs[i] + theirs[n - 1 - i];
  }
  for (int i = 0; i < n; ++i)
    y[i] = mine[i] * x[i];
  free(mine), free(theirs);
}
static void cube(const double *x, double *y) { cube_of(x, y, 3); }
static void large_cube(const double *x, double *y) { cube_of(x, y, 20000); }

// ---- What those before have: doubling distances, Exscan -------------------------
static void prefix(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  double mine = x[0] * x[1], got;
  for (int distance = 1; distance < all; distance *= 2) {
    MPI_Request request;
    const double given = mine;
    if (me + distance < all)
      MPI_Isend(&given, 1, MPI_DOUBLE, me + distance, 0, MPI_COMM_WORLD,
                &request);
    if (me >= distance) {
      MPI_Recv(&got, 1, MPI_DOUBLE, me - distance, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      mine += got;
    }
    if (me + distance < all)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  double before = 0, own = x[1] * x[2];
  MPI_Exscan(&own, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0)
    before = 0;
  y[0] = mine * mine * x[2];
  y[1] = exp(-before) * x[0];
}
static void prefix_whole(const double *x, double *y) {
  double mine = 0, before = 0;
  for (int r = 0; r < ranks; ++r) {
    const double *p = x + 3 * r;
    mine += p[0] * p[1];
    y[2 * r] = mine * mine * p[2];
    y[2 * r + 1] = exp(-before) * p[0];
    before += p[1] * p[2];
  }
}

// ---- Particles that go to the rank of their cell: uneven counts, often none -----
enum { PARTICLES = 5 };
struct particle {
  double at, speed;
  int cell;
};

static int owner(double at, int all) { return (int)(at * 7) % all; }

static void by_alltoallv(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  int *out_counts = (int *)calloc((size_t)all * 4, sizeof(int));
  int *in_counts = out_counts + all, *out_starts = in_counts + all;
  int *in_starts = out_starts + all, n = 0;
  for (int i = 0; i < PARTICLES; ++i)
    ++out_counts[owner(point[i], all)];
  MPI_Alltoall(out_counts, 1, MPI_INT, in_counts, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0, m = 0; r < all; ++r) {
    out_starts[r] = m;
    in_starts[r] = n;
    m += out_counts[r];
    n += in_counts[r];
  }
  double out[PARTICLES], *in = (double *)malloc((size_t)(n + 1) * sizeof *in);
  int *fill = (int *)calloc((size_t)all, sizeof(int));
  for (int i = 0; i < PARTICLES; ++i) {
    const int to = owner(point[i], all);
    out[out_starts[to] + fill[to]++] = x[i] * x[i];
  }
  MPI_Alltoallv(out, out_counts, out_starts, MPI_DOUBLE, in, in_counts,
                in_starts, MPI_DOUBLE, MPI_COMM_WORLD);
  double density = 0;
  for (int i = 0; i < n; ++i)
    density += in[i];
  for (int i = 0; i < n; ++i)
    in[i] = sin(in[i]) / (1 + density);
  MPI_Alltoallv(in, in_counts, in_starts, MPI_DOUBLE, out, out_counts,
                out_starts, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < PARTICLES; ++i)
    y[i] = out[i] * x[i];
  free(out_counts), free(in), free(fill);
}

// The number first, then as many, into memory that is as large.
static void by_messages(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  double sum = 0;
  for (int shift = 0; shift < all; ++shift) {
    const int to = (me + shift) % all, from = (me + all - shift) % all;
    int leaving = 0, coming = 0;
    double *out = (double *)malloc(PARTICLES * 2 * sizeof *out);
    for (int i = 0; i < PARTICLES; ++i)
      if (owner(point[i], all) == to) {
        out[2 * leaving] = x[i];
        out[2 * leaving++ + 1] = x[PARTICLES + i];
      }
    MPI_Sendrecv(&leaving, 1, MPI_INT, to, 0, &coming, 1, MPI_INT, from, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double *in = (double *)malloc((size_t)(2 * coming + 1) * sizeof *in);
    MPI_Sendrecv(out, 2 * leaving, MPI_DOUBLE, to, 1, in, 2 * coming,
                 MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < coming; ++i)
      sum += in[2 * i] * in[2 * i + 1] * (i + 1);
    free(out), free(in);
  }
  y[0] = sum * x[0];
  y[1] = sum * sum;
}

// ---- Neighbours sort their numbers: a branch on what has come ------------------
static void sorting(const double *x, double *y) {
  int me, all;
  where(&me, &all);
  double mine = x[0] * x[1];
  for (int phase = 0; phase < all; ++phase) {
    const int partner = (me + phase) % 2 == 0 ? me + 1 : me - 1;
    if (partner < 0 || partner >= all)
      continue;
    double theirs;
    MPI_Sendrecv(&mine, 1, MPI_DOUBLE, partner, 0, &theirs, 1, MPI_DOUBLE,
                 partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (me < partner ? theirs < mine : theirs > mine)
      mine = theirs;
  }
  y[0] = mine * (1 + me);
}

// ---- Rows and columns of ranks ---------------------------------------------------
static MPI_Comm row, column;
static void make_communicators(void) {
  const int width = ranks > 2 ? 2 : 1;
  MPI_Comm_split(MPI_COMM_WORLD, rank / width, rank, &row);
  MPI_Comm_split(MPI_COMM_WORLD, rank % width, -rank, &column);
}
static void rows_and_columns(const double *x, double *y) {
  double s[3], t[3];
  memcpy(s, x, sizeof s);
  for (int step = 0; step < 2; ++step) {
    MPI_Allreduce(s, t, 3, MPI_DOUBLE, MPI_SUM, row);
    for (int i = 0; i < 3; ++i)
      t[i] = t[i] * s[i] * 0.5;
    MPI_Bcast(t, 2, MPI_DOUBLE, 0, column);
    MPI_Allreduce(t, s, 3, MPI_DOUBLE, step ? MPI_MAX : MPI_PROD, column);
    for (int i = 0; i < 3; ++i)
      s[i] = log(1 + s[i] * s[i]) + x[i];
  }
  memcpy(y, s, sizeof s);
}

// ---- Bodies: those of the next rank travel while forces of this one are found ---
static void bodies(const double *x, double *y) {
  enum { BODIES = 3 };
  int me, all;
  where(&me, &all);
  double buffers[2][BODIES], force[BODIES] = {0};
  memcpy(buffers[0], x, sizeof buffers[0]);
  for (int step = 0; step < all; ++step) {
    double *here = buffers[step % 2], *coming = buffers[1 - step % 2];
    MPI_Request requests[2];
    const int travels = step + 1 < all;
    if (travels) {
      MPI_Irecv(coming, BODIES, MPI_DOUBLE, (me + 1) % all, step,
                MPI_COMM_WORLD, requests);
      MPI_Isend(here, BODIES, MPI_DOUBLE, (me + all - 1) % all, step,
                MPI_COMM_WORLD, requests + 1);
    }
    for (int i = 0; i < BODIES; ++i)
      for (int j = 0; j < BODIES; ++j) {
        const double d = here[j] - x[i];
        force[i] += d / (0.1 + d * d);
      }
    if (travels)
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < BODIES; ++i)
    y[i] = x[i] + 0.1 * force[i];
}
static void bodies_whole(const double *x, double *y) {
  const int n = 3 * ranks;
  for (int i = 0; i < n; ++i) {
    double force = 0;
    for (int j = 0; j < n; ++j) {
      const double d = x[j] - x[i];
      force += d / (0.1 + d * d);
    }
    y[i] = x[i] + 0.1 * force;
  }
}

MPI_TEST_WHOLE(tasks, tasks_whole, TASKS, TASKS)
MPI_TEST_WHOLE(front, front_whole, 3, 3)
MPI_TEST(long_front, 5, 5)
MPI_TEST(tree, 4, 4)
MPI_TEST(divide, 3, 2)
MPI_TEST(cube, 3, 3)
MPI_TEST(large_cube, 20000, 20000)
MPI_TEST_WHOLE(prefix, prefix_whole, 3, 2)
MPI_TEST(by_alltoallv, PARTICLES, PARTICLES)
MPI_TEST(by_messages, 2 * PARTICLES, 2)
MPI_TEST(sorting, 2, 1)
MPI_TEST(rows_and_columns, 3, 3)
MPI_TEST_WHOLE(bodies, bodies_whole, 3, 3)

MPI_MAIN_(make_communicators, &tasks_test, &front_test, &long_front_test,
          &tree_test, &divide_test, &cube_test, &large_cube_test, &prefix_test,
          &by_alltoallv_test, &by_messages_test, &sorting_test,
          &rows_and_columns_test, &bodies_test)
