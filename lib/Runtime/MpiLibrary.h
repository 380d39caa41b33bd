/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the derivatives of MPI's functions use of MPI, for the two binary
 * interfaces that there are: handles are pointers (Open MPI) or, with
 * ADZE_MPI_NUMBERED, numbers (MPICH and what descends from it). No header of
 * MPI is needed when Adze is built.
 */
#ifndef ADZE_RUNTIME_MPILIBRARY_H
#define ADZE_RUNTIME_MPILIBRARY_H

#include "Runtime.h"

#include <limits.h>

#ifdef ADZE_MPI_NUMBERED
typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request, MPI_Message;
typedef int MPI_Group, MPI_Info;
typedef struct {
  int CountLow, CountHigh;
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;
enum { ProcNull = -1, AnySource = -2, AnyTag = -1, TagLimitKey = 0x64400001 };
enum { Undefined = -32766 };
#define InPlace ((void *)-1)
#define StatusIgnore ((MPI_Status *)1)
#define CommWorld ((MPI_Comm)0x44000000)
#define CommSelf ((MPI_Comm)0x44000001)
#define CommNull ((MPI_Comm)0x04000000)
#define TypeNull ((MPI_Datatype)0x0c000000)
#define MessageNoProc ((MPI_Message)0x6c000000)
#define OPERATION(NAME, NUMBER) NUMBER
#define TypeFloat 0x4c00040a
#define TypeDouble 0x4c00080b
#define TypeLong 0x4c00100c
#define TypeInt 0x4c000405
#define TypeShort 0x4c000203
#define TypeByte 0x4c00010d
#define TypePacked 0x4c00010f
#else
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_message_t *MPI_Message;
typedef struct ompi_group_t *MPI_Group;
typedef struct ompi_info_t *MPI_Info;
typedef struct {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR;
  int Cancelled;
  size_t Bytes;
} MPI_Status;
enum { ProcNull = -2, AnySource = -1, AnyTag = -1, TagLimitKey = 0 };
enum { Undefined = -32766 };
#define InPlace ((void *)1)
#define StatusIgnore ((MPI_Status *)0)
/* A version of Open MPI may lack some of them: null then. */
#define PREDEFINED __attribute__((weak))
extern char ompi_mpi_comm_world[] PREDEFINED, ompi_mpi_comm_null[] PREDEFINED,
    ompi_mpi_comm_self[] PREDEFINED, ompi_mpi_datatype_null[] PREDEFINED,
    ompi_message_no_proc[] PREDEFINED;
extern char ompi_mpi_op_sum[] PREDEFINED, ompi_mpi_op_prod[] PREDEFINED,
    ompi_mpi_op_min[] PREDEFINED, ompi_mpi_op_max[] PREDEFINED,
    ompi_mpi_op_minloc[] PREDEFINED, ompi_mpi_op_maxloc[] PREDEFINED;
#define ADZE_MPI_NUMBERS(NAME, MPICH) extern char ompi_mpi_##NAME[] PREDEFINED;
#define ADZE_MPI_FLOATS(NAME, MPICH, KIND, COUNT) ADZE_MPI_NUMBERS(NAME, MPICH)
#define ADZE_MPI_PAIR(NAME, MPICH, KIND) ADZE_MPI_NUMBERS(NAME, MPICH)
#define ADZE_MPI_BYTES(NAME, MPICH) ADZE_MPI_NUMBERS(NAME, MPICH)
#include "MpiTypes.def"
#define CommWorld ((MPI_Comm)ompi_mpi_comm_world)
#define CommSelf ((MPI_Comm)ompi_mpi_comm_self)
#define CommNull ((MPI_Comm)ompi_mpi_comm_null)
#define TypeNull ((MPI_Datatype)ompi_mpi_datatype_null)
#define MessageNoProc ((MPI_Message)ompi_message_no_proc)
#define OPERATION(NAME, NUMBER) ((MPI_Op)ompi_mpi_op_##NAME)
#define TypeFloat ((MPI_Datatype)ompi_mpi_float)
#define TypeDouble ((MPI_Datatype)ompi_mpi_double)
#define TypeLong ((MPI_Datatype)ompi_mpi_long_double)
#define TypeInt ((MPI_Datatype)ompi_mpi_int)
#define TypeShort ((MPI_Datatype)ompi_mpi_short)
#define TypeByte ((MPI_Datatype)ompi_mpi_byte)
#define TypePacked ((MPI_Datatype)ompi_mpi_packed)
#endif

#define OpSum OPERATION(sum, 0x58000003)
#define OpProd OPERATION(prod, 0x58000004)
#define OpMin OPERATION(min, 0x58000002)
#define OpMax OPERATION(max, 0x58000001)
#define OpMinLoc OPERATION(minloc, 0x5800000b)
#define OpMaxLoc OPERATION(maxloc, 0x5800000c)

int MPI_Abort(MPI_Comm, int);
int MPI_Comm_get_attr(MPI_Comm, int, void *, int *);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Comm_test_inter(MPI_Comm, int *);
int MPI_Get_count(const MPI_Status *, MPI_Datatype, int *);

int MPI_Comm_create(MPI_Comm, MPI_Group, MPI_Comm *);
int MPI_Comm_create_group(MPI_Comm, MPI_Group, int, MPI_Comm *);
int MPI_Comm_dup(MPI_Comm, MPI_Comm *);
int MPI_Comm_dup_with_info(MPI_Comm, MPI_Info, MPI_Comm *);
int MPI_Comm_free(MPI_Comm *);
int MPI_Comm_split(MPI_Comm, int, int, MPI_Comm *);
int MPI_Comm_split_type(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
int MPI_Cart_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Cart_sub(MPI_Comm, const int *, MPI_Comm *);
int MPI_Graph_create(MPI_Comm, int, const int *, const int *, int, MPI_Comm *);
int MPI_Dist_graph_create(MPI_Comm, int, const int *, const int *, const int *,
                          const int *, MPI_Info, int, MPI_Comm *);
int MPI_Dist_graph_create_adjacent(MPI_Comm, int, const int *, const int *, int,
                                   const int *, const int *, MPI_Info, int,
                                   MPI_Comm *);

int MPI_Type_commit(MPI_Datatype *);
int MPI_Type_create_keyval(int (*)(MPI_Datatype, int, void *, void *, void *,
                                   int *),
                           int (*)(MPI_Datatype, int, void *, void *), int *,
                           void *);
int MPI_Type_dup(MPI_Datatype, MPI_Datatype *);
int MPI_Type_free(MPI_Datatype *);
int MPI_Type_get_attr(MPI_Datatype, int, void *, int *);
int MPI_Type_get_contents(MPI_Datatype, int, int, int, int *, ptrdiff_t *,
                          MPI_Datatype *);
int MPI_Type_get_envelope(MPI_Datatype, int *, int *, int *, int *);
int MPI_Type_get_extent(MPI_Datatype, ptrdiff_t *, ptrdiff_t *);
int MPI_Type_size(MPI_Datatype, int *);
int MPI_Type_set_attr(MPI_Datatype, int, void *);

int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ssend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Rsend(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int,
                 MPI_Datatype, int, int, MPI_Comm, MPI_Status *);

int MPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
              MPI_Request *);
int MPI_Issend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
               MPI_Request *);
int MPI_Irsend(const void *, int, MPI_Datatype, int, int, MPI_Comm,
               MPI_Request *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Wait(MPI_Request *, MPI_Status *);
int MPI_Waitall(int, MPI_Request *, MPI_Status *);
int MPI_Waitany(int, MPI_Request *, int *, MPI_Status *);
int MPI_Waitsome(int, MPI_Request *, int *, int *, MPI_Status *);
int MPI_Test(MPI_Request *, int *, MPI_Status *);
int MPI_Testall(int, MPI_Request *, int *, MPI_Status *);
int MPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);

int MPI_Send_init(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                  MPI_Request *);
int MPI_Ssend_init(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                   MPI_Request *);
int MPI_Rsend_init(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                   MPI_Request *);
int MPI_Bsend_init(const void *, int, MPI_Datatype, int, int, MPI_Comm,
                   MPI_Request *);
int MPI_Recv_init(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Start(MPI_Request *);
int MPI_Startall(int, MPI_Request *);
int MPI_Request_free(MPI_Request *);

int MPI_Probe(int, int, MPI_Comm, MPI_Status *);
int MPI_Iprobe(int, int, MPI_Comm, int *, MPI_Status *);
int MPI_Mprobe(int, int, MPI_Comm, MPI_Message *, MPI_Status *);
int MPI_Improbe(int, int, MPI_Comm, int *, MPI_Message *, MPI_Status *);
int MPI_Mrecv(void *, int, MPI_Datatype, MPI_Message *, MPI_Status *);
int MPI_Imrecv(void *, int, MPI_Datatype, MPI_Message *, MPI_Request *);

int MPI_Barrier(MPI_Comm);
int MPI_Bcast(void *, int, MPI_Datatype, int, MPI_Comm);
int MPI_Reduce(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Gather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
               MPI_Comm);
int MPI_Scatter(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
                MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype,
                  MPI_Comm);

int MPI_Sendrecv_replace(void *, int, MPI_Datatype, int, int, int, int,
                         MPI_Comm, MPI_Status *);
int MPI_Gatherv(const void *, int, MPI_Datatype, void *, const int *,
                const int *, MPI_Datatype, int, MPI_Comm);
int MPI_Scatterv(const void *, const int *, const int *, MPI_Datatype, void *,
                 int, MPI_Datatype, int, MPI_Comm);
int MPI_Allgatherv(const void *, int, MPI_Datatype, void *, const int *,
                   const int *, MPI_Datatype, MPI_Comm);
int MPI_Alltoall(const void *, int, MPI_Datatype, void *, int, MPI_Datatype,
                 MPI_Comm);
int MPI_Alltoallv(const void *, const int *, const int *, MPI_Datatype, void *,
                  const int *, const int *, MPI_Datatype, MPI_Comm);
int MPI_Scan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Exscan(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Reduce_scatter(const void *, void *, const int *, MPI_Datatype, MPI_Op,
                       MPI_Comm);
int MPI_Reduce_scatter_block(const void *, void *, int, MPI_Datatype, MPI_Op,
                             MPI_Comm);

#include "MpiLibraryMore.h"

int dprintf(int, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
void *calloc(size_t, size_t);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);

/* Ends the program on all ranks. */
RARE _Noreturn static void refuse(const char *Function, const char *Why) {
  int Rank = -1;
  MPI_Comm_rank(CommWorld, &Rank);
  dprintf(2, "adze: rank %d: the derivative of %s: %s\n", Rank, Function, Why);
  MPI_Abort(CommWorld, 1);
  adze_stop("adze: MPI_Abort returned");
}

static void *allocate(const char *Function, size_t Count, size_t Size) {
  void *Block = calloc(Count ? Count : 1, Size ? Size : 1);
  if (!Block)
    refuse(Function, "out of memory");
  return Block;
}

#endif
