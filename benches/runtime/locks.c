/* Prints nanoseconds of CPU for a lock and an unlock of a mutex without contention: `locks N`
 * repeats them N times. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);  // the machine may be shared
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int count, char **arguments) {
    long number = count > 1 ? atol(arguments[1]) : 10 * 1000 * 1000;
    double begin = now();
    for (long call = 0; call < number; call++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    printf("%.1f ns per lock and unlock\n", (now() - begin) / number);
    return 0;
}
