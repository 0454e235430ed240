/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Generated from crates/otf2-headers/templates/OTF2_ErrorCodes.h and the tables of records:
 * change these and run `cargo xtask headers`.
 */
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
    /** For the error callback: the called function should no longer be used. */
    OTF2_DEPRECATED = -3,
    /** For the error callback: the library ends the program after the callback. */
    OTF2_ABORT = -2,
    /** For the error callback: the function continues. */
    OTF2_WARNING = -1,
    /** The call succeeded. */
    OTF2_SUCCESS = 0,
    /** An error without a code of its own. */
    OTF2_ERROR_INVALID = 1,
    /** The list of arguments is too long. */
    OTF2_ERROR_E2BIG = 2,
    /** Permission denied. */
    OTF2_ERROR_EACCES = 3,
    /** The address is not available. */
    OTF2_ERROR_EADDRNOTAVAIL = 4,
    /** The address family is not supported. */
    OTF2_ERROR_EAFNOSUPPORT = 5,
    /** The resource is temporarily unavailable. */
    OTF2_ERROR_EAGAIN = 6,
    /** The connection is being established. */
    OTF2_ERROR_EALREADY = 7,
    /** Bad file descriptor. */
    OTF2_ERROR_EBADF = 8,
    /** Bad message. */
    OTF2_ERROR_EBADMSG = 9,
    /** The resource is in use. */
    OTF2_ERROR_EBUSY = 10,
    /** The operation was cancelled. */
    OTF2_ERROR_ECANCELED = 11,
    /** There is no child process. */
    OTF2_ERROR_ECHILD = 12,
    /** The connection was refused. */
    OTF2_ERROR_ECONNREFUSED = 13,
    /** The connection was reset. */
    OTF2_ERROR_ECONNRESET = 14,
    /** The call would cause a deadlock. */
    OTF2_ERROR_EDEADLK = 15,
    /** A destination address is required. */
    OTF2_ERROR_EDESTADDRREQ = 16,
    /** An argument is outside the domain of the function. */
    OTF2_ERROR_EDOM = 17,
    /** The disk quota is exceeded. */
    OTF2_ERROR_EDQUOT = 18,
    /** The file exists. */
    OTF2_ERROR_EEXIST = 19,
    /** Bad address. */
    OTF2_ERROR_EFAULT = 20,
    /** The file is too large. */
    OTF2_ERROR_EFBIG = 21,
    /** The operation is in progress. */
    OTF2_ERROR_EINPROGRESS = 22,
    /** A signal interrupted the call. */
    OTF2_ERROR_EINTR = 23,
    /** Invalid argument of a system call. */
    OTF2_ERROR_EINVAL = 24,
    /** Input or output failed. */
    OTF2_ERROR_EIO = 25,
    /** The socket is connected. */
    OTF2_ERROR_EISCONN = 26,
    /** The file is a directory. */
    OTF2_ERROR_EISDIR = 27,
    /** Too many symbolic links. */
    OTF2_ERROR_ELOOP = 28,
    /** The process has too many open files. */
    OTF2_ERROR_EMFILE = 29,
    /** Too many links. */
    OTF2_ERROR_EMLINK = 30,
    /** The message is too long. */
    OTF2_ERROR_EMSGSIZE = 31,
    /** Reserved by POSIX. */
    OTF2_ERROR_EMULTIHOP = 32,
    /** The file name is too long. */
    OTF2_ERROR_ENAMETOOLONG = 33,
    /** The network is down. */
    OTF2_ERROR_ENETDOWN = 34,
    /** The network ended the connection. */
    OTF2_ERROR_ENETRESET = 35,
    /** The network cannot be reached. */
    OTF2_ERROR_ENETUNREACH = 36,
    /** The system has too many open files. */
    OTF2_ERROR_ENFILE = 37,
    /** No buffer space is available. */
    OTF2_ERROR_ENOBUFS = 38,
    /** No message is available. */
    OTF2_ERROR_ENODATA = 39,
    /** There is no such device. */
    OTF2_ERROR_ENODEV = 40,
    /** There is no such file or directory. */
    OTF2_ERROR_ENOENT = 41,
    /** The file is not executable. */
    OTF2_ERROR_ENOEXEC = 42,
    /** No lock is available. */
    OTF2_ERROR_ENOLCK = 43,
    /** Reserved by POSIX. */
    OTF2_ERROR_ENOLINK = 44,
    /** Not enough memory. */
    OTF2_ERROR_ENOMEM = 45,
    /** There is no message of this type. */
    OTF2_ERROR_ENOMSG = 46,
    /** The protocol is not available. */
    OTF2_ERROR_ENOPROTOOPT = 47,
    /** No space is left on the device. */
    OTF2_ERROR_ENOSPC = 48,
    /** No stream resources are left. */
    OTF2_ERROR_ENOSR = 49,
    /** The file is not a stream. */
    OTF2_ERROR_ENOSTR = 50,
    /** The function is not implemented by the system. */
    OTF2_ERROR_ENOSYS = 51,
    /** The socket is not connected. */
    OTF2_ERROR_ENOTCONN = 52,
    /** The file is not a directory. */
    OTF2_ERROR_ENOTDIR = 53,
    /** The directory is not empty. */
    OTF2_ERROR_ENOTEMPTY = 54,
    /** The file is not a socket. */
    OTF2_ERROR_ENOTSOCK = 55,
    /** The operation is not supported. */
    OTF2_ERROR_ENOTSUP = 56,
    /** The operation does not fit the device. */
    OTF2_ERROR_ENOTTY = 57,
    /** There is no such device or address. */
    OTF2_ERROR_ENXIO = 58,
    /** The socket does not support the operation. */
    OTF2_ERROR_EOPNOTSUPP = 59,
    /** The value does not fit its type. */
    OTF2_ERROR_EOVERFLOW = 60,
    /** The operation is not permitted. */
    OTF2_ERROR_EPERM = 61,
    /** The pipe has no reader. */
    OTF2_ERROR_EPIPE = 62,
    /** Error in a protocol. */
    OTF2_ERROR_EPROTO = 63,
    /** The protocol is not supported. */
    OTF2_ERROR_EPROTONOSUPPORT = 64,
    /** The protocol does not fit the socket. */
    OTF2_ERROR_EPROTOTYPE = 65,
    /** The result is out of range. */
    OTF2_ERROR_ERANGE = 66,
    /** The file system is read-only. */
    OTF2_ERROR_EROFS = 67,
    /** Seek in a pipe. */
    OTF2_ERROR_ESPIPE = 68,
    /** There is no such process. */
    OTF2_ERROR_ESRCH = 69,
    /** The file handle is stale. */
    OTF2_ERROR_ESTALE = 70,
    /** The timer expired. */
    OTF2_ERROR_ETIME = 71,
    /** The operation timed out. */
    OTF2_ERROR_ETIMEDOUT = 72,
    /** The program file is in use. */
    OTF2_ERROR_ETXTBSY = 73,
    /** The call would wait. */
    OTF2_ERROR_EWOULDBLOCK = 74,
    /** The files are on different file systems. */
    OTF2_ERROR_EXDEV = 75,
    /** The end of a function was reached unexpectedly. */
    OTF2_ERROR_END_OF_FUNCTION = 76,
    /** The call is not allowed in this state. */
    OTF2_ERROR_INVALID_CALL = 77,
    /** An argument is missing or outside its range. */
    OTF2_ERROR_INVALID_ARGUMENT = 78,
    /** A record is not one of the format. */
    OTF2_ERROR_INVALID_RECORD = 79,
    /** The data contradicts the format or the type. */
    OTF2_ERROR_INVALID_DATA = 80,
    /** A size is wrong: a record does not fit a chunk, for example. */
    OTF2_ERROR_INVALID_SIZE_GIVEN = 81,
    /** The type is unknown. */
    OTF2_ERROR_UNKNOWN_TYPE = 82,
    /** Handles, files or callbacks contradict each other. */
    OTF2_ERROR_INTEGRITY_FAULT = 83,
    /** Memory could not be allocated, or something has no value. */
    OTF2_ERROR_MEM_FAULT = 84,
    /** Memory could not be allocated. */
    OTF2_ERROR_MEM_ALLOC_FAILED = 85,
    /** The call was only partly successful. */
    OTF2_ERROR_PROCESSED_WITH_FAULTS = 86,
    /** The index or id is beyond the end. */
    OTF2_ERROR_INDEX_OUT_OF_BOUNDS = 87,
    /** Invalid line number. */
    OTF2_ERROR_INVALID_LINENO = 88,
    /** The end of a buffer or file was reached. */
    OTF2_ERROR_END_OF_BUFFER = 89,
    /** A file could not be read or written. */
    OTF2_ERROR_FILE_INTERACTION = 90,
    /** A file could not be opened. */
    OTF2_ERROR_FILE_CAN_NOT_OPEN = 91,
    /** A callback asked to stop reading. Reading can go on. */
    OTF2_ERROR_INTERRUPTED_BY_CALLBACK = 92,
    /** The name of a property does not have the form `A::B`. */
    OTF2_ERROR_PROPERTY_NAME_INVALID = 93,
    /** The property has a value that may not be replaced. */
    OTF2_ERROR_PROPERTY_EXISTS = 94,
    /** There is no property of this name. */
    OTF2_ERROR_PROPERTY_NOT_FOUND = 95,
    /** The value of a property is not of the requested type. */
    OTF2_ERROR_PROPERTY_VALUE_INVALID = 96,
    /** The compression of the archive is not supported. */
    OTF2_ERROR_FILE_COMPRESSION_NOT_SUPPORTED = 97,
    /** The location has more than one mapping table of a kind. */
    OTF2_ERROR_DUPLICATE_MAPPING_TABLE = 98,
    /** The archive cannot change to this mode. */
    OTF2_ERROR_INVALID_FILE_MODE_TRANSITION = 99,
    /** A collective callback failed. */
    OTF2_ERROR_COLLECTIVE_CALLBACK = 100,
    /** The substrate of the archive is not supported. */
    OTF2_ERROR_FILE_SUBSTRATE_NOT_SUPPORTED = 101,
    /** The type of an attribute is not the requested one. */
    OTF2_ERROR_INVALID_ATTRIBUTE_TYPE = 102,
    /** A locking callback failed. */
    OTF2_ERROR_LOCKING_CALLBACK = 103,
    /** The hint does not apply to an archive in this mode. */
    OTF2_ERROR_HINT_INVALID = 104,
    /** The hint was set or used before. */
    OTF2_ERROR_HINT_LOCKED = 105,
    /** The hint does not accept this value. */
    OTF2_ERROR_HINT_INVALID_VALUE = 106
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
