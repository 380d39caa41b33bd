// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of MPI as Fortran calls them: each calls that of C. They take the
// place of calls before anything is differentiated (Known/MpiFortran.cpp), so
// the derivatives of C's functions serve Fortran, too.
//
// All arguments come by reference. A handle is a number, which MPI translates.
// A status is laid out as that of C; a logical is 0 or 1.
#include "MpiLibrary.h"

#ifdef ADZE_MPI_NUMBERED
/* Fortran's handles are those of C. */
#define TRANSLATION(TYPE)                                                      \
  PART static TYPE TYPE##_f2c(int Handle) { return Handle; }                   \
  PART static int TYPE##_c2f(TYPE Handle) { return Handle; }
/* MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE; MPI_STATUSES_IGNORE. */
extern int mpipriv1_[] __attribute__((weak)), mpipriv2_[] __attribute__((weak));
#define FortranBottom (mpipriv1_ ? mpipriv1_ : (int *)0)
#define FortranInPlace (mpipriv1_ ? mpipriv1_ + 1 : (int *)0)
#define FortranStatusIgnore (mpipriv1_ ? mpipriv1_ + 2 : (int *)0)
#define FortranStatusesIgnore mpipriv2_
/* MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY, in Fortran and in C. */
extern int mpifcmb5_[] __attribute__((weak)), mpifcmb9_[] __attribute__((weak));
extern int *const MPI_UNWEIGHTED __attribute__((weak));
extern int *const MPI_WEIGHTS_EMPTY __attribute__((weak));
#define FortranUnweighted mpifcmb5_
#define FortranWeightsEmpty mpifcmb9_
#else
#define TRANSLATION(TYPE)                                                      \
  TYPE TYPE##_f2c(int);                                                        \
  int TYPE##_c2f(TYPE);
extern int mpi_fortran_bottom_[] __attribute__((weak)),
    mpi_fortran_in_place_[] __attribute__((weak)),
    mpi_fortran_status_ignore_[] __attribute__((weak)),
    mpi_fortran_statuses_ignore_[] __attribute__((weak)),
    mpi_fortran_unweighted_[] __attribute__((weak)),
    mpi_fortran_weights_empty_[] __attribute__((weak));
#define FortranBottom mpi_fortran_bottom_
#define FortranInPlace mpi_fortran_in_place_
#define FortranStatusIgnore mpi_fortran_status_ignore_
#define FortranStatusesIgnore mpi_fortran_statuses_ignore_
#define FortranUnweighted mpi_fortran_unweighted_
#define FortranWeightsEmpty mpi_fortran_weights_empty_
#define MPI_UNWEIGHTED ((int *)2)
#define MPI_WEIGHTS_EMPTY ((int *)3)
#endif
TRANSLATION(MPI_Comm)
TRANSLATION(MPI_Op)
TRANSLATION(MPI_Request)
TRANSLATION(MPI_Group)
TRANSLATION(MPI_Info)
TRANSLATION(MPI_Message)
#ifdef ADZE_MPI_NUMBERED
PART static MPI_Datatype MPI_Type_f2c(int Handle) { return Handle; }
PART static int MPI_Type_c2f(MPI_Datatype Handle) { return Handle; }
#else
MPI_Datatype MPI_Type_f2c(int);
int MPI_Type_c2f(MPI_Datatype);
#endif

/* A file of the program may lack some variables: null then. */
#define IS(ADDRESS, VARIABLE)                                                  \
  ((VARIABLE) && (const char *)(ADDRESS) == (const char *)(VARIABLE))

PART static void *buffer(char *Address) {
  if (IS(Address, FortranInPlace))
    return InPlace;
  return IS(Address, FortranBottom) ? (void *)0 : Address;
}

PART static MPI_Status *status(int *Address) {
  return IS(Address, FortranStatusIgnore) ? StatusIgnore
                                          : (MPI_Status *)Address;
}

PART static MPI_Status *statuses(int *Address) {
  return IS(Address, FortranStatusesIgnore) ? StatusIgnore
                                            : (MPI_Status *)Address;
}

PART static const int *weights(const int *Address) {
  if (IS(Address, FortranUnweighted))
    return MPI_UNWEIGHTED;
  return IS(Address, FortranWeightsEmpty) ? MPI_WEIGHTS_EMPTY : Address;
}

/* The requests that Fortran's array has, as C's. */
PART static MPI_Request *requests(int *Ours, int Count) {
#ifdef ADZE_MPI_NUMBERED
  (void)Count;
  return Ours;
#else
  size_t Blocks = Count > 0 ? (size_t)Count : 1;
  MPI_Request *Theirs = (MPI_Request *)malloc(Blocks * sizeof *Theirs);
  for (int K = 0; K < Count; ++K)
    Theirs[K] = MPI_Request_f2c(Ours[K]);
  return Theirs;
#endif
}

/* Writes them back. */
PART static void keep(MPI_Request *Theirs, int *Ours, int Count) {
#ifdef ADZE_MPI_NUMBERED
  (void)Theirs, (void)Ours, (void)Count;
#else
  for (int K = 0; K < Count; ++K)
    Ours[K] = MPI_Request_c2f(Theirs[K]);
  free(Theirs);
#endif
}

/* Fortran counts from one. */
PART static int place(int Index) {
  return Index == Undefined ? Undefined : Index + 1;
}

#define F(NAME) void adze_mpi_fortran_##NAME
typedef char *B;       /* a buffer */
typedef const int *In; /* a number, a handle, or an array of numbers */
typedef int *Out;

/* ---- From one rank to another ------------------------------------------- */
#define SEND(NAME, FUNCTION)                                                   \
  F(NAME)(B X, In N, In T, In To, In Tag, In C, Out E) {                       \
    *E = FUNCTION(buffer(X), *N, MPI_Type_f2c(*T), *To, *Tag,                  \
                  MPI_Comm_f2c(*C));                                           \
  }
SEND(send, MPI_Send)
SEND(ssend, MPI_Ssend)
SEND(rsend, MPI_Rsend)
SEND(bsend, MPI_Bsend)

F(recv)(B X, In N, In T, In From, In Tag, In C, Out S, Out E) {
  *E = MPI_Recv(buffer(X), *N, MPI_Type_f2c(*T), *From, *Tag, MPI_Comm_f2c(*C),
                status(S));
}

F(sendrecv)(B X, In N, In T, In To, In Tag, B Y, In M, In U, In From, In Got,
            In C, Out S, Out E) {
  *E = MPI_Sendrecv(buffer(X), *N, MPI_Type_f2c(*T), *To, *Tag, buffer(Y), *M,
                    MPI_Type_f2c(*U), *From, *Got, MPI_Comm_f2c(*C), status(S));
}

F(sendrecv_replace)(B X, In N, In T, In To, In Tag, In From, In Got, In C,
                    Out S, Out E) {
  *E = MPI_Sendrecv_replace(buffer(X), *N, MPI_Type_f2c(*T), *To, *Tag, *From,
                            *Got, MPI_Comm_f2c(*C), status(S));
}

#define START(NAME, FUNCTION)                                                  \
  F(NAME)(B X, In N, In T, In Other, In Tag, In C, Out Q, Out E) {             \
    MPI_Request R;                                                             \
    *E = FUNCTION(buffer(X), *N, MPI_Type_f2c(*T), *Other, *Tag,               \
                  MPI_Comm_f2c(*C), &R);                                       \
    *Q = MPI_Request_c2f(R);                                                   \
  }
START(isend, MPI_Isend)
START(issend, MPI_Issend)
START(irsend, MPI_Irsend)
START(ibsend, MPI_Ibsend)
START(irecv, MPI_Irecv)
START(send_init, MPI_Send_init)
START(ssend_init, MPI_Ssend_init)
START(rsend_init, MPI_Rsend_init)
START(bsend_init, MPI_Bsend_init)
START(recv_init, MPI_Recv_init)

F(wait)(Out Q, Out S, Out E) {
  MPI_Request R = MPI_Request_f2c(*Q);
  *E = MPI_Wait(&R, status(S));
  *Q = MPI_Request_c2f(R);
}

F(waitall)(In N, Out Q, Out S, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  *E = MPI_Waitall(Count, R, statuses(S));
  keep(R, Q, Count);
}

F(waitany)(In N, Out Q, Out At, Out S, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  int Index;
  *E = MPI_Waitany(Count, R, &Index, status(S));
  keep(R, Q, Count);
  *At = place(Index);
}

F(waitsome)(In N, Out Q, Out Done, Out At, Out S, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  int Completed;
  *E = MPI_Waitsome(Count, R, &Completed, At, statuses(S));
  keep(R, Q, Count);
  for (int K = 0; K < Completed; ++K)
    At[K] += 1;
  *Done = Completed;
}

F(testsome)(In N, Out Q, Out Done, Out At, Out S, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  int Completed;
  *E = MPI_Testsome(Count, R, &Completed, At, statuses(S));
  keep(R, Q, Count);
  for (int K = 0; K < Completed; ++K)
    At[K] += 1;
  *Done = Completed;
}

F(test)(Out Q, Out Flag, Out S, Out E) {
  MPI_Request R = MPI_Request_f2c(*Q);
  *E = MPI_Test(&R, Flag, status(S));
  *Q = MPI_Request_c2f(R);
}

F(testall)(In N, Out Q, Out Flag, Out S, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  *E = MPI_Testall(Count, R, Flag, statuses(S));
  keep(R, Q, Count);
}

F(testany)(In N, Out Q, Out At, Out Flag, Out S, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  int Index;
  *E = MPI_Testany(Count, R, &Index, Flag, status(S));
  keep(R, Q, Count);
  *At = place(Index);
}

F(start)(Out Q, Out E) {
  MPI_Request R = MPI_Request_f2c(*Q);
  *E = MPI_Start(&R);
  *Q = MPI_Request_c2f(R);
}

F(startall)(In N, Out Q, Out E) {
  const int Count = *N;
  MPI_Request *R = requests(Q, Count);
  *E = MPI_Startall(Count, R);
  keep(R, Q, Count);
}

F(request_free)(Out Q, Out E) {
  MPI_Request R = MPI_Request_f2c(*Q);
  *E = MPI_Request_free(&R);
  *Q = MPI_Request_c2f(R);
}

F(probe)(In From, In Tag, In C, Out S, Out E) {
  *E = MPI_Probe(*From, *Tag, MPI_Comm_f2c(*C), status(S));
}

F(iprobe)(In From, In Tag, In C, Out Flag, Out S, Out E) {
  *E = MPI_Iprobe(*From, *Tag, MPI_Comm_f2c(*C), Flag, status(S));
}

F(mprobe)(In From, In Tag, In C, Out Q, Out S, Out E) {
  MPI_Message M;
  *E = MPI_Mprobe(*From, *Tag, MPI_Comm_f2c(*C), &M, status(S));
  *Q = MPI_Message_c2f(M);
}

F(improbe)(In From, In Tag, In C, Out Flag, Out Q, Out S, Out E) {
  MPI_Message M;
  *E = MPI_Improbe(*From, *Tag, MPI_Comm_f2c(*C), Flag, &M, status(S));
  if (*Flag)
    *Q = MPI_Message_c2f(M);
}

F(mrecv)(B X, In N, In T, Out Q, Out S, Out E) {
  MPI_Message M = MPI_Message_f2c(*Q);
  *E = MPI_Mrecv(buffer(X), *N, MPI_Type_f2c(*T), &M, status(S));
  *Q = MPI_Message_c2f(M);
}

F(imrecv)(B X, In N, In T, Out Q, Out P, Out E) {
  MPI_Message M = MPI_Message_f2c(*Q);
  MPI_Request R;
  *E = MPI_Imrecv(buffer(X), *N, MPI_Type_f2c(*T), &M, &R);
  *Q = MPI_Message_c2f(M);
  *P = MPI_Request_c2f(R);
}

F(pack)(B X, In N, In T, B Y, In Size, Out At, In C, Out E) {
  *E =
      MPI_Pack(buffer(X), *N, MPI_Type_f2c(*T), Y, *Size, At, MPI_Comm_f2c(*C));
}

F(unpack)(B X, In Size, Out At, B Y, In N, In T, In C, Out E) {
  *E = MPI_Unpack(X, *Size, At, buffer(Y), *N, MPI_Type_f2c(*T),
                  MPI_Comm_f2c(*C));
}

/* ---- Among all, and among neighbours --------------------------------------
 */
#define EXPAND(...) __VA_ARGS__

/* What waits, and what returns a request; what C's functions take. */
#define BOTH(NAME, FUNCTION, STARTS, PARAMETERS, ...)                          \
  F(NAME)(EXPAND PARAMETERS, In C, Out E) {                                    \
    *E = FUNCTION(__VA_ARGS__, MPI_Comm_f2c(*C));                              \
  }                                                                            \
  F(i##NAME)(EXPAND PARAMETERS, In C, Out Q, Out E) {                          \
    MPI_Request R;                                                             \
    *E = STARTS(__VA_ARGS__, MPI_Comm_f2c(*C), &R);                            \
    *Q = MPI_Request_c2f(R);                                                   \
  }

F(barrier)(In C, Out E) { *E = MPI_Barrier(MPI_Comm_f2c(*C)); }
F(ibarrier)(In C, Out Q, Out E) {
  MPI_Request R;
  *E = MPI_Ibarrier(MPI_Comm_f2c(*C), &R);
  *Q = MPI_Request_c2f(R);
}

BOTH(bcast, MPI_Bcast, MPI_Ibcast, (B X, In N, In T, In Root), buffer(X), *N,
     MPI_Type_f2c(*T), *Root)
BOTH(reduce, MPI_Reduce, MPI_Ireduce, (B X, B Y, In N, In T, In Op, In Root),
     buffer(X), buffer(Y), *N, MPI_Type_f2c(*T), MPI_Op_f2c(*Op), *Root)

#define REDUCTION(NAME, FUNCTION, STARTS, COUNT)                               \
  BOTH(NAME, FUNCTION, STARTS, (B X, B Y, In N, In T, In Op), buffer(X),       \
       buffer(Y), COUNT, MPI_Type_f2c(*T), MPI_Op_f2c(*Op))
REDUCTION(allreduce, MPI_Allreduce, MPI_Iallreduce, *N)
REDUCTION(scan, MPI_Scan, MPI_Iscan, *N)
REDUCTION(exscan, MPI_Exscan, MPI_Iexscan, *N)
REDUCTION(reduce_scatter, MPI_Reduce_scatter, MPI_Ireduce_scatter, N)
REDUCTION(reduce_scatter_block, MPI_Reduce_scatter_block,
          MPI_Ireduce_scatter_block, *N)

#define ROOTED(NAME, FUNCTION, STARTS)                                         \
  BOTH(NAME, FUNCTION, STARTS, (B X, In N, In T, B Y, In M, In U, In Root),    \
       buffer(X), *N, MPI_Type_f2c(*T), buffer(Y), *M, MPI_Type_f2c(*U),       \
       *Root)
ROOTED(gather, MPI_Gather, MPI_Igather)
ROOTED(scatter, MPI_Scatter, MPI_Iscatter)

BOTH(gatherv, MPI_Gatherv, MPI_Igatherv,
     (B X, In N, In T, B Y, In M, In At, In U, In Root), buffer(X), *N,
     MPI_Type_f2c(*T), buffer(Y), M, At, MPI_Type_f2c(*U), *Root)
BOTH(scatterv, MPI_Scatterv, MPI_Iscatterv,
     (B X, In N, In At, In T, B Y, In M, In U, In Root), buffer(X), N, At,
     MPI_Type_f2c(*T), buffer(Y), *M, MPI_Type_f2c(*U), *Root)

#define EXCHANGE(NAME, FUNCTION, STARTS)                                       \
  BOTH(NAME, FUNCTION, STARTS, (B X, In N, In T, B Y, In M, In U), buffer(X),  \
       *N, MPI_Type_f2c(*T), buffer(Y), *M, MPI_Type_f2c(*U))
EXCHANGE(allgather, MPI_Allgather, MPI_Iallgather)
EXCHANGE(alltoall, MPI_Alltoall, MPI_Ialltoall)
EXCHANGE(neighbor_allgather, MPI_Neighbor_allgather, MPI_Ineighbor_allgather)
EXCHANGE(neighbor_alltoall, MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall)

#define UNEVEN_GATHER(NAME, FUNCTION, STARTS)                                  \
  BOTH(NAME, FUNCTION, STARTS, (B X, In N, In T, B Y, In M, In At, In U),      \
       buffer(X), *N, MPI_Type_f2c(*T), buffer(Y), M, At, MPI_Type_f2c(*U))
UNEVEN_GATHER(allgatherv, MPI_Allgatherv, MPI_Iallgatherv)
UNEVEN_GATHER(neighbor_allgatherv, MPI_Neighbor_allgatherv,
              MPI_Ineighbor_allgatherv)

#define UNEVEN_EXCHANGE(NAME, FUNCTION, STARTS)                                \
  BOTH(NAME, FUNCTION, STARTS,                                                 \
       (B X, In N, In At, In T, B Y, In M, In To, In U), buffer(X), N, At,     \
       MPI_Type_f2c(*T), buffer(Y), M, To, MPI_Type_f2c(*U))
UNEVEN_EXCHANGE(alltoallv, MPI_Alltoallv, MPI_Ialltoallv)
UNEVEN_EXCHANGE(neighbor_alltoallv, MPI_Neighbor_alltoallv,
                MPI_Ineighbor_alltoallv)

/* ---- Objects ------------------------------------------------------------- */
F(comm_split)(In C, In Color, In Key, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Comm_split(MPI_Comm_f2c(*C), *Color, *Key, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(comm_dup)(In C, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Comm_dup(MPI_Comm_f2c(*C), &Made);
  *New = MPI_Comm_c2f(Made);
}

F(comm_split_type)(In C, In How, In Key, In I, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Comm_split_type(MPI_Comm_f2c(*C), *How, *Key, MPI_Info_f2c(*I),
                           &Made);
  *New = MPI_Comm_c2f(Made);
}

F(comm_dup_with_info)(In C, In I, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Comm_dup_with_info(MPI_Comm_f2c(*C), MPI_Info_f2c(*I), &Made);
  *New = MPI_Comm_c2f(Made);
}

F(comm_create)(In C, In G, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Comm_create(MPI_Comm_f2c(*C), MPI_Group_f2c(*G), &Made);
  *New = MPI_Comm_c2f(Made);
}

F(comm_create_group)(In C, In G, In Tag, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Comm_create_group(MPI_Comm_f2c(*C), MPI_Group_f2c(*G), *Tag, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(cart_create)(In C, In N, In Extents, In Periodic, In Reorder, Out New,
               Out E) {
  MPI_Comm Made;
  *E =
      MPI_Cart_create(MPI_Comm_f2c(*C), *N, Extents, Periodic, *Reorder, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(cart_sub)(In C, In Kept, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Cart_sub(MPI_Comm_f2c(*C), Kept, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(graph_create)(In C, In N, In Ends, In Edges, In Reorder, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Graph_create(MPI_Comm_f2c(*C), *N, Ends, Edges, *Reorder, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(dist_graph_create)(In C, In N, In From, In Degrees, In To, In W, In I,
                     In Reorder, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Dist_graph_create(MPI_Comm_f2c(*C), *N, From, Degrees, To,
                             weights(W), MPI_Info_f2c(*I), *Reorder, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(dist_graph_create_adjacent)(In C, In N, In From, In V, In M, In To, In W,
                              In I, In Reorder, Out New, Out E) {
  MPI_Comm Made;
  *E = MPI_Dist_graph_create_adjacent(MPI_Comm_f2c(*C), *N, From, weights(V),
                                      *M, To, weights(W), MPI_Info_f2c(*I),
                                      *Reorder, &Made);
  *New = MPI_Comm_c2f(Made);
}

F(comm_free)(Out C, Out E) {
  MPI_Comm Freed = MPI_Comm_f2c(*C);
  *E = MPI_Comm_free(&Freed);
  *C = MPI_Comm_c2f(Freed);
}

F(type_commit)(Out T, Out E) {
  MPI_Datatype Ready = MPI_Type_f2c(*T);
  *E = MPI_Type_commit(&Ready);
  *T = MPI_Type_c2f(Ready);
}

F(type_dup)(In T, Out New, Out E) {
  MPI_Datatype Made;
  *E = MPI_Type_dup(MPI_Type_f2c(*T), &Made);
  *New = MPI_Type_c2f(Made);
}

F(type_free)(Out T, Out E) {
  MPI_Datatype Freed = MPI_Type_f2c(*T);
  *E = MPI_Type_free(&Freed);
  *T = MPI_Type_c2f(Freed);
}
