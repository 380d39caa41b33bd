// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has no derivative stands among what has: attributes, errors that the
// program handles, what is asked of datatypes and messages, bits.
#include "check.h"
#include <complex.h>

/* ---- Attributes ---------------------------------------------------------- */

struct context {
  int level, scale;
};
static int copies, ends;

static int copy_context(MPI_Comm comm, int key, void *extra, void *from,
                        void *to, int *flag) {
  (void)comm, (void)key, (void)extra;
  ++copies;
  *(void **)to = from;
  *flag = 1;
  return MPI_SUCCESS;
}
static int end_context(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++ends;
  return MPI_SUCCESS;
}

static void attributes(const double *x, double *y) {
  struct context c = {3, 2}, *found = 0, *copied = 0;
  int mine, shared, has_mine, has_copy, has_none;
  MPI_Comm comm, twin;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &mine,
                         0);
  MPI_Comm_create_keyval(copy_context, end_context, &shared, 0);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, mine, &c);
  MPI_Comm_set_attr(comm, shared, &c);
  MPI_Comm_dup(comm, &twin);
  MPI_Comm_get_attr(comm, mine, &found, &has_mine);
  MPI_Comm_get_attr(twin, shared, &copied, &has_copy);
  MPI_Comm_get_attr(twin, mine, &found, &has_none);
  double part = x[0] * copied->scale * (has_mine + has_copy - has_none), sum;
  MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, twin);
  y[0] = sum * x[1] * copied->level;
  MPI_Comm_delete_attr(comm, mine);
  MPI_Comm_free(&twin);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&mine);
  MPI_Comm_free_keyval(&shared);
}
MPI_TEST(attributes, 2, 1)

static void of_datatypes(const double *x, double *y) {
  int key, has, unit = 3, *known;
  MPI_Datatype pair;
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &key,
                         0);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Type_set_attr(pair, key, &unit);
  MPI_Type_get_attr(pair, key, &known, &has);
  double a[2] = {x[0] * x[1], x[1]};
  MPI_Bcast(a, 1, pair, 0, MPI_COMM_WORLD);
  y[0] = a[0] * a[1] * *known * has;
  MPI_Type_delete_attr(pair, key);
  MPI_Type_free_keyval(&key);
  MPI_Type_free(&pair);
}
MPI_TEST(of_datatypes, 2, 1)

/* ---- Errors -----------------------------------------------------------------
 */

static int seen;
static void see(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  seen = *code;
}

static void errors(const double *x, double *y) {
  MPI_Errhandler own, before;
  MPI_Comm comm;
  int kind, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(see, &own);
  MPI_Comm_get_errhandler(comm, &before);
  MPI_Comm_set_errhandler(comm, own);
  double part = x[0] * x[0], sum;
  const int error = MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
  if (error != MPI_SUCCESS) {
    MPI_Error_class(error, &kind);
    MPI_Error_string(error, text, &length);
    MPI_Comm_call_errhandler(comm, error);
    printf("%.*s\n", length, text);
    MPI_Abort(comm, kind);
  }
  MPI_Comm_set_errhandler(comm, before);
  MPI_Errhandler_free(&own);
  if (before != MPI_ERRORS_ARE_FATAL)
    MPI_Errhandler_free(&before);
  MPI_Comm_free(&comm);
  y[0] = sum * x[0];
}
MPI_TEST(errors, 1, 1)

/* ---- Datatypes and messages
 * --------------------------------------------------- */

static void sizes(const double *x, double *y) {
  MPI_Datatype every_other, spaced;
  MPI_Aint low, extent;
  MPI_Count low_x, extent_x, size_x;
  int size, ints, places, types, how, of[4];
  MPI_Aint places_of[4];
  MPI_Datatype types_of[4];
  MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &every_other);
  MPI_Type_create_resized(every_other, 0, 4 * sizeof(double), &spaced);
  MPI_Type_commit(&spaced);
  MPI_Type_get_extent(spaced, &low, &extent);
  MPI_Type_get_extent_x(spaced, &low_x, &extent_x);
  MPI_Type_get_true_extent_x(spaced, &low_x, &extent_x);
  MPI_Type_size(spaced, &size);
  MPI_Type_size_x(spaced, &size_x);
  MPI_Type_get_envelope(spaced, &ints, &places, &types, &how);
  MPI_Type_get_contents(spaced, ints, places, types, of, places_of, types_of);
  double a[8];
  for (int i = 0; i < 8; ++i)
    a[i] = x[i] * x[i];
  MPI_Sendrecv_replace(a, 2, spaced, (rank + 1) % ranks, 1,
                       (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  y[0] = 0;
  for (int i = 0; i < 8; ++i)
    y[0] += (i + 1) * a[i] * x[0];
  y[0] *= (double)(extent + extent_x + size + size_x + low_x + low) / 64;
  MPI_Type_free(&types_of[0]);
  MPI_Type_free(&spaced);
  MPI_Type_free(&every_other);
}
MPI_TEST(sizes, 8, 1)

// Fewer pairs come than there is room for.
static void elements(const double *x, double *y) {
  MPI_Datatype pair;
  MPI_Status status;
  MPI_Request r;
  MPI_Count long_count;
  int pairs, numbers;
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  double in[10] = {0}, out[4] = {x[0] * x[1], x[1], x[2], x[0]};
  MPI_Isend(out, 1 + rank % 2, pair, (rank + 1) % ranks, 5, MPI_COMM_WORLD, &r);
  MPI_Recv(in, 5, pair, (rank + ranks - 1) % ranks, MPI_ANY_TAG, MPI_COMM_WORLD,
           &status);
  MPI_Get_count(&status, pair, &pairs);
  MPI_Get_elements(&status, pair, &numbers);
  MPI_Get_elements_x(&status, pair, &long_count);
  MPI_Wait(&r, MPI_STATUS_IGNORE);
  y[0] = 0;
  for (int i = 0; i < numbers; ++i)
    y[0] += in[i] * in[i] * (pairs + (double)long_count);
  MPI_Type_free(&pair);
}
MPI_TEST(elements, 3, 1)

static void asked_before(const double *x, double *y) {
  double a = x[0] * x[1], b;
  MPI_Request r[2];
  MPI_Status status;
  int done = 0, count;
  MPI_Irecv(&b, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD,
            &r[0]);
  MPI_Isend(&a, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, MPI_COMM_WORLD, &r[1]);
  while (!done)
    MPI_Request_get_status(r[0], &done, &status);
  MPI_Get_count(&status, MPI_DOUBLE, &count);
  MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
  y[0] = b * b * count;
}
MPI_TEST(asked_before, 2, 1)

// Floats by their precision, as Fortran's kinds are.
static void by_precision(const double *x, double *y) {
  MPI_Datatype real, pair, single;
  MPI_Type_create_f90_real(15, 307, &real);
  MPI_Type_create_f90_complex(15, 307, &pair);
  MPI_Type_create_f90_real(6, 37, &single);
  double a = x[0] * x[1], b;
  float f = (float)x[1], g;
  double complex z = a * I + x[1], w;
  MPI_Allreduce(&a, &b, 1, real, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&z, &w, 1, pair, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&f, &g, 1, single, MPI_MAX, MPI_COMM_WORLD);
  y[0] = b * b + creal(w) * cimag(w) + g;
}
MPI_TEST_(by_precision, 2, 1, 1e-2, SINGLE)

static void hints(const double *x, double *y) {
  MPI_Info info, copy;
  MPI_Comm comm;
  char value[16], name[MPI_MAX_INFO_KEY];
  int has, keys;
  MPI_Info_create(&info);
  MPI_Info_set(info, "order", "any");
  MPI_Info_dup(info, &copy);
  MPI_Info_get(copy, "order", 15, value, &has);
  MPI_Info_get_nkeys(copy, &keys);
  MPI_Info_get_nthkey(copy, 0, name);
  MPI_Info_delete(copy, "order");
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
  double a = x[0];
  MPI_Allreduce(MPI_IN_PLACE, &a, 1, MPI_DOUBLE, MPI_PROD, comm);
  y[0] = a * (keys + has);
  MPI_Comm_free(&comm);
  MPI_Info_free(&info);
  MPI_Info_free(&copy);
}
MPI_TEST(hints, 1, 1)

/* ---- Bits
 * ---------------------------------------------------------------------- */

static void bits(const double *x, double *y) {
  const int one = rank + 1, many[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const unsigned long set = 1ul << rank;
  const unsigned char marks[2] = {(unsigned char)(1u << (rank % 8)), 1};
  int got[9] = {0};
  unsigned long all_sets;
  unsigned char all_marks[2], some_marks[2] = {0};
  struct {
    int value, place;
  } mine = {rank * 3 % 5, rank}, most;
  struct {
    double value;
    int place;
  } fixed = {rank * 2.0, rank}, least;
  MPI_Allreduce(&one, &got[0], 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &got[1], 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &got[2], 1, MPI_INT, MPI_LXOR, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &got[3], 1, MPI_INT, MPI_BAND, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &got[4], 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &got[5], 1, MPI_INT, MPI_BXOR, MPI_COMM_WORLD);
  MPI_Scan(&one, &got[6], 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  MPI_Reduce_scatter_block(many, &got[7], 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  MPI_Exscan(&one, &got[8], 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  got[8] *= rank > 0;
  MPI_Allreduce(&set, &all_sets, 1, MPI_UNSIGNED_LONG, MPI_BOR, MPI_COMM_WORLD);
  MPI_Allreduce(marks, all_marks, 2, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  MPI_Reduce(marks, some_marks, 2, MPI_BYTE, MPI_BXOR, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&mine, &most, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Allreduce(&fixed, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
  double sum = (double)all_sets + all_marks[0] + some_marks[1] + most.value +
               most.place + least.value + least.place;
  for (int i = 0; i < 9; ++i)
    sum += got[i];
  double part = x[0] * x[0], all;
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  y[0] = all * sum;
}
MPI_TEST(bits, 1, 1)

// The compiler sees neither the datatype nor the operation.
__attribute__((noinline)) static void reduce(const void *a, void *b,
                                             MPI_Datatype type, MPI_Op op) {
  MPI_Allreduce(a, b, 1, type, op, MPI_COMM_WORLD);
}
static void of_any_type(const double *x, double *y) {
  const int mark = 1 << (rank % 8);
  int marks;
  double a = x[0] * x[1], sum, product;
  reduce(&mark, &marks, MPI_INT, MPI_BOR);
  reduce(&a, &sum, MPI_DOUBLE, MPI_SUM);
  reduce(&a, &product, MPI_DOUBLE, MPI_PROD);
  y[0] = marks * sum + product;
}
MPI_TEST(of_any_type, 2, 1)

/* ---- Requests that are kept, and buffered
 * ---------------------------------------- */

static void kept_and_buffered(const double *x, double *y) {
  int size = 1000 + 4 * MPI_BSEND_OVERHEAD;
  char *buffer = (char *)malloc((size_t)size);
  double a = x[0], b;
  MPI_Request r[2];
  MPI_Buffer_attach(buffer, size);
  MPI_Bsend_init(&a, 1, MPI_DOUBLE, (rank + 1) % ranks, 1, MPI_COMM_WORLD,
                 &r[0]);
  MPI_Recv_init(&b, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 1,
                MPI_COMM_WORLD, &r[1]);
  y[0] = 0;
  for (int step = 0; step < 3; ++step) {
    MPI_Start(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE); // nobody receives yet
    MPI_Startall(1, &r[1]);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    y[0] += b * b;
    a = a * x[1] + b;
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
}
MPI_TEST(kept_and_buffered, 2, 1)

MPI_MAIN(&attributes_test, &of_datatypes_test, &errors_test, &sizes_test,
         &elements_test, &asked_before_test, &by_precision_test, &hints_test,
         &bits_test, &of_any_type_test, &kept_and_buffered_test)
