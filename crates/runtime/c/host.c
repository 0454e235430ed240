/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread-local variable whose access neither calls nor allocates, which cannot be written in Rust
 * (TLS model initial-exec; the library is loaded when the program starts). */
#include <stddef.h>
#include <stdint.h>

/* Declared as `Thread` in src/thread.rs. */
struct kymo_runtime_thread
{
    void*    location;
    uint32_t state;
    uint32_t owner;
    uint8_t  is_in_library;
    uint8_t  is_in_pool;
    uint64_t id;
    size_t   memory;
    size_t   busy_place;
    void*    jump;
    void*    buffer;
    uint64_t mask;
    uint32_t value;
    void*    slots[24];
    size_t   counts[4];
};

/* As in `src/thread.rs`. */
_Static_assert(sizeof(struct kymo_runtime_thread) == 304 && offsetof(struct kymo_runtime_thread, state) == 8
                   && offsetof(struct kymo_runtime_thread, is_in_library) == 16
                   && offsetof(struct kymo_runtime_thread, id) == 24
                   && offsetof(struct kymo_runtime_thread, busy_place) == 40,
               "the layout of `Thread`");

static __thread struct kymo_runtime_thread thread;

struct kymo_runtime_thread* kymo_runtime_thread(void);
struct kymo_runtime_thread* kymo_runtime_thread(void)
{
    return &thread;
}
