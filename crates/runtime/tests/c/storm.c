// A signal handler that repeatedly interrupts the allocator, and calls functions for the first
// time.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

#define FUNCTION(number) \
    __attribute__((noinline)) void function##number(void) { \
        __asm__ volatile(""); \
    }
#define TEN(EACH, tens) \
    EACH(tens##0) EACH(tens##1) EACH(tens##2) EACH(tens##3) EACH(tens##4) \
    EACH(tens##5) EACH(tens##6) EACH(tens##7) EACH(tens##8) EACH(tens##9)
#define ALL(EACH) TEN(EACH, 1) TEN(EACH, 2) TEN(EACH, 3) TEN(EACH, 4) TEN(EACH, 5)
#define NAME(number) function##number,

ALL(FUNCTION)

static void (*const functions[])(void) = {ALL(NAME)};
enum { FUNCTIONS = 50, CALLS = 20 * FUNCTIONS };
static volatile int calls;

static void tick(int number) {
    (void)number;
    if (calls < CALLS) functions[calls++ % FUNCTIONS]();
}

int main(void) {
    struct itimerval often = {.it_interval = {.tv_usec = 300}, .it_value = {.tv_usec = 300}}, never = {0};
    void *blocks[64] = {0};
    unsigned random = 1;
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &often, NULL);
    while (calls < CALLS) {
        random = random * 1103515245 + 12345;
        void **block = &blocks[(random >> 16) % 64];
        free(*block);
        *block = malloc(1 + (random >> 8) % 40000);
    }
    setitimer(ITIMER_REAL, &never, NULL);
    puts("done");
    return 0;
}
