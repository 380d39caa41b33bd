// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How C programs hold what belongs to MPI: contexts, tables of functions,
// callbacks, global communicators and buffers, requests in structures and lists,
// error codes of each call.
#include "check.h"

enum { N = 3 };

// ---- All in a context -------------------------------------------------------
struct context {
  MPI_Comm comm;
  int me, all, left, right;
  double *send_left, *send_right, *receive_left, *receive_right;
  MPI_Request requests[4];
};
static struct context *context_new(MPI_Comm comm, int n) {
  struct context *c = (struct context *)malloc(sizeof *c);
  c->comm = comm;
  MPI_Comm_rank(comm, &c->me);
  MPI_Comm_size(comm, &c->all);
  c->left = (c->me + c->all - 1) % c->all;
  c->right = (c->me + 1) % c->all;
  c->send_left = (double *)malloc((size_t)n * sizeof(double));
  c->send_right = (double *)malloc((size_t)n * sizeof(double));
  c->receive_left = (double *)malloc((size_t)n * sizeof(double));
  c->receive_right = (double *)malloc((size_t)n * sizeof(double));
  return c;
}
static void context_free(struct context *c) {
  free(c->send_left), free(c->send_right);
  free(c->receive_left), free(c->receive_right);
  free(c);
}
static void context_begin(struct context *c, const double *u, int n) {
  MPI_Irecv(c->receive_left, n, MPI_DOUBLE, c->left, 1, c->comm,
            &c->requests[0]);
  MPI_Irecv(c->receive_right, n, MPI_DOUBLE, c->right, 2, c->comm,
            &c->requests[1]);
  for (int i = 0; i < n; ++i) {
    c->send_left[i] = u[i] * u[i];
    c->send_right[i] = sin(u[i]);
  }
  MPI_Isend(c->send_left, n, MPI_DOUBLE, c->left, 2, c->comm, &c->requests[2]);
  MPI_Isend(c->send_right, n, MPI_DOUBLE, c->right, 1, c->comm,
            &c->requests[3]);
}
static void context_end(struct context *c) {
  MPI_Waitall(4, c->requests, MPI_STATUSES_IGNORE);
}
static void in_context(const double *x, double *y) {
  struct context *c = context_new(MPI_COMM_WORLD, N);
  memcpy(y, x, N * sizeof *y);
  for (int step = 0; step < 2; ++step) {
    context_begin(c, y, N);
    for (int i = 0; i < N; ++i)
      y[i] = 0.5 * y[i] * x[0];
    context_end(c);
    for (int i = 0; i < N; ++i)
      y[i] += c->receive_left[i] * c->receive_right[N - 1 - i];
  }
  context_free(c);
}

// ---- A table of functions -----------------------------------------------------
struct transport {
  int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
  int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
  int (*sum)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
};
static const struct transport direct = {MPI_Send, MPI_Recv, MPI_Allreduce};

static void by_table(const double *x, double *y) {
  const struct transport *t = &direct;
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double s = x[0] * x[1], sum;
  if (me > 0)
    t->receive(&s, 1, MPI_DOUBLE, me - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  s = s * x[2] + x[0];
  if (me + 1 < all)
    t->send(&s, 1, MPI_DOUBLE, me + 1, 0, MPI_COMM_WORLD);
  t->sum(&s, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[0] = sum * x[1];
}

// ---- Callbacks pack and unpack --------------------------------------------------
typedef void (*pack_t)(const double *, double *, void *);
typedef void (*unpack_t)(const double *, double *, void *);

static void exchange(const double *u, double *v, int n, pack_t pack,
                     unpack_t unpack, void *data) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double *out = (double *)malloc((size_t)n * sizeof *out);
  double *in = (double *)malloc((size_t)n * sizeof *in);
  pack(u, out, data);
  MPI_Sendrecv(out, n, MPI_DOUBLE, (me + 1) % all, 3, in, n, MPI_DOUBLE,
               (me + all - 1) % all, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  unpack(in, v, data);
  free(out), free(in);
}
struct stride {
  int step;
  double scale;
};
static void pack_strided(const double *u, double *out, void *data) {
  const struct stride *s = (const struct stride *)data;
  for (int i = 0; i < N; ++i)
    out[i] = u[i * s->step] * s->scale;
}
static void unpack_product(const double *in, double *v, void *data) {
  const struct stride *s = (const struct stride *)data;
  for (int i = 0; i < N; ++i)
    v[i] *= in[i] * s->step;
}
static void callbacks(const double *x, double *y) {
  struct stride s = {2, x[1]};
  for (int i = 0; i < N; ++i)
    y[i] = x[i] + 1;
  exchange(x, y, N, pack_strided, unpack_product, &s);
}

// ---- Globals ----------------------------------------------------------------------
static MPI_Comm solver_comm = MPI_COMM_NULL;
static int solver_rank, solver_size;
static double solver_out[N], solver_in[N];

static void begin(void) {
  MPI_Comm_dup(MPI_COMM_WORLD, &solver_comm);
  MPI_Comm_rank(solver_comm, &solver_rank);
  MPI_Comm_size(solver_comm, &solver_size);
}
static double global_sum(double mine) {
  double all;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, solver_comm);
  return all;
}
static void global_shift(void) {
  MPI_Sendrecv(solver_out, N, MPI_DOUBLE, (solver_rank + 1) % solver_size, 0,
               solver_in, N, MPI_DOUBLE,
               (solver_rank + solver_size - 1) % solver_size, 0, solver_comm,
               MPI_STATUS_IGNORE);
}
// The communicator is a global; buffers are the caller's.
static void global_comm(const double *x, double *y) {
  const double norm = sqrt(global_sum(x[0] * x[0] + x[1] * x[1]));
  for (int i = 0; i < N; ++i)
    y[i] = x[i] / norm + global_sum(x[i] * x[2]);
}
// Globals have shadows if the whole program's code is seen.
static double global_given[N], global_got[N];
static void global_buffers(const double *x, double *y) {
  for (int i = 0; i < N; ++i)
    solver_out[i] = x[i] * x[i];
  global_shift();
  for (int i = 0; i < N; ++i)
    solver_out[i] = solver_in[i] * x[0];
  global_shift();
  memcpy(global_given, solver_in, sizeof global_given);
  MPI_Allreduce(global_given, global_got, N, MPI_DOUBLE, MPI_SUM, solver_comm);
  for (int i = 0; i < N; ++i)
    y[i] = solver_in[i] * solver_out[i] + global_got[i];
}

// ---- Error codes of each call -------------------------------------------------------
#define CHECK(call)                                                            \
  do {                                                                         \
    const int error = (call);                                                  \
    if (error != MPI_SUCCESS) {                                                \
      char text[MPI_MAX_ERROR_STRING];                                         \
      int length;                                                              \
      MPI_Error_string(error, text, &length);                                  \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text);                \
      MPI_Abort(MPI_COMM_WORLD, error);                                        \
    }                                                                          \
  } while (0)
static void checked(const double *x, double *y) {
  int me, all;
  double got[N], sum[N];
  MPI_Request r[2];
  CHECK(MPI_Comm_rank(MPI_COMM_WORLD, &me));
  CHECK(MPI_Comm_size(MPI_COMM_WORLD, &all));
  CHECK(MPI_Irecv(got, N, MPI_DOUBLE, (me + 1) % all, 0, MPI_COMM_WORLD, r));
  CHECK(MPI_Isend(x, N, MPI_DOUBLE, (me + all - 1) % all, 0, MPI_COMM_WORLD,
                  r + 1));
  CHECK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
  CHECK(MPI_Allreduce(got, sum, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  CHECK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < N; ++i)
    y[i] = got[i] * sum[i] * x[i];
}

// Handed up; buffers are freed on each way out.
static int sum_of(const double *x, int n, double *sum) {
  int error = 0;
  double *squares = (double *)malloc((size_t)n * sizeof *squares);
  if (!squares)
    return -1;
  for (int i = 0; i < n; ++i)
    squares[i] = x[i] * x[i];
  if ((error = MPI_Allreduce(MPI_IN_PLACE, squares, n, MPI_DOUBLE, MPI_SUM,
                             MPI_COMM_WORLD)))
    goto out;
  *sum = 0;
  for (int i = 0; i < n; ++i)
    *sum += squares[i] / (1 + i);
out:
  free(squares);
  return error;
}
static void handed_up(const double *x, double *y) {
  double sum;
  y[0] = sum_of(x, N, &sum) ? -1 : log(sum) * x[0];
}

// ---- Requests in a list --------------------------------------------------------------
struct pending {
  struct pending *next;
  MPI_Request request;
  double *buffer;
  int neighbour;
};
static void listed(const double *x, double *y) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  struct pending *receives = 0, *sends = 0;
  for (int r = 0; r < all; ++r) {
    if (r == me)
      continue;
    struct pending *p = (struct pending *)malloc(sizeof *p);
    p->buffer = (double *)malloc(N * sizeof(double));
    p->neighbour = r;
    p->next = receives;
    receives = p;
    MPI_Irecv(p->buffer, N, MPI_DOUBLE, r, 8, MPI_COMM_WORLD, &p->request);
  }
  for (int r = 0; r < all; ++r) {
    if (r == me)
      continue;
    struct pending *p = (struct pending *)malloc(sizeof *p);
    p->buffer = (double *)malloc(N * sizeof(double));
    for (int i = 0; i < N; ++i)
      p->buffer[i] = x[i] * x[(i + r) % N];
    p->next = sends;
    sends = p;
    MPI_Isend(p->buffer, N, MPI_DOUBLE, r, 8, MPI_COMM_WORLD, &p->request);
  }
  memcpy(y, x, N * sizeof *y);
  while (receives) {
    struct pending *p = receives;
    MPI_Wait(&p->request, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; ++i)
      y[i] += p->buffer[i] * x[i] / (1 + p->neighbour);
    receives = p->next;
    free(p->buffer), free(p);
  }
  while (sends) {
    struct pending *p = sends;
    MPI_Wait(&p->request, MPI_STATUS_IGNORE);
    sends = p->next;
    free(p->buffer), free(p);
  }
}

// ---- One function for all kinds ---------------------------------------------------------
enum kind { SUM, LARGEST, FROM_FIRST };
static __attribute__((noinline)) int combine(enum kind kind, double *a, int n,
                                             MPI_Comm comm) {
  switch (kind) {
  case SUM:
    return MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_DOUBLE, MPI_SUM, comm);
  case LARGEST:
    return MPI_Allreduce(MPI_IN_PLACE, a, n, MPI_DOUBLE, MPI_MAX, comm);
  case FROM_FIRST:
    return MPI_Bcast(a, n, MPI_DOUBLE, 0, comm);
  }
  return -1;
}
static void kinds(const double *x, double *y) {
  double a[N];
  memcpy(a, x, sizeof a);
  for (int k = 0; k < 5; ++k) {
    combine((enum kind)(k % 3), a, k == 3 ? 0 : N, MPI_COMM_WORLD);
    for (int i = 0; i < N; ++i)
      a[i] = sin(a[i]) * x[i];
  }
  memcpy(y, a, sizeof a);
}

// ---- Arrays as long as the ranks are many; floats of both sizes -------------------------
static void variable_arrays(const double *x, double *y) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  float mine = (float)(x[0] * x[1]), parts[all];
  MPI_Status statuses[2 * all];
  MPI_Request requests[2 * all];
  double squares[all][N], own[N];
  for (int i = 0; i < N; ++i)
    own[i] = x[i] * x[i];
  MPI_Allgather(&mine, 1, MPI_FLOAT, parts, 1, MPI_FLOAT, MPI_COMM_WORLD);
  for (int r = 0; r < all; ++r) {
    MPI_Irecv(squares[r], N, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, &requests[r]);
    MPI_Isend(own, N, MPI_DOUBLE, r, 0, MPI_COMM_WORLD, &requests[all + r]);
  }
  MPI_Waitall(2 * all, requests, statuses);
  y[0] = y[1] = 0;
  for (int r = 0; r < all; ++r) {
    y[0] += parts[r] * x[2];
    for (int i = 0; i < N; ++i)
      y[1] += squares[r][i] * own[i];
  }
}

MPI_TEST(in_context, N, N)
MPI_TEST(by_table, N, 1)
MPI_TEST(callbacks, 2 * N, N)
MPI_TEST(global_comm, N, N)
MPI_TEST(global_buffers, N, N)
MPI_TEST(checked, N, N)
MPI_TEST(handed_up, N, 1)
MPI_TEST(listed, N, N)
MPI_TEST(kinds, N, N)
MPI_TEST_(variable_arrays, N, 2, 1e-2, SINGLE)

MPI_MAIN_(begin, &in_context_test, &by_table_test, &callbacks_test,
          &global_comm_test, &global_buffers_test, &checked_test, &handed_up_test, &listed_test,
          &kinds_test, &variable_arrays_test)
