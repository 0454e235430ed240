/* Calls every function of the header, with valid and invalid arguments, and prints the results to
 * standard output, one line each. Built as C and as C++. */
#include <TAU_tf.h>

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static Ttf_FileHandleT open_file;
static char            kept[ 64 ];
static const char*     state_name;

static int
period( void* data, double clkPeriod )
{
    printf( "period %g, user data %s\n", clkPeriod, ( const char* )data );
    return -1; /* ignored */
}

static int
thread( void* data, unsigned int node, unsigned int number, const char* name )
{
    ( void )data;
    printf( "thread %u:%u %s\n", node, number, name );
    return 0;
}

static int
state( void* data, unsigned int id, const char* name, unsigned int group )
{
    ( void )data;
    state_name = name;
    snprintf( kept, sizeof kept, "%s", name );
    printf( "state %u %s of %u\n", id, name, group );
    return 0;
}

static int
enter( void* data, double time, unsigned int node, unsigned int number, unsigned int id )
{
    ( void )data;
    printf( "enter %g %u:%u %u\n", time, node, number, id );
    return 0;
}

/* Makes the calls that a callback may make for the file being read. */
static int
leave( void* data, double time, unsigned int node, unsigned int number, unsigned int id )
{
    Ttf_CallbacksT none;
    ( void )node, ( void )number, ( void )id;
    memset( &none, 0, sizeof none );
    printf( "leave %g at %d", time, Ttf_RelSeek( open_file, 0 ) );
    printf( ", reading in a callback %d", Ttf_ReadNumEvents( open_file, none, 1 ) );
    Ttf_SetSubtractFirstTimestamp( open_file, 0 );
    if ( data && strcmp( ( const char* )data, "closes" ) == 0 )
    {
        printf( ", closed %d", Ttf_CloseFile( open_file ) == open_file );
    }
    printf( "\n" );
    return 0;
}

static int
trigger( void* data, double time, unsigned int node, unsigned int number, unsigned int id, long long value )
{
    ( void )data, ( void )node, ( void )number;
    printf( "trigger %g %u %lld\n", time, id, value );
    return 0;
}

static void
write_trace( void )
{
    Ttf_FileHandleT file = Ttf_OpenFileForOutput( "tau.trc", "tau.edf" );
    int             wrong = 0;
    wrong |= Ttf_DefClkPeriod( file, 1e-6 );
    wrong |= Ttf_DefThread( file, 1, 2, NULL );
    wrong |= Ttf_DefStateGroup( file, "GROUP", 7 );
    wrong |= Ttf_DefState( file, 5, "main", 7 );
    wrong |= Ttf_DefUserEvent( file, 6, "bytes", 1 );
    wrong |= Ttf_EnterState( file, 100, 1, 2, 5 );
    wrong |= Ttf_FlushTrace( file );
    wrong |= Ttf_EventTrigger( file, 110.9, 1, 2, 6, -2.5 );
    wrong |= Ttf_LongEventTrigger( file, 111, 1, 2, 6, 1ULL << 62 );
    wrong |= Ttf_SendMessage( file, 112, 1, 2, 3, 0, 8, 4, 0 );
    wrong |= Ttf_RecvMessage( file, 113, 3, 0, 1, 2, 8, 4, 0 );
    wrong |= Ttf_LeaveState( file, 120, 1, 2, 5 );
    wrong |= Ttf_EventTrigger( file, 121, 1, 2, 6, 9 );
    printf( "written, wrong %d\n", wrong );
    printf( "no name: %d %d %d\n", Ttf_DefStateGroup( file, NULL, 1 ), Ttf_DefState( file, 1, NULL, 1 ),
            Ttf_DefUserEvent( file, 1, NULL, 0 ) );
    printf( "reading a file being written: %d %d\n", Ttf_AbsSeek( file, 1 ), Ttf_RelSeek( file, 1 ) );
    printf( "closed %d\n", Ttf_CloseOutputFile( file ) == NULL );
    printf( "again %d, enter %d\n", Ttf_CloseOutputFile( file ) == NULL, Ttf_EnterState( file, 1, 0, 0, 5 ) );
}

static void
no_file( Ttf_FileHandleT file )
{
    Ttf_CallbacksT none;
    memset( &none, 0, sizeof none );
    Ttf_SetSubtractFirstTimestamp( file, 1 );
    Ttf_SetNonBlocking( file, 1 );
    printf( "no file: read %d, seek %d %d, close %d, flush %d, enter %d\n", Ttf_ReadNumEvents( file, none, 1 ),
            Ttf_AbsSeek( file, 1 ), Ttf_RelSeek( file, 1 ), Ttf_CloseFile( file ) == NULL, Ttf_FlushTrace( file ),
            Ttf_EnterState( file, 0, 0, 0, 0 ) );
}

static void
layout( void )
{
    printf( "layout %d", ( int )sizeof( Ttf_CallbacksT ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, UserData ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, DefClkPeriod ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, DefThread ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, DefStateGroup ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, DefState ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, EndTrace ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, EnterState ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, LeaveState ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, SendMessage ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, RecvMessage ) );
    printf( " %d", ( int )offsetof( Ttf_CallbacksT, DefUserEvent ) );
    printf( " %d; ", ( int )offsetof( Ttf_CallbacksT, EventTrigger ) );
    printf( "%d %d %d %d\n", ( int )sizeof( x_int8 ), ( int )sizeof( x_uint16 ), ( int )sizeof( x_int32 ),
            ( int )sizeof( x_uint64 ) );
}

int
main( void )
{
    Ttf_CallbacksT table;
    char           invented;
    char           mode[ 16 ] = "once";
    int            i;

    layout();
    write_trace();
    no_file( NULL );
    no_file( &invented );
    errno = 0;
    open_file = Ttf_OpenFileForInput( "nothing.trc", "tau.edf" );
    printf( "missing file %d, errno %d\n", open_file == NULL, errno == ENOENT );
    printf( "no names %d %d %d %d\n", Ttf_OpenFileForInput( NULL, "tau.edf" ) == NULL,
            Ttf_OpenFileForInput( "tau.trc", NULL ) == NULL, Ttf_OpenFileForOutput( NULL, "tau.edf" ) == NULL,
            Ttf_OpenFileForOutput( "out.trc", NULL ) == NULL );

    open_file = Ttf_OpenFileForInput( "tau.trc", "tau.edf" );
    memset( &table, 0, sizeof table );
    printf( "no callbacks %d\n", Ttf_ReadNumEvents( open_file, table, 100 ) );
    printf( "rewound to %d\n", Ttf_RelSeek( open_file, -Ttf_RelSeek( open_file, 0 ) ) );
    printf( "closed %d\n", Ttf_CloseFile( open_file ) == open_file );
    no_file( open_file );

    table.UserData     = mode;
    table.DefClkPeriod = period;
    table.DefThread    = thread;
    table.DefState     = state;
    table.EnterState   = enter;
    table.LeaveState   = leave;
    table.EventTrigger = trigger;
    open_file          = TtfOpenFileForInput( "tau.trc", "tau.edf" );
    for ( i = 0; i < 5; i++ )
    {
        printf( "read %d\n", Ttf_ReadNumEvents( open_file, table, 4 ) );
    }
    printf( "name still valid %d\n", strcmp( state_name, kept ) == 0 );
    printf( "before the start %d, back %d\n", Ttf_AbsSeek( open_file, -100 ), Ttf_AbsSeek( open_file, -2 ) );
    printf( "far away %d %d\n", Ttf_AbsSeek( open_file, 2147483647 ), Ttf_RelSeek( open_file, 2147483647 ) );
    printf( "no records %d\n", Ttf_ReadNumEvents( open_file, table, 4 ) );
    Ttf_CloseFile( open_file );

    errno     = 0;
    open_file = Ttf_OpenFileForInput( "tau.trc", "tau.trc" );
    i         = Ttf_ReadNumEvents( open_file, table, 4 );
    printf( "no event file %d, errno %d\n", i, errno == EINVAL );
    Ttf_CloseFile( open_file );
    i = Ttf_ReadNumEvents( open_file, table, 4 );
    printf( "closed %d, errno %d\n", i, errno == EBADF );

    strcpy( mode, "closes" );
    open_file = Ttf_OpenFileForInput( "tau.trc", "tau.edf" );
    printf( "read %d\n", Ttf_ReadNumEvents( open_file, table, 100 ) );
    no_file( open_file );
    return 0;
}
