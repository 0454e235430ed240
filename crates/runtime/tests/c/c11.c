// C11 threads that end in both ways, and one that is detached; a condition variable; a recursive
// mutex.
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static mtx_t mutex, other;
static cnd_t changed;
static int sum, is_ready;
static atomic_int is_left;

__attribute__((noinline)) void add(void) {
    mtx_lock(&mutex);
    sum++;
    mtx_unlock(&mutex);
}

static int returns(void *value) {
    for (int time = 0; time < 10; time++) add();
    return (int)(long)value;
}

static int leaves(void *value) {
    returns(value);
    thrd_exit((int)(long)value);
}

static int waits(void *value) {
    returns(value);
    mtx_lock(&other);
    while (!is_ready) cnd_wait(&changed, &other);
    mtx_unlock(&other);
    return -1;
}

static int is_alone(void *value) {
    (void)value;
    is_left = gettid();
    return 0;
}

int main(void) {
    int (*const ways[])(void *) = {returns, leaves, waits};
    thrd_t threads[3], alone;
    mtx_init(&mutex, mtx_plain);
    mtx_init(&other, mtx_timed | mtx_recursive);
    cnd_init(&changed);
    for (long number = 0; number < 3; number++) thrd_create(&threads[number], ways[number], (void *)(number + 5));
    thrd_create(&alone, is_alone, NULL);
    thrd_detach(alone);
    mtx_lock(&other);
    is_ready = 1;
    cnd_broadcast(&changed);
    cnd_signal(&changed);
    int is_twice = mtx_trylock(&other) == thrd_success;
    mtx_unlock(&other);
    mtx_unlock(&other);
    int values = 0;
    for (int number = 0; number < 3; number++) {
        int value;
        thrd_join(threads[number], &value);
        values = values * 10 + value;
    }
    struct timespec past = {0};
    mtx_lock(&other);
    int is_over = cnd_timedwait(&changed, &other, &past) == thrd_timedout;
    mtx_unlock(&other);
    while (!is_left) thrd_yield();
    // The detached thread cannot be joined. It has ended when the system does not list it any more.
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d", is_left);
    while (!access(path, F_OK)) thrd_yield();
    printf("%d %d %d %d\n", sum, values, is_twice, is_over);
    return 0;
}
