/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_IdMap.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
#ifndef OTF2_IDMAP_H
#define OTF2_IDMAP_H

/**
 * @file
 * Id maps: the global ids for the ids that a location uses.
 *
 * A mapping table in the local definitions contains an id map. The functions that write it copy the
 * map, so that it may be freed immediately. Maps that a definition reader passes to a callback
 * belong to the library.
 */

#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif
#include <otf2/OTF2_ErrorCodes.h>

/** An id map. */
typedef struct OTF2_IdMap_struct OTF2_IdMap;

/**
 * The layout of an id map.
 *
 * @see OTF2_IdMapMode_enum
 * @since 1.0
 */
typedef uint8_t OTF2_IdMapMode;

/** The values of #OTF2_IdMapMode. */
enum OTF2_IdMapMode_enum
{
    /** All local ids from 0 on, without a gap. */
    OTF2_ID_MAP_DENSE = 0,
    /** Any local ids. */
    OTF2_ID_MAP_SPARSE = 1
};

/**
 * Type of the function that receives the pairs of a map, in ascending order of the local ids.
 *
 * @param localId The local id.
 * @param globalId The global id.
 * @param userData The pointer that was passed to #OTF2_IdMap_Traverse.
 */
typedef void
( * OTF2_IdMap_TraverseCallback )( uint64_t localId,
                                   uint64_t globalId,
                                   void* userData );

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Makes an empty map.
 *
 * @param mode #OTF2_ID_MAP_DENSE if ids are added in the order 0, 1, 2, …, otherwise
 *     #OTF2_ID_MAP_SPARSE.
 * @param capacity The expected number of pairs, at least 1. The map grows if there are more.
 * @return The map, to be freed with #OTF2_IdMap_Free, or NULL.
 */
OTF2_IdMap*
OTF2_IdMap_Create( OTF2_IdMapMode mode,
                   uint64_t capacity );

/**
 * Makes a map from an array: the index is the local id, the element is the global id.
 *
 * @param length The number of elements; may be 0 only if `optimizeSize` is true.
 * @param mappings The elements, not NULL.
 * @param optimizeSize Whether the map may be made smaller: pairs of equal ids are not stored if
 *     they are more than half of all.
 * @return The map, to be freed with #OTF2_IdMap_Free; NULL on an error, or if `optimizeSize` is
 *     true and every id maps to itself.
 */
OTF2_IdMap*
OTF2_IdMap_CreateFromUint64Array( uint64_t length,
                                  const uint64_t* mappings,
                                  bool optimizeSize );

/**
 * Makes a map from an array of 32-bit ids, as #OTF2_IdMap_CreateFromUint64Array does. The element
 * #OTF2_UNDEFINED_UINT32 becomes #OTF2_UNDEFINED_UINT64.
 *
 * @param length The number of elements; may be 0 only if `optimizeSize` is true.
 * @param mappings The elements, not NULL.
 * @param optimizeSize Whether the map may be made smaller.
 * @return The map, to be freed with #OTF2_IdMap_Free, or NULL.
 */
OTF2_IdMap*
OTF2_IdMap_CreateFromUint32Array( uint64_t length,
                                  const uint32_t* mappings,
                                  bool optimizeSize );

/**
 * Frees a map that the program has made.
 *
 * @param instance The map, or NULL.
 */
void
OTF2_IdMap_Free( OTF2_IdMap* instance );

/**
 * Returns the number of pairs.
 *
 * @param instance The map.
 * @param size Receives the number.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_IdMap_GetSize( const OTF2_IdMap* instance,
                    uint64_t* size );

/**
 * Returns the layout of a map.
 *
 * @param instance The map.
 * @param mode Receives the layout.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_IdMap_GetMode( const OTF2_IdMap* instance,
                    OTF2_IdMapMode* mode );

/**
 * Removes all pairs. The layout stays the same.
 *
 * @param instance The map.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the map is NULL.
 */
OTF2_ErrorCode
OTF2_IdMap_Clear( OTF2_IdMap* instance );

/**
 * Adds a pair. In a sparse map it replaces the pair with the same local id.
 *
 * @param instance The map.
 * @param localId The local id; in a dense map the number of pairs so far.
 * @param globalId The global id.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INVALID_DATA if the local id is not the next one of a dense
 *     map; #OTF2_ERROR_INVALID_ARGUMENT if the map is NULL; #OTF2_ERROR_MEM_ALLOC_FAILED.
 */
OTF2_ErrorCode
OTF2_IdMap_AddIdPair( OTF2_IdMap* instance,
                      uint64_t localId,
                      uint64_t globalId );

/**
 * Returns the global id for a local one: the local id itself if the map does not contain it.
 *
 * @param instance The map.
 * @param localId The local id.
 * @param globalId Receives the global id.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL.
 */
OTF2_ErrorCode
OTF2_IdMap_GetGlobalId( const OTF2_IdMap* instance,
                        uint64_t localId,
                        uint64_t* globalId );

/**
 * Returns the global id for a local one that the map contains.
 *
 * @param instance The map.
 * @param localId The local id.
 * @param globalId Receives the global id.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INDEX_OUT_OF_BOUNDS if the map does not contain the id, in
 *     which case the error callback is not called; #OTF2_ERROR_INVALID_ARGUMENT if a pointer is
 *     NULL.
 */
OTF2_ErrorCode
OTF2_IdMap_GetGlobalIdSave( const OTF2_IdMap* instance,
                            uint64_t localId,
                            uint64_t* globalId );

/**
 * Calls a function for each pair, in ascending order of the local ids.
 *
 * @param instance The map, which must not be changed meanwhile.
 * @param callback The function.
 * @param userData Is passed to the function.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if the map or the function is NULL.
 */
OTF2_ErrorCode
OTF2_IdMap_Traverse( const OTF2_IdMap* instance,
                     OTF2_IdMap_TraverseCallback callback,
                     void* userData );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_IDMAP_H */
