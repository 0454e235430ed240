/*
 * Calls functions that modules of the runtime record, again and again.
 *
 *     module_calls parallel|memory|read|work|interrupted NUMBER FOLDER
 *
 * parallel     an OpenMP parallel region of two threads, with the barrier at its end
 * memory       malloc of 64 bytes, and free
 * read         pread of 4 KiB, from a file in memory
 * work         a function that computes for about a microsecond
 * interrupted  the same, interrupted at 1 kHz of CPU time by a perf event whose handler does nothing
 *
 * Prints nanoseconds (of CPU of the calling thread; elapsed for parallel), those of the process, and
 * a checksum.
 */
#define _GNU_SOURCE
#include "clock.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t seen;
static int      file;
static char     buffer[ 4096 ];

static void parallel( uint64_t number )
{
    uint64_t sum = 0;
#pragma omp parallel num_threads( 2 ) reduction( + : sum )
    sum += number;
    seen += sum / 2;
}

static void memory( uint64_t number )
{
    uint64_t* block = malloc( 64 );
    /* The compiler must not leave the pair out. */
    __asm__ volatile( "" : : "r"( block ) : "memory" );
    *block = number;
    seen += *block;
    free( block );
}

static void read_block( uint64_t number )
{
    seen += pread( file, buffer, sizeof buffer, ( number % 16 ) * sizeof buffer ) == sizeof buffer;
}

__attribute__( ( noinline ) ) static void work( uint64_t number )
{
    uint64_t value = number;
    for ( int i = 0; i < 700; i++ )
    {
        value = value * 6364136223846793005u + 1442695040888963407u;
    }
    seen += value;
}

static int event;

static void rearm( int number )
{
    ioctl( event, PERF_EVENT_IOC_REFRESH, 1 );
}

/* Samples of kymo record are taken in the same way. */
static int interrupt( void )
{
    struct perf_event_attr how = { .size          = sizeof how,
                                   .type          = PERF_TYPE_SOFTWARE,
                                   .config        = PERF_COUNT_SW_TASK_CLOCK,
                                   .sample_period = 1000000,
                                   .wakeup_events = 1 };
    how.disabled = how.exclude_kernel = how.exclude_hv = 1;
    event        = syscall( SYS_perf_event_open, &how, 0, -1, -1, 0 );
    signal( SIGUSR1, rearm );
    return event >= 0 && fcntl( event, F_SETFL, O_ASYNC ) == 0 && fcntl( event, F_SETSIG, SIGUSR1 ) == 0
           && fcntl( event, F_SETOWN, getpid() ) == 0 && ioctl( event, PERF_EVENT_IOC_REFRESH, 1 ) == 0;
}

int main( int argc, char** argv )
{
    if ( argc < 3 )
    {
        return 2;
    }
    const char* what       = argv[ 1 ];
    int         is_elapsed = strcmp( what, "parallel" ) == 0;
    void ( *call )( uint64_t ) = is_elapsed                          ? parallel
                                 : strcmp( what, "memory" ) == 0     ? memory
                                 : strcmp( what, "read" ) == 0       ? read_block
                                                                     : work;
    uint64_t number = strtoull( argv[ 2 ], NULL, 10 );
    file            = memfd_create( "blocks", 0 );
    for ( int i = 0; i < 16; i++ )
    {
        if ( write( file, buffer, sizeof buffer ) != sizeof buffer )
        {
            return 1;
        }
    }
    if ( strcmp( what, "interrupted" ) == 0 && !interrupt() )
    {
        return 1;
    }
    /* The first calls make memory and threads available. */
    measure( call, 1000, CLOCK_MONOTONIC );
    seen               = 0;
    struct times times = measure( call, number, is_elapsed ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID );
    print_times( times, seen );
    return 0;
}
