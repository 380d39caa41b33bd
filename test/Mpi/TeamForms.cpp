// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threads: 1 2 3
// sends: buffered
// The same in other spellings: other constructs, datatypes, classes.
#include "check.h"
#include <omp.h>
#include <vector>

enum { N = 6, MOST = 3 };

static int right() { return (rank + 1) % ranks; }
static int left() { return (rank + ranks - 1) % ranks; }

// Iterations that are shared out, each with a tag of its own, whoever runs it.
static void by_iterations(const double *x, double *y) {
  double in[N], sum = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
  for (int i = 0; i < N; ++i) {
    MPI_Request requests[2];
    const double out = x[i] * x[(i + 1) % N];
    MPI_Irecv(&in[i], 1, MPI_DOUBLE, left(), i, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_DOUBLE, right(), i, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += in[i] * in[i] * x[0];
  }
  y[0] = sum;
}

// In the order of iterations, with one tag.
static void by_order(const double *x, double *y) {
  double sum = 0;
#pragma omp parallel for ordered schedule(static, 1) reduction(+ : sum)
  for (int i = 0; i < N; ++i) {
    const double out = x[i] * x[i];
    double in = 0;
#pragma omp ordered
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, right(), 2, &in, 1, MPI_DOUBLE, left(), 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += in * x[(i + 2) % N] * (i + 1);
  }
  y[0] = sum;
}

// One section sends what another one receives; a third one has a collective.
static void by_sections(const double *x, double *y) {
  double got[2] = {0}, all[N];
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
        const double out[2] = {x[0] * x[1], x[2]};
        MPI_Send(out, 2, MPI_DOUBLE, right(), 1, MPI_COMM_WORLD);
      }
#pragma omp section
      MPI_Recv(got, 2, MPI_DOUBLE, left(), 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
#pragma omp section
      MPI_Allreduce(x, all, N, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
    }
#pragma omp single
    got[0] *= all[1] * got[1];
  }
  y[0] = got[0] + all[0] * all[3] * 0.1;
}

// A lock; the thread of each turn is the one that comes.
static omp_lock_t lock;
static void by_lock(const double *x, double *y) {
  double sum = x[1];
  int turn = 0;
#pragma omp parallel
  {
    omp_set_lock(&lock);
    double value = x[turn % N] * sum;
    MPI_Bcast(&value, 1, MPI_DOUBLE, turn % ranks, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    sum += 0.01 * value * value;
    ++turn;
    omp_unset_lock(&lock);
  }
  y[0] = sum * x[2];
}

// Requests of all threads in one array, each waits for what it started; parts
// of one buffer; a datatype that nobody has asked for yet.
struct cell {
  int kind;
  float weight;
  double value;
};
static void by_datatype(const double *x, double *y) {
  const int lengths[3] = {1, 1, 1};
  const MPI_Aint places[3] = {offsetof(cell, kind), offsetof(cell, weight),
                              offsetof(cell, value)};
  const MPI_Datatype types[3] = {MPI_INT, MPI_FLOAT, MPI_DOUBLE};
  MPI_Datatype packed, type;
  cell out[2 * MOST], in[2 * MOST];
  double sums[MOST] = {0};
  MPI_Type_create_struct(3, lengths, places, types, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(cell), &type);
  MPI_Type_commit(&type);
  for (int i = 0; i < 2 * MOST; ++i) {
    out[i].kind = i + rank;
    out[i].weight = (float)x[i % N];
    out[i].value = x[i % N] * x[0];
  }
#pragma omp parallel shared(out, in)
  {
    const int me = omp_get_thread_num();
    MPI_Request requests[2];
    MPI_Isend(&out[2 * me], 2, type, right(), me, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&in[2 * me], 2, type, left(), me, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    for (int i = 2 * me; i < 2 * me + 2; ++i)
      sums[me] += in[i].value * (double)in[i].weight * (in[i].kind + 1);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&type);
  MPI_Type_free(&packed);
  y[0] = sums[0] + sums[1] * x[0] + sums[2];
}

// Tests in turn, sizes that only the message tells, text beside numbers.
static void by_tests(const double *x, double *y) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    MPI_Request request;
    MPI_Status status;
    double in[N] = {0};
    int done = 0, count = 0, size = 2 + me, from = 0;
    MPI_Sendrecv(&size, 1, MPI_INT, right(), 20 + me, &from, 1, MPI_INT, left(),
                 20 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(in, N, MPI_DOUBLE, MPI_ANY_SOURCE, me, MPI_COMM_WORLD, &request);
    MPI_Ssend(x + me, 2 + me, MPI_DOUBLE, right(), me, MPI_COMM_WORLD);
    while (!done)
      MPI_Test(&request, &done, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    for (int i = 0; i < count; ++i)
      sums[me] += in[i] * in[i] * from * x[0];
  }
  y[0] = sums[0] + sums[1] * x[1] + sums[2] * x[2];
}
static void by_tests_reverse(const double *x, double *dx, double *y,
                             double *dy) {
  __enzyme_autodiff((void *)by_tests, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
// (Forward mode does not take MPI_ANY_SOURCE.)
static void by_tests_named(const double *x, double *y) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    MPI_Request request;
    MPI_Status status;
    double in[N] = {0};
    int done = 0, count = 0;
    MPI_Irecv(in, N, MPI_DOUBLE, left(), me, MPI_COMM_WORLD, &request);
    MPI_Ssend(x + me, 2 + me, MPI_DOUBLE, right(), me, MPI_COMM_WORLD);
    while (!done)
      MPI_Test(&request, &done, &status);
    MPI_Get_count(&status, MPI_DOUBLE, &count);
    for (int i = 0; i < count; ++i)
      sums[me] += in[i] * in[i] * (2 + me) * x[0];
  }
  y[0] = sums[0] + sums[1] * x[1] + sums[2] * x[2];
}

// A class with an exchange of its own for each thread.
class Exchange {
public:
  Exchange(int tag, int n) : Tag(tag), Out(n), In(n) {}
  double run(const double *from) {
    MPI_Request requests[2];
    const int n = (int)Out.size();
    for (int i = 0; i < n; ++i)
      Out[i] = from[i] * from[0];
    MPI_Isend(Out.data(), n, MPI_DOUBLE, right(), Tag, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Irecv(In.data(), n, MPI_DOUBLE, left(), Tag, MPI_COMM_WORLD,
              &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    double sum = 0;
    for (double v : In)
      sum += v * v;
    return sum;
  }

private:
  int Tag;
  std::vector<double> Out, In;
};
static void by_class(const double *x, double *y) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    Exchange e(me, 3);
    for (int step = 0; step < 2; ++step)
      sums[me] += e.run(x + step) * x[me];
  }
  y[0] = sums[0] + sums[1] * x[0] + sums[2];
}

// Regions in a loop, and regions in regions.
static void nested(const double *x, double *y) {
  double state[MOST] = {x[0], x[1], x[2]};
  for (int step = 0; step < 2; ++step) {
#pragma omp parallel
    {
      const int me = omp_get_thread_num();
      double in;
      MPI_Sendrecv(&state[me], 1, MPI_DOUBLE, right(), me, &in, 1, MPI_DOUBLE,
                   left(), me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel num_threads(2)
      {
        if (omp_get_thread_num() == omp_get_num_threads() - 1) {
          double out = in * x[3];
          MPI_Sendrecv_replace(&out, 1, MPI_DOUBLE, right(), 10 + me, left(),
                               10 + me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          in = out * x[4];
        }
      }
      state[me] = in * in;
    }
  }
  y[0] = state[0] + state[1] * x[1] + state[2];
}

// At the ends of a line there is nobody.
static void line(const double *x, double *y) {
  double sums[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    const int up = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
    const int down = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    double out = x[me] * x[me + 1], in = x[5];
    MPI_Sendrecv(&out, 1, MPI_DOUBLE, up, me, &in, 1, MPI_DOUBLE, down, me,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sums[me] = in * in * x[0];
    MPI_Send(&in, 1, MPI_DOUBLE, down, me, MPI_COMM_WORLD);
    MPI_Recv(&out, 1, MPI_DOUBLE, up, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sums[me] += out * x[1];
  }
  y[0] = sums[0] + sums[1] * x[0] + sums[2];
}

// Only what other ranks sent is active, and only they use what comes of it.
static void passed_on(const double *x, double *y) {
  double got[MOST] = {0}, back[MOST] = {0};
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double in = 0, zero = 2;
    if (rank == 0) {
      MPI_Send(&x[me], 1, MPI_DOUBLE, ranks - 1, me, MPI_COMM_WORLD);
    }
    if (rank == ranks - 1) {
      MPI_Recv(&in, 1, MPI_DOUBLE, 0, me, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      in *= in * zero;
      MPI_Send(&in, 1, MPI_DOUBLE, 0, 50 + me, MPI_COMM_WORLD);
    }
    if (rank == 0) {
      MPI_Recv(&back[me], 1, MPI_DOUBLE, ranks - 1, 50 + me, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      got[me] = back[me];
    }
  }
  y[0] = rank == 0 ? got[0] + got[1] * got[2] + got[0] * got[1] : 0;
}

// One thread, or several, as the run says; requests of an array that grows.
static void sometimes(const double *x, double *y) {
  double sums[MOST] = {0};
  for (int step = 0; step < 2; ++step) {
#pragma omp parallel if (step > 0)
    {
      const int me = omp_get_thread_num();
      std::vector<MPI_Request> requests;
      std::vector<double> in(2);
      for (int part = 0; part < 2; ++part) {
        requests.emplace_back();
        MPI_Irecv(&in[part], 1, MPI_DOUBLE, left(), 2 * me + part,
                  MPI_COMM_WORLD, &requests.back());
        requests.emplace_back();
        MPI_Isend(&x[me + part + step], 1, MPI_DOUBLE, right(), 2 * me + part,
                  MPI_COMM_WORLD, &requests.back());
      }
      MPI_Waitall((int)requests.size(), requests.data(), MPI_STATUSES_IGNORE);
      sums[me] += in[0] * in[1] * x[me];
    }
  }
  y[0] = sums[0] + sums[1] * x[3] + sums[2] * x[4];
}

// The order of the waits is not that of the starts, and another thread waits:
// several messages of one tag are under way.
static void shuffled(const double *x, double *y) {
  MPI_Request requests[2 * MOST];
  double out[MOST] = {x[0] * x[1], x[1] * x[2], x[2] * x[3]}, in[MOST] = {0};
  int threads = 1;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp single
    threads = omp_get_num_threads();
    // In the order of the threads, on all ranks.
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < threads; ++i)
#pragma omp ordered
    {
      MPI_Irecv(&in[i], 1, MPI_DOUBLE, left(), 4, MPI_COMM_WORLD,
                &requests[2 * i]);
      MPI_Isend(&out[i], 1, MPI_DOUBLE, right(), 4, MPI_COMM_WORLD,
                &requests[2 * i + 1]);
    }
    const int other = rank % 2 ? me : threads - 1 - me;
    MPI_Wait(&requests[2 * other], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[2 * other + 1], MPI_STATUS_IGNORE);
    in[other] *= in[other] * x[other + 1];
  }
  y[0] = in[0] + in[1] * in[0] + in[2] * x[4];
}

MPI_TEST(sometimes, N, 1)
MPI_TEST(shuffled, N, 1)
MPI_TEST(by_iterations, N, 1)
MPI_TEST(by_order, N, 1)
MPI_TEST(by_sections, N, 1)
MPI_TEST(by_lock, N, 1)
MPI_TEST_(by_datatype, N, 1, 2e-2, SINGLE)
MPI_TEST(by_tests_named, N, 1)
MPI_TEST(by_class, N, 1)
MPI_TEST(nested, N, 1)
MPI_TEST(line, N, 1)
MPI_TEST(passed_on, N, 1)

// MPI_ANY_SOURCE in reverse mode gives what forward mode does without.
static void compare_wildcards() {
  const double x[N] = {0.7, 1.1, 0.4, 0.9, 1.3, 0.6};
  double dx[2][N] = {{0}}, y = 0, dy = 1;
  by_tests_reverse(x, dx[0], &y, &dy);
  dy = 1;
  by_tests_named_reverse(x, dx[1], &y, &dy);
  for (int i = 0; i < N; ++i)
    if (fabs(dx[0][i] - dx[1][i]) > 1e-12) {
      ++failures;
      printf("FAIL wildcards: dx[%d]: %.17g, expected %.17g\n", i, dx[0][i],
             dx[1][i]);
    }
}

// Each thread has a gradient of its own.
static void exchange(const double *x, int tag, double *y) {
  double in = 0;
  MPI_Sendrecv(x, 1, MPI_DOUBLE, right(), tag, &in, 1, MPI_DOUBLE, left(), tag,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = in * x[1];
}
static void own_gradients() {
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    const double x[2] = {1.0 + rank + me, 2.0 + rank * me};
    double dx[2] = {0}, y = 0, dy = 1;
    __enzyme_autodiff((void *)exchange, enzyme_dup, x, dx, me, enzyme_dup, &y,
                      &dy);
    const double want[2] = {2.0 + right() * me, 1.0 + left() + me};
    for (int i = 0; i < 2; ++i)
      if (dx[i] != want[i]) {
#pragma omp critical
        ++failures;
        printf("FAIL own gradients: dx[%d]: %.17g\n", i, dx[i]);
      }
  }
}

static void begin() {
  own_gradients();
  omp_init_lock(&lock);
  omp_set_max_active_levels(2);
  compare_wildcards();
}

MPI_MAIN_(begin, &sometimes_test, &shuffled_test, &by_iterations_test,
          &by_order_test, &by_sections_test, &by_lock_test, &by_datatype_test,
          &by_tests_named_test, &by_class_test, &nested_test, &line_test,
          &passed_on_test)
