/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded before a program (LD_PRELOAD), makes storage slow or full: KYMO_FAULTS="DELAY FIRST COUNT ERROR". Every positioned write takes
 * DELAY microseconds longer; COUNT of them, from number FIRST on, fail with the number ERROR.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_ulong number;

/* 0, or the error that this write has. */
static int fault(void)
{
    unsigned long delay = 0, first = 0, count = 0;
    int error = 0;
    const char* faults = getenv("KYMO_FAULTS");
    if (!faults || sscanf(faults, "%lu %lu %lu %d", &delay, &first, &count, &error) < 1)
        return 0;
    if (delay)
        usleep((useconds_t)delay);
    const unsigned long at = atomic_fetch_add(&number, 1);
    return at >= first && at - first < count ? error : 0;
}

ssize_t pwrite64(int file, const void* bytes, size_t length, off64_t offset)
{
    static ssize_t (*_Atomic real)(int, const void*, size_t, off64_t);
    if (!real)
        real = (ssize_t (*)(int, const void*, size_t, off64_t))dlsym(RTLD_NEXT, "pwrite64");
    const int error = fault();
    if (error)
    {
        errno = error;
        return -1;
    }
    return real(file, bytes, length, offset);
}
