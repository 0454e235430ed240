/* Uses functions for the first time while it holds, or has not yet asked for, the text of an error
 * of the dynamic linker. Ends with 4. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void one(void) { __asm__ volatile(""); }
__attribute__((noinline)) void two(void) { __asm__ volatile(""); }

static void* thread(void* mutex)
{
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void use(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    one();
    FILE* file = fopen("/dev/null", "w");
    fprintf(file, "%d", 1);
    fclose(file);
    int descriptor = open("/dev/null", O_RDWR);
    if (write(descriptor, "x", 1) != 1)
        abort();
    close(descriptor);
    free(realloc(calloc(1, 10), 20));
    pthread_t other;
    pthread_create(&other, NULL, thread, &mutex);
    pthread_join(other, NULL);
    signal(SIGUSR1, SIG_IGN);
    two();
    char* none[] = {NULL};
    execv("/none/program", none);
    int status = 0;
    if (fork() == 0) {
        one();
        _exit(5);
    }
    wait(&status);
    if (WEXITSTATUS(status) != 5)
        abort();
}

int main(int count, char** arguments)
{
    int is_asked_later = count > 1 && !strcmp(arguments[1], "later");
    dlopen("/none/library.so", RTLD_NOW);
    char* text = is_asked_later ? NULL : dlerror();
    use();
    /* The functions that print are used for the first time, too. */
    puts(is_asked_later ? dlerror() : text);
    printf("%s\n", text ? text : "");
    puts(dlerror() ? "another error" : "no more");
    return 4;
}
