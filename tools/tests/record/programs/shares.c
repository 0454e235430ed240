/* Spends its CPU time in functions of known shares, in one thread or in as many as the argument says. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define UNIT 200000L

static volatile double sink;

static inline __attribute__((always_inline)) void add(long count)
{
    for (long i = 0; i < count; i++)
        sink += 1; /* line 13 */
}

__attribute__((noinline)) void seven(void) { add(7 * UNIT); }
__attribute__((noinline)) void two(void) { add(2 * UNIT); }
__attribute__((noinline)) void one(void) { add(UNIT); }

void* work(void* unused)
{
    /* In many rounds, so that a time in which the machine is slow has the same shares. */
    for (int round = 0; round < 100; round++) {
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
    for (int i = 1; i < number; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 1; i < number; i++)
        pthread_join(threads[i], NULL);
    puts("done");
    return 3;
}
