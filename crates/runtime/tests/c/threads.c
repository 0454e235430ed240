// Four threads that each lock 10 times and end in all possible ways; a condition variable; a
// recursive mutex.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int sum, is_ready;

__attribute__((noinline)) void add(void) {
    pthread_mutex_lock(&mutex);
    sum++;
    pthread_mutex_unlock(&mutex);
}

__attribute__((noinline)) void leave(void *value) {
    pthread_exit(value);
}

static void *returns(void *value) {
    for (int time = 0; time < 10; time++) add();
    return value;
}

static void *exits(void *value) {
    returns(value);
    leave(value);
    return NULL;
}

static void *is_cancelled(void *value) {
    returns(value);
    for (;;) pause();
    return NULL;
}

static void *waits(void *value) {
    returns(value);
    pthread_mutex_lock(&other);
    while (!is_ready) pthread_cond_wait(&changed, &other);
    pthread_mutex_unlock(&other);
    return value;
}

static void recursive(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutex_lock(&mutex);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
}

int main(void) {
    void *(*const ways[])(void *) = {returns, exits, is_cancelled, waits};
    pthread_t threads[4];
    for (long number = 0; number < 4; number++) {
        errno = 77;
        pthread_create(&threads[number], NULL, ways[number], (void *)number);
        if (errno != 77) return 1;
    }
    usleep(10 * 1000);
    pthread_mutex_lock(&other);
    is_ready = 1;
    int is_busy = pthread_mutex_trylock(&other) == EBUSY;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&other);
    pthread_cancel(threads[2]);
    long values = 0;
    for (int number = 0; number < 4; number++) {
        void *value;
        pthread_join(threads[number], &value);
        values += value == PTHREAD_CANCELED ? 100 : (long)value;
    }
    recursive();
    struct timespec past = {0};
    pthread_mutex_lock(&other);
    int is_over = pthread_cond_timedwait(&changed, &other, &past) == ETIMEDOUT;
    pthread_mutex_unlock(&other);
    printf("%d %ld %d %d\n", sum, values, is_busy, is_over);
    return 0;
}
