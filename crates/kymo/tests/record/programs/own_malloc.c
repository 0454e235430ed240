/* A program whose allocator is its own and does less than that of the C library, as that of bash
 * 4.3: blocks are aligned to words, it has no posix_memalign, and free ends the program if a block
 * is not one of its own. Like that of jemalloc, it must not be called while a function locks or
 * unlocks a mutex: the mutex is not recursive, is held for several milliseconds, and is locked
 * while the process forks, with another that is not locked before. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct head { uint32_t mark, number; size_t size; uint64_t gap; };

static char arena[1 << 28] __attribute__((aligned(16)));
static size_t used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static volatile double burnt;

static void burn(int steps) {
    for (int at = 0; at < steps; ++at) burnt += at * 0.5;
}

static pthread_mutex_t only_at_fork = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void) {
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&only_at_fork);
}

static void after_fork(void) {
    pthread_mutex_unlock(&only_at_fork);
    pthread_mutex_unlock(&lock);
}

void *malloc(size_t size) {
    static int is_begun;
    if (!is_begun) {
        is_begun = 1;
        pthread_atfork(before_fork, after_fork, after_fork);
    }
    size_t whole = sizeof(struct head) + (size + 15) / 16 * 16 + 8;
    pthread_mutex_lock(&lock);
    struct head *head = used + whole <= sizeof arena ? (struct head *)(arena + used) : NULL;
    if (head) used += whole;
    if (size == 4242) burn(5000000);
    pthread_mutex_unlock(&lock);
    if (!head) return NULL;
    head->mark = 0xb10cb10c;
    head->size = size;
    return head + 1;
}

void free(void *block) {
    struct head *head = (struct head *)block - 1;
    if (block && head->mark != 0xb10cb10c) {
        static const char text[] = "free: not a block\n";
        if (write(2, text, sizeof text - 1) < 0) _exit(9);
        _exit(8);
    }
}

void *calloc(size_t number, size_t size) {
    void *block = malloc(number * size);
    return block ? memset(block, 0, number * size) : NULL;
}

void *realloc(void *block, size_t size) {
    void *other = malloc(size);
    if (other && block) {
        size_t before = ((struct head *)block - 1)->size;
        memcpy(other, block, before < size ? before : size);
    }
    return other;
}

static void *work(void *result) {
    double sum = 0;
    for (int at = 1; at < 20000000; ++at) sum += 1.0 / at;
    *(double *)result = sum;
    return NULL;
}

int main(void) {
    int words = 0;
    for (int at = 0; at < 100; ++at) {
        char *block = malloc(100 + at);
        words += (uintptr_t)block % 16 != 0;
        free(block);
    }
    for (int at = 0; at < 5; ++at) {
        void *volatile block = malloc(4242);
        free(block);
    }
    pthread_t thread;
    double sum = 0;
    if (pthread_create(&thread, NULL, work, &sum)) return 1;
    pthread_join(thread, NULL);
    pid_t child = fork();
    if (child == 0) {
        void *volatile block = malloc(words);
        free(block);
        _exit(4);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%s %.6f %d\n", words > 0 ? "words" : "aligned", sum, WEXITSTATUS(status));
    return 3;
}
