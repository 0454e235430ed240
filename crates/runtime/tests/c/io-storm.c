// Threads, and signal handlers, that open and close files at the same time. From the end of a
// handler to the next one there are some microseconds, in which the threads go on however long
// handlers take.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static int null;
static volatile int handled, ended;

static void alarm_soon(void) {
    struct itimerval soon = {{0, 0}, {0, 50}};
    setitimer(ITIMER_REAL, &soon, NULL);
}

static void handle(int number) {
    (void)number;
    int before = errno;
    char byte = 0;
    if (write(null, &byte, 1) != 1) _exit(1);
    int file = open("/dev/null", O_RDONLY), other = dup(file);
    if (read(other, &byte, 1) != 0) _exit(2);
    close(other);
    close(file);
    handled++;
    if (!ended) alarm_soon();
    errno = before;
}

static void *work(void *result) {
    for (int time = 0; time < 500; time++) {
        void *memory = malloc(100 + time);
        FILE *stream = fopen("/dev/null", "w");
        fprintf(stream, "%d\n", time);
        fclose(stream);
        char bytes[64];
        int file = open("/dev/zero", O_RDONLY);
        if (read(file, bytes, 64) != 64) _exit(3);
        close(file);
        free(memory);
    }
    return result;
}

int main(void) {
    null = open("/dev/null", O_WRONLY);
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    alarm_soon();
    pthread_t threads[3];
    for (int number = 0; number < 3; number++) pthread_create(&threads[number], NULL, work, NULL);
    work(NULL);
    for (int number = 0; number < 3; number++) pthread_join(threads[number], NULL);
    while (handled < 10) continue;
    ended = 1;
    return 0;
}
