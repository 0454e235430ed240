/* Children that share the memory of their parent call functions, some of them for the first time. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;
static volatile int  is_over;

void common(int i) { sink += i; }
void child_first(int i) { sink += i; }
void later(int i) { sink += i; }

__attribute__((no_instrument_function)) static int child(void* nothing)
{
    for (int i = 0; i < 2000; i++) {
        child_first(i);
        common(i);
    }
    is_over = 1;
    return nothing != NULL;
}

int main(int count, char** arguments)
{
    const char* how    = count > 1 ? arguments[1] : "";
    int         status = 0, flags = CLONE_VM | SIGCHLD;
    size_t      size  = 1 << 18;
    char*       stack = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 5; i++)
        common(i);
    if (!strcmp(how, "vfork")) {
        pid_t process = vfork();
        if (process == 0) {
            child(NULL);
            _exit(0);
        }
    } else {
        if (!strcmp(how, "waiting"))
            flags |= CLONE_VFORK;
        if (!strcmp(how, "thread"))
            flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
        if (clone(child, stack + size, flags, NULL) < 0)
            return 1;
    }
    for (int i = 0; i < 1000; i++)
        common(i);
    while (!is_over)
        usleep(1000);
    if (strcmp(how, "thread"))
        wait(&status);
    for (int i = 0; i < 5; i++) {
        child_first(i);
        later(i);
    }
    printf("%d\n", status);
    return 8;
}
