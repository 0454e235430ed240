/* A persistent buffered send that is started again while its last message is still on its way. Open
 * MPI gives the program another handle then. */
#include "check.h"
#include <stdlib.h>

enum { BYTES = 1 << 14, TIMES = 8 };

int main(void) {
    char *data = calloc(1, BYTES), *buffer;
    int room = TIMES * (BYTES + MPI_BSEND_OVERHEAD), i;
    MPI_Request request;
    begin(2);
    if (rank == 0) {
        buffer = malloc(room);
        MPI_Buffer_attach(buffer, room);
        MPI_Bsend_init(data, BYTES, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &request);
        for (i = 0; i < TIMES; i++) {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Request_free(&request);
        MPI_Buffer_detach(&buffer, &room);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (i = 0; i < TIMES; i++) {
            MPI_Recv(data, BYTES, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
