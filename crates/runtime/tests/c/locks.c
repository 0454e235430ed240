// Locks without and with contention, and the error codes of their functions.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static const struct timespec past, invalid = {.tv_nsec = 1000000000};

static void special(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t inherits;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&inherits, &attributes);
    pthread_mutex_lock(&inherits);
    pthread_mutex_unlock(&inherits);
}

static void alone(void) {
    special();
    for (int time = 0; time < 1000; time++) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        pthread_rwlock_wrlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
    }
    pthread_mutex_trylock(&mutex);
    pthread_mutex_trylock(&mutex);
    pthread_mutex_unlock(&mutex);
}

// A thread that waits for a lock, and then takes two free ones.
static void *waits(void *value) {
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_unlock(&recursive);
    pthread_mutex_lock(&recursive);
    pthread_mutex_unlock(&recursive);
    return value;
}

static void contended(void) {
    pthread_t thread;
    pthread_mutex_lock(&recursive);
    pthread_create(&thread, NULL, waits, NULL);
    // The C library marks a mutex for which a thread waits.
    while (*(volatile int *)&recursive.__data.__lock != 2) sched_yield();
    pthread_mutex_unlock(&recursive);
    pthread_join(thread, NULL);
}

static volatile int thread_number;

static void *reads(void *value) {
    thread_number = gettid();
    pthread_rwlock_rdlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    return value;
}

static void *writes(void *value) {
    thread_number = gettid();
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    return value;
}

static int is_asleep(void) {
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread_number);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    return strstr(text, ") S") != NULL;
}

// Makes two threads wait for a read-write lock, in sequence.
static void shared(void) {
    void *(*const ways[])(void *) = {reads, writes};
    for (int number = 0; number < 2; number++) {
        pthread_t thread;
        thread_number = 0;
        pthread_rwlock_wrlock(&rwlock);
        pthread_create(&thread, NULL, ways[number], NULL);
        while (!thread_number || !is_asleep()) sched_yield();
        pthread_rwlock_unlock(&rwlock);
        pthread_join(thread, NULL);
    }
}

static void *dies(void *robust) {
    pthread_mutex_lock(robust);
    return NULL;
}

static void mistakes(void) {
    int results[16], count = 0;
    pthread_mutexattr_t attributes;
    pthread_mutex_t checking, robust;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checking, &attributes);
    results[count++] = pthread_mutex_unlock(&checking);
    pthread_mutex_lock(&checking);
    results[count++] = pthread_mutex_lock(&checking);
    results[count++] = pthread_mutex_timedlock(&checking, &past);
    pthread_mutex_unlock(&checking);
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&robust, &attributes);
    for (int time = 0; time < 2; time++) {
        pthread_t thread;
        pthread_create(&thread, NULL, dies, &robust);
        pthread_join(thread, NULL);
        results[count++] = pthread_mutex_lock(&robust);
        if (time == 0) pthread_mutex_consistent(&robust);
        pthread_mutex_unlock(&robust);
    }
    results[count++] = pthread_mutex_lock(&robust);
    results[count++] = pthread_mutex_timedlock(&mutex, &past);
    results[count++] = pthread_mutex_timedlock(&mutex, &past);
    results[count++] = pthread_mutex_timedlock(&mutex, &invalid);
    pthread_mutex_unlock(&mutex);
    // These errors are also returned for free locks.
    results[count++] = pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past);
    results[count++] = pthread_rwlock_timedrdlock(&rwlock, &invalid);
    results[count++] = pthread_rwlock_clockwrlock(&rwlock, CLOCK_PROCESS_CPUTIME_ID, &past);
    results[count++] = pthread_rwlock_timedwrlock(&rwlock, &past);
    results[count++] = pthread_rwlock_rdlock(&rwlock);
    results[count++] = pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    for (int number = 0; number < count; number++) printf("%d ", results[number]);
}

// The wait releases the lock, however it was taken.
static void condition(void) {
    pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&changed, &mutex, &past);
    pthread_mutex_unlock(&mutex);
}

int main(int count, char **arguments) {
    errno = 77;
    for (int number = 1; number < count; number++) {
        if (!strcmp(arguments[number], "alone")) alone();
        if (!strcmp(arguments[number], "contended")) contended();
        if (!strcmp(arguments[number], "shared")) shared();
        if (!strcmp(arguments[number], "mistakes")) mistakes();
        if (!strcmp(arguments[number], "condition")) condition();
    }
    printf("%d\n", errno);
    return 0;
}
