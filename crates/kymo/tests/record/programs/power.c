// Calls in two threads for half a second, after which the process is killed.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) void inner(volatile int *count) { ++*count; }

__attribute__((noinline)) void outer(volatile int *count) {
    for (int i = 0; i < 3; i++) inner(count);
}

static void *work(void *count) {
    for (int i = 0; i < 250; i++) {
        outer(count);
        usleep(2000);
    }
    return NULL;
}

int main(void) {
    int counts[2] = {0, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, work, &counts[0]);
    work(&counts[1]);
    kill(getpid(), SIGKILL);
    return 0;
}
