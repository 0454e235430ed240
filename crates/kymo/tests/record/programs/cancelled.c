/* Threads are cancelled while they call functions for the first time (`deferred`): they must go on
 * to the point where they test for it. Or while they compute (`asynchronous`): then no signal of the
 * program is blocked at their end. Ends with 7. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEFERRED = 20, ASYNCHRONOUS = 200 };

static volatile int  go, reached;
static volatile long sink;

#define FUNCTION(n)                                                                                          \
    __attribute__((noinline)) int f##n(int i)                                                                \
    {                                                                                                        \
        __asm__ volatile("");                                                                                \
        return i + n;                                                                                        \
    }
FUNCTION(1) FUNCTION(2) FUNCTION(3) FUNCTION(4)

static void* deferred(void* nothing)
{
    while (!go)
        ;
    int sum = f1(1) + f2(2) + f3(3) + f4(4);
    for (int i = 0; i < 2000; i++)
        sum += f1(i);
    sink += sum;
    reached++;
    pthread_testcancel();
    return nothing;
}

__attribute__((no_instrument_function)) static void at_the_end(void* nothing)
{
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    reached += !nothing && !sigismember(&blocked, SIGUSR1);
}

__attribute__((no_instrument_function)) static void* asynchronous(void* nothing)
{
    pthread_cleanup_push(at_the_end, nothing);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;) {
        sink++;
        go = 1;
    }
    pthread_cleanup_pop(0);
    return nothing;
}

int main(int count, char** arguments)
{
    int is_deferred = count > 1 && !strcmp(arguments[1], "deferred");
    int threads     = is_deferred ? DEFERRED : ASYNCHRONOUS;
    for (int i = 0; i < threads; i++) {
        pthread_t thread;
        void*     result;
        go = 0;
        pthread_create(&thread, NULL, is_deferred ? deferred : asynchronous, NULL);
        if (is_deferred)
            usleep(3000);
        while (!is_deferred && !go)
            ;
        usleep(is_deferred ? 0 : 4000);
        pthread_cancel(thread);
        go = 1;
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            return 1;
    }
    printf("%d of %d\n", reached, threads);
    return 7;
}
