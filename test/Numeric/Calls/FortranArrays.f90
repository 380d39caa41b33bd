! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Whole arrays, for FortranArrays.c.
module arrays
  use iso_c_binding
  implicit none
  integer, parameter :: m = 3
contains
  function products(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s, c(m, m)
    c = matmul(x, transpose(x))
    s = sum(c*x) + sum(matmul(c, x(:, 2))*x(:, 1)) + sum(matmul(x(1, :), x))
  end function
  function sections(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    s = sum(matmul(x(1:2, :), x(:, m:2:-1))**2)
  end function
  function shapes(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, c(m, m), d(n)
    c = reshape(x, [m, m])
    d = reshape(matmul(c, c), [n])
    s = c(1, 2)*c(2, 1) + d(4)*d(8)
  end function
  function sums(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    s = dot_product(x, x(n:1:-1)) + norm2(x)*sum(x(1:n:2))
  end function
  function turned(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s, c(m, m)
    c = transpose(x)
    c(1:m, 1) = c(m:1:-1, 1)
    c(2:m, 2) = c(1:m - 1, 2)
    s = c(1, 2)*c(3, 1) + sum(c(2, :)*c(:, 3))
  end function
  function allocated(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    real(c_double), allocatable :: b(:, :), c(:, :), d(:)
    allocate (b(m, m))
    b = x
    c = b
    b(:, 1) = x(:, 2)*c(:, 3)
    d = b(2, :)
    d = c(:, 1)*d
    c = b(1:2, :)
    s = sum(b*x) + sum(d*d) + sum(c)*size(c)
  end function
  function singles(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    real(c_float) :: y(m, m), z(m, m)
    integer :: k(m), l(m)
    y = real(x*x, c_float)
    z = transpose(y)
    k = [3, 1, 2]
    l = k(3:1:-1)
    s = sum(matmul(y, z)) + z(l(1), l(2))
    s = sqrt(x(1, 1)*x(1, 1) + x(2, 2)**4) + 0*s
  end function
  function pairs(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    complex(c_double) :: c(m), d(m)
    c = cmplx(x(1:m), x(4:6), c_double)
    d = c(m:1:-1)
    c(1:m) = d(1:m)*c
    s = real(c(1) + c(2) + c(3)) + aimag(c(1)*d(2))
  end function
end module
