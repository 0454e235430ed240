/* Prints nanoseconds of the thread for an enter and a leave of a user region: `pairs N`. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <scorep/SCOREP_User.h>

static double now( void )
{
    struct timespec time;
    clock_gettime( CLOCK_THREAD_CPUTIME_ID, &time );  // the machine may be shared
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static double calls( long number )
{
    double begin = now();
    for ( long call = 0; call < number; call++ )
    {
        SCOREP_USER_REGION_DEFINE( region )
        SCOREP_USER_REGION_BEGIN( region, "pair", SCOREP_USER_REGION_TYPE_COMMON )
        SCOREP_USER_REGION_END( region )
    }
    return ( now() - begin ) / number;
}

int main( int count, char** arguments )
{
    long number = count > 1 ? atol( arguments[ 1 ] ) : 1000 * 1000;
    calls( 1000 );
    printf( "%.1f\n", calls( number ) );
    return 0;
}
