/* Allocates and frees memory in known ways, by the part that the argument names. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Allocated before the constructors of all libraries. */
static void* early;

static void allocate_early(void)
{
    early = malloc(11);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = allocate_early;

static int sizes(void)
{
    void *place = NULL, *blocks[10];
    blocks[0] = malloc(1000);
    blocks[1] = calloc(10, 20);
    blocks[2] = realloc(NULL, 30);
    blocks[3] = memalign(64, 400);
    blocks[4] = aligned_alloc(128, 512);
    blocks[5] = valloc(60);
    if (posix_memalign(&place, 64, 70) != 0)
        return 1;
    blocks[6] = place;
    blocks[7] = reallocarray(NULL, 8, 10);
    blocks[8] = malloc(0);
    blocks[9] = strdup("12345678");
    for (int i = 9; i >= 0; i--)
        free(blocks[i]);
    return 0;
}

static int moves(void)
{
    char* block = malloc(100);
    char* barrier = malloc(16);
    block = realloc(block, 50);    /* stays */
    block = realloc(block, 1 << 20); /* moves */
    block = reallocarray(block, 3, 1 << 20);
    block = realloc(block, 0);     /* frees */
    free(barrier);
    return block != NULL;
}

static int failures(void)
{
    char* block = malloc(100);
    volatile size_t huge = SIZE_MAX / 2;
    errno = 0;
    if (malloc(huge) != NULL || errno != ENOMEM)
        return 1;
    if (calloc(huge, 4) != NULL || realloc(block, huge) != NULL || reallocarray(block, huge, 4) != NULL)
        return 2;
    void* place = &place;
    if (posix_memalign(&place, 3, 10) != EINVAL || place != &place)
        return 3;
    errno = 5;
    free(block);
    free(NULL);
    return errno == 5 ? 0 : 4;
}

/* Frees a block that was allocated before the measurement began. */
static int before(void)
{
    free(early);
    early = malloc(10);
    return 0;
}

static void* work(void* unused)
{
    for (int round = 0; round < 1000; round++) {
        void* blocks[10];
        for (int i = 0; i < 10; i++)
            blocks[i] = malloc(100 + i);
        for (int i = 0; i < 10; i++)
            free(blocks[i]);
    }
    return unused;
}

static int threads(void)
{
    pthread_t all[4];
    for (int i = 0; i < 4; i++)
        if (pthread_create(&all[i], NULL, work, NULL) != 0)
            return 1;
    for (int i = 0; i < 4; i++)
        pthread_join(all[i], NULL);
    return 0;
}

static pthread_key_t key;

static void destroy(void* value)
{
    free(value);
    free(malloc(33));
}

static void* keep(void* unused)
{
    pthread_setspecific(key, malloc(44));
    return unused;
}

/* Frees memory when a thread ends, and when the process does. */
static int ends(void)
{
    pthread_t thread;
    pthread_key_create(&key, destroy);
    if (pthread_create(&thread, NULL, keep, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

/* A child holds the memory of its parent. */
static int forks(void)
{
    int status;
    char* block = malloc(500);
    char* other = malloc(300);
    pid_t child = fork();
    if (child == 0) {
        free(block);
        free(malloc(1000));
        exit(0);
    }
    waitpid(child, &status, 0);
    free(block);
    free(other);
    return status;
}

/* Forks while other threads allocate. */
static volatile int stop;

static void* storm(void* unused)
{
    while (!stop) {
        void* blocks[50];
        for (int i = 0; i < 50; i++)
            blocks[i] = malloc(100 + i);
        for (int i = 0; i < 50; i++)
            free(blocks[i]);
        usleep(100);
    }
    return unused;
}

static int storms(void)
{
    pthread_t all[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&all[i], NULL, storm, NULL);
    int failed = 0;
    for (int i = 0; i < 10; i++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0) {
            free(malloc(100));
            _exit(0);
        }
        if (waitpid(child, &status, 0) != child || status != 0)
            failed = 1;
    }
    stop = 1;
    for (int i = 0; i < 3; i++)
        pthread_join(all[i], NULL);
    return failed;
}

int main(int count, char** arguments)
{
    const char* part = count > 1 ? arguments[1] : "";
    int result = 99;
    if (strcmp(part, "sizes") == 0)
        result = sizes();
    else if (strcmp(part, "moves") == 0)
        result = moves();
    else if (strcmp(part, "failures") == 0)
        result = failures();
    else if (strcmp(part, "before") == 0)
        result = before();
    else if (strcmp(part, "threads") == 0)
        result = threads();
    else if (strcmp(part, "ends") == 0)
        result = ends();
    else if (strcmp(part, "forks") == 0)
        result = forks();
    else if (strcmp(part, "storms") == 0)
        result = storms();
    /* Without a stream, whose buffer would be allocated. */
    if (result != 0 && write(2, "failed\n", 7) != 7)
        return 98;
    return result;
}
