// The library joins a thread and, before that call returns, another one that has the same id. The
// program joins one thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#ifdef LIBRARY
int is_reused;

static void *begin(void *nothing) {
    return nothing;
}

// A separate function, as a recursive call of `pthread_join` would bypass that of the runtime.
static void create_and_join(pthread_t joined) {
    pthread_t thread;
    pthread_create(&thread, NULL, begin, NULL);
    is_reused = pthread_equal(joined, thread) != 0;
    pthread_join(thread, NULL);
}

int pthread_join(pthread_t thread, void **value) {
    static int is_inner;
    int (*next)(pthread_t, void **) = (int (*)(pthread_t, void **))dlsym(RTLD_NEXT, "pthread_join");
    int result = next(thread, value);
    if (!is_inner) {
        is_inner = 1;
        create_and_join(thread);
    }
    return result;
}
#else
extern int is_reused;

static void *begin(void *nothing) {
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, begin, NULL);
    pthread_join(thread, NULL);
    printf("%d\n", is_reused);
    return 0;
}
#endif
