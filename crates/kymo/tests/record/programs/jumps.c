/* A handler jumps out of functions that call an instrumented function, or read and write, all the
 * time. Ends when that has happened often. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define PLAIN __attribute__((no_instrument_function))

enum { JUMPS = 200 };

static sigjmp_buf            place;
static volatile long         sink;
static volatile sig_atomic_t is_armed;

PLAIN static void handler(int signal)
{
    (void)signal;
    if (is_armed) {
        is_armed = 0;
        siglongjmp(place, 1);
    }
}

void leaf(int i) { sink += i; }
void attempt(void)
{
    is_armed = 1;
    for (int i = 0;; i++)
        leaf(i);
}
void after(void) { sink++; }

PLAIN static void transfer(void)
{
    char byte;
    for (;;) {
        if (read(-1, &byte, 1) == 1 || write(-1, &byte, 0) == 1)
            return;
        is_armed = 1;
    }
}

int main(int count, char** arguments)
{
    int is_transfer = count > 1 && !strcmp(arguments[1], "io");
    signal(SIGALRM, handler);
    for (int i = 0; i < JUMPS; i++) {
        if (!sigsetjmp(place, 1)) {
            /* Until the handler may jump. */
            struct itimerval time = {{0, 1000}, {0, 300 + i * 7 % 500}};
            setitimer(ITIMER_REAL, &time, NULL);
            if (is_transfer)
                transfer();
            else
                attempt();
        }
        after();
        if (is_transfer && access("/", F_OK))
            return 1;
    }
    /* Jumps within functions, without signals. */
    if (!setjmp(place))
        longjmp(place, 1);
    after();
    return 6;
}
