/* The main thread ends first; what is registered for the exit runs in the last thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t last;

static void at_exit(void)
{
    puts(pthread_equal(last, pthread_self()) ? "in the last thread" : "in another thread");
}

static void* work(void* nothing)
{
    usleep(20000);
    return nothing;
}

int main(void)
{
    atexit(at_exit);
    pthread_create(&last, NULL, work, NULL);
    pthread_exit(NULL);
}
