/* Spends its CPU time in functions of known shares: `shares [THREADS [ROUNDS]]`, 1 and 200 by default. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static __thread long unit = 200000;

static volatile double sink;

static inline __attribute__((always_inline)) void add(long count)
{
    for (long i = 0; i < count; i++)
        sink += 1; /* line 13 */
}

__attribute__((noinline)) void seven(void) { add(7 * unit); }
__attribute__((noinline)) void two(void) { add(2 * unit); }
__attribute__((noinline)) void one(void) { add(unit); }

static int rounds = 200;

void* work(void* unused)
{
    unsigned random = 1;
    /* In many rounds, so that a time in which the machine is slow has the same shares. Their
     * lengths differ, so that samples at regular times are not always in the same function. */
    for (int round = 0; round < rounds; round++) {
        random = random * 1103515245 + 12345;
        unit = 100000 + (random >> 8) % 200001;
        seven();
        two();
        one();
    }
    return unused;
}

int main(int count, char** arguments)
{
    pthread_t threads[8];
    int number = count > 1 ? atoi(arguments[1]) : 1;
    if (count > 2)
        rounds = atoi(arguments[2]);
    for (int i = 1; i < number; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < number; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 3;
}
