// Threads that are named: by themselves, by another thread, by a system call, by the thread that
// creates them; and one without a name.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_barrier_t named;

static void *inherits(void *value) {
    return value;
}

static void *renamed(void *value) {
    pthread_setname_np(pthread_self(), "first");
    pthread_setname_np(pthread_self(), "last");
    pthread_t thread;
    pthread_create(&thread, NULL, inherits, NULL);
    pthread_join(thread, NULL);
    return value;
}

static void *by_call(void *value) {
    syscall(SYS_prctl, PR_SET_NAME, "fifteen letters", 0, 0, 0);
    return value;
}

static void *by_other(void *value) {
    pthread_barrier_wait(&named);
    return value;
}

static void *stays(void *value) {
    prctl(PR_SET_NAME, "stays");
    pthread_barrier_wait(&named);
    pause();
    return value;
}

int main(int count, char **arguments) {
    void *(*const ways[])(void *) = {inherits, renamed, by_call, by_other};
    pthread_t thread;
    (void)arguments;
    pthread_barrier_init(&named, NULL, 2);
    for (int number = 0; number < 4; number++) {
        pthread_create(&thread, NULL, ways[number], NULL);
        if (ways[number] == by_other) {
            pthread_setname_np(thread, "other");
            pthread_barrier_wait(&named);
        }
        pthread_join(thread, NULL);
    }
    pthread_create(&thread, NULL, stays, NULL);
    pthread_barrier_wait(&named);
    if (count > 1) {
        prctl(PR_SET_NAME, "main");
        // The thread has the name of the main thread.
        pthread_create(&thread, NULL, inherits, NULL);
        pthread_join(thread, NULL);
    }
    puts("named");
    return 0;
}
