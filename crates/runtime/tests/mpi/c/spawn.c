/* A process that starts another, sends it a message and receives one. */
#include "check.h"

int main(int arguments, char **argument) {
    MPI_Comm parent, children;
    int number = 5;
    MPI_Init(&arguments, &argument);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (parent == MPI_COMM_NULL) {
        MPI_Comm_spawn(argument[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                       MPI_ERRCODES_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 1, children);
        MPI_Recv(&number, 1, MPI_INT, 0, 2, children, MPI_STATUS_IGNORE);
        CHECK(number == 6);
        MPI_Comm_disconnect(&children);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 1, parent, MPI_STATUS_IGNORE);
        number++;
        MPI_Send(&number, 1, MPI_INT, 0, 2, parent);
        MPI_Comm_disconnect(&parent);
    }
    MPI_Finalize();
    return 0;
}
