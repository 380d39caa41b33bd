! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Regions of Fortran, for Fortran.c.
module regions
  use iso_c_binding
  implicit none
contains
  function squares(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, y(n)
    integer :: i
    !$omp parallel do
    do i = 1, n
      y(i) = x(i)*x(i)*x(n + 1 - i)
    end do
    !$omp end parallel do
    s = 0
    do i = 1, n
      s = s + y(i)*y(i)
    end do
  end function
  function sums(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    integer :: i
    s = x(1)
    !$omp parallel do reduction(+:s)
    do i = 1, n
      s = s + sin(x(i))*x(1)
    end do
  end function
  function products(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, p, q
    integer :: i
    p = 1
    q = -1
    !$omp parallel do reduction(*:p) reduction(max:q)
    do i = 1, n
      p = p*(1 + 0.1d0*x(i))
      q = max(q, x(i)*x(2))
    end do
    s = p*q
  end function
  function stencil(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, u(n), v(n)
    integer :: i, t
    do i = 1, n
      u(i) = x(i)
      v(i) = x(i)
    end do
    !$omp parallel private(t)
    do t = 1, 3
      !$omp do
      do i = 2, n - 1
        v(i) = u(i) + 0.1d0*u(i)*(u(i - 1) - 2*u(i) + u(i + 1))
      end do
      !$omp end do
      !$omp do
      do i = 2, n - 1
        u(i) = v(i)*v(i) + 0.2d0*v(i + 1)
      end do
      !$omp end do
    end do
    !$omp end parallel
    s = 0
    do i = 1, n
      s = s + u(i)*u(i)
    end do
  end function
  function privates(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, t, w(3), k
    integer :: i, j
    k = x(1)*x(2)
    s = 0
    !$omp parallel do private(t, w, j) firstprivate(k) reduction(+:s)
    do i = 1, n
      t = x(i)*k
      do j = 1, 3
        w(j) = t*x(j)
      end do
      s = s + w(1)*w(2) + w(3)
    end do
  end function
  function exclusive(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, t
    integer :: i
    s = 1
    !$omp parallel do private(t)
    do i = 1, n
      t = x(i)*x(1)
      !$omp critical
      s = s*(1 + 0.1d0*t)
      !$omp end critical
    end do
  end function
  function parts(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, a, b
    a = 0
    b = 0
    !$omp parallel sections
    !$omp section
    a = x(1)*x(2)
    !$omp section
    b = sin(x(3))*x(1)
    !$omp end parallel sections
    s = a*b
  end function
  function chunks(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, t, y(n)
    integer :: i
    !$omp parallel
    !$omp do schedule(dynamic, 2)
    do i = 1, n
      y(i) = exp(-x(i))*x(1)
    end do
    !$omp end do nowait
    !$omp single
    s = x(3)*x(4)
    !$omp end single
    !$omp end parallel
    t = 0
    do i = 1, n
      t = t + y(i)
    end do
    s = s*t
  end function
  function plane(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    real(c_double), allocatable :: a(:, :)
    integer :: i, j
    allocate (a(4, n/4))
    !$omp parallel do collapse(2)
    do j = 1, n/4
      do i = 1, 4
        a(i, j) = x(4*(j - 1) + i)*x(i)
      end do
    end do
    s = 0
    !$omp parallel do reduction(+:s) num_threads(2)
    do j = 1, n/4
      do i = 1, 4
        s = s + a(i, j)*a(i, j)
      end do
    end do
    deallocate (a)
  end function
end module
