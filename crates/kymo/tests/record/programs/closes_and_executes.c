/* A child closes inherited descriptors in ways that have no regions, and executes a program. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int file = open("/dev/null", O_RDONLY), other = open("/dev/null", O_RDONLY);
    pid_t child = fork();
    if (child == 0) {
        int ends[2];
        syscall(SYS_close, file);
        /* Closed unseen; the pipe receives the number. */
        syscall(SYS_close_range, other, other, 0);
        if (pipe(ends) == 0)
            execl("/bin/true", "true", (char*)NULL);
        _exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
