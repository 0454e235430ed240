/*
 * Reads a TAU trace into empty callbacks of TAU_tf.h.
 *
 *     tau_library TRC EDF [one]
 *
 * With `one` the callback of enter is also that of leave.
 * Prints nanoseconds of CPU for reading, those of the whole program, and the number of records.
 */
#include "tau_callbacks.h"
#include <TAU_tf.h>

#include <stdio.h>
#include <string.h>

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
