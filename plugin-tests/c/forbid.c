/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches the actions of plugins inside a callback: a library for the LD_PRELOAD of kymo-replay.
 *
 * The host calls kymo_replay_forbid around the callbacks of plugins. Until it allows everything
 * again, the calling thread must not allocate or free memory, take a lock of the thread library, or
 * make a system call. Each violation prints a line "forbidden: WHAT in CALL" on stderr, and the
 * process continues, or ends if KYMO_FORBID_ABORT is set.
 *
 * Allocations and locks are detected because the functions here precede those of the C library;
 * system calls through Syscall User Dispatch (Linux 5.11, x86-64). A lock taken without a function
 * call (an uncontended lock of Rust's standard library) is not detected.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

enum
{
    ALLOCATION = 1,
    LOCKS = 2,
    SYSTEM_CALLS = 4
};

#define THREAD_LOCAL _Thread_local __attribute__((tls_model("initial-exec")))

static THREAD_LOCAL unsigned forbidden;
static THREAD_LOCAL const char* callback;
static THREAD_LOCAL int dispatching;
/* Read by the kernel at every system call of the thread: 0 lets it pass. */
static THREAD_LOCAL volatile char selector;
static int aborts;

/* Reports a violation. Neither allocates nor takes a lock. */
static void report(const char* what, long number)
{
    char text[256];
    const unsigned before = forbidden;
    const char was_selected = selector;
    forbidden = 0;
    selector = 0;
    int length = number < 0 ? snprintf(text, sizeof text, "forbidden: %s in %s\n", what, callback)
                            : snprintf(text, sizeof text, "forbidden: %s %ld in %s\n", what, number, callback);
    if (write(2, text, (size_t)length) != length || aborts)
        abort();
    forbidden = before;
    selector = was_selected;
}

/* ---- System calls ---- */

#if defined(__x86_64__) && defined(PR_SET_SYSCALL_USER_DISPATCH)
#define HAS_DISPATCH 1

/* The return from a signal handler, the one system call that always passes. */
extern const char kymo_restorer[], kymo_restorer_end[];
__asm__(".text\n"
        ".globl kymo_restorer, kymo_restorer_end\n"
        ".hidden kymo_restorer, kymo_restorer_end\n"
        ".type kymo_restorer, @function\n"
        "kymo_restorer:\n"
        "    movl $15, %eax\n"
        "    syscall\n"
        "    ud2\n"
        "kymo_restorer_end:\n");

/* Reports a system call made while they are forbidden, and makes it. */
static void on_system_call(int signal, siginfo_t* info, void* context)
{
    (void)signal;
    selector = 0;
    greg_t* registers = ((ucontext_t*)context)->uc_mcontext.gregs;
    const int saved = errno;
    report("system call", info->si_syscall);
    long result = syscall(info->si_syscall, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                          registers[REG_R8], registers[REG_R9]);
    registers[REG_RAX] = result == -1 ? -errno : result;
    errno = saved;
    selector = 1;
}

static int dispatch(void)
{
    /* The structure of the kernel; the C library would insert its own restorer. */
    struct
    {
        void (*handler)(int, siginfo_t*, void*);
        unsigned long flags;
        const void* restorer;
        uint64_t mask;
    } action = { on_system_call, SA_SIGINFO | SA_NODEFER | 0x04000000 /* SA_RESTORER */, kymo_restorer, 0 };
    return syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, sizeof action.mask) == 0
           && prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, kymo_restorer, kymo_restorer_end - kymo_restorer, &selector)
                  == 0;
}
#else
#define HAS_DISPATCH 0
#endif

static void start_thread(void)
{
    dispatching = -1;
    aborts = getenv("KYMO_FORBID_ABORT") != NULL;
#if HAS_DISPATCH
    if (dispatch())
        dispatching = 1;
#endif
    if (dispatching < 0)
        fputs("forbid: system calls cannot be watched on this machine\n", stderr);
}

/*
 * Forbids the calling thread the actions that the bits name, in the callback of this name; 0
 * allows everything.
 */
void kymo_replay_forbid(unsigned what, const char* name);
void kymo_replay_forbid(unsigned what, const char* name)
{
    if (!dispatching)
        start_thread();
    if (!what)
    {
        selector = 0;
        forbidden = 0;
        return;
    }
    callback = name;
    forbidden = what;
    if (what & SYSTEM_CALLS && dispatching == 1)
        selector = 1;
}

/* ---- Memory ---- */

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* memory, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* memory);

#define ALLOCATES(name)                 \
    do                                  \
    {                                   \
        if (forbidden & ALLOCATION)     \
            report(name, -1);           \
    } while (0)

void* malloc(size_t size)
{
    ALLOCATES("malloc");
    return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
    ALLOCATES("calloc");
    return __libc_calloc(count, size);
}

void* realloc(void* memory, size_t size)
{
    ALLOCATES("realloc");
    return __libc_realloc(memory, size);
}

void free(void* memory)
{
    ALLOCATES("free");
    __libc_free(memory);
}

void* memalign(size_t alignment, size_t size);
void* memalign(size_t alignment, size_t size)
{
    ALLOCATES("memalign");
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
    ALLOCATES("aligned_alloc");
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, size_t alignment, size_t size)
{
    ALLOCATES("posix_memalign");
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

/* ---- Locks ---- */

/* A watched function of the thread library; finds the real one at its first call. */
#define WATCHED(name, parameters, arguments)                        \
    int name parameters                                             \
    {                                                               \
        static int(*volatile real) parameters;                      \
        const unsigned before = forbidden;                          \
        if (before & LOCKS)                                         \
            report(#name, -1);                                      \
        if (!real)                                                  \
        {                                                           \
            forbidden = 0;                                          \
            *(void**)&real = dlsym(RTLD_NEXT, #name);               \
            forbidden = before;                                     \
        }                                                           \
        return real arguments;                                      \
    }

WATCHED(pthread_mutex_lock, (pthread_mutex_t * mutex), (mutex))
WATCHED(pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
WATCHED(pthread_rwlock_rdlock, (pthread_rwlock_t * lock), (lock))
WATCHED(pthread_rwlock_wrlock, (pthread_rwlock_t * lock), (lock))
WATCHED(pthread_spin_lock, (pthread_spinlock_t * lock), (lock))
WATCHED(sem_wait, (sem_t * semaphore), (semaphore))
WATCHED(pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t* mutex), (condition, mutex))
