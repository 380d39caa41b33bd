! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Functions of several ranks in Fortran, with mpif.h. Fortran.c tests them.

! Messages to both neighbours of a ring, while nobody waits.
subroutine ring(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), a(0:n + 1)
  integer rank, ranks, left, right, step, ierr, requests(4)
  integer statuses(MPI_STATUS_SIZE, 4)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)
  a(1:n) = x
  do step = 1, 4
    call MPI_IRECV(a(0), 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_IRECV(a(n + 1), 1, MPI_DOUBLE_PRECISION, right, 2, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_ISEND(a(n), 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_ISEND(a(1), 1, MPI_DOUBLE_PRECISION, left, 2, MPI_COMM_WORLD, requests(4), ierr)
    if (step == 2) then
      call MPI_WAITALL(4, requests, MPI_STATUSES_IGNORE, ierr)
    else
      call MPI_WAITALL(4, requests, statuses, ierr)
    end if
    y = sin(a(0:n - 1)) * a(1:n) + 0.3d0 * a(2:n + 1)
    a(1:n) = y
  end do
end subroutine

! Sums and products over all ranks, also in place.
subroutine reductions(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), s(n), p(n)
  integer ierr, counts, i
  call mpi_allreduce(x, s, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  p = x
  call mpi_allreduce(MPI_IN_PLACE, p, n, MPI_DOUBLE_PRECISION, MPI_PROD, MPI_COMM_WORLD, ierr)
  counts = 1
  call mpi_allreduce(MPI_IN_PLACE, counts, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  do i = 1, n
    y(i) = s(i) * x(i) / counts + p(i)
  end do
end subroutine

! The address of MPI_IN_PLACE comes through a routine of the program's own.
subroutine total(a, b, n)
  implicit none
  include 'mpif.h'
  integer n, ierr
  double precision a(*), b(*)
  call pmpi_allreduce(a, b, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
end subroutine
subroutine passed(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n)
  y = x * x
  call total(MPI_IN_PLACE, y, n)
  y = x * y
end subroutine
subroutine passed_both(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), a(n)
  a = sin(x)
  call total(a, y, n)
  call total(MPI_IN_PLACE, a, n)
  y = x * y + a
end subroutine

! The largest and the least, from one rank to all.
subroutine extremes(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), high(n), low(n)
  integer ierr, rank
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  high = 0
  low = 0
  call mpi_reduce(x, high, n, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierr)
  call mpi_allreduce(x, low, n, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, ierr)
  if (rank == 0) high = high * high
  call mpi_bcast(high, n, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
  y = high * x + low * x
end subroutine

! A chain: at its ends nobody sends, nor receives.
subroutine chain(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), got(n)
  integer rank, ranks, before, after, ierr, status(MPI_STATUS_SIZE), step
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  before = rank - 1
  after = rank + 1
  if (before < 0) before = MPI_PROC_NULL
  if (after == ranks) after = MPI_PROC_NULL
  y = x
  do step = 1, 3
    got = 0.1d0 * y
    call mpi_sendrecv(y, n, MPI_DOUBLE_PRECISION, after, 5, got, n, MPI_DOUBLE_PRECISION, &
                      before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    y = y * cos(got)
    call mpi_sendrecv_replace(y, n, MPI_DOUBLE_PRECISION, before, 6, after, 6, &
                              MPI_COMM_WORLD, status, ierr)
    y = y + x
  end do
end subroutine

! Rows of a matrix, which are no contiguous memory.
subroutine rows(x, y)
  implicit none
  include 'mpif.h'
  double precision x(6), y(6), a(2, 3)
  integer rank, ranks, row, ierr, request
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  a = reshape(x, [2, 3])
  call mpi_type_vector(3, 1, 2, MPI_DOUBLE_PRECISION, row, ierr)
  call mpi_type_commit(row, ierr)
  call mpi_isend(a(1, 1), 1, row, modulo(rank + 1, ranks), 3, MPI_COMM_WORLD, request, ierr)
  call mpi_recv(a(2, 1), 1, row, modulo(rank - 1, ranks), 3, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_type_free(row, ierr)
  y = x * reshape(a, [6])
end subroutine

! To one rank, and back: as many numbers as the rank plus one.
subroutine parts(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), all(n * 64)
  integer rank, ranks, ierr, i, counts(64), starts(64)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  do i = 1, ranks
    counts(i) = 1 + modulo(i, n)
    starts(i) = n * (i - 1)
  end do
  all = 1
  call mpi_gatherv(x, counts(rank + 1), MPI_DOUBLE_PRECISION, all, counts, starts, &
                   MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD, ierr)
  do i = 2, n * ranks
    if (rank == ranks - 1) all(i) = all(i) * sin(all(i - 1))
  end do
  y = x
  call mpi_scatterv(all, counts, starts, MPI_DOUBLE_PRECISION, y, counts(rank + 1), &
                    MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD, ierr)
end subroutine

! Each with each.
subroutine transposed(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), to(2, 64), from(2, 64), means(64)
  integer rank, ranks, ierr, i
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  do i = 1, ranks
    to(1, i) = x(1 + modulo(i, n)) * i
    to(2, i) = x(1 + modulo(i, n)) * x(1)
  end do
  call mpi_alltoall(to, 2, MPI_DOUBLE_PRECISION, from, 2, MPI_DOUBLE_PRECISION, &
                    MPI_COMM_WORLD, ierr)
  means(rank + 1) = sum(from(:, 1:ranks)) * x(2)
  call mpi_allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, means, 1, MPI_DOUBLE_PRECISION, &
                     MPI_COMM_WORLD, ierr)
  do i = 1, n
    y(i) = x(i) * means(1 + modulo(i, ranks))
  end do
  call mpi_barrier(MPI_COMM_WORLD, ierr)
end subroutine

! Requests that are made once and started in each step.
subroutine repeated(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), out(n), in(n)
  integer rank, ranks, ierr, requests(2), step
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call mpi_recv_init(in, n, MPI_DOUBLE_PRECISION, modulo(rank - 1, ranks), 8, &
                     MPI_COMM_WORLD, requests(1), ierr)
  call mpi_send_init(out, n, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 8, &
                     MPI_COMM_WORLD, requests(2), ierr)
  y = x
  do step = 1, 3
    out = sin(y) * x
    call mpi_startall(2, requests, ierr)
    call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    y = y * in
  end do
  call mpi_request_free(requests(1), ierr)
  call mpi_request_free(requests(2), ierr)
end subroutine

! Whoever sends; whatever comes first.
subroutine anyone(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), got(64), value
  integer rank, ranks, ierr, i, which, status(MPI_STATUS_SIZE), requests(64), count
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  y = x
  if (rank == 0) then
    do i = 2, ranks
      call mpi_recv(value, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, status, ierr)
      call mpi_get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
      y(1) = y(1) + value * x(2) * (status(MPI_SOURCE) + count)
    end do
    do i = 2, ranks
      call mpi_irecv(got(i - 1), 1, MPI_DOUBLE_PRECISION, i - 1, 7, MPI_COMM_WORLD, &
                     requests(i - 1), ierr)
    end do
    do i = 2, ranks
      call mpi_waitany(ranks - 1, requests, which, MPI_STATUS_IGNORE, ierr)
      y(3) = y(3) + got(which) * which
    end do
  else
    call mpi_send(x(1) * x(2), 1, MPI_DOUBLE_PRECISION, 0, 4, MPI_COMM_WORLD, ierr)
    call mpi_ssend(y(3), 1, MPI_DOUBLE_PRECISION, 0, 7, MPI_COMM_WORLD, ierr)
  end if
end subroutine

! Some at a time, and by asking.
subroutine polled(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), got(n)
  integer rank, ranks, ierr, requests(4), left, done, i, places(4), statuses(MPI_STATUS_SIZE, 4)
  logical flag
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  do i = 1, 2
    call mpi_irecv(got(3 * i - 2), 3, MPI_DOUBLE_PRECISION, modulo(rank - i, ranks), i, &
                   MPI_COMM_WORLD, requests(i), ierr)
    call mpi_isend(x(2 * i - 1), 3, MPI_DOUBLE_PRECISION, modulo(rank + i, ranks), i, &
                   MPI_COMM_WORLD, requests(2 + i), ierr)
  end do
  y = x
  left = 4
  do while (left > 0)
    call mpi_waitsome(4, requests, done, places, statuses, ierr)
    do i = 1, done
      if (places(i) <= 2) y(places(i)) = y(places(i)) * got(3 * places(i))
    end do
    left = left - done
  end do
  call mpi_irecv(got, n, MPI_DOUBLE_PRECISION, modulo(rank - 1, ranks), 9, MPI_COMM_WORLD, &
                 requests(1), ierr)
  call mpi_send(y, n, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 9, MPI_COMM_WORLD, ierr)
  flag = .false.
  do while (.not. flag)
    call mpi_test(requests(1), flag, MPI_STATUS_IGNORE, ierr)
  end do
  y = y * got
end subroutine

! Communicators of its own: a grid, and halves of the ranks.
subroutine grid(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), z(n)
  integer comm, half, rank, ranks, from, to, ierr, extents(1)
  logical periodic(1)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  extents = ranks
  periodic = .true.
  call mpi_cart_create(MPI_COMM_WORLD, 1, extents, periodic, .false., comm, ierr)
  call mpi_comm_rank(comm, rank, ierr)
  call mpi_cart_shift(comm, 0, 1, from, to, ierr)
  call mpi_sendrecv(x, n, MPI_DOUBLE_PRECISION, to, 1, z, n, MPI_DOUBLE_PRECISION, from, 1, &
                    comm, MPI_STATUS_IGNORE, ierr)
  call mpi_comm_split(comm, modulo(rank, 2), rank, half, ierr)
  call mpi_allreduce(MPI_IN_PLACE, z, n, MPI_DOUBLE_PRECISION, MPI_SUM, half, ierr)
  call mpi_comm_free(half, ierr)
  call mpi_comm_free(comm, ierr)
  y = sin(z) * x
end subroutine

! Sums over the ranks before.
subroutine prefixes(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), a(n), b(n)
  integer ierr
  b = 0
  call mpi_scan(x * x, a, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call mpi_exscan(a, b, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  y = a * x + b
end subroutine

! Complex numbers.
subroutine complexes(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n)
  complex(kind=8) z(3), s(3)
  integer ierr
  z = cmplx(x(1:3), x(4:6), 8)
  z = z * z
  call mpi_allreduce(z, s, 3, MPI_DOUBLE_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
  y(1:3) = real(s * z)
  y(4:6) = aimag(s)
  call mpi_bcast(y, 3, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierr)
end subroutine

! What is called under way, and completed later.
subroutine under_way(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), s(n), b(n), all(n * 64), t(n), p(n), e(n)
  integer ierr, ranks, rank, requests(6)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  b = x * x
  e = 0
  call mpi_iallreduce(x, s, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(1), ierr)
  call mpi_ibcast(b, n, MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD, requests(2), ierr)
  call mpi_iallgather(x, n, MPI_DOUBLE_PRECISION, all, n, MPI_DOUBLE_PRECISION, &
                      MPI_COMM_WORLD, requests(3), ierr)
  call mpi_iscan(x, p, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(4), ierr)
  call mpi_iexscan(x, e, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, requests(5), ierr)
  call mpi_ibarrier(MPI_COMM_WORLD, requests(6), ierr)
  t = sin(x)
  call mpi_waitall(6, requests, MPI_STATUSES_IGNORE, ierr)
  if (rank == 0) e = 0
  y = s * b + t * all(n * ranks - n + 1:n * ranks) + p * x + e
end subroutine

! Messages that are matched before they are received.
subroutine matched(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), got(n), more(n)
  integer ierr, ranks, rank, message, request, receive, status(MPI_STATUS_SIZE), count
  logical flag
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_isend(x, n, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 4, MPI_COMM_WORLD, &
                 request, ierr)
  call mpi_mprobe(modulo(rank - 1, ranks), 4, MPI_COMM_WORLD, message, status, ierr)
  call mpi_get_count(status, MPI_DOUBLE_PRECISION, count, ierr)
  call mpi_mrecv(got, count, MPI_DOUBLE_PRECISION, message, MPI_STATUS_IGNORE, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_isend(got, n, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 5, MPI_COMM_WORLD, &
                 request, ierr)
  flag = .false.
  do while (.not. flag)
    call mpi_improbe(modulo(rank - 1, ranks), 5, MPI_COMM_WORLD, flag, message, status, ierr)
  end do
  call mpi_imrecv(more, n, MPI_DOUBLE_PRECISION, message, receive, ierr)
  call mpi_wait(receive, status, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  y = got * more * x
end subroutine

! A buffer of bytes with numbers of several kinds, sent buffered, too.
subroutine packed(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), a(n)
  character buffer(200), attached(2000)
  integer ierr, ranks, rank, at, count, request, size
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  at = 0
  a = x * x
  call mpi_pack(n, 1, MPI_INTEGER, buffer, 200, at, MPI_COMM_WORLD, ierr)
  call mpi_pack(a, n, MPI_DOUBLE_PRECISION, buffer, 200, at, MPI_COMM_WORLD, ierr)
  call mpi_sendrecv_replace(buffer, at, MPI_PACKED, modulo(rank + 1, ranks), 1, &
                            modulo(rank - 1, ranks), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  at = 0
  call mpi_unpack(buffer, 200, at, count, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  call mpi_unpack(buffer, 200, at, a, count, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
  call mpi_buffer_attach(attached, 2000, ierr)
  call mpi_bsend(a, n, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 2, MPI_COMM_WORLD, ierr)
  call mpi_recv(y, n, MPI_DOUBLE_PRECISION, modulo(rank - 1, ranks), 2, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE, ierr)
  call mpi_ibsend(y, 1, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 3, MPI_COMM_WORLD, &
                  request, ierr)
  call mpi_recv(a, 1, MPI_DOUBLE_PRECISION, modulo(rank - 1, ranks), 3, MPI_COMM_WORLD, &
                MPI_STATUS_IGNORE, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  call mpi_buffer_detach(attached, size, ierr)
  y = y * x + a
end subroutine

! Neighbours in a graph, and parts of the ranks by what they share.
subroutine neighbours(x, y)
  implicit none
  include 'mpif.h'
  integer, parameter :: n = 6
  double precision x(n), y(n), got(3, 2), out(3, 2), all(n)
  integer ierr, ranks, rank, graph, node, from(2), to(2), request, counts(2), starts(2)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  from = [modulo(rank - 1, ranks), modulo(rank - 2, ranks)]
  to = [modulo(rank + 1, ranks), modulo(rank + 2, ranks)]
  call mpi_dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, &
                                      MPI_UNWEIGHTED, MPI_INFO_NULL, .false., graph, ierr)
  call mpi_comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, node, ierr)
  call mpi_neighbor_allgather(x, 3, MPI_DOUBLE_PRECISION, got, 3, MPI_DOUBLE_PRECISION, &
                              graph, ierr)
  out = got * 0.5d0
  call mpi_ineighbor_alltoall(out, 3, MPI_DOUBLE_PRECISION, got, 3, MPI_DOUBLE_PRECISION, &
                              graph, request, ierr)
  call mpi_wait(request, MPI_STATUS_IGNORE, ierr)
  counts = [1, 2]
  starts = [0, 3]
  out = got * got
  call mpi_neighbor_alltoallv(out, counts, starts, MPI_DOUBLE_PRECISION, got, counts, starts, &
                              MPI_DOUBLE_PRECISION, graph, ierr)
  all = reshape(got, [6]) * x
  call mpi_allreduce(MPI_IN_PLACE, all, n, MPI_DOUBLE_PRECISION, MPI_SUM, node, ierr)
  call mpi_comm_free(node, ierr)
  call mpi_comm_free(graph, ierr)
  y = all * x
end subroutine
