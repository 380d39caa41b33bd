/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Of MpiLibrary.h: nonblocking and neighbourhood collectives, buffered sends,
 * buffers of bytes.
 */
#ifndef ADZE_RUNTIME_MPILIBRARYMORE_H
#define ADZE_RUNTIME_MPILIBRARYMORE_H

/* Declares MPI_NAME and MPI_INAME, which returns a request, too. */
#define BOTH_FORMS(NAME, INAME, ...)                                           \
  int MPI_##NAME(__VA_ARGS__);                                                 \
  int MPI_##INAME(__VA_ARGS__, MPI_Request *);

BOTH_FORMS(Barrier, Ibarrier, MPI_Comm)
BOTH_FORMS(Bcast, Ibcast, void *, int, MPI_Datatype, int, MPI_Comm)
BOTH_FORMS(Reduce, Ireduce, const void *, void *, int, MPI_Datatype, MPI_Op,
           int, MPI_Comm)
BOTH_FORMS(Allreduce, Iallreduce, const void *, void *, int, MPI_Datatype,
           MPI_Op, MPI_Comm)
BOTH_FORMS(Gather, Igather, const void *, int, MPI_Datatype, void *, int,
           MPI_Datatype, int, MPI_Comm)
BOTH_FORMS(Gatherv, Igatherv, const void *, int, MPI_Datatype, void *,
           const int *, const int *, MPI_Datatype, int, MPI_Comm)
BOTH_FORMS(Scatter, Iscatter, const void *, int, MPI_Datatype, void *, int,
           MPI_Datatype, int, MPI_Comm)
BOTH_FORMS(Scatterv, Iscatterv, const void *, const int *, const int *,
           MPI_Datatype, void *, int, MPI_Datatype, int, MPI_Comm)
BOTH_FORMS(Allgather, Iallgather, const void *, int, MPI_Datatype, void *, int,
           MPI_Datatype, MPI_Comm)
BOTH_FORMS(Allgatherv, Iallgatherv, const void *, int, MPI_Datatype, void *,
           const int *, const int *, MPI_Datatype, MPI_Comm)
BOTH_FORMS(Alltoall, Ialltoall, const void *, int, MPI_Datatype, void *, int,
           MPI_Datatype, MPI_Comm)
BOTH_FORMS(Alltoallv, Ialltoallv, const void *, const int *, const int *,
           MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
           MPI_Comm)
BOTH_FORMS(Alltoallw, Ialltoallw, const void *, const int *, const int *,
           const MPI_Datatype *, void *, const int *, const int *,
           const MPI_Datatype *, MPI_Comm)
BOTH_FORMS(Scan, Iscan, const void *, void *, int, MPI_Datatype, MPI_Op,
           MPI_Comm)
BOTH_FORMS(Exscan, Iexscan, const void *, void *, int, MPI_Datatype, MPI_Op,
           MPI_Comm)
BOTH_FORMS(Reduce_scatter, Ireduce_scatter, const void *, void *, const int *,
           MPI_Datatype, MPI_Op, MPI_Comm)
BOTH_FORMS(Reduce_scatter_block, Ireduce_scatter_block, const void *, void *,
           int, MPI_Datatype, MPI_Op, MPI_Comm)
BOTH_FORMS(Neighbor_allgather, Ineighbor_allgather, const void *, int,
           MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm)
BOTH_FORMS(Neighbor_allgatherv, Ineighbor_allgatherv, const void *, int,
           MPI_Datatype, void *, const int *, const int *, MPI_Datatype,
           MPI_Comm)
BOTH_FORMS(Neighbor_alltoall, Ineighbor_alltoall, const void *, int,
           MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm)
BOTH_FORMS(Neighbor_alltoallv, Ineighbor_alltoallv, const void *, const int *,
           const int *, MPI_Datatype, void *, const int *, const int *,
           MPI_Datatype, MPI_Comm)
BOTH_FORMS(Neighbor_alltoallw, Ineighbor_alltoallw, const void *, const int *,
           const ptrdiff_t *, const MPI_Datatype *, void *, const int *,
           const ptrdiff_t *, const MPI_Datatype *, MPI_Comm)
#undef BOTH_FORMS

int MPI_Bsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ibsend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
               MPI_Request *);

int MPI_Pack(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
int MPI_Pack_size(int, MPI_Datatype, MPI_Comm, int *);
int MPI_Unpack(const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);

int MPI_Cart_shift(MPI_Comm, int, int, int *, int *);
int MPI_Cartdim_get(MPI_Comm, int *);
int MPI_Dist_graph_neighbors(MPI_Comm, int, int *, int *, int, int *, int *);
int MPI_Dist_graph_neighbors_count(MPI_Comm, int *, int *, int *);
int MPI_Graph_neighbors(MPI_Comm, int, int, int *);
int MPI_Graph_neighbors_count(MPI_Comm, int, int *);
int MPI_Topo_test(MPI_Comm, int *);

int MPI_Comm_create_keyval(int (*)(MPI_Comm, int, void *, void *, void *,
                                   int *),
                           int (*)(MPI_Comm, int, void *, void *), int *,
                           void *);
int MPI_Comm_free_keyval(int *);
int MPI_Comm_set_attr(MPI_Comm, int, void *);

int MPI_Grequest_complete(MPI_Request);
int MPI_Grequest_start(int (*)(void *, MPI_Status *), int (*)(void *),
                       int (*)(void *, int), void *, MPI_Request *);
int MPI_Request_get_status(MPI_Request, int *, MPI_Status *);
int MPI_Testsome(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Status_set_cancelled(MPI_Status *, int);
int MPI_Status_set_elements(MPI_Status *, MPI_Datatype, int);

#endif
