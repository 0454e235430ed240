/* A thread that begins with all signals blocked works, and the program waits for a signal that it
   sends to itself, with the number of that of the samples. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile double sum;

static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *work(void *sends) {
    while (processor_time() < 0.3) {
        for (int i = 0; i < 100000; i++) sum += i;
    }
    if (sends) kill(getpid(), SIGRTMIN + 5);
    return 0;
}

int main(void) {
    sigset_t all;
    pthread_t first, second;
    int found = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, 0);
    if (pthread_create(&first, 0, work, 0) || pthread_create(&second, 0, work, &all)) return 1;
    sigwait(&all, &found);
    pthread_join(first, 0);
    pthread_join(second, 0);
    printf("%d\n", found - SIGRTMIN);
    return 0;
}
