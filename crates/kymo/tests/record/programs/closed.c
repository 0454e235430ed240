/* A library. */
#include <time.h>

static volatile long sum;

__attribute__((noinline)) void NAME(void)
{
    clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC * 2 / 10)
        for (long i = 0; i < 10000; i++)
            sum += i;
}

void work(void) { NAME(); sum += 1; }
