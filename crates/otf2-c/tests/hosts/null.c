/*
 * Calls functions of a library with zeros for all arguments, each in a process of its own.
 *
 *     null LIBRARY < NAMES
 *
 * Prints each name with the low 32 bits of the result, or with the signal that ended the call.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef uint64_t ( * Function )( uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                 uint64_t, uint64_t, uint64_t, uint64_t );

int
main( int argc, char** argv )
{
    char  name[ 256 ];
    void* library = argc == 2 ? dlopen( argv[ 1 ], RTLD_NOW ) : NULL;
    if ( !library )
    {
        fprintf( stderr, "%s\n", argc == 2 ? dlerror() : "usage: null LIBRARY" );
        return 2;
    }
    while ( scanf( "%255s", name ) == 1 )
    {
        Function function;
        int      status;
        void*    symbol = dlsym( library, name );
        memcpy( &function, &symbol, sizeof function );
        printf( "%s ", name );
        fflush( stdout );
        if ( !symbol )
        {
            printf( "is missing\n" );
            continue;
        }
        pid_t child = fork();
        if ( child == 0 )
        {
            printf( "%d\n", (int)function( 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 ) );
            fflush( stdout );
            _exit( 0 );
        }
        if ( waitpid( child, &status, 0 ) != child || status != 0 )
        {
            printf( "ended with status %d\n", status );
        }
    }
    return 0;
}
