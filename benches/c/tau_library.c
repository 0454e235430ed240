/*
 * Reads a TAU trace into empty callbacks of TAU_tf.h.
 *
 *     tau_library TRC EDF [one]
 *
 * With `one` the callback of enter is that of leave, too.
 * Prints nanoseconds of CPU for the reading and for all, and the number of records.
 */
#include <TAU_tf.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Enter and leave are functions of their own, as in programs that do something there; alike, they would be made one. */
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
    struct timespec time;
    clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &time );
    return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

int
main( int argc, char** argv )
{
    unsigned long long began = cpu(), read = 0;
    Ttf_CallbacksT     calls;
    Ttf_FileHandleT    file = argc > 2 ? Ttf_OpenFileForInput( argv[ 1 ], argv[ 2 ] ) : NULL;
    int                count;
    memset( &calls, 0, sizeof calls );
    calls.EnterState   = enter;
    calls.LeaveState   = argc > 3 && strcmp( argv[ 3 ], "one" ) == 0 ? enter : leave;
    calls.SendMessage  = message;
    calls.RecvMessage  = message;
    calls.EventTrigger = value;
    unsigned long long opened = cpu();
    while ( ( count = Ttf_ReadNumEvents( file, calls, 1024 ) ) > 0 )
    {
        read += ( unsigned long long )count;
    }
    if ( count < 0 )
    {
        return 1;
    }
    printf( "%llu %llu %llu\n", cpu() - opened, cpu() - began, read );
    return 0;
}
