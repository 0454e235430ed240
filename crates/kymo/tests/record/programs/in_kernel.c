// Spends most of its time in the kernel, in page faults and in long system calls, and prints the
// processor time of its functions in nanoseconds.

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 2048 };

// Counts the processor time as the kernel's event `task-clock` does: on a virtual machine, with the
// time that the host takes away. The clock of the thread is without that.
static int task_clock = -1;

static void open_clock(void)
{
    struct perf_event_attr event = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof event,
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    task_clock = (int)syscall(SYS_perf_event_open, &event, 0, -1, -1, 0);
}

static long long now(void)
{
    struct timespec time;
    long long count;
    if (task_clock >= 0 && read(task_clock, &count, sizeof count) == sizeof count)
        return count;
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
    open_clock();
    long long begin = now();
    touch(pages);
    long long touched = now();
    draw();
    long long drawn = now();
    compute();
    printf("%lld %lld %lld\n", touched - begin, drawn - touched, now() - drawn);
    return 0;
}
