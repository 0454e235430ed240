/* Calls of libotf2 that must succeed. */
#pragma once
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check( OTF2_ErrorCode code, const char* what )
{
    if ( code != OTF2_SUCCESS )
    {
        fprintf( stderr, "libotf2: %s: %s\n", what, OTF2_Error_GetDescription( code ) );
        exit( 1 );
    }
}
