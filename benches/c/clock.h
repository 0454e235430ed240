/* The clock of the programs. */
#pragma once
#include <stdint.h>
#include <time.h>

/* Returns the nanoseconds of a system clock. */
static inline uint64_t nanoseconds( clockid_t clock )
{
    struct timespec now;
    clock_gettime( clock, &now );
    return now.tv_sec * (uint64_t)1000000000 + now.tv_nsec;
}
