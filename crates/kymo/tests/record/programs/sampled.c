/* Actions that samples could disturb, by the argument. Returns 0 if nothing was disturbed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef LIKE_GO
/* The mark of programs in Go. */
__attribute__((section(".go.buildinfo"), used)) static const char mark[] = "go";
#endif

static volatile double sink;
static volatile int stop;

static void spend(long count)
{
    for (long i = 0; i < count; i++)
        sink += 1;
}

/* Executes itself in children, which end at once. */
static int execute(char* self)
{
    for (int i = 0; i < 30; i++) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            spend(300000);
            execl(self, self, "nothing", NULL);
            _exit(1);
        }
        waitpid(child, &status, 0);
        if (status != 0) {
            printf("a child ended with %x\n", status);
            return 1;
        }
    }
    return 0;
}

static void* allocate(void* unused)
{
    void* blocks[100] = {0};
    for (unsigned number = 1; !stop; number = number * 1103515245 + 12345) {
        unsigned place = (number >> 16) % 100;
        free(blocks[place]);
        blocks[place] = malloc((number >> 8) % 5000 + 1);
    }
    for (int i = 0; i < 100; i++)
        free(blocks[i]);
    return unused;
}

static void* load(void* unused)
{
    while (!stop) {
        void* library = dlopen("libm.so.6", RTLD_NOW);
        double (*function)(double) = library ? (double (*)(double))dlsym(library, "sin") : NULL;
        for (int i = 0; function && i < 10000; i++)
            sink += function(i);
        if (library)
            dlclose(library);
    }
    return unused;
}

static void* copy(void* unused)
{
    while (!stop) {
        int status;
        pid_t child = fork();
        if (child == 0) {
            spend(1000000);
            _exit(0);
        }
        waitpid(child, &status, 0);
        if (status != 0)
            printf("a child ended with %x\n", status);
    }
    return unused;
}

static void* start(void* unused)
{
    while (!stop) {
        pthread_t thread;
        void* text;
        pthread_create(&thread, NULL, (void* (*)(void*))strdup, "text");
        pthread_join(thread, &text);
        free(text);
    }
    return unused;
}

/* Allocates, loads libraries, forks and starts threads at the same time. */
static int storm(void)
{
    void* (*kinds[])(void*) = {allocate, load, copy, start, allocate};
    pthread_t threads[5];
    for (int i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, kinds[i], NULL);
    sleep(2);
    stop = 1;
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static volatile int seen;

static void handle(int signal) { seen = signal; }

/* Uses the signal of the samples itself. */
static int claim(void)
{
    int number = SIGRTMIN + 5;
    spend(20000000);
    if (signal(number, SIG_IGN) != SIG_DFL || signal(number, SIG_DFL) == SIG_ERR)
        return 1;
    spend(20000000);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    if (sigaction(number, &action, NULL) != 0)
        return 2;
    spend(20000000);
    if (seen != 0)
        return 3;
    raise(number);
    return seen == number ? 0 : 4;
}

/* Waits in calls that a signal handler interrupts, and that are not restarted. */
static int wait_often(void)
{
    int interrupted = 0;
    for (int i = 0; i < 300; i++) {
        struct timespec pause = {0, 1000000};
        spend(200000);
        interrupted += nanosleep(&pause, NULL) != 0;
    }
    return interrupted > 0;
}

int main(int count, char** arguments)
{
    const char* what = count > 1 ? arguments[1] : "";
    if (strcmp(what, "nothing") == 0)
        return 0;
    if (strcmp(what, "execute") == 0)
        return execute(arguments[0]);
    if (strcmp(what, "storm") == 0)
        return storm();
    if (strcmp(what, "claim") == 0)
        return claim();
    return wait_often();
}
