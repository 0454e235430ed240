/* Writes a trace until a file size limit simulates a full disk, and continues when the limit is
 * lifted. Prints whether all accepted records are in the trace. */
#define _GNU_SOURCE
#include <TAU_tf.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define RECORDS 60000

static unsigned char taken[ RECORDS ];
static int           next, wrong;

static int
enter( void* data, double time, unsigned int node, unsigned int thread, unsigned int state )
{
    ( void )data, ( void )node, ( void )thread, ( void )state;
    while ( next < RECORDS && !taken[ next ] )
    {
        next++;
    }
    wrong += next >= RECORDS || time != 1000 + next;
    next++;
    return 0;
}

/* The limit is in the middle of a record. */
static void
limit( int is_full )
{
    struct rlimit limit;
    getrlimit( RLIMIT_FSIZE, &limit );
    limit.rlim_cur = is_full ? 300007 : limit.rlim_max;
    setrlimit( RLIMIT_FSIZE, &limit );
}

int
main( void )
{
    Ttf_FileHandleT file = Ttf_OpenFileForOutput( "tau.trc", "tau.edf" );
    Ttf_CallbacksT  table;
    int             i, refused = 0, count = 0;

    signal( SIGXFSZ, SIG_IGN );
    Ttf_DefState( file, 1, "main", 1 );
    limit( 1 );
    for ( i = 0; i < RECORDS; i++ )
    {
        if ( i == RECORDS / 2 )
        {
            limit( 0 );
        }
        taken[ i ] = Ttf_EnterState( file, 1000 + i, 0, 0, 1 ) == 0;
        refused += !taken[ i ];
    }
    Ttf_CloseOutputFile( file );

    memset( &table, 0, sizeof table );
    table.EnterState = enter;
    file             = Ttf_OpenFileForInput( "tau.trc", "tau.edf" );
    Ttf_SetSubtractFirstTimestamp( file, 0 );
    while ( ( i = Ttf_ReadNumEvents( file, table, 1024 ) ) > 0 )
    {
        count += i;
    }
    Ttf_CloseFile( file );
    printf( "some refused %d, the others present %d, wrong %d\n", refused > 0, count == 1 + RECORDS - refused,
            wrong );
    return 0;
}
