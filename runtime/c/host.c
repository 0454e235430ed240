/* SPDX-License-Identifier: BSD-3-Clause */
/* What Rust cannot say: a thread-local variable whose access neither calls nor allocates (model initial-exec; the library is
 * there when the program starts). */
#include <stdint.h>

/* As `Thread` in src/thread.rs. */
struct kymo_runtime_thread
{
    void*    location;
    uint32_t busy;
    uint32_t held;
};

static __thread struct kymo_runtime_thread thread;

struct kymo_runtime_thread* kymo_runtime_thread(void);
struct kymo_runtime_thread* kymo_runtime_thread(void)
{
    return &thread;
}
