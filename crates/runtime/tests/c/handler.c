// A signal handler that ends the process, most likely while the allocator runs.
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

static void end(int number) {
    _exit(number == SIGALRM ? 4 : 5);
}

int main(void) {
    struct itimerval soon = {.it_value = {.tv_usec = 200 * 1000}};
    signal(SIGALRM, end);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;) {
        void *volatile small = malloc(20), *volatile large = malloc(50000);
        free(large);
        free(small);
    }
}
