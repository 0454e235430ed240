/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes calls of the C library fail: a library for the LD_PRELOAD of any measured program.
 *
 * KYMO_FAIL is `KIND NUMBER LAST ERROR`. Calls of a kind that the code of the plugin and of the
 * runtime makes are numbered; those from NUMBER to LAST fail with the error number ERROR (0: a
 * short count, if the kind has one). At the first failure, a line is appended to the file
 * KYMO_FAIL_LOG, so that a loop over all calls can detect its end. With KYMO_FAIL_RANK only the
 * process that plays this rank has failures.
 *
 * Calls are attributed by their return address. Calls that the C library makes itself do not count.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

static char kind[32];
static unsigned long first, last;
static int error;
static const char* log_file;
static atomic_ulong calls;
static atomic_int has_logged;

/* Whether KYMO_FAIL_RANK names the rank of this process, or is not set. */
static int is_meant(int count, char** arguments)
{
    const char* rank = getenv("KYMO_FAIL_RANK");
    for (int i = 1; rank != NULL && i + 1 < count; ++i)
        if (strcmp(arguments[i], "--member") == 0)
            return strcmp(arguments[i + 1], rank) == 0;
    return rank == NULL;
}

__attribute__((constructor)) static void read_settings(int count, char** arguments)
{
    const char* settings = is_meant(count, arguments) ? getenv("KYMO_FAIL") : NULL;
    if (settings != NULL && sscanf(settings, "%31s %lu %lu %d", kind, &first, &last, &error) != 4)
        abort();
    log_file = getenv("KYMO_FAIL_LOG");
}

/*
 * Whether an address is in the code of the plugin or of the runtime. Answers are cached by page,
 * because dladdr takes the loader's lock.
 */
static int is_ours(const void* address)
{
    enum
    {
        PAGES = 1 << 14
    };
    static _Atomic uintptr_t known[PAGES];
    const uintptr_t page = (uintptr_t)address >> 12;
    _Atomic uintptr_t* place = &known[page % PAGES];
    const uintptr_t answer = atomic_load_explicit(place, memory_order_relaxed);
    if (answer >> 1 == page)
        return answer & 1;
    Dl_info info;
    const int found = dladdr(address, &info) != 0 && info.dli_fname != NULL;
    const int ours = found && (strstr(info.dli_fname, "libscorep_substrate_") != NULL
                               || strstr(info.dli_fname, "libkymo_runtime") != NULL);
    atomic_store_explicit(place, page << 1 | (uintptr_t)ours, memory_order_relaxed);
    return ours;
}

static void log_first(void)
{
    if (log_file == NULL || atomic_exchange(&has_logged, 1))
        return;
    const long file = syscall(SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        abort();
    syscall(SYS_write, file, "met\n", 4);
    syscall(SYS_close, file);
}

static int fails(const char* call, const void* caller)
{
    if (strcmp(call, kind) != 0 || !is_ours(caller))
        return 0;
    const unsigned long number = atomic_fetch_add(&calls, 1) + 1;
    if (number < first || number > last)
        return 0;
    log_first();
    errno = error;
    return 1;
}

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (next == NULL) \
    next = (__typeof__(next))dlsym(RTLD_NEXT, #name)

#define FAILS(call) fails(call, __builtin_return_address(0))

/* ---- Memory. `dlsym` allocates, so the real functions are called by their internal names. ---- */

void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* block, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

void* malloc(size_t size)
{
    return FAILS("malloc") ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    return FAILS("malloc") ? NULL : __libc_calloc(count, size);
}

void* realloc(void* block, size_t size)
{
    return FAILS("malloc") ? NULL : __libc_realloc(block, size);
}

int posix_memalign(void** block, size_t alignment, size_t size)
{
    if (FAILS("malloc") || (*block = __libc_memalign(alignment, size)) == NULL)
        return ENOMEM;
    return 0;
}

/* ---- Files. ---- */

int open64(const char* path, int flags, ...)
{
    va_list more;
    va_start(more, flags);
    const mode_t mode = va_arg(more, mode_t);
    va_end(more);
    NEXT(open64);
    return FAILS("open") ? -1 : next(path, flags, mode);
}

int close(int file)
{
    NEXT(close);
    const int result = next(file);
    return FAILS("close") ? -1 : result;
}

ssize_t read(int file, void* bytes, size_t count)
{
    NEXT(read);
    if (FAILS("read"))
    {
        if (error != 0)
            return -1;
        count = count > 0;
    }
    return next(file, bytes, count);
}

ssize_t write(int file, const void* bytes, size_t count)
{
    NEXT(write);
    /* Messages never fail. */
    if (file != 2 && FAILS("write"))
    {
        if (error != 0)
            return -1;
        count = count > 0;
    }
    return next(file, bytes, count);
}

ssize_t pwrite64(int file, const void* bytes, size_t count, off64_t offset)
{
    NEXT(pwrite64);
    if (FAILS("write"))
    {
        if (error != 0)
            return -1;
        count = count > 0;
    }
    return next(file, bytes, count, offset);
}

#define FAILING(result, none, name, call, parameters, arguments) \
    result name parameters \
    { \
        NEXT(name); \
        return FAILS(call) ? none : next arguments; \
    }

FAILING(int, -1, mkdir, "mkdir", (const char* path, mode_t mode), (path, mode))
FAILING(int, -1, rename, "rename", (const char* from, const char* to), (from, to))
FAILING(int, -1, unlink, "unlink", (const char* path), (path))
FAILING(int, -1, rmdir, "unlink", (const char* path), (path))
FAILING(int, -1, fdatasync, "fsync", (int file), (file))
FAILING(int, -1, stat64, "stat", (const char* path, struct stat64* result), (path, result))
FAILING(int, -1, lstat64, "stat", (const char* path, struct stat64* result), (path, result))
FAILING(int, -1, fstat64, "stat", (int file, struct stat64* result), (file, result))
FAILING(
    int, -1, statx, "stat",
    (int folder, const char* restrict path, int flags, unsigned mask, struct statx* restrict result),
    (folder, path, flags, mask, result))
FAILING(ssize_t, -1, readlink, "readlink", (const char* path, char* text, size_t size), (path, text, size))
FAILING(char*, NULL, realpath, "readlink", (const char* path, char* text), (path, text))
FAILING(char*, NULL, getcwd, "getcwd", (char* text, size_t size), (text, size))
FAILING(ssize_t, -1, getrandom, "getrandom", (void* bytes, size_t size, unsigned flags), (bytes, size, flags))
FAILING(DIR*, NULL, opendir, "opendir", (const char* path), (path))
FAILING(int, -1, memfd_create, "memfd", (const char* name, unsigned flags), (name, flags))
FAILING(FILE*, NULL, fopen, "open", (const char* path, const char* mode), (path, mode))
FAILING(
    void*, MAP_FAILED, mmap64, "mmap",
    (void* start, size_t length, int protection, int flags, int file, off64_t offset),
    (start, length, protection, flags, file, offset))

int closedir(DIR* folder)
{
    NEXT(closedir);
    const int result = next(folder);
    return FAILS("close") ? -1 : result;
}

struct dirent64* readdir64(DIR* folder)
{
    NEXT(readdir64);
    return FAILS("read") ? NULL : next(folder);
}

int fcntl64(int file, int command, ...)
{
    va_list more;
    va_start(more, command);
    void* argument = va_arg(more, void*);
    va_end(more);
    NEXT(fcntl64);
    return FAILS("fcntl") ? -1 : next(file, command, argument);
}

int fcntl(int file, int command, ...)
{
    va_list more;
    va_start(more, command);
    void* argument = va_arg(more, void*);
    va_end(more);
    NEXT(fcntl);
    return FAILS("fcntl") ? -1 : next(file, command, argument);
}

/* ---- Processes. ---- */

/*
 * Makes the kernel refuse forks of this thread from now on. The handlers of `pthread_atfork` run as
 * in a real failure; other threads continue.
 */
static void refuse_forks(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
        abort();
}

/* Forks of the program count; the plugin makes none. */
pid_t fork(void)
{
    NEXT(fork);
    if (strcmp(kind, "fork") == 0)
    {
        const unsigned long number = atomic_fetch_add(&calls, 1) + 1;
        if (number >= first && number <= last)
        {
            log_first();
            refuse_forks();
        }
    }
    return next();
}

/* ---- Threads and libraries. ---- */

int pthread_create(
    pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*), void* argument)
{
    NEXT(pthread_create);
    return FAILS("pthread_create") ? error : next(thread, attributes, start, argument);
}

int pthread_key_create(pthread_key_t* key, void (*destroy)(void*))
{
    NEXT(pthread_key_create);
    return FAILS("pthread_key_create") ? error : next(key, destroy);
}
