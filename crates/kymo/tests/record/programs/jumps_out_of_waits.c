// A handler computes, and jumps out of the call that it has interrupted.
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigjmp_buf place;
static volatile long sum;
static int ends[2];

__attribute__((noinline)) static void burn(void) {
    struct timespec begin, now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
    do {
        for (int i = 0; i < 10000; i++) sum += i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    } while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < 40000000);
}

static void handle(int number) {
    (void)number;
    burn();
    siglongjmp(place, 1);
}

__attribute__((noinline)) static long waits(void) {
    char byte;
    return read(ends[0], &byte, 1);
}

__attribute__((noinline)) static void after(void) { burn(); }

int main(void) {
    signal(SIGALRM, handle);
    if (pipe(ends)) return 1;
    if (sigsetjmp(place, 1) == 0) {
        alarm(1);
        return waits() == 1 ? 2 : 4;
    }
    after();
    return 3;
}
