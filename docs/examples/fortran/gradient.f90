! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Prints a gradient:
!
!   flang-new-19 -O2 -fpass-plugin=build/lib/Adze.so gradient.f90 -o gradient && ./gradient
module model
  use iso_c_binding
  implicit none
  integer(c_int), bind(c, name="enzyme_const") :: enzyme_const
  interface
    subroutine gradient(f, x, dx, tag, n, y, dy) bind(c, name="__enzyme_autodiff")
      import
      external :: f
      real(c_double) :: x(*), dx(*), y, dy
      integer(c_int) :: tag, n
    end subroutine
  end interface
contains
  subroutine energy(x, n, y) bind(c)
    integer(c_int), intent(in) :: n
    real(c_double), intent(in) :: x(n)
    real(c_double), intent(out) :: y
    y = sum(cshift(x, 1)*x**2)
  end subroutine
end module

program example
  use model
  real(c_double) :: x(3) = [1d0, 2d0, 3d0], dx(3) = 0, y, dy = 1
  call gradient(energy, x, dx, enzyme_const, 3, y, dy)
  print '(3f8.3)', dx
end program
