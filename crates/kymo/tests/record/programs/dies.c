/* Works, prints the milliseconds of CPU time, and ends with the signal of the argument. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile long sum;

__attribute__((noinline)) static void spin(long rounds)
{
    for (long i = 0; i < rounds; i++)
        sum += i;
}

int main(int count, char** arguments)
{
    int number = count > 1 ? atoi(arguments[1]) : 0;
    if (number == 0)
        unlink(arguments[0]);
    while (clock() < CLOCKS_PER_SEC * 3 / 10)
        spin(10000);
    printf("%ld\n", (long)(clock() / (CLOCKS_PER_SEC / 1000)));
    fflush(stdout);
    return number == 0 ? 0 : raise(number);
}
