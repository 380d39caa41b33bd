// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nonblocking collective calls: each function, with every operation, in place,
// waited for in different orders on different ranks, between blocking ones, in
// one array with messages.
#include "check.h"

enum { SMALL = 3, LARGE = 40000, MOST = 8 };

static int my_rank(void) {
  int me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  return me;
}
static int all_ranks(void) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return all;
}
static int next_rank(void) { return (my_rank() + 1) % all_ranks(); }
static int last_rank(void) {
  return (my_rank() + all_ranks() - 1) % all_ranks();
}

static void bcasts_of(const double *x, double *y, int n) {
  double *s = (double *)calloc((size_t)n * 2, sizeof *s);
  const int root = all_ranks() - 1;
  MPI_Request request[2];
  for (int i = 0; i < n; ++i)
    s[i] = x[i] * x[i];
  if (my_rank() == root)
    for (int i = 0; i < n; ++i)
      s[n + i] = sin(x[i]);
  MPI_Ibcast(s, n, MPI_DOUBLE, 0, MPI_COMM_WORLD, request);
  MPI_Ibcast(s + n, n, MPI_DOUBLE, root, MPI_COMM_WORLD, request + 1);
  // One order on even ranks, another one on odd ones.
  const int first = my_rank() % 2;
  MPI_Wait(request + first, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i)
    y[i] = first ? s[n + i] * s[n + i] : s[i] * x[i];
  MPI_Wait(request + 1 - first, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; ++i)
    y[i] += s[i] * s[n + i] * x[i];
  free(s);
}
static void bcasts(const double *x, double *y) { bcasts_of(x, y, SMALL); }
static void large_bcasts(const double *x, double *y) { bcasts_of(x, y, LARGE); }

static void allreduce_of(const double *x, double *y, MPI_Op op, int place) {
  double s[SMALL], t[SMALL];
  MPI_Request request;
  for (int i = 0; i < SMALL; ++i)
    t[i] = s[i] = x[i] * x[(i + 1) % SMALL];
  MPI_Iallreduce(place ? MPI_IN_PLACE : s, t, SMALL, MPI_DOUBLE, op,
                 MPI_COMM_WORLD, &request);
  const double meanwhile = sin(x[0]);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < SMALL; ++i)
    y[i] = t[i] * x[i] + s[i] * meanwhile;
}
static void sum(const double *x, double *y) { allreduce_of(x, y, MPI_SUM, 0); }
static void prod(const double *x, double *y) {
  allreduce_of(x, y, MPI_PROD, 1);
}
static void min(const double *x, double *y) { allreduce_of(x, y, MPI_MIN, 0); }
static void max(const double *x, double *y) { allreduce_of(x, y, MPI_MAX, 1); }

static void reduce_of(const double *x, double *y, MPI_Op op, int place) {
  const int root = all_ranks() - 1;
  double s[SMALL], t[SMALL] = {0};
  MPI_Request request;
  for (int i = 0; i < SMALL; ++i)
    s[i] = x[i] * x[i];
  if (place && my_rank() == root)
    MPI_Ireduce(MPI_IN_PLACE, s, SMALL, MPI_DOUBLE, op, root, MPI_COMM_WORLD,
                &request);
  else
    MPI_Ireduce(s, my_rank() == root ? t : NULL, SMALL, MPI_DOUBLE, op, root,
                MPI_COMM_WORLD, &request);
  for (int done = 0; !done;)
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  for (int i = 0; i < SMALL; ++i)
    y[i] = t[i] * x[0] + s[i];
}
static void reduce_sum(const double *x, double *y) {
  reduce_of(x, y, MPI_SUM, 1);
}
static void reduce_prod(const double *x, double *y) {
  reduce_of(x, y, MPI_PROD, 0);
}
static void reduce_min(const double *x, double *y) {
  reduce_of(x, y, MPI_MIN, 1);
}
static void reduce_max(const double *x, double *y) {
  reduce_of(x, y, MPI_MAX, 0);
}

// No factor is zero, one is, two are; numbers with their places; ties.
static void zeros(const double *x, double *y) {
  double s[3], t[3];
  MPI_Request request;
  for (int i = 0; i < 3; ++i)
    s[i] = my_rank() < i ? x[i] - point[i] : x[i];
  MPI_Iallreduce(s, t, 3, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = t[0] + t[1] * x[0] + t[2];
}
static void places(const double *x, double *y) {
  struct {
    double value;
    int place;
  } in[2], out[2];
  MPI_Request request;
  in[0].value = x[0] * x[0];
  in[0].place = my_rank();
  in[1].value = 3 + (x[1] - x[1]);
  in[1].place = all_ranks() - my_rank();
  MPI_Iallreduce(in, out, 2, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD,
                 &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = out[0].value * (out[0].place + 1) * x[1] + out[1].value * x[0];
}

// Parts of one size, and of different ones, also none; at the root in place.
static void gathers(const double *x, double *y) {
  const int n = all_ranks(), me = my_rank(), root = n / 2;
  int counts[MOST], at[MOST], end = 1;
  double all[2 * MOST] = {0}, some[4 * MOST] = {0}, mine[3];
  MPI_Request request[2];
  for (int i = 0; i < n; ++i) {
    counts[i] = i % 3;
    at[i] = end;
    end += counts[i] + 1;
  }
  for (int i = 0; i < 3; ++i)
    mine[i] = x[i] * x[0];
  all[2 * root] = mine[0];
  all[2 * root + 1] = mine[1];
  MPI_Igather(me == root ? MPI_IN_PLACE : mine, 2, MPI_DOUBLE, all, 2,
              MPI_DOUBLE, root, MPI_COMM_WORLD, request);
  MPI_Igatherv(x, counts[me], MPI_DOUBLE, some, counts, at, MPI_DOUBLE, 0,
               MPI_COMM_WORLD, request + 1);
  for (int i = 0; i < n; ++i) // copied by the derivative
    counts[i] = at[i] = -1;
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  y[0] = 0;
  for (int i = 0; i < 2 * n; ++i)
    y[0] += all[i] * (i + 1);
  for (int i = 0; i < 4 * n; ++i)
    y[0] += some[i] * some[i] * (i + 1);
}

static void scatters(const double *x, double *y) {
  const int n = all_ranks(), me = my_rank(), root = n - 1;
  int counts[MOST], at[MOST], end = 0;
  double all[2 * MOST] = {0}, some[4 * MOST] = {0}, mine[2] = {0},
                 part[3] = {0};
  MPI_Request request[2];
  for (int i = 0; i < n; ++i) {
    counts[i] = (i + 1) % 3;
    at[i] = end;
    end += counts[i] + 1;
  }
  for (int i = 0; i < 2 * n; ++i)
    all[i] = x[i % 3] * (i + 1);
  for (int i = 0; i < 4 * n; ++i)
    some[i] = sin(x[i % 3] * (i + 1));
  MPI_Iscatter(all, 2, MPI_DOUBLE, me == root ? MPI_IN_PLACE : mine, 2,
               MPI_DOUBLE, root, MPI_COMM_WORLD, request);
  MPI_Iscatterv(some, counts, at, MPI_DOUBLE, part, counts[me], MPI_DOUBLE, 0,
                MPI_COMM_WORLD, request + 1);
  for (int left = 2, done; left > 0; left -= done) {
    int which[2];
    MPI_Waitsome(2, request, &done, which, MPI_STATUSES_IGNORE);
  }
  y[0] = mine[0] * mine[1] + part[0] * x[1] + part[1] * x[0] + all[1];
}

static void allgathers(const double *x, double *y) {
  const int n = all_ranks(), me = my_rank();
  int counts[MOST], at[MOST], end = 0;
  double all[2 * MOST] = {0}, some[4 * MOST] = {0};
  MPI_Request request[2];
  for (int i = 0; i < n; ++i) {
    counts[i] = i % 3;
    at[i] = end;
    end += counts[i] + 1;
  }
  all[2 * me] = x[0] * x[1];
  all[2 * me + 1] = x[2];
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_DOUBLE,
                 MPI_COMM_WORLD, request);
  MPI_Iallgatherv(x, counts[me], MPI_DOUBLE, some, counts, at, MPI_DOUBLE,
                  MPI_COMM_WORLD, request + 1);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  y[0] = 0;
  for (int i = 0; i < 2 * n; ++i)
    y[0] += all[i] * all[i] * (i + 1 + me);
  for (int i = 0; i < 4 * n; ++i)
    y[0] += some[i] * x[0] * (i + 1);
}

static void alltoalls(const double *x, double *y) {
  const int n = all_ranks(), me = my_rank();
  int give[MOST], from[MOST], get[MOST], to[MOST];
  double all[2 * MOST], out[4 * MOST], in[4 * MOST] = {0};
  MPI_Request request[2];
  for (int i = 0; i < n; ++i) {
    give[i] = (i + me) % 3;
    get[i] = (i + me) % 3;
    from[i] = 3 * (n - 1 - i);
    to[i] = 4 * i;
  }
  for (int i = 0; i < 2 * n; ++i)
    all[i] = x[i % 3] * (i + 1 + me);
  for (int i = 0; i < 4 * n; ++i)
    out[i] = cos(x[i % 3] * i);
  MPI_Ialltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_DOUBLE,
                MPI_COMM_WORLD, request);
  MPI_Ialltoallv(out, give, from, MPI_DOUBLE, in, get, to, MPI_DOUBLE,
                 MPI_COMM_WORLD, request + 1);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  y[0] = 0;
  for (int i = 0; i < 2 * n; ++i)
    y[0] += all[i] * all[i] * (i + 1);
  for (int i = 0; i < 4 * n; ++i)
    y[0] += in[i] * x[1] * (i + 1);
}

static void prefixes(const double *x, double *y) {
  double s[SMALL], t[SMALL], u[SMALL];
  MPI_Request request[3];
  for (int i = 0; i < SMALL; ++i) {
    s[i] = x[i] * x[i];
    u[i] = t[i] = sin(x[i]);
  }
  MPI_Iscan(MPI_IN_PLACE, s, SMALL, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
            request);
  MPI_Iexscan(x, t, SMALL, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request + 1);
  MPI_Iexscan(MPI_IN_PLACE, u, SMALL, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
              request + 2);
  for (int left = 3, done; left > 0; left -= done) {
    int which[3];
    MPI_Testsome(3, request, &done, which, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; i < SMALL; ++i)
    y[i] = s[i] * t[i] + u[i] * x[0];
}

static void reduce_scatters(const double *x, double *y) {
  const int n = all_ranks(), me = my_rank();
  int counts[MOST];
  double s[2 * MOST], t[2] = {0, 0}, u[3 * MOST];
  MPI_Request request[2];
  for (int i = 0; i < n; ++i)
    counts[i] = i % 2 + 1 - (i == 2);
  for (int i = 0; i < 2 * n; ++i)
    s[i] = x[i % 3] * x[0] * (i + me);
  for (int i = 0; i < 3 * n; ++i)
    u[i] = sin(x[i % 3] + i);
  MPI_Ireduce_scatter(s, t, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                      request);
  MPI_Ireduce_scatter_block(MPI_IN_PLACE, u, 2, MPI_DOUBLE, MPI_SUM,
                            MPI_COMM_WORLD, request + 1);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  y[0] = t[0] * x[0] + t[1] * x[1] + u[0] * u[1];
}

// Blocking ones, and messages, between a call and its end. All that completes
// says MPI_Waitany, in the order of the library.
static void mixed(const double *x, double *y) {
  double a[2] = {x[0] * x[0], x[1]}, b = x[2] * x[0], c = sin(x[1]), in[2],
         t[2];
  MPI_Request request[5];
  MPI_Irecv(in, 1, MPI_DOUBLE, last_rank(), 1, MPI_COMM_WORLD, request);
  MPI_Iallreduce(a, t, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request + 1);
  MPI_Isend(&b, 1, MPI_DOUBLE, next_rank(), 1, MPI_COMM_WORLD, request + 2);
  MPI_Ibarrier(MPI_COMM_WORLD, request + 3);
  MPI_Ibcast(&c, 1, MPI_DOUBLE, all_ranks() / 2, MPI_COMM_WORLD, request + 4);
  double d = b * x[1];
  MPI_Allreduce(MPI_IN_PLACE, &d, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  y[0] = 0;
  for (int i = 0; i < 5; ++i) {
    int which;
    MPI_Waitany(5, request, &which, MPI_STATUS_IGNORE);
    y[0] += which == 0 ? in[0] * x[0] : which == 1 ? t[0] * t[1] : 0;
    if (i == 2) {
      d *= x[2];
      MPI_Bcast(&d, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
  }
  y[0] += c * d;
}

// Even ranks end the first call before they meet the others, odd ones behind.
static void between(const double *x, double *y) {
  double s = x[0] * x[1], t, u = x[1], v, w;
  MPI_Request request[3];
  MPI_Iallreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
  if (my_rank() % 2 == 0) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    u *= t;
  }
  MPI_Iallreduce(&u, &v, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, request + 1);
  MPI_Allreduce(&s, &w, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallreduce(MPI_IN_PLACE, &w, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD,
                 request + 2);
  MPI_Wait(request + 2, MPI_STATUS_IGNORE);
  if (my_rank() % 2)
    MPI_Wait(request, MPI_STATUS_IGNORE);
  MPI_Wait(request + 1, MPI_STATUS_IGNORE);
  y[0] = t * v + w * w;
}

// Halves of all ranks; datatypes with integers beside the floats; both are made
// and ended by the function.
struct item {
  double value;
  int number;
};
static void objects(const double *x, double *y) {
  MPI_Comm half;
  MPI_Datatype type, parts[2] = {MPI_DOUBLE, MPI_INT};
  MPI_Aint at[2] = {0, offsetof(struct item, number)};
  int lengths[2] = {1, 1}, all;
  struct item mine[2] = {{x[0] * x[1], 2}, {x[1], my_rank()}}, theirs[2 * MOST];
  MPI_Request request[2];
  memset(theirs, 0, sizeof theirs);
  MPI_Comm_split(MPI_COMM_WORLD, my_rank() % 2, my_rank(), &half);
  MPI_Comm_size(half, &all);
  MPI_Type_create_struct(2, lengths, at, parts, &type);
  MPI_Datatype packed = type;
  MPI_Type_create_resized(packed, 0, sizeof(struct item), &type);
  MPI_Type_commit(&type);
  MPI_Iallgather(mine, 2, type, theirs, 2, type, half, request);
  MPI_Type_free(&type);
  MPI_Type_free(&packed);
  int number = my_rank(), sum;
  MPI_Iallreduce(&number, &sum, 1, MPI_INT, MPI_SUM, half, request + 1);
  MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&half);
  y[0] = sum;
  for (int i = 0; i < 2 * all; ++i)
    y[0] += theirs[i].value * theirs[i].value * (theirs[i].number + 1);
}

// Pipelined dot products: one is under way while the next is computed.
static void pipeline(const double *x, double *y) {
  enum { N = 4, STEPS = 5 };
  double u[N], mine[STEPS], all[STEPS];
  MPI_Request request[STEPS];
  memcpy(u, x, sizeof u);
  y[0] = 0;
  for (int step = 0; step < STEPS; ++step) {
    mine[step] = 0;
    for (int i = 0; i < N; ++i)
      mine[step] += u[i] * x[i];
    MPI_Iallreduce(mine + step, all + step, 1, MPI_DOUBLE, MPI_SUM,
                   MPI_COMM_WORLD, request + step);
    if (step >= 2) {
      MPI_Wait(request + step - 2, MPI_STATUS_IGNORE);
      y[0] += all[step - 2];
    }
    for (int i = 0; i < N; ++i)
      u[i] = 0.3 * u[i] * (1 + x[i]) + (step >= 2 ? 0.1 * all[step - 2] : 0);
  }
  MPI_Waitall(2, request + STEPS - 2, MPI_STATUSES_IGNORE);
  y[0] += all[STEPS - 1] * all[STEPS - 2];
}

MPI_TEST(bcasts, SMALL, SMALL)
MPI_TEST(large_bcasts, LARGE, LARGE)
MPI_TEST(sum, SMALL, SMALL)
MPI_TEST(prod, SMALL, SMALL)
MPI_TEST(min, SMALL, SMALL)
MPI_TEST(max, SMALL, SMALL)
MPI_TEST(reduce_sum, SMALL, SMALL)
MPI_TEST(reduce_prod, SMALL, SMALL)
MPI_TEST(reduce_min, SMALL, SMALL)
MPI_TEST(reduce_max, SMALL, SMALL)
MPI_TEST(zeros, 3, 1)
MPI_TEST(places, 2, 1)
MPI_TEST(gathers, 3, 1)
MPI_TEST(scatters, 3, 1)
MPI_TEST(allgathers, 3, 1)
MPI_TEST(alltoalls, 3, 1)
MPI_TEST(prefixes, SMALL, SMALL)
MPI_TEST(reduce_scatters, 3, 1)
MPI_TEST(mixed, 3, 1)
MPI_TEST(between, 2, 1)
MPI_TEST(objects, 2, 1)
MPI_TEST(pipeline, 4, 1)
MPI_MAIN(&bcasts_test, &large_bcasts_test, &sum_test, &prod_test, &min_test,
         &max_test, &reduce_sum_test, &reduce_prod_test, &reduce_min_test,
         &reduce_max_test, &zeros_test, &places_test, &gathers_test,
         &scatters_test, &allgathers_test, &alltoalls_test, &prefixes_test,
         &reduce_scatters_test, &mixed_test, &between_test, &objects_test,
         &pipeline_test)
