/* Calls a function three times, in the first thread and in as many more as the argument says, of
 * OpenMP if it is compiled for that. */
#include <pthread.h>
#include <stdlib.h>

__attribute__((noinline)) void step(void)
{
    __asm__ volatile("");
}

static void* work(void* unused)
{
    for (int i = 0; i < 3; i++)
        step();
    return unused;
}

int main(int count, char** arguments)
{
    pthread_t threads[8];
    int number = count > 1 ? atoi(arguments[1]) : 0;
    work(NULL);
#ifdef _OPENMP
#pragma omp parallel num_threads(number + 1)
    work(NULL);
    return 0;
#endif
    for (int i = 0; i < number; i++)
        if (pthread_create(&threads[i], NULL, work, NULL) != 0)
            return 2;
    for (int i = 0; i < number; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
