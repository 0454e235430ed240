// A signal handler that repeatedly interrupts calls, most of them inside the runtime, and makes
// calls itself.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

enum { SIGNALS = 3000 };
static volatile int signals, calls;

__attribute__((noinline)) static void inner(void) {
    __asm__ volatile("");
}

__attribute__((noinline)) static void busy(void) {
    inner();
}

__attribute__((noinline)) static void in_handler(void) {
    __asm__ volatile("");
}

__attribute__((noinline)) static void handle(int number) {
    (void)number;
    signals++;
    for (int i = 0; i < 3; i++) {
        in_handler();
        calls++;
    }
}

int main(void) {
    struct itimerval often = {.it_interval = {.tv_usec = 50}, .it_value = {.tv_usec = 50}}, never = {0};
    signal(SIGALRM, handle);
    setitimer(ITIMER_REAL, &often, NULL);
    while (signals < SIGNALS) busy();
    setitimer(ITIMER_REAL, &never, NULL);
    fprintf(stdout, signals < SIGNALS ? "too few\n" : "done\n");
    FILE *counted = fopen("counted", "w");
    fprintf(counted, "%d %d", signals, calls);
    return fclose(counted);
}
