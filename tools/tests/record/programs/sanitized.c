/* Two threads; what a sanitizer finds is asked for by a word. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int shared;
static char *volatile kept;

static void *counts(void *value) {
    if (value) shared++;
    return malloc(3);
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
    kept = malloc(10);
    if (!strcmp(what, "overflow")) kept[strlen(what) + 2] = 1;
    if (strcmp(what, "leak")) free(kept);
    kept = NULL;
    return 3;
}
