/* Independent MPI-IO: explicit offsets, individual and shared pointers, blocking and not; files
 * that do not exist. */
#include "check.h"

static const char *name = "files.bin";

static void not_there(void) {
    MPI_File file;
    CHECK(MPI_File_open(MPI_COMM_SELF, "no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS);
    CHECK(MPI_File_delete("no-such-file", MPI_INFO_NULL) != MPI_SUCCESS);
}

static void blocking(MPI_File file) {
    int numbers[4] = {rank, 2, 3, 4}, got[8] = {0}, elements;
    MPI_Offset place = 16 * rank;
    MPI_Status status;
    MPI_File_write_at(file, place, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, place, got, 3, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &elements);
    CHECK(elements == 3 && got[0] == rank);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_write(file, numbers, 2, MPI_INT, &status);
    MPI_File_seek(file, -8, MPI_SEEK_CUR);
    MPI_File_read(file, got, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_get_position(file, &place);
    CHECK(got[0] == rank && place == 16 * rank + 4);
    MPI_Barrier(MPI_COMM_WORLD);
    /* The file has 32 bytes: the read stops at its end. */
    MPI_File_read_at(file, 24, got, 8, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void nonblocking(MPI_File file) {
    int numbers[4] = {1, 2, 3, 4}, got[4], flag = 0;
    MPI_Request requests[2];
    MPI_File_iwrite_at(file, 16 * rank, numbers, 4, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 16 * rank, got, 4, MPI_INT, &requests[0]);
    while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 16 * rank, MPI_SEEK_SET);
    MPI_File_iwrite(file, numbers, 2, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_iread(file, got, 2, MPI_INT, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void shared(MPI_File file) {
    int number = rank;
    MPI_Request request;
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_write_shared(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_shared(file, &number, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_shared(file, &number, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iread_shared(file, &number, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(void) {
    MPI_File file;
    MPI_Offset bytes;
    begin(2);
    not_there();
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    blocking(file);
    nonblocking(file);
    shared(file);
    MPI_File_get_size(file, &bytes);
    CHECK(bytes == 32);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
