// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats and numbers in buffers of bytes.
#include "check.h"
#include <stddef.h>

enum { N = 4, ROOM = 512, MANY = 20000 };

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

// A char first: the floats are not aligned.
static int pack(char *buffer, int room, const double *x, int what) {
  int at = 0;
  char head = (char)what;
  float single[2] = {(float)(x[0] * x[1]), (float)x[2]};
  double twice[N];
  for (int i = 0; i < N; ++i)
    twice[i] = x[i] * x[i] * (what + 1);
  MPI_Pack(&head, 1, MPI_CHAR, buffer, room, &at, MPI_COMM_WORLD);
  MPI_Pack(twice, N, MPI_DOUBLE, buffer, room, &at, MPI_COMM_WORLD);
  MPI_Pack(&what, 1, MPI_INT, buffer, room, &at, MPI_COMM_WORLD);
  MPI_Pack(single, 2, MPI_FLOAT, buffer, room, &at, MPI_COMM_WORLD);
  return at;
}
static double unpack(char *buffer, int room, const double *x) {
  int at = 0, what;
  char head;
  float single[2];
  double twice[N], sum;
  MPI_Unpack(buffer, room, &at, &head, 1, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Unpack(buffer, room, &at, twice, N, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Unpack(buffer, room, &at, &what, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(buffer, room, &at, single, 2, MPI_FLOAT, MPI_COMM_WORLD);
  sum = (double)single[0] * (double)single[1] * (head + what + 1);
  for (int i = 0; i < N; ++i)
    sum += twice[i] * twice[(i + 1) % N] * x[i];
  return sum;
}

static void alone(const double *x, double *y) {
  char buffer[ROOM];
  const int used = pack(buffer, ROOM, x, my_rank());
  y[0] = unpack(buffer, used, x);
}

static void ring(const double *x, double *y) {
  char out[ROOM], in[ROOM];
  const int me = my_rank(), all = all_ranks();
  const int used = pack(out, ROOM, x, me);
  MPI_Sendrecv(out, used, MPI_PACKED, (me + 1) % all, 3, in, ROOM, MPI_PACKED,
               (me + all - 1) % all, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = unpack(in, ROOM, x);
}

// One buffer to all others, from anyone; used again in each step.
static void to_all(const double *x, double *y) {
  char out[ROOM], in[ROOM];
  const int me = my_rank(), all = all_ranks();
  double sum = x[0];
  for (int step = 0; step < 3; ++step) {
    double now[N] = {x[0] * sum, x[1], x[2] + sum, x[3]};
    const int used = pack(out, ROOM, now, step);
    if (me == step % all) {
      for (int to = 0; to < all; ++to)
        if (to != me)
          MPI_Send(out, used, MPI_PACKED, to, step, MPI_COMM_WORLD);
      sum += unpack(out, used, x) / 50;
    } else {
      MPI_Recv(in, ROOM, MPI_PACKED, MPI_ANY_SOURCE, step, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      sum += unpack(in, ROOM, x) / 100;
    }
  }
  y[0] = sum;
}

static void broadcast(const double *x, double *y) {
  char buffer[ROOM];
  const int root = all_ranks() - 1;
  int used = 0;
  if (my_rank() == root)
    used = pack(buffer, ROOM, x, 2);
  MPI_Bcast(&used, 1, MPI_INT, root, MPI_COMM_WORLD);
  MPI_Bcast(buffer, used, MPI_PACKED, root, MPI_COMM_WORLD);
  y[0] = unpack(buffer, used, x);
}

// Sent on as it came, and unpacked on the way.
static void forwarded(const double *x, double *y) {
  char buffer[ROOM];
  const int me = my_rank(), all = all_ranks();
  int used = pack(buffer, ROOM, x, 1);
  if (me > 0) {
    MPI_Status status;
    MPI_Recv(buffer, ROOM, MPI_PACKED, me - 1, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_PACKED, &used);
  }
  if (me + 1 < all)
    MPI_Send(buffer, used, MPI_PACKED, me + 1, 0, MPI_COMM_WORLD);
  y[0] = unpack(buffer, used, x) + (me % 2 ? unpack(buffer, used, x + 0) : 0);
}

struct particle {
  int id;
  double at[3];
  char kind;
  float mass;
};

static void structures(const double *x, double *y) {
  struct particle mine[2], theirs[2];
  const int lengths[4] = {1, 3, 1, 1};
  const MPI_Aint places[4] = {
      offsetof(struct particle, id), offsetof(struct particle, at),
      offsetof(struct particle, kind), offsetof(struct particle, mass)};
  const MPI_Datatype types[4] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_FLOAT};
  MPI_Datatype part, whole;
  MPI_Type_create_struct(4, lengths, places, types, &part);
  MPI_Type_create_resized(part, 0, sizeof(struct particle), &whole);
  MPI_Type_commit(&whole);
  char out[ROOM], in[ROOM];
  int used = 0, at = 0;
  const int me = my_rank(), all = all_ranks();
  for (int i = 0; i < 2; ++i) {
    mine[i].id = -1;
    mine[i].kind = (char)-1;
    mine[i].mass = (float)(x[0] * (i + 1));
    for (int j = 0; j < 3; ++j)
      mine[i].at[j] = sin(x[j] * (i + 1));
  }
  MPI_Pack(mine, 2, whole, out, ROOM, &used, MPI_COMM_WORLD);
  MPI_Sendrecv(out, used, MPI_PACKED, (me + 1) % all, 3, in, ROOM, MPI_PACKED,
               (me + all - 1) % all, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Unpack(in, used, &at, theirs, 2, whole, MPI_COMM_WORLD);
  MPI_Type_free(&whole);
  MPI_Type_free(&part);
  y[0] = x[3];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      y[0] += theirs[i].at[j] * (double)theirs[i].mass * x[j];
}

// A column of a matrix into a row of the next one's.
static void columns(const double *x, double *y) {
  double a[N][N], b[N][N] = {{0}};
  char out[ROOM], in[ROOM];
  const int me = my_rank(), all = all_ranks();
  int used = 0, at = 0;
  MPI_Datatype column;
  MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      a[i][j] = x[i] * x[j] * (j + 1);
  MPI_Pack(&a[0][1], 1, column, out, ROOM, &used, MPI_COMM_WORLD);
  MPI_Pack(&a[0][2], 1, column, out, ROOM, &used, MPI_COMM_WORLD);
  MPI_Request requests[2];
  MPI_Irecv(in, ROOM, MPI_PACKED, (me + all - 1) % all, 1, MPI_COMM_WORLD,
            &requests[0]);
  MPI_Isend(out, used, MPI_PACKED, (me + 1) % all, 1, MPI_COMM_WORLD,
            &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Unpack(in, ROOM, &at, b[1], N, MPI_DOUBLE, MPI_COMM_WORLD);
  MPI_Unpack(in, ROOM, &at, &b[0][3], 1, column, MPI_COMM_WORLD);
  MPI_Type_free(&column);
  y[0] = 0;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
      y[0] += b[i][j] * b[i][j] * x[j] * (i + 1);
}

// Not all that came is unpacked, and one part twice.
static void in_part(const double *x, double *y) {
  char out[ROOM], in[ROOM];
  const int me = my_rank(), all = all_ranks();
  double got[2], again[2];
  int at = 0, used = 0;
  MPI_Pack(x, N, MPI_DOUBLE, out, ROOM, &used, MPI_COMM_WORLD);
  if (me % 2 == 0 && me + 1 < all)
    MPI_Ssend(out, used, MPI_PACKED, me + 1, 0, MPI_COMM_WORLD);
  if (me % 2)
    MPI_Recv(in, ROOM, MPI_PACKED, me - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  char *from = me % 2 ? in : out;
  MPI_Unpack(from, used, &at, got, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  at = 8;
  MPI_Unpack(from, used, &at, again, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  y[0] = got[0] * again[0] + got[1] * again[1] * x[3];
}

static void gathered(const double *x, double *y) {
  char mine[ROOM], all[8 * ROOM];
  const int root = all_ranks() / 2;
  const int used = pack(mine, ROOM, x, my_rank());
  MPI_Gather(mine, used, MPI_PACKED, all, used, MPI_PACKED, root,
             MPI_COMM_WORLD);
  y[0] = x[1];
  if (my_rank() == root)
    for (int i = 0; i < all_ranks(); ++i)
      y[0] += unpack(all + i * used, used, x);
  MPI_Scatter(all, used, MPI_PACKED, mine, used, MPI_PACKED, root,
              MPI_COMM_WORLD);
  y[0] += 0.1 * unpack(mine, used, x);
}

// Larger than what the library sends at once, on the heap.
static void large(const double *x, double *y) {
  const int me = my_rank(), all = all_ranks();
  double *numbers = malloc(MANY * sizeof *numbers), sum = 0;
  int room, more, used = 0, at = 0, count = MANY;
  MPI_Pack_size(MANY, MPI_DOUBLE, MPI_COMM_WORLD, &room);
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &more);
  room += more;
  char *out = malloc((size_t)room), *in = malloc((size_t)room);
  for (int i = 0; i < MANY; ++i)
    numbers[i] = sin(x[i % N] * (1 + i % 7));
  MPI_Pack(&count, 1, MPI_INT, out, room, &used, MPI_COMM_WORLD);
  MPI_Pack(numbers, count, MPI_DOUBLE, out, room, &used, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Isend(out, used, MPI_PACKED, (me + 1) % all, 7, MPI_COMM_WORLD, &request);
  MPI_Recv(in, room, MPI_PACKED, (me + all - 1) % all, 7, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  count = 0;
  MPI_Unpack(in, room, &at, &count, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(in, room, &at, numbers, count, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < count; ++i)
    sum += numbers[i] * numbers[i] * x[i % N];
  y[0] = sum / MANY;
  free(numbers), free(out), free(in);
}

MPI_TEST_(alone, N, 1, 1e-2, SINGLE)
MPI_TEST_(ring, N, 1, 1e-2, SINGLE)
MPI_TEST_(to_all, N, 1, 1e-2, SINGLE)
MPI_TEST_(broadcast, N, 1, 1e-2, SINGLE)
MPI_TEST_(forwarded, N, 1, 1e-2, SINGLE)
MPI_TEST_(structures, N, 1, 1e-2, SINGLE)
MPI_TEST(columns, N, 1)
MPI_TEST(in_part, N, 1)
MPI_TEST_(gathered, N, 1, 1e-2, SINGLE)
MPI_TEST_(large, N, 1, 1e-5, 0)
MPI_MAIN(&alone_test, &ring_test, &to_all_test, &broadcast_test,
         &forwarded_test, &structures_test, &columns_test, &in_part_test,
         &gathered_test, &large_test)
