// A thread with the smallest possible stack.
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

__attribute__((noinline)) void work(void) {
    __asm__ volatile("");
}

static void *begin(void *nothing) {
    work();
    return nothing;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    size_t size;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, PTHREAD_STACK_MIN);
    int result = pthread_create(&thread, &attributes, begin, NULL);
    pthread_join(thread, NULL);
    pthread_attr_getstacksize(&attributes, &size);
    printf("%d %d\n", result, size == PTHREAD_STACK_MIN);
    return 0;
}
