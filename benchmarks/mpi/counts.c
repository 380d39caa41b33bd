/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Counts what a rank sends: each call that sends or takes part in a collective
 * is a message, of as many bytes as it gives. Compiled without the plugin, and
 * called in place of MPI's functions.
 */
#include <mpi.h>

static long long messages, bytes;

void counts_take(long long *Messages, long long *Bytes) {
  *Messages = messages;
  *Bytes = bytes;
  messages = bytes = 0;
}

static void count(int Count, MPI_Datatype Type, int To) {
  int Size;
  if (To == MPI_PROC_NULL)
    return;
  PMPI_Type_size(Type, &Size);
  ++messages;
  bytes += (long long)Count * Size;
}

int MPI_Send(const void *Buffer, int Count, MPI_Datatype Type, int To, int Tag,
             MPI_Comm Comm) {
  count(Count, Type, To);
  return PMPI_Send(Buffer, Count, Type, To, Tag, Comm);
}
int MPI_Isend(const void *Buffer, int Count, MPI_Datatype Type, int To, int Tag,
              MPI_Comm Comm, MPI_Request *Request) {
  count(Count, Type, To);
  return PMPI_Isend(Buffer, Count, Type, To, Tag, Comm, Request);
}
int MPI_Sendrecv(const void *Sent, int SentCount, MPI_Datatype SentType, int To,
                 int ToTag, void *Got, int GotCount, MPI_Datatype GotType,
                 int From, int FromTag, MPI_Comm Comm, MPI_Status *Status) {
  count(SentCount, SentType, To);
  return PMPI_Sendrecv(Sent, SentCount, SentType, To, ToTag, Got, GotCount,
                       GotType, From, FromTag, Comm, Status);
}
int MPI_Bcast(void *Buffer, int Count, MPI_Datatype Type, int Root,
              MPI_Comm Comm) {
  count(Count, Type, 0);
  return PMPI_Bcast(Buffer, Count, Type, Root, Comm);
}
int MPI_Reduce(const void *Sent, void *Got, int Count, MPI_Datatype Type,
               MPI_Op Op, int Root, MPI_Comm Comm) {
  count(Count, Type, 0);
  return PMPI_Reduce(Sent, Got, Count, Type, Op, Root, Comm);
}
int MPI_Allreduce(const void *Sent, void *Got, int Count, MPI_Datatype Type,
                  MPI_Op Op, MPI_Comm Comm) {
  count(Count, Type, 0);
  return PMPI_Allreduce(Sent, Got, Count, Type, Op, Comm);
}
int MPI_Allgather(const void *Sent, int SentCount, MPI_Datatype SentType,
                  void *Got, int GotCount, MPI_Datatype GotType,
                  MPI_Comm Comm) {
  count(Sent == MPI_IN_PLACE ? GotCount : SentCount,
        Sent == MPI_IN_PLACE ? GotType : SentType, 0);
  return PMPI_Allgather(Sent, SentCount, SentType, Got, GotCount, GotType,
                        Comm);
}
int MPI_Alltoall(const void *Sent, int SentCount, MPI_Datatype SentType,
                 void *Got, int GotCount, MPI_Datatype GotType, MPI_Comm Comm) {
  int Size;
  PMPI_Comm_size(Comm, &Size);
  count(Size * SentCount, SentType, 0);
  return PMPI_Alltoall(Sent, SentCount, SentType, Got, GotCount, GotType, Comm);
}
int MPI_Alltoallv(const void *Sent, const int *SentCounts,
                  const int *SentStarts, MPI_Datatype SentType, void *Got,
                  const int *GotCounts, const int *GotStarts,
                  MPI_Datatype GotType, MPI_Comm Comm) {
  int Size, Total = 0;
  PMPI_Comm_size(Comm, &Size);
  for (int Rank = 0; Rank < Size; ++Rank)
    Total += SentCounts[Rank];
  count(Total, SentType, 0);
  return PMPI_Alltoallv(Sent, SentCounts, SentStarts, SentType, Got, GotCounts,
                        GotStarts, GotType, Comm);
}
