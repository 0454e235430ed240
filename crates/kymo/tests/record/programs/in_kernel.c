// Spends most of its time in the kernel, in page faults and in long system calls, and prints the
// processor time of its functions in nanoseconds.

#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <time.h>

enum { PAGE = 4096, PAGES = 2048 };

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// Each first access to a page is a page fault.
__attribute__((noinline)) void touch(volatile char *pages)
{
    for (long long end = now() + 300000000; now() < end;) {
        for (int page = 0; page < PAGES; ++page)
            pages[(long)page * PAGE] = 1;
        madvise((void *)pages, (size_t)PAGES * PAGE, MADV_DONTNEED);
    }
}

// Each call takes some milliseconds.
__attribute__((noinline)) void draw(void)
{
    static char bytes[1 << 20];
    for (long long end = now() + 200000000; now() < end;)
        if (getrandom(bytes, sizeof bytes, 0) < 0)
            return;
}

__attribute__((noinline)) void compute(void)
{
    volatile unsigned sum = 0;
    for (long long end = now() + 100000000; now() < end;)
        for (unsigned number = 0; number < 10000; ++number)
            sum += number;
}

int main(void)
{
    char *pages = mmap(0, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return 1;
    madvise(pages, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    long long begin = now();
    touch(pages);
    long long touched = now();
    draw();
    long long drawn = now();
    compute();
    printf("%lld %lld %lld\n", touched - begin, drawn - touched, now() - drawn);
    return 0;
}
