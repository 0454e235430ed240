/* Uses OpenMP in ways whose events are known in advance. The first argument says which. */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_long total;

static int constructs(void)
{
    omp_lock_t      lock;
    omp_nest_lock_t nest;
    long            sum = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int round = 0; round < 3; round++)
    {
#pragma omp parallel num_threads(4) reduction(+ : sum)
        {
#pragma omp for schedule(dynamic, 5)
            for (int i = 0; i < 100; i++) sum += i;
#pragma omp barrier
#pragma omp critical
            total++;
#pragma omp critical(named)
            total++;
#pragma omp single
            total += 10;
            omp_set_lock(&lock);
            total++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            total++;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
#pragma omp sections
            {
#pragma omp section
                sum += 1;
#pragma omp section
                sum += 2;
            }
#pragma omp for ordered schedule(dynamic, 1)
            for (int i = 0; i < 8; i++)
            {
#pragma omp ordered
                total++;
            }
        }
    }
    if (omp_test_lock(&lock)) omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    printf("%ld %ld\n", sum, total);
    return 3;
}

static int nested(void)
{
    omp_set_max_active_levels(3);
    for (int round = 0; round < 3; round++)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp parallel num_threads(3)
            {
                total++;
#pragma omp barrier
                total++;
            }
        }
    }
    printf("%ld\n", total);
    return 0;
}

static long fib(int n)
{
    long a = 0, b = 0;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

/* The program of the recording `omp` of Score-P, made from its events. */
static int recorded(void)
{
    int        sum = 0, result = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
    for (int round = 0; round < 3; round++)
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 12; i++) {
            omp_set_lock(&lock);
            sum++;
            omp_unset_lock(&lock);
        }
#pragma omp critical
        sum++;
#pragma omp barrier
#pragma omp single
        result = (int)fib(5);
    }
    return sum != 45 || result != 5;
}

/* LLVM 14's runtime does not always survive tied and untied tasks that wait for each other. */
static long untied(int n)
{
    long a = 0, b = 0;
    if (n < 2) return n;
#pragma omp task shared(a) untied
    {
        a = untied(n - 1);
#pragma omp taskyield
    }
#pragma omp task shared(b) untied
    b = untied(n - 2);
#pragma omp taskwait
    return a + b;
}

static int untied_tasks(void)
{
    long result = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp task shared(result) untied
        result = untied(9);
    }
    printf("%ld\n", result);
    return 0;
}

static int tasks(void)
{
    long result = 0, x = 0, last = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    {
#pragma omp taskgroup
        result = fib(9);
#pragma omp task depend(out : x) shared(x)
        x = 1;
#pragma omp task depend(in : x) shared(x, last)
        last = x;
#pragma omp taskwait
#pragma omp task if (0) shared(last)
        last++;
    }
    printf("%ld %ld\n", result, last);
    return 0;
}

static void* fulfil(void* event)
{
    usleep(1000);
    omp_fulfill_event((omp_event_handle_t)(size_t)event);
    return NULL;
}

static int detach(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 4; i++)
    {
        omp_event_handle_t event;
        pthread_t          thread;
#pragma omp task detach(event) shared(thread)
        {
            total++;
            pthread_create(&thread, NULL, fulfil, (void*)(size_t)event);
        }
#pragma omp taskwait
        pthread_join(thread, NULL);
    }
    printf("%ld\n", total);
    return 0;
}

static int cancel(void)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 1000; i++)
        {
            if (i == 10)
            {
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 50; i++)
        {
#pragma omp task
            {
                if (i == 3)
                {
#pragma omp cancel taskgroup
                }
            }
        }
    }
    puts("done");
    return 0;
}

/* LLVM 14's runtime hangs in this. */
static int cancel_parallel(void)
{
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 2)
        {
#pragma omp cancel parallel
        }
#pragma omp cancellation point parallel
    }
    puts("done");
    return 0;
}

static void* root(void* nothing)
{
    for (int i = 0; i < 20; i++)
    {
#pragma omp parallel num_threads(3)
        {
            total++;
#pragma omp critical
            total++;
        }
    }
    return nothing;
}

/* The threads end, one of which was the first to use OpenMP. */
static int roots(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, root, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    root(NULL);
    printf("%ld\n", total);
    return 0;
}

static int ends(int number, int is_hard)
{
#pragma omp parallel num_threads(4)
    {
#pragma omp barrier
        if (omp_get_thread_num() == number)
        {
            usleep(10000);
            if (is_hard) _exit(7);
            exit(5);
        }
    }
    return 0;
}

static int forks(void)
{
    int status;
    if (fork() == 0)
    {
        root(NULL);
        exit(total == 120 ? 0 : 1);
    }
    wait(&status);
    root(NULL);
    printf("%ld %d\n", total, WEXITSTATUS(status));
    return 0;
}

/* Each construct belongs to a team of one. Nothing else of OpenMP comes before. */
static int outside(void)
{
#pragma omp for
    for (int i = 0; i < 4; i++) total++;
#pragma omp single
    total++;
#pragma omp barrier
#pragma omp sections
    {
#pragma omp section
        total++;
    }
    printf("%ld\n", total);
    return 0;
}

static int many(long count)
{
    for (long i = 0; i < count; i++)
    {
#pragma omp parallel num_threads(2)
        total++;
    }
    printf("%ld\n", total);
    return 0;
}

int main(int count, char** arguments)
{
    const char* what = count > 1 ? arguments[1] : "";
    int         number = count > 2 ? atoi(arguments[2]) : 0;
    if (!strcmp(what, "constructs")) return constructs();
    if (!strcmp(what, "outside")) return outside();
    if (!strcmp(what, "nested")) return nested();
    if (!strcmp(what, "tasks")) return tasks();
    if (!strcmp(what, "recorded")) return recorded();
    if (!strcmp(what, "detach")) return detach();
    if (!strcmp(what, "cancel")) return cancel();
    if (!strcmp(what, "cancel-parallel")) return cancel_parallel();
    if (!strcmp(what, "untied")) return untied_tasks();
    if (!strcmp(what, "roots")) return roots();
    if (!strcmp(what, "exit")) return ends(number, 0);
    if (!strcmp(what, "_exit")) return ends(number, 1);
    if (!strcmp(what, "forks")) return forks();
    if (!strcmp(what, "many")) return many(number);
    return 99;
}
