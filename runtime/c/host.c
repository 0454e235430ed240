/* SPDX-License-Identifier: BSD-3-Clause */
/* The two things of the runtime that Rust cannot say: a function of variable arguments, and a thread-local variable whose
 * access neither calls nor allocates (model initial-exec; the library is there when the program starts). */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* As `Thread` in src/thread.rs. */
struct kymo_runtime_thread
{
    void*    location;
    uint32_t busy;
};

static __thread struct kymo_runtime_thread thread;

struct kymo_runtime_thread* kymo_runtime_thread(void);
struct kymo_runtime_thread* kymo_runtime_thread(void)
{
    return &thread;
}

/* One file of the experiment directory in its manifest: name, then a description in printf format. */
void kymo_runtime_manifest_entry(FILE* out, const char* file, const char* format, ...);
void kymo_runtime_manifest_entry(FILE* out, const char* file, const char* format, ...)
{
    va_list arguments;
    fprintf(out, "* `%s`: ", file);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
}
