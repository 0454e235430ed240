/* Sleeps on small stacks: that of a handler, and of coroutines above and below other mappings. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

static void sleeps(void) {
    struct timespec time = {0, 2000000};
    nanosleep(&time, NULL);
    nanosleep(&time, NULL);
}

static void handle(int signal) {
    (void)signal;
    sleeps();
}

/* Returns a stack with inaccessible memory below it. */
static void *stack(size_t size) {
    char *start = mmap(NULL, size + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(start, 65536, PROT_NONE);
    return start + 65536;
}

static void resume(void (*coroutine)(void), size_t size) {
    static ucontext_t inner, outer;
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack(size);
    inner.uc_stack.ss_size = size;
    inner.uc_link = &outer;
    makecontext(&inner, coroutine, 0);
    swapcontext(&outer, &inner);
}

static void first(void) { sleeps(); }
static void second(void) { sleeps(); }

int main(void) {
    resume(first, 8192);
    size_t size = (2 * getauxval(AT_MINSIGSTKSZ) + 8191) & ~(size_t)4095;
    stack_t alternate = {.ss_sp = stack(size), .ss_size = size};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&alternate, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0) return 1;
    raise(SIGUSR1);
    resume(second, 8192);
    return 3;
}
