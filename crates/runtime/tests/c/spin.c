/* Works for some time, so that it is sampled. */
#include <time.h>

static volatile unsigned long sum;

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

int main(void)
{
    while (seconds() < 0.3)
        for (int i = 0; i < 1000000; i++)
            sum += i;
    return 0;
}
