! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
! Intrinsic functions and memory, for FortranRuntime.c.
module runtime
  use iso_c_binding
  implicit none
  integer, parameter :: m = 3
  type point
    real(c_double) :: v
    integer :: mark
  end type
contains
  function constructed(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    real(c_double), allocatable :: v(:)
    integer, allocatable :: k(:)
    integer :: i
    v = [x(1:m), (x(i)*x(i + 1), i=1, n - 1), sin(x(1)), 2d0]
    k = [(i*i, i=1, m), n, 1]
    s = sum(v**2) + k(4)*v(k(2)) + product(v(1:m)) + k(5)*v(k(5))
  end function
  function shifted(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, u(n), w(n)
    integer :: k
    u = 0.1d0*x
    do k = 1, 3
      w = u + 0.1d0*(cshift(u, 1) - 2*u + cshift(u, -1)) + 0.05d0*eoshift(u, 2)
      u = w*w*0.5d0 + u*0.5d0 + eoshift(w, -k, 0.25d0*x(1))
    end do
    s = sum(u) + sum(x*cshift(x, n + 2))
  end function
  function turned_rows(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    integer :: k(m, m)
    k = cshift(reshape([1, 2, 3, 4, 5, 6, 7, 8, 9], [m, m]), 1, 2)
    s = sum(cshift(x, 1, 1)*x) + 2*sum(cshift(x, -1, 2)*x*x) &
        + sum(eoshift(x, 1, dim=2)*x*k)
  end function
  function spread_out(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, a(m, 2), b(2, m)
    a = spread(x(1:m), 2, 2)*spread(x(4:5), 1, m)
    b = transpose(a)*spread(spread(x(n), 1, m), 1, 2) + spread(x(2:n:m), 1, 2)
    s = sum(a*transpose(b)) + sum(matmul(transpose(a), transpose(b)))
  end function
  function packed(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    real(c_double), allocatable :: v(:), w(:)
    v = pack(x, x > 1.7d0)
    w = pack(x*x, x < 0, v)
    s = sum(v*v) + size(v) + dot_product(w, v) &
        + sum(unpack(v, x > 1.7d0, x*x)*x) + 2*sum(unpack(v, x > 1.7d0, x(2)))
  end function
  function masked(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    s = sum(x, mask=x < 5.2d0)*product(x, mask=x > 1.2d0 .and. x < 6.8d0) &
        + maxval(x, mask=x < 6.5d0)*minval(x, mask=x > 0) + sum(x, mask=n > 10) &
        + count(x > 0)*x(2, 1)
    if (any(x > 8) .and. .not. all(x > 0)) s = s*x(1, 2)
  end function
  function along(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    s = sum(sum(x*x, dim=1)*x(:, 2)) + sum(maxval(x, dim=2)**2) &
        + dot_product(product(x, dim=2), minval(x, dim=1)) + sum(norm2(x, dim=1)**3) &
        + sum(sum(x, dim=2, mask=x > 1.2d0)*x(2, :))
  end function
  function extremes(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    integer :: top(2), low, each(m)
    top = maxloc(x)
    low = minloc(abs(x(:, 2)), dim=1)
    each = maxloc(x, dim=2)
    s = x(top(1), top(2))**2 + 3*x(low, 1)*x(each(1), each(2)) &
        + x(each(3), 1)**3 + maxval(x)*minval(x)
  end function
  function products_of_columns(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    s = sum(matmul(transpose(x(:, 1:2)), x)) &
        + sum(matmul(transpose(x), x(:, 3))*x(1, :))
  end function
  function complexes(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    complex(c_double_complex) :: z(m), a(2, 2), w
    integer :: i
    z = [(cmplx(x(i), x(i + m), c_double_complex), i=1, m)]
    a = reshape([z(1), z(2), z(3), z(1)], [2, 2])
    w = dot_product(z, z*z) + sum(exp(0.1d0*z)) + z(1)**3/z(2)**(-2) + product(z) &
        + sum(matmul(a, matmul(a, z(1:2)))) + conjg(z(3)) + sum(cshift(z, 1)*z)
    s = real(w)*1d-3 + aimag(w)*2d-3 + abs(z(2))
  end function
  function singles_along(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s, t(2)
    real(c_float) :: y(2, m)
    integer :: k(2, m)
    y = reshape([1., 2., 3., 4., 5., 6.], [2, m])
    k = reshape([1, 2, 3, 4, 5, 6], [2, m])
    t = real(sum(y, dim=2)*maxval(y, dim=2), c_double)*sum(k, dim=2)
    s = t(1)*x(1)**2 + t(2)*x(2)*x(3) + product(y)*x(maxloc(y(1, :), dim=1))
  end function
  function moved(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(m, m)
    real(c_double) :: s
    real(c_double), allocatable :: a(:, :), b(:, :)
    integer :: i, stat
    allocate (a(0:m - 1, m), source=x)
    allocate (b(m, m), source=2d0)
    do i = 1, m
      b(i, i) = b(i, i) + a(i - 1, 1)
    end do
    a = a*b
    call move_alloc(a, b)
    allocate (a(m, 2), stat=stat)
    a(:, 1) = b(0, :)
    a(:, 2) = b(:, 2)*stat + x(:, 3)
    s = sum(a(:, 1)*a(:, 2)) + lbound(b, 1) + b(m - 1, m)**2
    deallocate (a)
  end function
  function pointed(x, n) result(s) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: s
    real(c_double), target :: values(n)
    real(c_double), pointer :: part(:), whole(:)
    type(point), pointer :: p, q
    integer :: i
    values = x*x
    part => values(2:n:3)
    part = part*x(1)
    allocate (whole(n))
    whole = values(n:1:-1)
    s = sum(values*x)
    do i = 1, n
      allocate (p)
      p%v = whole(i)*i
      p%mark = i
      q => p
      s = s*0.5d0 + q%v*q%mark*1d-2
      deallocate (q)
    end do
    deallocate (whole)
  end function
end module
