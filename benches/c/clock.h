/* The clock of the programs. */
#pragma once
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

/* Returns the nanoseconds of a system clock. */
static inline uint64_t nanoseconds( clockid_t clock )
{
    struct timespec now;
    clock_gettime( clock, &now );
    return now.tv_sec * (uint64_t)1000000000 + now.tv_nsec;
}

/* Nanoseconds of a clock, and of the CPU time of the process. */
struct times
{
    uint64_t clock;
    uint64_t process;
};

/* Calls a function with the numbers from 1 on, and returns how long that took. */
static inline struct times measure( void ( *call )( uint64_t ), uint64_t number, clockid_t clock )
{
    struct times begin = { nanoseconds( clock ), nanoseconds( CLOCK_PROCESS_CPUTIME_ID ) };
    for ( uint64_t i = 1; i <= number; i++ )
    {
        call( i );
    }
    return ( struct times ){ nanoseconds( clock ) - begin.clock,
                             nanoseconds( CLOCK_PROCESS_CPUTIME_ID ) - begin.process };
}

/* Prints the result of a measurement. */
static inline void print_times( struct times times, uint64_t checksum )
{
    printf( "%" PRIu64 " %" PRIu64 " %" PRIu64 "\n", times.clock, times.process, checksum );
}
