/* Makes calls that the system refuses to a process with several threads, and records functions
 * before and after. Ends with 3. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void work(void) { __asm__ volatile(""); }

static void some(void)
{
    for (int i = 0; i < 10000; i++)
        work();
}

int main(int count, char** arguments)
{
    some();
    if (count > 1 && !strcmp(arguments[1], "process")) {
        printf("unshare: %s\n", unshare(CLONE_NEWPID) ? strerror(errno) : "done");
        fflush(stdout);
        if (fork() == 0) {
            some();
            _exit(2);
        }
    } else if (count > 1) {
        int user = open("/proc/self/ns/mnt", O_RDONLY);
        printf("unshare: %s\n", unshare(CLONE_NEWUSER) ? strerror(errno) : "done");
        printf("setns: %s\n", setns(user, 0) ? strerror(errno) : "done");
    }
    int status = 0;
    while (wait(&status) > 0)
        printf("child %d\n", WEXITSTATUS(status));
    some();
    return 3;
}
