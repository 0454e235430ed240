// Ways to fork, to execute another program and to end: `processes HOW`. The number of calls of
// `work` is known.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

__attribute__((noinline)) void work(void) {
    __asm__ volatile("");
}

static void repeat(int times) {
    for (int time = 0; time < times; time++) work();
}

static int child(pid_t process) {
    int status;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static pid_t spawn(char *self, char *how) {
    pid_t process;
    char *arguments[] = {self, how, NULL};
    return posix_spawn(&process, self, NULL, NULL, arguments, environ) ? -1 : process;
}

static void *fork_here(void *status) {
    pid_t process = fork();
    if (process == 0) {
        repeat(4);
        exit(5);
    }
    *(int *)status = child(process);
    return NULL;
}

int main(int count, char **arguments) {
    char *self = arguments[0], *how = count > 1 ? arguments[1] : "return";
    char *again[] = {self, "return", NULL};
    int status = 0;
    repeat(10);
    if (!strcmp(how, "_exit")) _exit(7);
    if (!strcmp(how, "_Exit")) _Exit(8);
    if (!strcmp(how, "quick_exit")) quick_exit(9);
    if (!strcmp(how, "execv")) execv(self, again);
    if (!strcmp(how, "execve")) execve(self, again, environ);
    if (!strcmp(how, "execvp")) execvp(self, again);
    if (!strcmp(how, "execvpe")) execvpe(self, again, environ);
    if (!strcmp(how, "fexecve")) fexecve(open(self, O_RDONLY | O_CLOEXEC), again, environ);
    if (!strcmp(how, "execl")) execl(self, self, "return", "3", "4", "5", "6", "7", "8", "9", (char *)NULL);
    if (!strcmp(how, "execlp")) execlp(self, self, "return", (char *)NULL);
    if (!strcmp(how, "execle")) execle(self, self, "return", (char *)NULL, environ);
    if (!strcmp(how, "nothing")) {
        execl("/no/such/program", "program", (char *)NULL);
        execlp("no-such-program", "program", (char *)NULL);
        status = errno == ENOENT ? 1 : 2;
        repeat(2);
    }
    if (!strcmp(how, "fork")) {
        pid_t process = fork();
        repeat(process ? 1 : 3);
        if (process == 0) exit(5);
        status = child(process);
    }
    if (!strcmp(how, "fork _exit")) {
        pid_t process = fork();
        if (process == 0) {
            repeat(2);
            _exit(6);
        }
        status = child(process);
    }
    if (!strcmp(how, "fork exec")) {
        pid_t process = fork();
        if (process == 0) execv(self, again);
        status = child(process);
    }
    if (!strcmp(how, "vfork")) {
        pid_t process = vfork();
        if (process == 0) {
            execl(self, self, "return", (char *)NULL);
            _exit(127);
        }
        status = child(process);
    }
    if (!strcmp(how, "vfork _exit")) {
        pid_t process = vfork();
        if (process == 0) _exit(11);
        status = child(process);
        repeat(2);
    }
    if (!strcmp(how, "spawn")) status = child(spawn(self, "return"));
    if (!strcmp(how, "thread fork")) {
        pthread_t thread;
        pthread_create(&thread, NULL, fork_here, &status);
        pthread_join(thread, NULL);
    }
    printf("%s %d\n", how, status);
    return 0;
}
