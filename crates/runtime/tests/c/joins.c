// Threads that create and join other threads in sequence. Usage: joins CREATORS CREATED
#include <pthread.h>
#include <stdlib.h>

static int created;

static void *nothing(void *it) {
    return it;
}

static void *create(void *it) {
    for (int number = 0; number < created; number++) {
        pthread_t thread;
        pthread_create(&thread, NULL, nothing, NULL);
        pthread_join(thread, NULL);
    }
    return it;
}

int main(int count, char **arguments) {
    int creators = count > 2 ? atoi(arguments[1]) : 1;
    pthread_t *threads = calloc(creators, sizeof *threads);
    created = count > 2 ? atoi(arguments[2]) : 1;
    for (int number = 0; number < creators; number++) {
        pthread_create(&threads[number], NULL, create, NULL);
    }
    for (int number = 0; number < creators; number++) {
        pthread_join(threads[number], NULL);
    }
    free(threads);
    return 0;
}
