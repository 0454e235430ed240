/* Prints nanoseconds for an enter and a leave, and for reading the clock: `pairs N` calls an empty
 * instrumented function N times and, for comparison, reads the timestamp counter twice per call, as
 * the runtime does. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) void empty(void) {
    __asm__ volatile("");
}

#define NOT_MEASURED __attribute__((no_instrument_function, noinline))

NOT_MEASURED static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);  // the machine may be shared
    return time.tv_sec * 1e9 + time.tv_nsec;
}

NOT_MEASURED static void ticks(void) {
#ifdef __x86_64__
    uint64_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
#else
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
#endif
}

NOT_MEASURED static double calls(long number) {
    double begin = now();
    for (long call = 0; call < number; call++) empty();
    return (now() - begin) / number;
}

NOT_MEASURED static double readings(long number) {
    double begin = now();
    for (long call = 0; call < number; call++) {
        ticks();
        ticks();
    }
    return (now() - begin) / number;
}

NOT_MEASURED int main(int count, char **arguments) {
    long number = count > 1 ? atol(arguments[1]) : 10 * 1000 * 1000;
    double best = 1e9, clock = 1e9;
    calls(1);
    for (int round = 0; round < 5; round++) {
        double pair = calls(number), reading = readings(number);
        best = pair < best ? pair : best;
        clock = reading < clock ? reading : clock;
    }
    printf("%.1f ns per pair, of which %.1f ns are two readings of the clock\n", best, clock);
    return 0;
}
