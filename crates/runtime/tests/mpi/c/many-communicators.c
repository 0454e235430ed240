/* More communicators at a time than Score-P's table has room for, and handles that are reused. */
#include "check.h"

enum { MANY = 200 };

int main(void) {
    static MPI_Comm made[MANY];
    begin(2);
    for (int n = 0; n < MANY; n++) MPI_Comm_dup(n ? made[n - 1] : MPI_COMM_WORLD, &made[n]);
    for (int n = 0; n < MANY; n++) MPI_Comm_free(&made[n]);
    for (int n = 0; n < MANY; n++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &made[0]);
        MPI_Barrier(made[0]);
        MPI_Comm_free(&made[0]);
    }
    MPI_Finalize();
    return 0;
}
