// Threads, and signal handlers with a period in microseconds, that open and close files at the
// same time.
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
static volatile int handled;

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

int main(int count, char **arguments) {
    long every = count > 1 ? atol(arguments[1]) : 50;
    null = open("/dev/null", O_WRONLY);
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigaction(SIGALRM, &action, NULL);
    struct itimerval often = {{0, every}, {0, every}}, never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &often, NULL);
    pthread_t threads[3];
    for (int number = 0; number < 3; number++) pthread_create(&threads[number], NULL, work, NULL);
    work(NULL);
    for (int number = 0; number < 3; number++) pthread_join(threads[number], NULL);
    while (handled < 10) continue;
    setitimer(ITIMER_REAL, &never, NULL);
    return 0;
}
