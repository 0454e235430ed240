// A thread reads from a pipe that nobody writes to when the program ends; another one has jumped
// out of its read.
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static sigjmp_buf place;
static volatile int reader, has_place, jumped;

static void leave(int number) {
    (void)number;
    siglongjmp(place, 1);
}

__attribute__((noinline)) static void *waits(void *data) {
    char byte;
    reader = gettid();
    return read(ends[0], &byte, 1) == 1 ? data : NULL;
}

__attribute__((noinline)) static void *jumps(void *data) {
    char byte;
    if (sigsetjmp(place, 1) == 0) {
        has_place = 1;
        read(ends[0], &byte, 1);
    }
    jumped = 1;
    while (jumped) continue;
    return data;
}

// From then on a thread makes no other call that sleeps.
static int is_asleep(int thread) {
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    if (fscanf(file, "%*d %*s %c", &state) != 1) state = 0;
    fclose(file);
    return state == 'S';
}

int main(void) {
    struct timespec moment = {0, 20 * 1000 * 1000};
    struct sigaction action = {.sa_handler = leave};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t one, other;
    if (pipe(ends) || pthread_create(&one, NULL, waits, NULL) || pthread_create(&other, NULL, jumps, NULL))
        return 1;
    while (!jumped || !is_asleep(reader)) {
        nanosleep(&moment, NULL);
        if (has_place && !jumped) pthread_kill(other, SIGUSR1);
    }
    nanosleep(&moment, NULL);
    return 3;
}
