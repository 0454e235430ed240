/* The calls of the program in the recording `threads` of Score-P, as its events tell. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 3, ROUNDS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *argument) {
    char name[32], bytes[512] = {0};
    sprintf(name, "scratch%d.bin", (int)(intptr_t)argument);
    for (int i = 1; i <= 5; i++) {
        char *block = malloc(1000 * i);
        block = realloc(block, 3000 * i);
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
        free(block);
    }
    int file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 3; i++) write(file, bytes, 512);
    lseek(file, 0, SEEK_SET);
    while (read(file, bytes, 300) > 0) {}
    int other = dup(file);
    close(file);
    close(other);
    unlink(name);
    FILE *stream = fopen(name, "w");
    fprintf(stream, "%s", "some text");
    fseek(stream, 0, SEEK_SET);
    fclose(stream);
    remove(name);
    return NULL;
}

int main(void) {
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t threads[THREADS];
        for (intptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, worker, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    }
    printf("%s", "ok\n");
    return 0;
}
