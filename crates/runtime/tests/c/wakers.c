// Threads that have waited long at a barrier and for a semaphore are woken by short calls.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static sem_t wanted, other;
static int tids[2];

static void *wait_twice(void *number)
{
    __atomic_store_n(&tids[(long)number], (int)syscall(SYS_gettid), __ATOMIC_RELEASE);
    pthread_barrier_wait(&barrier);
    sem_wait(&wanted);
    return NULL;
}

// Returns how often a thread has gone to sleep, or -1 if it does not sleep.
static long sleeps(int number)
{
    char path[64], line[256], state = 'R';
    long count = -1;
    int tid = __atomic_load_n(&tids[number], __ATOMIC_ACQUIRE);
    snprintf(path, sizeof path, "/proc/self/task/%d/status", tid);
    FILE *file = tid == 0 ? NULL : fopen(path, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        sscanf(line, "State: %c", &state);
        sscanf(line, "voluntary_ctxt_switches: %ld", &count);
    }
    if (file != NULL) fclose(file);
    return state == 'S' ? count : -1;
}

// Returns once a thread has slept without a break for more than the least time that is recorded.
static void wait_until_it_sleeps(int number)
{
    long before;
    do {
        before = sleeps(number);
        usleep(20000);
    } while (before < 0 || before != sleeps(number));
}

int main(void)
{
    pthread_t threads[2];
    if (pthread_barrier_init(&barrier, NULL, 3) || sem_init(&wanted, 0, 0) || sem_init(&other, 0, 0)) return 1;
    sem_post(&other);
    for (long i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, wait_twice, (void *)i)) return 1;
    }
    wait_until_it_sleeps(0);
    wait_until_it_sleeps(1);
    pthread_barrier_wait(&barrier);
    wait_until_it_sleeps(0);
    wait_until_it_sleeps(1);
    sem_post(&wanted);
    sem_post(&wanted);
    for (int i = 0; i < 2; i++) {
        if (pthread_join(threads[i], NULL)) return 1;
    }
    puts("done");
    return 0;
}
