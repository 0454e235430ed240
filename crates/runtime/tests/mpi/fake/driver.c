/* Calls a function of each pattern, with the handles and constants of a family (FAMILY: 1 Open MPI, 2 MPICH,
 * 3 standard interface). Handles are passed as words whose upper half is not zero where they are narrow. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t word;

#if FAMILY == 1
typedef uint64_t handle;
extern int ompi_mpi_comm_world, ompi_mpi_comm_null, ompi_request_null, ompi_mpi_byte;
#define WORLD ((word)&ompi_mpi_comm_world)
#define BYTE ((word)&ompi_mpi_byte)
enum { PROC_NULL = -2, STATUS = 24, IGNORE = 0, IN_PLACE = 1, EXCLUSIVE = 1, MODE = 1 | 8 | 16, SET = 600 };
#elif FAMILY == 2
typedef uint32_t handle;
#define DIRTY 0xabcdef0100000000
#define WORLD (DIRTY | 0x44000000)
#define BYTE (DIRTY | 0x4c00010d)
enum { PROC_NULL = -1, STATUS = 20, IGNORE = 1, IN_PLACE = -1, EXCLUSIVE = 234, MODE = 1 | 8 | 16, SET = 600 };
#else
typedef uint64_t handle;
#define WORLD ((word)0x101)
#define BYTE ((word)0x247)
enum { PROC_NULL = -3, STATUS = 32, IGNORE = 0, IN_PLACE = 1, EXCLUSIVE = 301, MODE = 2 | 32 | 4, SET = 403 };
#endif

/* Not declared with types: every argument is a word. */
#define DECLARE(name) extern int name()
DECLARE(MPI_Init); DECLARE(MPI_Finalize); DECLARE(MPI_Finalized); DECLARE(MPI_Comm_rank);
DECLARE(MPI_Send); DECLARE(MPI_Recv); DECLARE(MPI_Sendrecv); DECLARE(MPI_Isend); DECLARE(MPI_Irecv);
DECLARE(MPI_Wait); DECLARE(MPI_Waitall); DECLARE(MPI_Waitany); DECLARE(MPI_Testsome); DECLARE(MPI_Test);
DECLARE(MPI_Request_get_status); DECLARE(MPI_Send_init); DECLARE(MPI_Recv_init); DECLARE(MPI_Startall);
DECLARE(MPI_Request_free); DECLARE(MPI_Cancel); DECLARE(MPI_Barrier); DECLARE(MPI_Bcast);
DECLARE(MPI_Allreduce); DECLARE(MPI_Gatherv); DECLARE(MPI_Alltoallw); DECLARE(MPI_Ibarrier);
DECLARE(MPI_Comm_dup); DECLARE(MPI_Comm_split); DECLARE(MPI_Comm_idup); DECLARE(MPI_Comm_free);
DECLARE(MPI_Comm_set_name); DECLARE(MPI_Cart_create); DECLARE(MPI_Comm_group); DECLARE(MPI_Group_free);
DECLARE(MPI_Win_create); DECLARE(MPI_Win_fence); DECLARE(MPI_Put); DECLARE(MPI_Get); DECLARE(MPI_Rput);
DECLARE(MPI_Fetch_and_op); DECLARE(MPI_Win_lock); DECLARE(MPI_Win_unlock); DECLARE(MPI_Win_flush_local);
DECLARE(MPI_Win_flush);
DECLARE(MPI_Win_start); DECLARE(MPI_Win_post); DECLARE(MPI_Win_complete); DECLARE(MPI_Win_wait);
DECLARE(MPI_Win_free); DECLARE(MPI_File_open); DECLARE(MPI_File_write_at); DECLARE(MPI_File_iwrite);
DECLARE(MPI_File_read_all_begin); DECLARE(MPI_File_read_all_end); DECLARE(MPI_File_seek);
DECLARE(MPI_File_close); DECLARE(MPI_Mprobe); DECLARE(MPI_Improbe); DECLARE(MPI_Mrecv); DECLARE(MPI_Imrecv);

/* The next put calls this function. */
extern void fake_mpi_meanwhile(void (*action)(void));

static char buffer[64], statuses[4 * 32];
/* A type of four bytes: any handle but that of bytes. */
static const word FOUR = 0x70;
static handle r[4];

static void messages(void) {
    MPI_Send(buffer, 3L, FOUR, 0L, 1L, WORLD);
    MPI_Recv(buffer, 64L, BYTE, 0L, 1L, WORLD, (word)IGNORE);
    MPI_Send(buffer, 3L, FOUR, (long)PROC_NULL, 1L, WORLD);
    MPI_Sendrecv(buffer, 2L, FOUR, 0L, 2L, buffer, 2L, FOUR, 0L, 2L, WORLD, statuses);
}

/* The second probe finds no message. */
static void matched(void) {
    handle message = 0;
    int flag;
    MPI_Send(buffer, 3L, FOUR, 0L, 9L, WORLD);
    MPI_Mprobe(0L, 9L, WORLD, &message, (word)IGNORE);
    MPI_Mrecv(buffer, 3L, FOUR, &message, (word)IGNORE);
    MPI_Improbe(0L, 10L, WORLD, &flag, &message, (word)IGNORE);
    MPI_Send(buffer, 1L, FOUR, 0L, 10L, WORLD);
    MPI_Improbe(0L, 10L, WORLD, &flag, &message, statuses);
    MPI_Imrecv(buffer, 1L, FOUR, &message, &r[0]);
    MPI_Wait(&r[0], (word)IGNORE);
}

static void requests(void) {
    int index, flag, count, indices[2];
    MPI_Irecv(buffer, 1L, FOUR, 0L, 3L, WORLD, &r[0]);
    MPI_Irecv(buffer, 1L, FOUR, 0L, 3L, WORLD, &r[1]);
    MPI_Isend(buffer, 1L, FOUR, 0L, 3L, WORLD, &r[2]);
    MPI_Isend(buffer, 1L, FOUR, 0L, 3L, WORLD, &r[3]);
    MPI_Waitall(4L, r, (word)IGNORE);
    MPI_Irecv(buffer, 1L, FOUR, 0L, 4L, WORLD, &r[0]);
    MPI_Isend(buffer, 1L, FOUR, 0L, 4L, WORLD, &r[1]);
    for (int turn = 0; turn < 3; turn++) MPI_Waitany(2L, r, &index, statuses);
    MPI_Irecv(buffer, 1L, FOUR, 0L, 5L, WORLD, &r[0]);
    MPI_Testsome(1L, r, &count, indices, statuses);
    MPI_Isend(buffer, 1L, FOUR, 0L, 5L, WORLD, &r[1]);
    MPI_Testsome(2L, r, &count, indices, statuses);
    MPI_Isend(buffer, 1L, FOUR, 0L, 6L, WORLD, &r[0]);
    MPI_Request_get_status((word)r[0], &flag, (word)IGNORE);
    MPI_Test(&r[0], &flag, (word)IGNORE);
    MPI_Recv(buffer, 1L, FOUR, 0L, 6L, WORLD, statuses);
    MPI_Send_init(buffer, 2L, FOUR, 0L, 7L, WORLD, &r[0]);
    MPI_Recv_init(buffer, 2L, FOUR, 0L, 7L, WORLD, &r[1]);
    for (int turn = 0; turn < 2; turn++) {
        MPI_Startall(2L, r);
        MPI_Waitall(2L, r, statuses);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
    MPI_Irecv(buffer, 1L, FOUR, 0L, 8L, WORLD, &r[0]);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], (word)IGNORE);
}

static void collectives(void) {
    int two[1] = {2}, one[1] = {1}, zero[1] = {0};
    handle types[1] = {(handle)FOUR};
    MPI_Barrier(WORLD);
    MPI_Bcast(buffer, 2L, FOUR, 0L, WORLD);
    MPI_Allreduce(buffer, buffer, 3L, FOUR, 0x99L, WORLD);
    MPI_Allreduce((long)IN_PLACE, buffer, 3L, FOUR, 0x99L, WORLD);
    MPI_Gatherv(buffer, 2L, FOUR, buffer, two, zero, FOUR, 0L, WORLD);
    MPI_Alltoallw(buffer, one, zero, types, buffer, one, zero, types, WORLD);
    MPI_Ibarrier(WORLD, &r[0]);
    MPI_Wait(&r[0], (word)IGNORE);
}

static void communicators(void) {
    handle new[4] = {0}, none = 0;
    int sizes[1] = {1}, periods[1] = {1};
    MPI_Comm_dup(WORLD, &new[0]);
    MPI_Comm_split(WORLD, -32766L, 0L, &none);
    MPI_Comm_split(WORLD, 1L, 0L, &new[1]);
    MPI_Comm_set_name((word)new[1], "half");
    MPI_Cart_create(WORLD, 1L, sizes, periods, 0L, &new[2]);
    MPI_Comm_idup(WORLD, &new[3], &r[0]);
    MPI_Wait(&r[0], (word)IGNORE);
    for (int number = 0; number < 4; number++) MPI_Comm_free(&new[number]);
}

static void windows(void) {
    handle win = 0, group = 0;
    MPI_Comm_group(WORLD, &group);
    MPI_Win_create(buffer, 64L, 1L, 0L, WORLD, &win);
    MPI_Win_fence(0L, (word)win);
    MPI_Put(buffer, 2L, FOUR, 0L, 0L, 2L, FOUR, (word)win);
    MPI_Get(buffer, 1L, FOUR, 0L, 0L, 1L, FOUR, (word)win);
    MPI_Fetch_and_op(buffer, buffer, FOUR, 0L, 0L, 0x99L, (word)win);
    MPI_Win_fence(0L, (word)win);
    MPI_Win_lock((long)EXCLUSIVE, 0L, 0L, (word)win);
    MPI_Put(buffer, 2L, FOUR, 0L, 0L, 2L, FOUR, (word)win);
    MPI_Win_flush_local(0L, (word)win);
    MPI_Rput(buffer, 1L, FOUR, 0L, 0L, 1L, FOUR, (word)win, &r[0]);
    MPI_Wait(&r[0], (word)IGNORE);
    MPI_Win_unlock(0L, (word)win);
    MPI_Win_post((word)group, 0L, (word)win);
    MPI_Win_start((word)group, 0L, (word)win);
    MPI_Win_complete((word)win);
    MPI_Win_wait((word)win);
    MPI_Win_free(&win);
    MPI_Group_free(&group);
}

static handle shared;

static void *put_and_flush(void *unused) {
    MPI_Put(buffer, 1L, FOUR, 0L, 0L, 1L, FOUR, (word)shared);
    MPI_Win_flush(0L, (word)shared);
    return unused;
}

static void put_and_flush_elsewhere(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, put_and_flush, NULL);
    pthread_join(thread, NULL);
}

/* Another thread completes the operations of this one during its second put. */
static void threads(void) {
    MPI_Win_create(buffer, 64L, 1L, 0L, WORLD, &shared);
    MPI_Win_lock((long)EXCLUSIVE, 0L, 0L, (word)shared);
    MPI_Put(buffer, 1L, FOUR, 0L, 0L, 1L, FOUR, (word)shared);
    fake_mpi_meanwhile(put_and_flush_elsewhere);
    MPI_Put(buffer, 1L, FOUR, 0L, 0L, 1L, FOUR, (word)shared);
    MPI_Win_unlock(0L, (word)shared);
    MPI_Win_free(&shared);
}

static void files(void) {
    word file = 0;
    MPI_File_open(WORLD, "file", (long)MODE, 0L, &file);
    MPI_File_write_at(file, 8L, buffer, 3L, FOUR, (word)IGNORE);
    MPI_File_iwrite(file, buffer, 2L, FOUR, &r[0]);
    MPI_Wait(&r[0], (word)IGNORE);
    MPI_File_read_all_begin(file, buffer, 4L, FOUR);
    MPI_File_read_all_end(file, buffer, statuses);
    MPI_File_seek(file, 24L, (long)SET);
    MPI_File_close(&file);
}

int main(void) {
    int rank = -1, flag = -1;
    setvbuf(stdout, NULL, _IONBF, 0);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(WORLD, &rank);
    messages();
    matched();
    requests();
    collectives();
    communicators();
    windows();
    threads();
    files();
    MPI_Finalize();
    MPI_Finalized(&flag);
    printf("rank %d, finalized %d\n", rank, flag);
    return 3;
}
