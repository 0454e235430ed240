/* The main thread ends first; exit handlers run in the last thread. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t first, last;

static void at_exit(void)
{
    puts(pthread_equal(last, pthread_self()) ? "in the last thread" : "in another thread");
}

static void* work(void* nothing)
{
    pthread_join(first, NULL);
    return nothing;
}

int main(void)
{
    atexit(at_exit);
    first = pthread_self();
    pthread_create(&last, NULL, work, NULL);
    pthread_exit(NULL);
}
