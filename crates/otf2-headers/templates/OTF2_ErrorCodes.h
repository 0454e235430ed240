/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_ErrorCodes.h
#ifndef OTF2_ERROR_CODES_H
#define OTF2_ERROR_CODES_H

/**
 * @file
 * Error codes, and the callback that is called for each error.
 *
 * Nearly every function of the library returns an #OTF2_ErrorCode. If a function fails, it calls
 * the error callback of the process, and returns the result of that callback. Functions that return
 * a handle return NULL. The default callback prints one line on standard error and returns the code
 * unchanged.
 */

#include <stdint.h>
#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The result of a call.
 *
 * Negative codes are passed only to the error callback. Codes that are named after a constant of
 * `<errno.h>` report the error of a system call.
 */
typedef enum
{
//@ error_codes
} OTF2_ErrorCode;

/**
 * Returns the name of an error code: that of the constant without `OTF2_ERROR_`.
 *
 * @param errorCode The code.
 * @return A string that is valid forever, `INVALID` for codes that do not exist.
 */
const char*
OTF2_Error_GetName( OTF2_ErrorCode errorCode );

/**
 * Returns a description of an error code in English.
 *
 * @param errorCode The code.
 * @return A string that is valid forever, `Unknown error code` for codes that do not exist.
 */
const char*
OTF2_Error_GetDescription( OTF2_ErrorCode errorCode );

/**
 * Type of the callback for errors.
 *
 * One failure may call it several times: once for each level of the library. It may be called by
 * any thread that uses the library.
 *
 * @param userData The pointer that was passed to #OTF2_Error_RegisterCallback.
 * @param file The source file that reports the error, never NULL.
 * @param line The line in that file.
 * @param function The function that reports the error, never NULL.
 * @param errorCode The error.
 * @param msgFormatString A message with conversions as for vprintf, or NULL.
 * @param va The arguments of the message.
 * @return The code that the failing function returns, usually `errorCode`.
 */
typedef OTF2_ErrorCode
( *OTF2_ErrorCallback )( void* userData,
                         const char* file,
                         uint64_t line,
                         const char* function,
                         OTF2_ErrorCode errorCode,
                         const char* msgFormatString,
                         va_list va );

/**
 * Replaces the callback for errors, for all threads and archives of the process.
 *
 * @param errorCallbackIn The callback, or NULL for the default.
 * @param userData Is passed to the callback.
 * @return The former callback, NULL if it was the default.
 */
OTF2_ErrorCallback
OTF2_Error_RegisterCallback( OTF2_ErrorCallback errorCallbackIn,
                             void* userData );

#ifdef __cplusplus
}
#endif

#endif /* OTF2_ERROR_CODES_H */
