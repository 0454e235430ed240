! A team in a subroutine whose head has code: the strides of an array with dummy bounds.
module fields
contains
subroutine smooth(field, n)
 real(8) :: field(n, n); integer :: n, i, j
 !$omp parallel do
 do j = 2, n - 1
  do i = 2, n - 1
   field(i, j) = 0.5d0 * (field(i - 1, j) + field(i, j + 1))
  end do
 end do
end subroutine
end module
program main
 use fields
 real(8) :: field(40, 40)
 field = 1
 call smooth(field, 40)
 if (field(3, 3) /= 1) stop 1
end program
