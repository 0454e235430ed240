/* Two threads, and a fault for a sanitizer to find, selected by a word. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int shared, guarded;
static char *volatile kept;

static void *counts(void *value) {
    if (value) shared++;
    for (int time = 0; time < 1000; time++) {
        pthread_mutex_lock(&first);
        guarded++;
        pthread_mutex_unlock(&first);
    }
    return malloc(3);
}

static void both(pthread_mutex_t *outer, pthread_mutex_t *inner) {
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    pthread_t threads[2];
    for (int number = 0; number < 2; number++) {
        pthread_create(&threads[number], NULL, counts, strcmp(what, "race") ? NULL : &shared);
    }
    for (int number = 0; number < 2; number++) {
        void *value;
        pthread_join(threads[number], &value);
        free(value);
    }
    if (!strcmp(what, "inversion")) {
        both(&first, &second);
        both(&second, &first);
    }
    kept = malloc(10);
    if (!strcmp(what, "overflow")) kept[strlen(what) + 2] = 1;
    if (strcmp(what, "leak")) free(kept);
    kept = NULL;
    return 3;
}
