/* The empty callbacks for reading a TAU trace, and the clock. */
#pragma once
#include "clock.h"

/* Enter and leave are separate functions, as in programs that use them; if they were equal, the
 * compiler would merge them. */
__attribute__( ( noipa ) ) static int
enter( void* data, double time, unsigned node, unsigned thread, unsigned id )
{
    ( void )data, ( void )time, ( void )node, ( void )thread, ( void )id;
    return 0;
}

__attribute__( ( noipa ) ) static int
leave( void* data, double time, unsigned node, unsigned thread, unsigned id )
{
    ( void )data, ( void )time, ( void )node, ( void )thread, ( void )id;
    return 0;
}

static int
value( void* data, double time, unsigned node, unsigned thread, unsigned id, long long number )
{
    ( void )data, ( void )time, ( void )node, ( void )thread, ( void )id, ( void )number;
    return 0;
}

static int
message( void* data, double time, unsigned a, unsigned b, unsigned c, unsigned d, unsigned length, unsigned tag, unsigned comm )
{
    ( void )data, ( void )time, ( void )a, ( void )b, ( void )c, ( void )d, ( void )length, ( void )tag, ( void )comm;
    return 0;
}

static unsigned long long
cpu( void )
{
    return nanoseconds( CLOCK_PROCESS_CPUTIME_ID );
}
