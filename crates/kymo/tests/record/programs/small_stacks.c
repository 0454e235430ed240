/* Works on small stacks: that of a handler, of a coroutine and of a thread. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

static volatile long sum;

static void work(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        for (int i = 0; i < 10000; i++)
            sum += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 60000000);
}

static void handle(int signal) { (void)signal; work(); }

static void* begin(void* argument) { work(); return argument; }

/* Returns a stack with inaccessible memory below it. */
static void* stack(size_t size)
{
    char* start = mmap(NULL, size + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(start, 65536, PROT_NONE);
    return start + 65536;
}

int main(void)
{
    /* Room for the frames of two signals. */
    size_t size = 2 * getauxval(AT_MINSIGSTKSZ) + 4096;
    size = (size + 4095) & ~(size_t)4095;
    stack_t alternate = {.ss_sp = stack(size), .ss_size = size};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    if (sigaltstack(&alternate, NULL) != 0 || sigaction(SIGUSR1, &action, NULL) != 0)
        return 1;
    raise(SIGUSR1);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);

    static ucontext_t coroutine, back;
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack(size);
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = &back;
    makecontext(&coroutine, work, 0);
    swapcontext(&back, &coroutine);

    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack(16384), 16384) != 0
        || pthread_create(&thread, &attributes, begin, NULL) != 0)
        return 2;
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
