// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// directions: one
// sends: buffered
// What ends the run with a message, on all ranks, in both modes. MPI_Abort is
// the test's own and comes back.
#include "check.h"
#include <setjmp.h>
#include <stdint.h>
#include <unistd.h>

static jmp_buf back;
static MPI_Win window;
static char *memory;

int MPI_Abort(MPI_Comm comm, int code) {
  (void)comm, (void)code;
  longjmp(back, 1);
}

enum { BYTES = 2 * sizeof(double) };

static char *packed(const double *x) {
  double numbers[2] = {x[0] * x[1], x[0]};
  char *bytes = (char *)calloc(1, BYTES);
  int end = 0;
  MPI_Pack(numbers, 2, MPI_DOUBLE, bytes, BYTES, &end, MPI_COMM_WORLD);
  return bytes;
}
static void unpack(char *bytes, double *y) {
  double numbers[2];
  int begin = 0;
  MPI_Unpack(bytes, BYTES, &begin, numbers, 2, MPI_DOUBLE, MPI_COMM_WORLD);
  y[0] = numbers[0] * numbers[1];
  free(bytes);
}

static void puts_packed(const double *x, double *y) {
  char *bytes = packed(x);
  MPI_Put(bytes, BYTES, MPI_PACKED, rank, 0, BYTES, MPI_PACKED, window);
  unpack(bytes, y);
}
static void gets_packed(const double *x, double *y) {
  char *bytes = packed(x);
  MPI_Get(bytes, BYTES, MPI_PACKED, rank, 0, BYTES, MPI_PACKED, window);
  unpack(bytes, y);
}
static void broadcasts_packed(const double *x, double *y) {
  char *bytes = packed(x);
  MPI_Request request;
  MPI_Ibcast(bytes, BYTES, MPI_PACKED, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  unpack(bytes, y);
}
static void exchanges_packed(const double *x, double *y) {
  char *bytes = packed(x), *got = (char *)calloc((size_t)ranks, BYTES);
  MPI_Request request;
  MPI_Iallgather(bytes, BYTES, MPI_PACKED, got, BYTES, MPI_PACKED,
                 MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  unpack(got, y);
  free(bytes);
}

// Floats as integers, of a datatype that only the run knows.
MPI_Datatype chosen, two;
static void sends_integers(const double *x, double *y) {
  double numbers[2] = {x[0] * x[1], x[0]};
  MPI_Bcast(numbers, 2, chosen, 0, MPI_COMM_WORLD);
  y[0] = numbers[0] * numbers[1];
}
static void gathers_integers(const double *x, double *y) {
  double numbers[2] = {x[0] * x[1], x[0]}, got[16];
  MPI_Allgather(numbers, 1, two, got, 1, two, MPI_COMM_WORLD);
  y[0] = got[0] * got[1];
}

// Windows that are locked, but not freed here; that nothing completes.
static void keeps_locked(const double *x, double *y) {
  double *numbers = (double *)calloc(2, sizeof *numbers);
  MPI_Win win;
  MPI_Win_create(numbers, BYTES, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Put(x, 2, MPI_DOUBLE, 0, 0, 2, MPI_DOUBLE, win);
  MPI_Win_unlock(0, win);
  y[0] = numbers[0] * numbers[1];
}
static void adds_elsewhere(const double *x, double *y) {
  MPI_Accumulate(x, 1, MPI_DOUBLE, rank, 0, 1, MPI_DOUBLE, MPI_SUM, window);
  y[0] = x[0] * x[1];
}
static void fetches(const double *x, double *y) {
  double was = 0;
  MPI_Fetch_and_op(x, &was, MPI_DOUBLE, rank, 0, MPI_SUM, window);
  y[0] = was * x[0];
}

// No lock keeps others away.
static void fetches_shared(const double *x, double *y) {
  double *numbers = (double *)calloc(2, sizeof *numbers), was = 0;
  MPI_Win win;
  MPI_Win_create(numbers, BYTES, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
  MPI_Get_accumulate(x, 1, MPI_DOUBLE, &was, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE,
                     MPI_SUM, win);
  MPI_Win_free(&win);
  y[0] = was * x[0];
  free(numbers);
}

// Two numbers go out, and one with an integer comes in; or the other way.
struct record {
  double number;
  int64_t integer;
};
MPI_Datatype record;
static void counts_differ(const double *x, double *y) {
  double numbers[2] = {x[0] * x[1], x[0]};
  struct record got;
  MPI_Request request;
  MPI_Irecv(&got, 1, record, rank, 7, MPI_COMM_WORLD, &request);
  MPI_Send(numbers, 2, MPI_DOUBLE, rank, 7, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = got.number * numbers[0];
}
static void counts_differ_at_once(const double *x, double *y) {
  double numbers[2] = {x[0] * x[1], x[0]};
  struct record got;
  MPI_Sendrecv(numbers, 2, MPI_DOUBLE, rank, 8, &got, 1, record, rank, 8,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = got.number * numbers[0];
}
static void more_tangents(const double *x, double *y) {
  struct record given = {x[0] * x[1], 0};
  double got[2];
  MPI_Sendrecv(&given, 1, record, rank, 9, got, 2, MPI_DOUBLE, rank, 9,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  y[0] = got[0] * given.number;
}

// Receives that do not wait, of any tag; a message that another one overtakes.
static void starts_of_any(const double *x, double *y) {
  double got = x[0] * x[1];
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
            &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = got;
}
static void starts_of_any_tag(const double *x, double *y) {
  double got = x[0] * x[1];
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  y[0] = got;
}
static void overtakes(const double *x, double *y) {
  double got = x[0] * x[1];
  MPI_Request requests[2];
  MPI_Message message;
  for (int i = 0; i < 2; ++i)
    MPI_Isend(&x[i], 1, MPI_DOUBLE, rank, 11, MPI_COMM_WORLD, &requests[i]);
  MPI_Mprobe(rank, 11, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Recv(&got, 1, MPI_DOUBLE, rank, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Mrecv(&got, 1, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  y[0] = got;
}

static void expect_message(const char *test, const char *want,
                           void (*derivative)(const double *, double *,
                                              double *, double *)) {
  double x[2] = {1.5, 0.5}, dx[2] = {1, 1}, y[2] = {0}, dy[2] = {1, 0};
  char text[512] = {0};
  FILE *said = tmpfile();
  const int stderr_before = dup(2);
  dup2(fileno(said), 2);
  if (!setjmp(back))
    derivative(x, dx, y, dy);
  dup2(stderr_before, 2);
  close(stderr_before);
  rewind(said);
  text[fread(text, 1, sizeof text - 1, said)] = 0;
  fclose(said);
  if (strstr(text, want))
    return;
  ++failures;
  printf("FAIL %s: rank %d: it says '%s'\n", test, rank, text);
}

#define REFUSED(F, MESSAGE) {#F, MESSAGE, F##_reverse, F##_forward}
// The other mode is not asked: MPI itself ends the run.
#define REFUSED_BY_REVERSE(F, MESSAGE) {#F, MESSAGE, F##_reverse, 0}
#define REFUSED_BY_FORWARD(F, MESSAGE) {#F, MESSAGE, 0, F##_forward}
#define DERIVATIVES(F)                                                         \
  static void F##_reverse(const double *x, double *dx, double *y,              \
                          double *dy) {                                        \
    __enzyme_autodiff((void *)F, enzyme_dup, x, dx, enzyme_dup, y, dy);        \
  }                                                                            \
  static void F##_forward(const double *x, double *dx, double *y,              \
                          double *dy) {                                        \
    __enzyme_fwddiff((void *)F, enzyme_dup, x, dx, enzyme_dup, y, dy);         \
  }

DERIVATIVES(puts_packed)
DERIVATIVES(gets_packed)
DERIVATIVES(broadcasts_packed)
DERIVATIVES(exchanges_packed)
DERIVATIVES(sends_integers)
DERIVATIVES(gathers_integers)
DERIVATIVES(keeps_locked)
DERIVATIVES(adds_elsewhere)
DERIVATIVES(fetches)
DERIVATIVES(fetches_shared)
DERIVATIVES(counts_differ)
DERIVATIVES(counts_differ_at_once)
DERIVATIVES(more_tangents)
DERIVATIVES(starts_of_any)
DERIVATIVES(starts_of_any_tag)
DERIVATIVES(overtakes)

static const struct {
  const char *name, *message;
  void (*reverse)(const double *, double *, double *, double *);
  void (*forward)(const double *, double *, double *, double *);
} all[] = {
    REFUSED(puts_packed, "MPI_Put: MPI_BYTE and MPI_PACKED do not tell"),
    REFUSED(gets_packed, "MPI_Get: MPI_BYTE and MPI_PACKED do not tell"),
    REFUSED(broadcasts_packed, "MPI_Ibcast: MPI_PACKED is not supported"),
    REFUSED(exchanges_packed, "MPI_Iallgather: MPI_PACKED is not supported"),
    REFUSED(sends_integers, ": floats are exchanged as integers: use"),
    REFUSED(gathers_integers, ": floats are exchanged as integers: use"),
    REFUSED(adds_elsewhere, "MPI_Accumulate: a window that the function that"),
    REFUSED(fetches, "MPI_Fetch_and_op: a window that the function that"),
    REFUSED(fetches_shared, "MPI_Get_accumulate: floats, whose value depends"),
    // Forward mode needs no end of the window.
    {"keeps_locked", "MPI_Put: the function that is differentiated must free",
     keeps_locked_reverse, keeps_locked_reverse},
    REFUSED_BY_REVERSE(counts_differ, "MPI_Send: 2 floats are exchanged, and"),
    REFUSED_BY_REVERSE(counts_differ_at_once,
                       "MPI_Sendrecv: 2 floats are exchanged, and"),
    REFUSED_BY_FORWARD(more_tangents, "MPI_Sendrecv: 2 floats are exchanged"),
    REFUSED(starts_of_any, "MPI_Irecv: MPI_ANY_TAG, of a receive that does"),
    REFUSED_BY_FORWARD(starts_of_any_tag, "MPI_Irecv: MPI_ANY_TAG, of a"),
    REFUSED(overtakes, "MPI_Recv: MPI_Mprobe has found a message before"),
};

int main(int argc, char **argv) {
  const int count = (int)(sizeof all / sizeof *all);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  chosen = MPI_INT64_T;
  MPI_Type_contiguous(2, MPI_LONG, &two);
  MPI_Type_commit(&two);
  const int lengths[2] = {1, 1};
  const MPI_Aint places[2] = {0, sizeof(double)};
  const MPI_Datatype members[2] = {MPI_DOUBLE, MPI_INT64_T};
  MPI_Type_create_struct(2, lengths, places, members, &record);
  MPI_Type_commit(&record);
  memory = (char *)calloc(1, BYTES);
  MPI_Win_create(memory, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int i = 0; i < count; ++i) {
    if (all[i].reverse)
      expect_message(all[i].name, all[i].message, all[i].reverse);
    if (all[i].forward)
      expect_message(all[i].name, all[i].message, all[i].forward);
  }
  MPI_Win_free(&window);
  MPI_Type_free(&two);
  MPI_Type_free(&record);
  free(memory);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d tests, %d failures\n", count, failures);
  MPI_Finalize();
  return failures != 0;
}
