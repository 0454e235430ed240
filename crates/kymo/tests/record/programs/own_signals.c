// Waits for any signal, with all signals blocked, while its thread computes and is sampled.
#include <signal.h>
#include <stdio.h>
#include <time.h>

static volatile double sum;

int main(void) {
    sigset_t all;
    sigfillset(&all);
    struct timespec short_time = {0, 1000 * 1000};
    siginfo_t info;
    for (int round = 0; round < 50; round++) {
        // Signals that come now are blocked, and wait.
        sigprocmask(SIG_UNBLOCK, &all, NULL);
        for (int i = 0; i < 1000000; i++) sum += i;
        sigprocmask(SIG_BLOCK, &all, NULL);
        for (int i = 0; i < 1000000; i++) sum += i;
        if (sigtimedwait(&all, &info, &short_time) != -1) return printf("%d\n", info.si_signo), 1;
    }
    raise(SIGUSR1);
    int number = 0;
    return sigwait(&all, &number) == 0 && number == SIGUSR1 ? 3 : 2;
}
