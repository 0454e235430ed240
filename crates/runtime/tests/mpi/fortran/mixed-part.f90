! The Fortran part of c/mixed.c: a receive that C completes, and a broadcast.
subroutine exchange(comm, request, got)
  implicit none
  include 'mpif.h'
  integer :: comm, request, got, rank, error, value
  call MPI_Comm_rank(comm, rank, error)
  value = rank
  call MPI_Bcast(value, 1, MPI_INTEGER, 1, comm, error)
  call MPI_Irecv(got, 1, MPI_INTEGER, 1 - rank, 8, comm, request, error)
end subroutine
