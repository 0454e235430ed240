/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes to /dev/null from the bottom of a stack: callers DEPTH CHANGES COUNT. If CHANGES is 1, two
 * or three frames of each call are not those of the call before. Prints the CPU time of a call.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int null;
static volatile long sink;

#define NOINLINE __attribute__((noinline))

static NOINLINE void put(void)
{
    sink += write(null, "x", 1);
    sink++;
}

static NOINLINE void two(void)
{
    put();
    sink++;
}

static NOINLINE void three(void)
{
    two();
    sink++;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static NOINLINE void descend(long depth, int changes, long count)
{
    if (depth > 0)
    {
        descend(depth - 1, changes, count);
        sink++;
        return;
    }
    const double begin = now();
    for (long call = 0; call < count; call++)
        if (!changes)
            put();
        else if (call % 2)
            two();
        else
            three();
    printf("%.1f\n", (now() - begin) / (double)count);
}

int main(int arguments, char** values)
{
    if (arguments != 4)
        return 1;
    null = open("/dev/null", O_WRONLY);
    descend(atol(values[1]), atoi(values[2]), atol(values[3]));
    return 0;
}
