// Two threads that hold the same lock for reading at the same time, and then write, with all
// functions that lock.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER, only_read = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static int sum, busy;

static void writes(void) {
    for (int time = 0; time < 10; time++) {
        pthread_rwlock_wrlock(&lock);
        sum++;
        pthread_rwlock_unlock(&lock);
    }
}

static void *reads_and_writes(void *value) {
    pthread_rwlock_rdlock(&lock);
    pthread_barrier_wait(&both);
    // Both threads hold the lock.
    if (pthread_rwlock_trywrlock(&lock) == EBUSY) __sync_fetch_and_add(&busy, 1);
    pthread_rwlock_tryrdlock(&lock);
    pthread_barrier_wait(&both);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
    pthread_barrier_wait(&both);
    writes();
    return value;
}

int main(void) {
    pthread_t threads[2];
    pthread_rwlock_rdlock(&only_read);
    pthread_rwlock_unlock(&only_read);
    pthread_barrier_init(&both, NULL, 2);
    for (int number = 0; number < 2; number++) pthread_create(&threads[number], NULL, reads_and_writes, NULL);
    for (int number = 0; number < 2; number++) pthread_join(threads[number], NULL);
    struct timespec past = {0};
    pthread_rwlock_trywrlock(&lock);
    int is_over = pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &past) == EDEADLK;
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_timedwrlock(&lock, &past);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_timedrdlock(&lock, &past);
    pthread_rwlock_unlock(&lock);
    printf("%d %d %d\n", sum, busy, is_over);
    return 0;
}
