/* MPI functions before MPI_Init and after MPI_Finalize, MPI_Pcontrol, MPI_Wtime. */
#include "check.h"

int main(void) {
    int flag, version, sub, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    CHECK(!flag);
    MPI_Finalized(&flag);
    CHECK(!flag);
    MPI_Get_version(&version, &sub);
    MPI_Get_library_version(text, &length);
    begin(2);
    MPI_Initialized(&flag);
    CHECK(flag);
    MPI_Finalized(&flag);
    CHECK(!flag);
    CHECK(MPI_Wtime() >= 0 && MPI_Wtick() > 0);
    MPI_Pcontrol(1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Initialized(&flag);
    CHECK(flag);
    MPI_Finalized(&flag);
    CHECK(flag);
    MPI_Get_version(&version, &sub);
    CHECK(version >= 3);
    return 0;
}
