// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that are sent as bytes or characters: between two ranks.
#include "check.h"

#include <stddef.h>

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

enum { N = 5 };

static void fill(double *a, const double *x) {
  for (int i = 0; i < N; ++i)
    a[i] = x[i] * x[(i + 1) % N];
}
static void fold(double *y, const double *b) {
  y[0] = y[1] = 0;
  for (int i = 0; i < N; ++i) {
    y[0] += b[i] * b[i] * (i + 1);
    y[1] += sin(b[i]) * (i + 2);
  }
}

// ---- Five spellings of one exchange -------------------------------------------
#define RING(NAME, TYPE, COUNT)                                                \
  static void NAME(const double *x, double *y) {                               \
    double a[N], b[N];                                                         \
    fill(a, x);                                                                \
    MPI_Sendrecv(a, COUNT, TYPE, next_rank(), 0, b, COUNT, TYPE, last_rank(),  \
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);                        \
    fold(y, b);                                                                \
  }                                                                            \
  MPI_TEST(NAME, N, 2)
RING(as_bytes, MPI_BYTE, N * sizeof(double))
RING(as_chars, MPI_CHAR, sizeof a)
RING(as_unsigned_chars, MPI_UNSIGNED_CHAR, (int)(N * sizeof *a))
RING(as_octets, MPI_UINT8_T, 8 * N)
RING(as_signed_chars, MPI_SIGNED_CHAR, N * 8)

// ---- Other ways from one rank to the next ----------------------------------------
static void send_and_receive(const double *x, double *y) {
  double a[N], b[N];
  fill(a, x);
  MPI_Request r;
  MPI_Isend(a, N * sizeof(double), MPI_BYTE, next_rank(), 3, MPI_COMM_WORLD,
            &r);
  MPI_Recv(b, N * sizeof(double), MPI_BYTE, last_rank(), 3, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  fold(y, b);
}
MPI_TEST(send_and_receive, N, 2)

static void blocking(const double *x, double *y) {
  double *a = (double *)malloc(N * sizeof *a);
  double *b = (double *)malloc(N * sizeof *b);
  fill(a, x);
  for (int i = 0; i < N; ++i)
    b[i] = x[i];
  const int me = my_rank();
  if (me % 2 == 0 && me + 1 < all_ranks())
    MPI_Send(a, N * sizeof *a, MPI_CHAR, me + 1, 0, MPI_COMM_WORLD);
  if (me % 2)
    MPI_Recv(b, N * sizeof *b, MPI_CHAR, me - 1, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  fold(y, b);
  free(a);
  free(b);
}
MPI_TEST(blocking, N, 2)

static void nonblocking(const double *x, double *y) {
  double a[N], b[N], c[N];
  MPI_Request r[4];
  fill(a, x);
  MPI_Irecv(b, sizeof b, MPI_BYTE, last_rank(), 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(c, sizeof c, MPI_BYTE, next_rank(), 2, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(a, sizeof a, MPI_BYTE, next_rank(), 1, MPI_COMM_WORLD, &r[2]);
  MPI_Isend(a, sizeof a, MPI_BYTE, last_rank(), 2, MPI_COMM_WORLD, &r[3]);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  fold(y, b);
  for (int i = 0; i < N; ++i)
    y[0] += c[i] * a[i];
}
MPI_TEST(nonblocking, N, 2)

static void persistent(const double *x, double *y) {
  double a[N], b[N];
  MPI_Request r[2];
  y[0] = y[1] = 0;
  for (int i = 0; i < N; ++i)
    a[i] = x[i];
  MPI_Send_init(a, sizeof a, MPI_BYTE, next_rank(), 1, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(b, sizeof b, MPI_BYTE, last_rank(), 1, MPI_COMM_WORLD, &r[1]);
  for (int k = 0; k < 3; ++k) {
    MPI_Startall(2, r);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < N; ++i) {
      y[k % 2] += b[i] * b[(i + 1) % N];
      a[i] = b[i] * x[i];
    }
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
}
MPI_TEST(persistent, N, 2)

static void replaced(const double *x, double *y) {
  double a[N];
  fill(a, x);
  MPI_Sendrecv_replace(a, sizeof a, MPI_BYTE, next_rank(), 0, last_rank(), 0,
                       MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fold(y, a);
}
MPI_TEST(replaced, N, 2)

static void probed(const double *x, double *y) {
  double a[N], b[2 * N];
  MPI_Request r;
  MPI_Status s;
  int bytes;
  fill(a, x);
  MPI_Isend(a, (int)sizeof(double) * (2 + my_rank() % 3), MPI_BYTE, next_rank(),
            7, MPI_COMM_WORLD, &r);
  MPI_Probe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &s);
  MPI_Get_count(&s, MPI_BYTE, &bytes);
  MPI_Recv(b, bytes, MPI_BYTE, s.MPI_SOURCE, 7, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] = 0;
  for (int i = 0; i < bytes / (int)sizeof(double); ++i)
    y[0] += b[i] * b[i];
}
MPI_TEST(probed, N, 1)

// Floats of four bytes, and those that begin behind others.
static void singles(const double *x, double *y) {
  float a[2 * N], b[2 * N];
  for (int i = 0; i < 2 * N; ++i) {
    a[i] = (float)(x[i % N] * (i + 1));
    b[i] = 1;
  }
  MPI_Sendrecv(a + 3, N * sizeof(float), MPI_BYTE, next_rank(), 0, b + 1,
               N * sizeof(float), MPI_BYTE, last_rank(), 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  y[0] = 0;
  for (int i = 0; i < 2 * N; ++i)
    y[0] += (double)(b[i] * a[i]);
}
MPI_TEST_(singles, N, 1, 1e-2, SINGLE)

// ---- Structures of floats and numbers -----------------------------------------
struct particle {
  double at[2];
  int cell;
  float charge;
  char name[3];
  double speed;
};

static void put(struct particle *p, const double *x, int i) {
  p->at[0] = x[i % N] * x[0];
  p->at[1] = x[i % N];
  p->cell = i + my_rank();
  p->charge = 1;
  p->name[0] = 'a';
  p->name[1] = 'b';
  p->name[2] = 0;
  p->speed = x[i % N] * (i + 1);
}
static double energy(const struct particle *p) {
  return p->at[0] * p->at[1] * p->cell + p->speed * p->speed +
         (p->name[0] == 'a') * p->at[0];
}

static void particles(const double *x, double *y) {
  struct particle out[4], in[4];
  for (int i = 0; i < 4; ++i)
    put(&out[i], x, i);
  MPI_Sendrecv(out, sizeof out, MPI_BYTE, next_rank(), 0, in, sizeof in,
               MPI_BYTE, last_rank(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = y[1] = 0;
  for (int i = 0; i < 4; ++i) {
    y[i % 2] += energy(&in[i]);
    y[1] += out[i].speed;
  }
}
MPI_TEST(particles, N, 2)

static void some_particles(const double *x, double *y) {
  const int n = 2 + my_rank() % 2;
  const int m = 2 + last_rank() % 2;
  struct particle *out = (struct particle *)malloc(n * sizeof *out);
  struct particle *in = (struct particle *)malloc(m * sizeof *in);
  for (int i = 0; i < n; ++i)
    put(&out[i], x, i);
  MPI_Request r;
  MPI_Isend(out, n * sizeof *out, MPI_BYTE, next_rank(), 0, MPI_COMM_WORLD, &r);
  MPI_Recv(in, m * sizeof *in, MPI_BYTE, last_rank(), 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] = 0;
  for (int i = 0; i < m; ++i)
    y[0] += energy(&in[i]);
  free(out);
  free(in);
}
MPI_TEST(some_particles, N, 1)

// The shadow of what is sent may lie elsewhere in the reverse pass.
__attribute__((noinline)) static void start(struct particle *out, const double *x,
                                            MPI_Request *r) {
  put(&out[0], x, 1);
  put(&out[1], x, 2);
  MPI_Isend(&out[1], sizeof *out, MPI_BYTE, next_rank(), 0, MPI_COMM_WORLD, r);
}
static void from_the_stack(const double *x, double *y) {
  struct particle out[2], in;
  MPI_Request r;
  start(out, x, &r);
  MPI_Recv(&in, sizeof in, MPI_BYTE, last_rank(), 0, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] = energy(&in) + out[0].speed;
}
MPI_TEST(from_the_stack, N, 1)

// ---- Datatypes of bytes --------------------------------------------------------
static MPI_Datatype word, record, pairs, whole;
static void make_types(void) {
  const int lengths[2] = {2, 1};
  const MPI_Aint places[2] = {0, offsetof(struct particle, speed)};
  const MPI_Datatype of[2] = {MPI_DOUBLE, MPI_DOUBLE};
  MPI_Datatype parts;
  MPI_Type_contiguous(sizeof(double), MPI_BYTE, &word);
  MPI_Type_contiguous(sizeof(struct particle), MPI_CHAR, &record);
  MPI_Type_vector(3, 8, 16, MPI_BYTE, &pairs);
  MPI_Type_create_struct(2, lengths, places, of, &parts);
  const int amounts[2] = {1, 24};
  const MPI_Aint at[2] = {0, offsetof(struct particle, cell)};
  const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_BYTE};
  MPI_Type_create_struct(2, amounts, at, types, &whole);
  MPI_Type_free(&parts);
  MPI_Type_commit(&word);
  MPI_Type_commit(&record);
  MPI_Type_commit(&pairs);
  MPI_Type_commit(&whole);
}
RING(words, word, N)

static void records(const double *x, double *y) {
  struct particle out[3], in[3];
  for (int i = 0; i < 3; ++i)
    put(&out[i], x, i);
  MPI_Sendrecv(out, 3, record, next_rank(), 0, in, 3, record, last_rank(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = y[1] = 0;
  for (int i = 0; i < 3; ++i)
    y[i % 2] += energy(&in[i]);
}
MPI_TEST(records, N, 2)

static void every_other(const double *x, double *y) {
  double a[N], b[N];
  fill(a, x);
  for (int i = 0; i < N; ++i)
    b[i] = x[i];
  MPI_Sendrecv(a, 1, pairs, next_rank(), 0, b, 1, pairs, last_rank(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fold(y, b);
}
MPI_TEST(every_other, N, 2)

static void double_and_bytes(const double *x, double *y) {
  struct particle out, in;
  put(&out, x, 0);
  put(&in, x, 1);
  MPI_Sendrecv(&out, 1, whole, next_rank(), 0, &in, 1, whole, last_rank(), 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = energy(&in);
}
MPI_TEST(double_and_bytes, N, 1)

// A type that is made and freed each time.
static void made_inside(const double *x, double *y) {
  double a[N], b[N];
  fill(a, x);
  for (int k = 0; k < 3; ++k) {
    MPI_Datatype t;
    MPI_Type_contiguous(sizeof(double) * (k + 1), MPI_BYTE, &t);
    MPI_Type_commit(&t);
    for (int i = 0; i < N; ++i)
      b[i] = a[i];
    MPI_Sendrecv(a, 1, t, next_rank(), 0, b, 1, t, last_rank(), 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&t);
    for (int i = 0; i < N; ++i)
      a[i] = b[(i + 1) % N] * x[i];
  }
  fold(y, a);
}
MPI_TEST(made_inside, N, 2)

// ---- Behind functions that see no types ----------------------------------------
__attribute__((noinline)) static void pass_bytes(const void *from, void *to,
                                                 size_t bytes) {
  MPI_Sendrecv(from, (int)bytes, MPI_BYTE, next_rank(), 0, to, (int)bytes,
               MPI_BYTE, last_rank(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void wrapped(const double *x, double *y) {
  double a[N], b[N];
  int n[2] = {my_rank(), 3}, m[2];
  fill(a, x);
  pass_bytes(a, b, sizeof a);
  pass_bytes(n, m, sizeof n);
  fold(y, b);
  y[0] *= m[0] + m[1];
}
MPI_TEST(wrapped, N, 2)

// A buffer of characters that floats and numbers are copied to, and from.
static void serialized(const double *x, double *y) {
  char out[96], in[96];
  double a[N], b[N];
  long n = N, m;
  fill(a, x);
  memset(out, 0, sizeof out);
  memcpy(out, &n, sizeof n);
  memcpy(out + 8, a, sizeof a);
  MPI_Sendrecv(out, sizeof out, MPI_CHAR, next_rank(), 0, in, sizeof in,
               MPI_CHAR, last_rank(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  memcpy(&m, in, sizeof m);
  memcpy(b, in + 8, sizeof b);
  fold(y, b);
  y[0] *= m;
}
MPI_TEST(serialized, N, 2)

// Numbers and text as bytes; one end has no shadow.
static void numbers(const double *x, double *y) {
  struct {
    int n;
    long k[2];
  } out = {my_rank() + 1, {2, 3}}, in;
  char text[8] = "adze", got[8];
  double a[2] = {x[0] * x[1], x[2]}, b[2];
  MPI_Sendrecv(&out, sizeof out, MPI_BYTE, next_rank(), 0, &in, sizeof in,
               MPI_BYTE, last_rank(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(text, 8, MPI_CHAR, next_rank(), 1, got, 8, MPI_CHAR, last_rank(),
               1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(a, sizeof a, MPI_BYTE, next_rank(), 2, b, sizeof b, MPI_BYTE,
               last_rank(), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = b[0] * in.n * (double)in.k[1] * (got[1] == 'd') + b[1];
}
MPI_TEST(numbers, N, 1)

// What one rank sends, some receive into memory that is not looked at.
static void one_sided(const double *x, double *y) {
  double a[2] = {x[0] * x[0], x[1]}, b[2] = {0, 0};
  const int me = my_rank(), all = all_ranks();
  y[0] = x[2];
  if (me == 0)
    for (int r = 1; r < all; ++r)
      MPI_Send(a, sizeof a, MPI_BYTE, r, 0, MPI_COMM_WORLD);
  else if (me % 2)
    MPI_Recv(b, sizeof b, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else {
    char unused[2 * sizeof(double)];
    MPI_Recv(unused, sizeof unused, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
  }
  y[0] += b[0] * b[1];
}
MPI_TEST(one_sided, N, 1)
MPI_MAIN_(make_types, &as_bytes_test, &as_chars_test, &as_unsigned_chars_test,
          &as_octets_test, &as_signed_chars_test, &send_and_receive_test,
          &blocking_test, &nonblocking_test, &persistent_test, &replaced_test,
          &probed_test, &singles_test, &particles_test, &some_particles_test,
          &words_test, &records_test, &every_other_test, &double_and_bytes_test,
          &made_inside_test, &wrapped_test, &serialized_test, &numbers_test,
          &one_sided_test, &from_the_stack_test)
