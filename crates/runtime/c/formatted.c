/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of ISO C and POSIX with a format and variable arguments, which cannot be written in
 * Rust. Each passes its arguments as a list to its Rust function (src/adapters/io/formatted.rs). */
#include <stdarg.h>

#define FORMATTED(name, parameters, list_parameters, ...)                                                    \
    int kymo_io_list_##name list_parameters;                                                                 \
    int kymo_io_##name parameters;                                                                           \
    int kymo_io_##name parameters                                                                            \
    {                                                                                                        \
        va_list list;                                                                                        \
        va_start(list, format);                                                                              \
        int result = kymo_io_list_##name(__VA_ARGS__, list);                                                 \
        va_end(list);                                                                                        \
        return result;                                                                                       \
    }

/* To or from a standard stream, without and with a flag. */
#define STANDARD(name) FORMATTED(name, (const char* format, ...), (const char*, va_list), format)
#define STANDARD_CHECKED(name)                                                                               \
    FORMATTED(name, (int flag, const char* format, ...), (int, const char*, va_list), flag, format)

/* To or from a stream, without and with a flag. */
#define STREAM(name)                                                                                         \
    FORMATTED(name, (void* stream, const char* format, ...), (void*, const char*, va_list), stream, format)
#define STREAM_CHECKED(name)                                                                                 \
    FORMATTED(name, (void* stream, int flag, const char* format, ...), (void*, int, const char*, va_list),   \
              stream, flag, format)

/* To a descriptor, without and with a flag. */
#define DESCRIPTOR(name)                                                                                     \
    FORMATTED(name, (int descriptor, const char* format, ...), (int, const char*, va_list), descriptor,      \
              format)
#define DESCRIPTOR_CHECKED(name)                                                                             \
    FORMATTED(name, (int descriptor, int flag, const char* format, ...), (int, int, const char*, va_list),   \
              descriptor, flag, format)

STANDARD(printf)
STANDARD_CHECKED(printf_chk)
STREAM(fprintf)
STREAM_CHECKED(fprintf_chk)
DESCRIPTOR(dprintf)
DESCRIPTOR_CHECKED(dprintf_chk)
STANDARD(scanf)
STANDARD(isoc99_scanf)
STANDARD(isoc23_scanf)
STREAM(fscanf)
STREAM(isoc99_fscanf)
STREAM(isoc23_fscanf)
