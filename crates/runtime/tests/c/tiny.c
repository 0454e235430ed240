// Functions with calls of different durations: short ones, a recursive one, a slow one. Two
// threads.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile long sum;
static jmp_buf place;

__attribute__((noinline)) void tiny(void) { __sync_fetch_and_add(&sum, 1); }

__attribute__((noinline)) int fibonacci(int number) {
    return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
}

__attribute__((noinline)) void jumps(int number) {
    tiny();
    if (number % 2) longjmp(place, 1);
}

__attribute__((noinline)) void slow(void) {
    for (int time = 0; time < 10; time++) tiny();
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static void *work(void *value) {
    for (int time = 0; time < 100000; time++) tiny();
    return value;
}

int main(int count, char **arguments) {
    pthread_t thread;
    (void)count;
    if (!strcmp(arguments[1], "threads")) {
        pthread_create(&thread, NULL, work, NULL);
        work(NULL);
        pthread_join(thread, NULL);
        for (int time = 0; time < 100; time++) slow();
    }
    if (!strcmp(arguments[1], "recursion")) printf("%d\n", fibonacci(20));
    if (!strcmp(arguments[1], "fork")) {
        for (int time = 0; time < 5000; time++) tiny();
        if (fork()) return wait(NULL) < 0;
        for (int time = 0; time < 700; time++) tiny();
        return 0;
    }
    // Volatile, as it changes between `setjmp` and `longjmp`.
    static volatile int number;
    if (!strcmp(arguments[1], "jumps")) {
        for (number = 0; number < 3000; number++) {
            if (!setjmp(place)) jumps(number);
        }
    }
    printf("%ld\n", sum);
    return 0;
}
