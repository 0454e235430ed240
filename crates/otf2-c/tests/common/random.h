/* Random numbers, of which a seed in `state` makes the same in every run: SplitMix64. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdint.h>

static uint64_t state;

static uint64_t
any( void )
{
    uint64_t z = ( state += 0x9E3779B97F4A7C15u );
    z = ( z ^ ( z >> 30 ) ) * 0xBF58476D1CE4E5B9u;
    z = ( z ^ ( z >> 27 ) ) * 0x94D049BB133111EBu;
    return z ^ ( z >> 31 );
}

static uint64_t
below( uint64_t end )
{
    return any() % end;
}

/* Returns true in one of this many calls. */
static int
once_in( uint64_t calls )
{
    return below( calls ) == 0;
}

#endif
