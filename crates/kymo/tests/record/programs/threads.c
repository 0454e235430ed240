/* Two threads that increment one counter. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counts(void *value) {
    for (int time = 0; time < 100; time++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return value;
}

int main(void) {
    pthread_t threads[2];
    for (int number = 0; number < 2; number++) pthread_create(&threads[number], NULL, counts, NULL);
    for (int number = 0; number < 2; number++) pthread_join(threads[number], NULL);
    printf("%d\n", count);
    return 0;
}
