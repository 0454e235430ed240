/* Makes calls that are recorded from known functions, and computes in others between them. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;
static jmp_buf back;
static int null;
static char handler_stack[1 << 18];

/* Uses the processor for two milliseconds, so that samples are taken. */
__attribute__((noinline)) void burn(void)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        for (int i = 0; i < 1000; i++)
            sink += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 2000000);
}

__attribute__((noinline)) void put(void)
{
    sink += write(null, "x", 1);
    sink += 1;
}

__attribute__((noinline)) void first(void)
{
    burn();
    put();
    sink += 1;
}

__attribute__((noinline)) void second(int depth)
{
    burn();
    if (depth)
        second(depth - 1);
    else
        put();
    sink += 1;
}

__attribute__((noinline)) void jump(void)
{
    put();
    longjmp(back, 1);
}

__attribute__((noinline)) void returned(void)
{
    if (!setjmp(back))
        jump();
    burn();
    put();
}

static void handle(int number)
{
    put();
    sink += number;
}

__attribute__((noinline)) void interrupted(void)
{
    /* A signal that interrupts this function, not one of the C library. */
#ifdef __x86_64__
    __asm__ volatile("int3");
#else
    handle(SIGTRAP);
#endif
    burn();
    sink += 1;
}

__attribute__((noinline)) void middle(void)
{
    put();
    sink += 1;
}

/* The stacks of these two differ in one return address. */
__attribute__((noinline)) void left(void)
{
    middle();
    sink += 1;
}

__attribute__((noinline)) void right(void)
{
    middle();
    sink += 2;
}

static void* work(void* unused)
{
    first();
    sink += 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    null = open("/dev/null", O_WRONLY);
    /* The handler has a stack of its own in every second round. */
    const stack_t other = { .ss_sp = handler_stack, .ss_size = sizeof handler_stack };
    sigaltstack(&other, NULL);
    for (int i = 0; i < 20; i++) {
        const struct sigaction action = { .sa_handler = handle, .sa_flags = i % 2 ? SA_ONSTACK : 0 };
        sigaction(SIGTRAP, &action, NULL);
        burn();
        first();
        second(2);
        returned();
        interrupted();
        left();
        right();
        put();
    }
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    close(null);
    return 4;
}
