! Messages, requests, sentinels, indices, logicals and strings, in the binding that BINDING names:
! 1 mpif.h, 2 use mpi, 3 use mpi_f08. In mpi_f08, ierror is left out where it can be.
#if BINDING == 3
#define REQUEST type(MPI_Request)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, n) type(MPI_Status) :: name(n)
#define SOURCE_OF(s) s%MPI_SOURCE
#define TAG_OF(s) s%MPI_TAG
#define COMM type(MPI_Comm)
#define FILEHANDLE type(MPI_File)
#define IERROR
#else
#define REQUEST integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, n) integer :: name(MPI_STATUS_SIZE, n)
#define SOURCE_OF(s) s(MPI_SOURCE)
#define TAG_OF(s) s(MPI_TAG)
#define COMM integer
#define FILEHANDLE integer
#define IERROR , error
#endif
program exchange
#if BINDING == 3
  use mpi_f08
#elif BINDING == 2
  use mpi
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer :: rank, ranks, other, error, i, n, index, outcount, indices(3), length
  integer :: numbers(8), got(8), all(8)
  logical :: flag
  REQUEST :: requests(3)
  STATUS(state)
  STATUSES(states, 3)
  COMM :: copy
  FILEHANDLE :: file
  character(len=MPI_MAX_OBJECT_NAME) :: name

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank IERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks IERROR)
  call require(ranks == 2, 1)
  other = 1 - rank
  numbers = [1, 2, 3, 4, 5, 6, 7, 8]

  ! 4 and 3 integers; the status once ignored, once used.
  if (rank == 0) then
    call MPI_Send(numbers, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD IERROR)
    call MPI_Ssend(numbers, 3, MPI_INTEGER, 1, 2, MPI_COMM_WORLD IERROR)
  else
    call MPI_Recv(got, 8, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
    call require(got(4) == 4, 2)
    call MPI_Recv(got, 8, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, state IERROR)
    call MPI_Get_count(state, MPI_INTEGER, n IERROR)
    call require(n == 3 .and. SOURCE_OF(state) == 0 .and. TAG_OF(state) == 2, 3)
  end if
  call MPI_Sendrecv(numbers, 2, MPI_INTEGER, other, 3, got, 8, MPI_INTEGER, other, 3, &
                    MPI_COMM_WORLD, MPI_STATUS_IGNORE IERROR)
  call MPI_Send(numbers, 4, MPI_INTEGER, MPI_PROC_NULL, 4, MPI_COMM_WORLD IERROR)

  ! Rounds of three messages of 1 integer, completed in all ways. MPICH 4.0 counts indices from 0 in
  ! mpi_f08 and adds 1 to MPI_UNDEFINED in the other bindings.
  call post(10)
  call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE IERROR)
  call post(20)
  call MPI_Waitall(3, requests, states IERROR)
  call post(30)
  n = 0
  do i = 1, 3
    call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE IERROR)
    call require(index >= 0 .and. index <= 3, 4)
    n = n + 10**index
  end do
  call require(n == 1110 .or. n == 111, 5)
  call MPI_Waitany(3, requests, index, MPI_STATUS_IGNORE IERROR)
  call require(index == MPI_UNDEFINED .or. index == MPI_UNDEFINED + 1, 6)
  call post(40)
  n = 0
  do while (n < 3)
    call MPI_Waitsome(3, requests, outcount, indices, MPI_STATUSES_IGNORE IERROR)
    call require(minval(indices(1:outcount)) >= 0 .and. maxval(indices(1:outcount)) <= 3, 7)
    n = n + outcount
  end do
  call post(50)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(3, requests, flag, MPI_STATUSES_IGNORE IERROR)
  end do
  call post(60)
  n = 0
  do while (n < 3)
    call MPI_Testany(3, requests, index, flag, MPI_STATUS_IGNORE IERROR)
    if (flag) n = n + 1
  end do
  call post(70)
  do i = 1, 3
    flag = .false.
    do while (.not. flag)
      call MPI_Test(requests(i), flag, MPI_STATUS_IGNORE IERROR)
    end do
  end do

  ! Persistent: twice 2 integers.
  if (rank == 0) then
    call MPI_Send_init(numbers, 2, MPI_INTEGER, 1, 80, MPI_COMM_WORLD, requests(1) IERROR)
  else
    call MPI_Recv_init(got, 8, MPI_INTEGER, 0, 80, MPI_COMM_WORLD, requests(1) IERROR)
  end if
  do i = 1, 2
    call MPI_Start(requests(1) IERROR)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE IERROR)
  end do
  call MPI_Request_free(requests(1) IERROR)

  ! Collective operations, with the sentinels of Fortran.
  all = rank
  call MPI_Allreduce(MPI_IN_PLACE, all, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD IERROR)
  call require(all(4) == 1, 8)
  call MPI_Bcast(numbers, 5, MPI_INTEGER, 1, MPI_COMM_WORLD IERROR)
  if (rank == 0) then
    call MPI_Gather(MPI_IN_PLACE, 0, MPI_INTEGER, all, 2, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
  else
    call MPI_Gather(numbers, 2, MPI_INTEGER, all, 0, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
  end if
  call MPI_Alltoallv(numbers, [1, 2], [0, 1], MPI_INTEGER, all, [rank + 1, rank + 1], [0, 4], &
                     MPI_INTEGER, MPI_COMM_WORLD IERROR)
  call MPI_Ibarrier(MPI_COMM_WORLD, requests(1) IERROR)
  call MPI_Wait(requests(1), MPI_STATUS_IGNORE IERROR)

  ! Names.
  call MPI_Comm_dup(MPI_COMM_WORLD, copy IERROR)
  call MPI_Comm_set_name(copy, 'in Fortran  ' IERROR)
  call MPI_Comm_get_name(copy, name, length IERROR)
  call require(trim(name) == 'in Fortran', 9)
  call MPI_Comm_free(copy IERROR)
  call MPI_File_open(MPI_COMM_WORLD, 'fortran.bin ', &
                     MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, file IERROR)
  call MPI_File_write_at(file, int(16 * rank, MPI_OFFSET_KIND), numbers, 4, MPI_INTEGER, &
                         MPI_STATUS_IGNORE IERROR)
  call MPI_File_read_at(file, int(16 * rank, MPI_OFFSET_KIND), got, 4, MPI_INTEGER, state IERROR)
  call require(got(4) == 4, 10)
  call MPI_File_close(file IERROR)
  call MPI_Barrier(MPI_COMM_WORLD IERROR)
  call MPI_Finalize(error)

contains

  subroutine post(tag)
    integer, intent(in) :: tag
    integer :: k
    do k = 1, 3
      if (rank == 0) then
        call MPI_Isend(numbers(k), 1, MPI_INTEGER, 1, tag + k, MPI_COMM_WORLD, requests(k) IERROR)
      else
        call MPI_Irecv(got(k), 1, MPI_INTEGER, 0, tag + k, MPI_COMM_WORLD, requests(k) IERROR)
      end if
    end do
  end subroutine

  subroutine require(right, where)
    logical, intent(in) :: right
    integer, intent(in) :: where
    if (right) return
    print *, 'rank', rank, ': wrong at', where
    call MPI_Abort(MPI_COMM_WORLD, 3 IERROR)
  end subroutine
end program
