/* A region in a function into which the compiler has inlined the callees of the region. */
#include <fcntl.h>
#include <kymo/user.h>
#include <time.h>
#include <unistd.h>

#define INLINED static inline __attribute__((always_inline))

static volatile double sum;

INLINED void put(int file)
{
    if (write(file, "x", 1) != 1) _exit(1);
}

/* 100 ms of processor time. */
INLINED void compute(int file)
{
    struct timespec start, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    do {
        for (int i = 0; i < 100000; i++) sum += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 100000000);
    put(file);
}

static __attribute__((noinline)) void run(int file)
{
    {
        KYMO_REGION("phase");
        compute(file);
    }
    put(file);
}

int main(void)
{
    int file = open("/dev/null", O_WRONLY);
    run(file);
    close(file);
    return 0;
}
