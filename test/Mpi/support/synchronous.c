/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Every send waits until its message is received, as libraries do with large
 * ones: what deadlocks there must not hide behind small messages. Linked into
 * programs at the level O2sync; compiled without the plugin, so that messages
 * of derivatives wait, too.
 */
#include <mpi.h>

int MPI_Send(const void *Buffer, int Count, MPI_Datatype Type, int To, int Tag,
             MPI_Comm Comm) {
  return PMPI_Ssend(Buffer, Count, Type, To, Tag, Comm);
}
int MPI_Isend(const void *Buffer, int Count, MPI_Datatype Type, int To, int Tag,
              MPI_Comm Comm, MPI_Request *Request) {
  return PMPI_Issend(Buffer, Count, Type, To, Tag, Comm, Request);
}
int MPI_Send_init(const void *Buffer, int Count, MPI_Datatype Type, int To,
                  int Tag, MPI_Comm Comm, MPI_Request *Request) {
  return PMPI_Ssend_init(Buffer, Count, Type, To, Tag, Comm, Request);
}
