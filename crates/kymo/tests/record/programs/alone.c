/* Makes calls that need a process with a single thread, and records functions
 * before and after. Ends with 3. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
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
    } else if (count > 1 && !strcmp(arguments[1], "privileges")) {
        /* As setpriv does: the process may keep its capabilities without being root. */
        prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
        const int user = setresuid(65534, 65534, 65534) ? errno : 0;
        const int groups = setgroups(0, NULL) ? errno : 0;
        printf("user %d, groups %d\n", user, groups);
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
