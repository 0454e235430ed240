// Mutexes, read-write locks and condition variables that are created and destroyed; a mutex that is
// abandoned while locked.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

static int posix(void) {
    pthread_mutex_t mutex;
    // The second mutex is at the address of the first one, which was never unlocked.
    for (int time = 0; time < 2; time++) {
        if (pthread_mutex_init(&mutex, NULL)) return 0;
        pthread_mutex_lock(&mutex);
    }
    pthread_mutex_unlock(&mutex);
    pthread_condattr_t attributes;
    pthread_cond_t condition;
    pthread_condattr_init(&attributes);
    if (pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) || pthread_cond_init(&condition, &attributes)) return 0;
    // If the clock of the condition were ignored, this would wait for decades.
    struct timespec soon;
    clock_gettime(CLOCK_MONOTONIC, &soon);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&condition, &mutex, &soon);
    pthread_mutex_unlock(&mutex);
    pthread_rwlock_t lock;
    if (pthread_rwlock_init(&lock, NULL)) return 0;
    return !pthread_rwlock_destroy(&lock) && !pthread_cond_destroy(&condition) && !pthread_mutex_destroy(&mutex);
}

static int c11(void) {
    mtx_t mutex;
    cnd_t changed;
    int is_made = mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success;
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
    return is_made;
}

int main(void) {
    int is_posix = posix(), is_c11 = c11();
    printf("%d %d\n", is_posix, is_c11);
    return 0;
}
