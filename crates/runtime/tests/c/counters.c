/* Touches a known number of pages in a function: in the first thread, and in as many others as the
 * argument says, of OpenMP if it is compiled for that. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGES 1000

void touch(volatile char* start, long size)
{
    for (int i = 0; i < PAGES; i++)
        start[i * size] = 1;
}

static void* work(void* unused)
{
    long size = sysconf(_SC_PAGESIZE);
    void* start = mmap(NULL, PAGES * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        _exit(1);
    /* Pages of the normal size. */
    madvise(start, PAGES * size, MADV_NOHUGEPAGE);
    touch(start, size);
    munmap(start, PAGES * size);
    return unused;
}

int main(int count, char** arguments)
{
    pthread_t threads[8];
    int number = count > 1 ? atoi(arguments[1]) : 0;
    work(NULL);
#ifdef _OPENMP
#pragma omp parallel num_threads(number)
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
