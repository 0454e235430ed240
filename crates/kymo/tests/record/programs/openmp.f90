! Uses OpenMP in Fortran.
program teams
  use omp_lib
  implicit none
  integer :: i, n
  integer(omp_lock_kind) :: lock
  n = 0
  call omp_init_lock(lock)
  !$omp parallel num_threads(3) reduction(+:n)
  !$omp do schedule(dynamic,2)
  do i = 1, 20
    n = n + i
  end do
  !$omp end do
  call omp_set_lock(lock)
  call omp_unset_lock(lock)
  !$omp critical
  n = n + 1
  !$omp end critical
  !$omp end parallel
  call omp_destroy_lock(lock)
  print *, n
end program
