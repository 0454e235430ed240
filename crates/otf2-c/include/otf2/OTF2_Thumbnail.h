/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_THUMBNAIL_H
#define OTF2_THUMBNAIL_H

/**
 * @file
 * Thumbnails: small previews of a trace. A thumbnail consists of samples in the order of time, each
 * with one value for each of the definitions that the header lists.
 *
 * Thumbnail readers and writers are those of #OTF2_Archive_GetThumbReader and
 * #OTF2_Archive_GetThumbWriter.
 */

#include <stdint.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A writer of a thumbnail. */
typedef struct OTF2_ThumbWriter_struct OTF2_ThumbWriter;

/** A reader of a thumbnail. */
typedef struct OTF2_ThumbReader_struct OTF2_ThumbReader;

/**
 * Returns the header of a thumbnail.
 *
 * @param reader The reader.
 * @param name Receives a copy of the name, to be freed by the caller.
 * @param description Receives a copy of the description, to be freed by the caller.
 * @param type Receives the kind of the definitions.
 * @param numberOfSamples Receives the number of samples.
 * @param numberOfMetrics Receives the number of values per sample.
 * @param refsToDefs Receives an array with the ids of as many definitions, to be freed by the
 *     caller.
 * @return #OTF2_SUCCESS or an error code.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_ThumbReader_GetHeader( OTF2_ThumbReader* reader,
                            char** const name,
                            char** const description,
                            OTF2_ThumbnailType* type,
                            uint32_t* numberOfSamples,
                            uint32_t* numberOfMetrics,
                            uint64_t** refsToDefs );

/**
 * Reads the next sample.
 *
 * @param reader The reader.
 * @param baseline Receives the number of which the values are shares, 0 if they are not shares.
 * @param numberOfMetrics The number of elements of the array: that of the header.
 * @param metricSamples Receives the values.
 * @return #OTF2_SUCCESS; #OTF2_ERROR_INDEX_OUT_OF_BOUNDS at the end, without a call of the error
 *     callback; #OTF2_ERROR_INVALID_ARGUMENT if the number is not that of the header.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_ThumbReader_ReadSample( OTF2_ThumbReader* reader,
                             uint64_t* baseline,
                             uint32_t numberOfMetrics,
                             uint64_t* metricSamples );

/**
 * Writes the next sample.
 *
 * @param writer The writer.
 * @param baseline The number of which the values are shares, 0 if they are not shares.
 * @param numberOfMetrics The number of values: that of the header.
 * @param metricSamples The values; copied.
 * @return #OTF2_SUCCESS, or #OTF2_ERROR_INVALID_ARGUMENT if a pointer is NULL or the number is not
 *     that of the header.
 * @since 1.2
 */
OTF2_ErrorCode
OTF2_ThumbWriter_WriteSample( OTF2_ThumbWriter* writer,
                              uint64_t baseline,
                              uint32_t numberOfMetrics,
                              const uint64_t* metricSamples );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_THUMBNAIL_H */
