/* Programs that do not end as they should: `ends HOW`. One message before the end in each. */
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

/* Waits until the other rank has left MPI_Finalize, too. Hydra answers each rank there; if a rank is
 * gone by then, the status is Hydra's own: 255 in 10 of 600 runs. The folder is empty before. */
static void wait_for_finalize_of_both(void) {
    const char *left[] = {"finalized-0", "finalized-1"};
    close(open(left[rank], O_CREAT | O_WRONLY, 0600));
    while (access(left[1 - rank], F_OK)) usleep(1000);
}

int main(int arguments, char **argument) {
    const char *how = arguments > 1 ? argument[1] : "";
    int number = 0;
    begin(2);
    MPI_Send(&number, 1, MPI_INT, rank, 1, MPI_COMM_WORLD);
    MPI_Recv(&number, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!strcmp(how, "no-finalize")) return 0;
    if (!strcmp(how, "one-without-finalize") && rank) return 0;
    if (!strcmp(how, "exit-code")) exit(7);
    if (!strcmp(how, "MPI_Abort")) MPI_Abort(MPI_COMM_WORLD, 5);
    if (!strcmp(how, "one-MPI_Abort") && rank) MPI_Abort(MPI_COMM_WORLD, 5);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "killed") && rank) kill(getpid(), SIGKILL);
    if (!strcmp(how, "fatal") && rank) MPI_Send(&number, 1, MPI_INT, 99, 1, MPI_COMM_WORLD);
    if (!strcmp(how, "killed") || !strcmp(how, "fatal") || !strcmp(how, "one-MPI_Abort"))
        MPI_Recv(&number, 1, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    if (!strcmp(how, "_exit")) _exit(0);
    if (!strcmp(how, "status-after-finalize")) return 9;
    if (!strcmp(how, "killed-after-finalize")) {
        wait_for_finalize_of_both();
        if (rank) kill(getpid(), SIGKILL);
    }
    if (!strcmp(how, "exec")) execl("/bin/true", "true", (char *)NULL);
    return 0;
}
