// A thread reads from a pipe that nobody writes to when the program ends; another one has jumped
// out of its read.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static int ends[2];
static sigjmp_buf place;
static volatile int reads, jumped;

static void leave(int number) {
    (void)number;
    siglongjmp(place, 1);
}

__attribute__((noinline)) static void *waits(void *data) {
    char byte;
    reads = 1;
    return read(ends[0], &byte, 1) == 1 ? data : NULL;
}

__attribute__((noinline)) static void *jumps(void *data) {
    char byte;
    if (sigsetjmp(place, 1) == 0) read(ends[0], &byte, 1);
    jumped = 1;
    while (jumped) continue;
    return data;
}

int main(void) {
    struct timespec moment = {0, 20 * 1000 * 1000};
    struct sigaction action = {.sa_handler = leave};
    sigaction(SIGUSR1, &action, NULL);
    pthread_t one, other;
    if (pipe(ends) || pthread_create(&one, NULL, waits, NULL) || pthread_create(&other, NULL, jumps, NULL))
        return 1;
    while (!reads || !jumped) {
        nanosleep(&moment, NULL);
        if (!jumped) pthread_kill(other, SIGUSR1);
    }
    nanosleep(&moment, NULL);
    return 3;
}
