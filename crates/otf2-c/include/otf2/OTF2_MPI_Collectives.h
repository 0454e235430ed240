/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_MPI_COLLECTIVES_H
#define OTF2_MPI_COLLECTIVES_H

/**
 * @file
 * Communication for programs with MPI whose ranks write or read an archive together.
 *
 * The functions are part of the program that includes this header, which is compiled with the
 * compiler of MPI. They are collective operations over the communicator that they receive, and the
 * archive or reader must be closed before `MPI_Finalize`.
 *
 * Macros that a program may define before it includes this header:
 *
 * - `OTF2_MPI_USE_PMPI`: calls functions `PMPI_…`, which a tool that wraps those of MPI does not
 *   see.
 * - `OTF2_MPI_UINT64_T`, `OTF2_MPI_INT64_T`, and in the same way for 8, 16 and 32 bits,
 *   `OTF2_MPI_FLOAT`, `OTF2_MPI_DOUBLE`: the types of MPI for elements of these types. The two with
 *   64 bits are required before MPI 3.
 */

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <otf2/otf2.h>
#include <mpi.h>

#if MPI_VERSION < 3 && !( defined( OTF2_MPI_UINT64_T ) && defined( OTF2_MPI_INT64_T ) )
#error "MPI before version 3: define OTF2_MPI_UINT64_T and OTF2_MPI_INT64_T"
#endif

#ifndef OTF2_MPI_UINT8_T
#define OTF2_MPI_UINT8_T MPI_UNSIGNED_CHAR
#endif
#ifndef OTF2_MPI_INT8_T
#define OTF2_MPI_INT8_T MPI_SIGNED_CHAR
#endif
#ifndef OTF2_MPI_UINT16_T
#define OTF2_MPI_UINT16_T MPI_UNSIGNED_SHORT
#endif
#ifndef OTF2_MPI_INT16_T
#define OTF2_MPI_INT16_T MPI_SHORT
#endif
#ifndef OTF2_MPI_UINT32_T
#define OTF2_MPI_UINT32_T MPI_UNSIGNED
#endif
#ifndef OTF2_MPI_INT32_T
#define OTF2_MPI_INT32_T MPI_INT
#endif
#ifndef OTF2_MPI_UINT64_T
#define OTF2_MPI_UINT64_T MPI_UINT64_T
#endif
#ifndef OTF2_MPI_INT64_T
#define OTF2_MPI_INT64_T MPI_INT64_T
#endif
#ifndef OTF2_MPI_FLOAT
#define OTF2_MPI_FLOAT MPI_FLOAT
#endif
#ifndef OTF2_MPI_DOUBLE
#define OTF2_MPI_DOUBLE MPI_DOUBLE
#endif

#ifdef OTF2_MPI_USE_PMPI
#define OTF2_MPI_FUNCTION( name ) P##name
#else
#define OTF2_MPI_FUNCTION( name ) name
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** A group of ranks of these callbacks. */
struct OTF2_CollectiveContext
{
    MPI_Comm comm;
    int size;
    int rank;
    /* One number per rank: elements, and where they begin in the data of all ranks. */
    int* counts;
    int* offsets;
};

/* The state of an archive or reader, to which the callbacks receive a pointer. */
typedef struct
{
    OTF2_CollectiveCallbacks callbacks;
    OTF2_CollectiveContext* global;
    OTF2_CollectiveContext* local;
} otf2_mpi_state;

static inline void
otf2_mpi_free_context( OTF2_CollectiveContext* context )
{
    if ( context != NULL )
    {
        OTF2_MPI_FUNCTION( MPI_Comm_free )( &context->comm );
        free( context->counts );
        free( context );
    }
}

/* Returns a context that owns the communicator; without memory it frees the communicator. */
static inline OTF2_CollectiveContext*
otf2_mpi_make_context( MPI_Comm comm )
{
    OTF2_CollectiveContext* context = ( OTF2_CollectiveContext* )calloc( 1, sizeof( *context ) );
    if ( context == NULL )
    {
        OTF2_MPI_FUNCTION( MPI_Comm_free )( &comm );
        return NULL;
    }
    context->comm = comm;
    if ( OTF2_MPI_FUNCTION( MPI_Comm_size )( comm, &context->size ) == MPI_SUCCESS
         && OTF2_MPI_FUNCTION( MPI_Comm_rank )( comm, &context->rank ) == MPI_SUCCESS )
    {
        context->counts = ( int* )calloc( ( size_t )context->size, 2 * sizeof( int ) );
    }
    if ( context->counts == NULL )
    {
        otf2_mpi_free_context( context );
        return NULL;
    }
    context->offsets = context->counts + context->size;
    return context;
}

static inline OTF2_CollectiveContext*
otf2_mpi_duplicate( MPI_Comm comm )
{
    MPI_Comm own;
    if ( OTF2_MPI_FUNCTION( MPI_Comm_dup )( comm, &own ) != MPI_SUCCESS )
    {
        return NULL;
    }
    return otf2_mpi_make_context( own );
}

static inline OTF2_CollectiveContext*
otf2_mpi_split( const OTF2_CollectiveContext* context,
                uint32_t group,
                uint32_t rank )
{
    MPI_Comm own;
    if ( OTF2_MPI_FUNCTION( MPI_Comm_split )( context->comm, ( int )group, ( int )rank, &own ) != MPI_SUCCESS )
    {
        return NULL;
    }
    return otf2_mpi_make_context( own );
}

/* Divides the ranks into groups of neighbours; the first groups have one rank more if necessary. */
static inline OTF2_CollectiveContext*
otf2_mpi_split_evenly( const OTF2_CollectiveContext* context,
                       uint32_t groups )
{
    uint32_t rank = ( uint32_t )context->rank;
    uint32_t usual = ( uint32_t )context->size / groups;
    uint32_t larger = ( uint32_t )context->size % groups;
    uint32_t in_larger = larger * ( usual + 1 );
    if ( rank < in_larger )
    {
        return otf2_mpi_split( context, rank / ( usual + 1 ), rank % ( usual + 1 ) );
    }
    return otf2_mpi_split( context, larger + ( rank - in_larger ) / usual, ( rank - in_larger ) % usual );
}

/* Returns MPI_DATATYPE_NULL for types that are no numbers. */
static inline MPI_Datatype
otf2_mpi_type( OTF2_Type type )
{
    switch ( type )
    {
        case OTF2_TYPE_UINT8:
            return OTF2_MPI_UINT8_T;
        case OTF2_TYPE_UINT16:
            return OTF2_MPI_UINT16_T;
        case OTF2_TYPE_UINT32:
            return OTF2_MPI_UINT32_T;
        case OTF2_TYPE_UINT64:
            return OTF2_MPI_UINT64_T;
        case OTF2_TYPE_INT8:
            return OTF2_MPI_INT8_T;
        case OTF2_TYPE_INT16:
            return OTF2_MPI_INT16_T;
        case OTF2_TYPE_INT32:
            return OTF2_MPI_INT32_T;
        case OTF2_TYPE_INT64:
            return OTF2_MPI_INT64_T;
        case OTF2_TYPE_FLOAT:
            return OTF2_MPI_FLOAT;
        case OTF2_TYPE_DOUBLE:
            return OTF2_MPI_DOUBLE;
        default:
            return MPI_DATATYPE_NULL;
    }
}

/* Returns whether MPI can transfer these elements: it counts with int. */
static inline bool
otf2_mpi_fits( uint32_t elements,
               OTF2_Type type )
{
    return elements <= ( uint32_t )INT_MAX && otf2_mpi_type( type ) != MPI_DATATYPE_NULL;
}

/* Fills counts and offsets of the context; returns whether they fit. Only the root has elements. */
static inline bool
otf2_mpi_lay_out( OTF2_CollectiveContext* context,
                  const uint32_t* elements,
                  uint32_t root )
{
    uint64_t end = 0;
    int rank;
    if ( ( uint32_t )context->rank != root )
    {
        return true;
    }
    for ( rank = 0; rank < context->size; rank++ )
    {
        context->offsets[ rank ] = ( int )end;
        context->counts[ rank ] = ( int )elements[ rank ];
        end += elements[ rank ];
        if ( end > ( uint64_t )INT_MAX )
        {
            return false;
        }
    }
    return true;
}

static inline OTF2_CallbackCode
otf2_mpi_result( int error )
{
    return error == MPI_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static inline void
otf2_mpi_release( void* userData,
                  OTF2_CollectiveContext* globalCommContext,
                  OTF2_CollectiveContext* localCommContext )
{
    otf2_mpi_state* state = ( otf2_mpi_state* )userData;
    ( void )globalCommContext;
    ( void )localCommContext;
    otf2_mpi_free_context( state->local );
    otf2_mpi_free_context( state->global );
    free( state );
}

static inline OTF2_CallbackCode
otf2_mpi_get_size( void* userData,
                   OTF2_CollectiveContext* commContext,
                   uint32_t* size )
{
    ( void )userData;
    *size = ( uint32_t )commContext->size;
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode
otf2_mpi_get_rank( void* userData,
                   OTF2_CollectiveContext* commContext,
                   uint32_t* rank )
{
    ( void )userData;
    *rank = ( uint32_t )commContext->rank;
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode
otf2_mpi_create_local_comm( void* userData,
                            OTF2_CollectiveContext** localCommContext,
                            OTF2_CollectiveContext* globalCommContext,
                            uint32_t globalRank,
                            uint32_t globalSize,
                            uint32_t localRank,
                            uint32_t localSize,
                            uint32_t fileNumber,
                            uint32_t numberOfFiles )
{
    ( void )userData;
    ( void )globalRank;
    ( void )globalSize;
    ( void )localSize;
    ( void )numberOfFiles;
    *localCommContext = otf2_mpi_split( globalCommContext, fileNumber, localRank );
    return *localCommContext != NULL ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

static inline OTF2_CallbackCode
otf2_mpi_free_local_comm( void* userData,
                          OTF2_CollectiveContext* localCommContext )
{
    ( void )userData;
    otf2_mpi_free_context( localCommContext );
    return OTF2_CALLBACK_SUCCESS;
}

static inline OTF2_CallbackCode
otf2_mpi_barrier( void* userData,
                  OTF2_CollectiveContext* commContext )
{
    ( void )userData;
    return otf2_mpi_result( OTF2_MPI_FUNCTION( MPI_Barrier )( commContext->comm ) );
}

static inline OTF2_CallbackCode
otf2_mpi_bcast( void* userData,
                OTF2_CollectiveContext* commContext,
                void* data,
                uint32_t numberElements,
                OTF2_Type type,
                uint32_t root )
{
    ( void )userData;
    if ( !otf2_mpi_fits( numberElements, type ) )
    {
        return OTF2_CALLBACK_ERROR;
    }
    return otf2_mpi_result( OTF2_MPI_FUNCTION( MPI_Bcast )(
        data, ( int )numberElements, otf2_mpi_type( type ), ( int )root, commContext->comm ) );
}

static inline OTF2_CallbackCode
otf2_mpi_gather( void* userData,
                 OTF2_CollectiveContext* commContext,
                 const void* inData,
                 void* outData,
                 uint32_t numberElements,
                 OTF2_Type type,
                 uint32_t root )
{
    int count = ( int )numberElements;
    MPI_Datatype element = otf2_mpi_type( type );
    ( void )userData;
    if ( !otf2_mpi_fits( numberElements, type ) )
    {
        return OTF2_CALLBACK_ERROR;
    }
    /* MPI 2 declares the data that it only reads without const. */
    return otf2_mpi_result( OTF2_MPI_FUNCTION( MPI_Gather )(
        ( void* )inData, count, element, outData, count, element, ( int )root, commContext->comm ) );
}

static inline OTF2_CallbackCode
otf2_mpi_gatherv( void* userData,
                  OTF2_CollectiveContext* commContext,
                  const void* inData,
                  uint32_t inElements,
                  void* outData,
                  const uint32_t* outElements,
                  OTF2_Type type,
                  uint32_t root )
{
    MPI_Datatype element = otf2_mpi_type( type );
    ( void )userData;
    if ( !otf2_mpi_fits( inElements, type ) || !otf2_mpi_lay_out( commContext, outElements, root ) )
    {
        return OTF2_CALLBACK_ERROR;
    }
    return otf2_mpi_result( OTF2_MPI_FUNCTION( MPI_Gatherv )( ( void* )inData,
                                                              ( int )inElements,
                                                              element,
                                                              outData,
                                                              commContext->counts,
                                                              commContext->offsets,
                                                              element,
                                                              ( int )root,
                                                              commContext->comm ) );
}

static inline OTF2_CallbackCode
otf2_mpi_scatter( void* userData,
                  OTF2_CollectiveContext* commContext,
                  const void* inData,
                  void* outData,
                  uint32_t numberElements,
                  OTF2_Type type,
                  uint32_t root )
{
    int count = ( int )numberElements;
    MPI_Datatype element = otf2_mpi_type( type );
    ( void )userData;
    if ( !otf2_mpi_fits( numberElements, type ) )
    {
        return OTF2_CALLBACK_ERROR;
    }
    return otf2_mpi_result( OTF2_MPI_FUNCTION( MPI_Scatter )(
        ( void* )inData, count, element, outData, count, element, ( int )root, commContext->comm ) );
}

static inline OTF2_CallbackCode
otf2_mpi_scatterv( void* userData,
                   OTF2_CollectiveContext* commContext,
                   const void* inData,
                   const uint32_t* inElements,
                   void* outData,
                   uint32_t outElements,
                   OTF2_Type type,
                   uint32_t root )
{
    MPI_Datatype element = otf2_mpi_type( type );
    ( void )userData;
    if ( !otf2_mpi_fits( outElements, type ) || !otf2_mpi_lay_out( commContext, inElements, root ) )
    {
        return OTF2_CALLBACK_ERROR;
    }
    return otf2_mpi_result( OTF2_MPI_FUNCTION( MPI_Scatterv )( ( void* )inData,
                                                               commContext->counts,
                                                               commContext->offsets,
                                                               element,
                                                               outData,
                                                               ( int )outElements,
                                                               element,
                                                               ( int )root,
                                                               commContext->comm ) );
}

/* Returns a state with a duplicate of the communicator, to be freed by otf2_mpi_release. */
static inline otf2_mpi_state*
otf2_mpi_make_state( MPI_Comm globalComm )
{
    otf2_mpi_state* state = ( otf2_mpi_state* )calloc( 1, sizeof( *state ) );
    if ( state == NULL )
    {
        return NULL;
    }
    state->callbacks.otf2_release = otf2_mpi_release;
    state->callbacks.otf2_get_size = otf2_mpi_get_size;
    state->callbacks.otf2_get_rank = otf2_mpi_get_rank;
    state->callbacks.otf2_create_local_comm = otf2_mpi_create_local_comm;
    state->callbacks.otf2_free_local_comm = otf2_mpi_free_local_comm;
    state->callbacks.otf2_barrier = otf2_mpi_barrier;
    state->callbacks.otf2_bcast = otf2_mpi_bcast;
    state->callbacks.otf2_gather = otf2_mpi_gather;
    state->callbacks.otf2_gatherv = otf2_mpi_gatherv;
    state->callbacks.otf2_scatter = otf2_mpi_scatter;
    state->callbacks.otf2_scatterv = otf2_mpi_scatterv;
    state->global = otf2_mpi_duplicate( globalComm );
    return state;
}

/* Passes the state to the archive; frees it if the archive does not take it. */
static inline OTF2_ErrorCode
otf2_mpi_set_archive( OTF2_Archive* archive,
                      otf2_mpi_state* state )
{
    OTF2_ErrorCode code =
        OTF2_Archive_SetCollectiveCallbacks( archive, &state->callbacks, state, state->global, state->local );
    if ( code != OTF2_SUCCESS )
    {
        otf2_mpi_release( state, NULL, NULL );
    }
    return code;
}

/**
 * Sets the communication of an archive between the ranks of a communicator. Once. All ranks must
 * call this function.
 *
 * @param archive The archive.
 * @param globalComm All ranks that write or read the archive; duplicated.
 * @param localComm The ranks that share a file with this one, or `MPI_COMM_NULL`; duplicated. Not
 *     used with #OTF2_SUBSTRATE_POSIX.
 * @return As #OTF2_Archive_SetCollectiveCallbacks; #OTF2_ERROR_INVALID_ARGUMENT if `globalComm` is
 *     `MPI_COMM_NULL`; #OTF2_ERROR_MEM_ALLOC_FAILED; #OTF2_ERROR_PROCESSED_WITH_FAULTS if MPI
 *     reports an error.
 */
static inline OTF2_ErrorCode
OTF2_MPI_Archive_SetCollectiveCallbacks( OTF2_Archive* archive,
                                         MPI_Comm globalComm,
                                         MPI_Comm localComm )
{
    otf2_mpi_state* state;
    if ( archive == NULL || globalComm == MPI_COMM_NULL )
    {
        return OTF2_ERROR_INVALID_ARGUMENT;
    }
    state = otf2_mpi_make_state( globalComm );
    if ( state == NULL )
    {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    if ( state->global != NULL && localComm != MPI_COMM_NULL )
    {
        state->local = otf2_mpi_duplicate( localComm );
    }
    if ( state->global == NULL || ( state->local == NULL && localComm != MPI_COMM_NULL ) )
    {
        otf2_mpi_release( state, NULL, NULL );
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    }
    return otf2_mpi_set_archive( archive, state );
}

/**
 * Sets the communication of an archive, as #OTF2_MPI_Archive_SetCollectiveCallbacks does, and
 * divides the ranks into groups that share a file.
 *
 * @param archive The archive.
 * @param globalComm All ranks that write the archive; duplicated.
 * @param numberOfFiles The number of groups, at least 1. Their sizes differ by at most one rank.
 *     Not used with #OTF2_SUBSTRATE_POSIX.
 * @return As #OTF2_MPI_Archive_SetCollectiveCallbacks; #OTF2_ERROR_INVALID_ARGUMENT if the number
 *     is 0.
 */
static inline OTF2_ErrorCode
OTF2_MPI_Archive_SetCollectiveCallbacksSplit( OTF2_Archive* archive,
                                              MPI_Comm globalComm,
                                              uint32_t numberOfFiles )
{
    otf2_mpi_state* state;
    if ( archive == NULL || globalComm == MPI_COMM_NULL || numberOfFiles == 0 )
    {
        return OTF2_ERROR_INVALID_ARGUMENT;
    }
    state = otf2_mpi_make_state( globalComm );
    if ( state == NULL )
    {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    if ( state->global != NULL )
    {
        state->local = otf2_mpi_split_evenly( state->global, numberOfFiles );
    }
    if ( state->local == NULL )
    {
        otf2_mpi_release( state, NULL, NULL );
        return OTF2_ERROR_PROCESSED_WITH_FAULTS;
    }
    return otf2_mpi_set_archive( archive, state );
}

/**
 * Sets the communication of a reader between the ranks of a communicator. Once. All ranks must call
 * this function.
 *
 * @param reader The reader.
 * @param globalComm All ranks that read the archive; duplicated.
 * @return As #OTF2_MPI_Archive_SetCollectiveCallbacks.
 */
static inline OTF2_ErrorCode
OTF2_MPI_Reader_SetCollectiveCallbacks( OTF2_Reader* reader,
                                        MPI_Comm globalComm )
{
    OTF2_ErrorCode code = OTF2_ERROR_PROCESSED_WITH_FAULTS;
    otf2_mpi_state* state;
    if ( reader == NULL || globalComm == MPI_COMM_NULL )
    {
        return OTF2_ERROR_INVALID_ARGUMENT;
    }
    state = otf2_mpi_make_state( globalComm );
    if ( state == NULL )
    {
        return OTF2_ERROR_MEM_ALLOC_FAILED;
    }
    if ( state->global != NULL )
    {
        code = OTF2_Reader_SetCollectiveCallbacks( reader, &state->callbacks, state, state->global, NULL );
    }
    if ( code != OTF2_SUCCESS )
    {
        otf2_mpi_release( state, NULL, NULL );
    }
    return code;
}

#ifdef __cplusplus
}
#endif

#undef OTF2_MPI_FUNCTION

#endif /* OTF2_MPI_COLLECTIVES_H */
