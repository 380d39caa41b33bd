! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Regions of Fortran as simulation codes have them, for FortranSteps.c.
module solvers
  use iso_c_binding
  implicit none
contains
  function sparse(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, y(n), t
    integer :: i, k, column
    !$omp parallel do private(k, column, t) schedule(dynamic, 2)
    do i = 1, n
      t = 0
      do k = 0, 2
        column = mod(5*i + 3*k, n) + 1
        t = t + (x(i) + k)*x(column)
      end do
      y(i) = t
    end do
    s = 0
    !$omp parallel do reduction(+:s)
    do i = 1, n
      s = s + y(i)*y(i)/(1 + i)
    end do
  end function
  function redblack(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, u(0:7, 0:7)
    integer :: i, j, color, sweep
    do j = 0, 7
      do i = 0, 7
        u(i, j) = x(mod(i + 8*j, n) + 1)
      end do
    end do
    do sweep = 1, 2
      do color = 0, 1
        !$omp parallel do private(i)
        do j = 1, 6
          do i = 1 + mod(j + color, 2), 6, 2
            u(i, j) = 0.25d0*(u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))*u(i, j)
          end do
        end do
      end do
    end do
    s = 0
    do j = 0, 7
      do i = 0, 7
        s = s + u(i, j)*(i + 1)
      end do
    end do
  end function
  function histogram(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, bins(4)
    integer :: i, b
    do i = 1, 4
      bins(i) = 0
    end do
    !$omp parallel do private(b)
    do i = 1, n
      b = mod(7*i, 4) + 1
      !$omp atomic
      bins(b) = bins(b) + x(i)*x(i)
    end do
    s = bins(1)*bins(2) + bins(3)*bins(4)
  end function
  function forces(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, f(4), mine(4), d
    integer :: i, j
    do i = 1, 4
      f(i) = 0
    end do
    !$omp parallel private(mine, j, d)
    do j = 1, 4
      mine(j) = 0
    end do
    !$omp do
    do i = 1, 4
      do j = i + 1, 4
        d = x(i) - x(j) + 0.3d0
        mine(i) = mine(i) + d*x(i + 4)*x(j + 4)
        mine(j) = mine(j) - d*x(i + 4)*x(j + 4)
      end do
    end do
    !$omp end do
    !$omp critical
    do j = 1, 4
      f(j) = f(j) + mine(j)
    end do
    !$omp end critical
    !$omp end parallel
    s = f(1)*f(1) + f(2)*f(3) + f(4) + x(n)*x(n)
  end function
  function stepping(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, total
    real(c_double), allocatable :: u(:), v(:)
    integer :: i, t
    allocate (u(n), v(n))
    do i = 1, n
      u(i) = x(i)
    end do
    do t = 1, 4
      total = 0
      !$omp parallel
      !$omp do
      do i = 1, n
        v(i) = u(i) + 0.1d0*u(i)*(u(mod(i, n) + 1) - u(i))
      end do
      !$omp end do
      !$omp do reduction(+:total)
      do i = 1, n
        total = total + v(i)
      end do
      !$omp end do
      !$omp do
      do i = 1, n
        u(i) = v(i)/(1 + 0.01d0*total)
      end do
      !$omp end do
      !$omp end parallel
    end do
    s = 0
    do i = 1, n
      s = s + u(i)*u(i)
    end do
    deallocate (u, v)
  end function
  function largest(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, a, b
    integer :: i
    a = -1
    b = 10
    !$omp parallel do reduction(max:a) reduction(min:b)
    do i = 1, n
      a = max(a, x(i)*x(i))
      b = min(b, x(i) + 0.01d0*i)
    end do
    s = a*b
  end function
end module
