/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bsend, Ibsend: as Send and Isend. Nobody waits for tangents of what is sent
 * anyway, nor for adjoints of what is received (MpiLater.h).
 */
#ifndef ADZE_RUNTIME_MPIBUFFERED_H
#define ADZE_RUNTIME_MPIBUFFERED_H

#include "MpiRequests.h"

struct Kept adze_mpi_bsend_augmented(const void *Buffer, void *Shadow UNUSED,
                                     int Count, MPI_Datatype Type, int To,
                                     int Tag, MPI_Comm Comm) {
  struct Layout L = layoutOf("MPI_Bsend", Type);
  SENDING("MPI_Bsend", To, Tag, Comm);
  struct Message *Place = amongPending(&L, To, Tag, Comm, 1);
  return (struct Kept){Place,
                       PRIMAL(MPI_Bsend(Buffer, Count, Type, To, Tag, Comm))};
}

void adze_mpi_bsend_reverse(const void *Buffer, void *Shadow, int Count,
                            MPI_Datatype Type, int To, int Tag, MPI_Comm Comm,
                            void *Tape) {
  reverseSend("MPI_Bsend", Buffer, Shadow, Count, Type, To, Tag, Comm, Tape);
}

int adze_mpi_bsend_forward(const void *Buffer, void *Shadow, int Count,
                           MPI_Datatype Type, int To, int Tag, MPI_Comm Comm) {
  SENDING("MPI_Bsend", To, Tag, Comm);
  int Error = PRIMAL(MPI_Bsend(Buffer, Count, Type, To, Tag, Comm));
  forwardSend("MPI_Bsend", Buffer, Shadow, Count, Type, To, Tag, Comm);
  return Error;
}

struct Kept adze_mpi_ibsend_augmented(const void *Buffer, void *Shadow,
                                      int Count, MPI_Datatype Type, int To,
                                      int Tag, MPI_Comm Comm,
                                      MPI_Request *Request) {
  SENDING("MPI_Ibsend", To, Tag, Comm);
  int Error = PRIMAL(MPI_Ibsend(Buffer, Count, Type, To, Tag, Comm, Request));
  return (struct Kept){started("MPI_Ibsend", Buffer, Shadow, Count, Type, To,
                               Tag, Comm, *Request, 1),
                       Error};
}

void adze_mpi_ibsend_reverse(const void *Buffer, void *Shadow, int Count UNUSED,
                             MPI_Datatype Type, int To UNUSED, int Tag UNUSED,
                             MPI_Comm Comm UNUSED, MPI_Request *Request UNUSED,
                             void *Tape) {
  finish("MPI_Ibsend", Buffer, Shadow, Type, Tape);
}

int adze_mpi_ibsend_forward(const void *Buffer, void *Shadow, int Count,
                            MPI_Datatype Type, int To, int Tag, MPI_Comm Comm,
                            MPI_Request *Request) {
  SENDING("MPI_Ibsend", To, Tag, Comm);
  int Error = PRIMAL(MPI_Ibsend(Buffer, Count, Type, To, Tag, Comm, Request));
  forwardSend("MPI_Ibsend", Buffer, Shadow, Count, Type, To, Tag, Comm);
  return Error;
}

#endif
