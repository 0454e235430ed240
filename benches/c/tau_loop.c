/*
 * Reads a TAU trace in a plain loop: pieces of 1024 records, a lookup of each event in a tree map,
 * and a function called through a pointer. TAU's own reader works like this, with additional work
 * (threads, checks).
 *
 *     tau_loop TRC EDF
 *
 * The tree is balanced from the start, the best case for a tree map. Prints nanoseconds of CPU for
 * reading, those of the whole program, and a checksum of the arguments of the callbacks.
 */
#include "tau_callbacks.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
    int32_t  event;
    uint16_t node, thread;
    int64_t  parameter;
    uint64_t time;
} Record;

typedef struct Node
{
    struct Node* left;
    struct Node* right;
    int32_t      id;
    int          is_state, is_counter, tag;
} Node;

typedef int ( *StateCall )( void*, double, unsigned, unsigned, unsigned );
typedef int ( *ValueCall )( void*, double, unsigned, unsigned, unsigned, long long );
typedef int ( *MessageCall )( void*, double, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned );

typedef struct
{
    StateCall   enter, leave;
    MessageCall send, receive;
    ValueCall   trigger;
} Calls;

static int
by_id( const void* one, const void* other )
{
    int32_t a = ( *( Node* const* )one )->id, b = ( *( Node* const* )other )->id;
    return ( a > b ) - ( a < b );
}

static Node*
balanced( Node** nodes, size_t count )
{
    if ( count == 0 )
    {
        return NULL;
    }
    Node* root = nodes[ count / 2 ];
    root->left  = balanced( nodes, count / 2 );
    root->right = balanced( nodes + count / 2 + 1, count - count / 2 - 1 );
    return root;
}

static Node*
read_events( const char* path )
{
    char   line[ 4096 ], group[ 512 ];
    size_t count = 0;
    FILE*  file  = fopen( path, "r" );
    Node** nodes = NULL;
    while ( file && fgets( line, sizeof line, file ) )
    {
        int id, tag;
        if ( sscanf( line, "%d %511s %d \"", &id, group, &tag ) != 3 )
        {
            continue;
        }
        nodes          = realloc( nodes, ( count + 1 ) * sizeof *nodes );
        nodes[ count ] = calloc( 1, sizeof **nodes );
        nodes[ count ]->id         = id;
        nodes[ count ]->tag        = tag;
        nodes[ count ]->is_state   = strstr( line, "EntryExit" ) != NULL;
        nodes[ count ]->is_counter = strstr( line, "TriggerValue" ) != NULL;
        count++;
    }
    qsort( nodes, count, sizeof *nodes, by_id );
    return balanced( nodes, count );
}

static const Node*
find( const Node* node, int32_t id )
{
    while ( node && node->id != id )
    {
        node = id < node->id ? node->left : node->right;
    }
    return node;
}

static void
deliver( const Record* record, const Node* event, const Calls* calls, double first )
{
    double   time = ( double )record->time - first;
    unsigned id = ( unsigned )record->event, node = record->node, thread = record->thread;
    if ( event->is_state )
    {
        if ( record->parameter == 1 )
        {
            calls->enter( NULL, time, node, thread, id );
        }
        else if ( record->parameter == -1 )
        {
            calls->leave( NULL, time, node, thread, id );
        }
        return;
    }
    if ( event->is_counter )
    {
        calls->trigger( NULL, time, node, thread, id, record->parameter );
    }
    if ( event->tag == -7 || event->tag == -8 )
    {
        uint64_t bits    = ( uint64_t )record->parameter;
        unsigned partner = ( bits >> 24 & 0xFF ) | ( bits >> 56 & 0xFF ) << 8;
        unsigned length  = ( bits & 0xFFFF ) | ( bits >> 32 & 0x3FF ) << 16;
        unsigned tag     = ( bits >> 16 & 0xFF ) | ( bits >> 48 & 0xFF ) << 8;
        unsigned comm    = bits >> 42 & 0x3F;
        if ( event->tag == -7 )
        {
            calls->send( NULL, time, node, thread, partner, 0, length, tag, comm );
        }
        else
        {
            calls->receive( NULL, time, partner, 0, node, thread, length, tag, comm );
        }
    }
}

int
main( int argc, char** argv )
{
    static Record      records[ 1024 ];
    Calls              calls = { enter, leave, message, message, value };
    unsigned long long began = cpu(), read = 0;
    double             first = 0;
    size_t             count;
    FILE*              file = argc > 2 ? fopen( argv[ 1 ], "rb" ) : NULL;
    if ( !file )
    {
        return 2;
    }
    /* Each piece is a single read. */
    setvbuf( file, NULL, _IONBF, 0 );
    const Node* events = read_events( argv[ 2 ] );
    /* The compiler cannot remove calls whose target it does not know. */
    Calls* volatile hidden = &calls;
    Calls* table           = hidden;
    unsigned long long opened = cpu();
    while ( ( count = fread( records, sizeof *records, 1024, file ) ) > 0 )
    {
        if ( read == 0 )
        {
            first = ( double )records[ 0 ].time;
        }
        for ( size_t i = 0; i < count; i++ )
        {
            const Node* event = find( events, records[ i ].event );
            if ( !event )
            {
                return 1;
            }
            deliver( &records[ i ], event, table, first );
        }
        read += count;
    }
    printf( "%llu %llu %llu\n", cpu() - opened, cpu() - began, read );
    return 0;
}
