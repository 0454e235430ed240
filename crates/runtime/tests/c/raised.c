/* A handler of SIGUSR2 that calls a function as often as the argument says. A metric plugin raises
 * the signal while the runtime asks it for something. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static int calls;

__attribute__((noinline)) static void in_handler(void)
{
    __asm__ volatile("");
}

static void handle(int number)
{
    (void)number;
    for (int i = 0; i < calls; i++)
        in_handler();
}

__attribute__((noinline)) static void step(void)
{
    __asm__ volatile("");
}

static void* work(void* unused)
{
    for (int i = 0; i < 10; i++)
        step();
    return unused;
}

int main(int count, char** arguments)
{
    pthread_t thread;
    calls = count > 1 ? atoi(arguments[1]) : 0;
    signal(SIGUSR2, handle);
    if (pthread_create(&thread, NULL, work, NULL) != 0)
        return 2;
    return pthread_join(thread, NULL);
}
