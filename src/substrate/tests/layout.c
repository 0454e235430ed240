/*
 * Prints the layout of the plugin interface as the C compiler defines it: `kind name number...`
 * lines. Includes this project's header or, with -DSCOREP_HEADERS, those of an installed Score-P.
 * FACTS is a file of the macro calls below.
 */
#ifdef SCOREP_HEADERS
#include <scorep/SCOREP_SubstratePlugins.h>
#else
#include <kymo/substrate.h>
#endif

#include <stddef.h>
#include <stdio.h>

#define CONSTANT( name ) printf( "constant %s %lld\n", #name, ( long long )( name ) );
#define MEMBER( type, name ) \
    printf( "member %s.%s %zu %zu\n", #type, #name, offsetof( type, name ), sizeof( ( ( type* )0 )->name ) );
#define TYPE( name ) printf( "type %s %zu %d\n", #name, sizeof( name ), ( name )-1 < ( name )1 );

int
main( void )
{
#include FACTS
    printf( "structure SCOREP_SubstratePluginInfo %zu\n", sizeof( SCOREP_SubstratePluginInfo ) );
    printf( "structure SCOREP_SubstratePluginCallbacks %zu\n", sizeof( SCOREP_SubstratePluginCallbacks ) );
    return 0;
}
