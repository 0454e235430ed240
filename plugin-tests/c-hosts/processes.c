/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Programs with children and with threads that outlive the measurement: processes PLUGIN DIRECTORY
 * CASE.
 *
 * A child has a copy of the plugin and of the host, and acts like a child of an instrumented
 * program. Every case ends with the exit status 7, or fails with another if a child does not end as
 * it would without the plugin.
 */
#include "host.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

static void await(pid_t child, int status)
{
    int result;
    if (child < 0)
        FAIL("fork: %s", strerror(errno));
    if (waitpid(child, &result, 0) != child || !WIFEXITED(result) || WEXITSTATUS(result) != status)
        FAIL("the child ended with %x, expected %d", result, status);
}

static void child_work(void)
{
    region("region of the child", 1, 1);
    create(3, "location of the child");
    pairs(&locations[3], 3000);
    pairs(&locations[0], 3000);
}

static void fork_exit_at_once(void)
{
    begin();
    pairs(&locations[0], 50);
    const pid_t child = fork();
    if (child == 0)
    {
        child_work();
        _exit(3);
    }
    await(child, 3);
    pairs(&locations[0], 50);
    end();
}

/* The child runs its exit handlers, which end the measurement in the child, too. */
static void fork_exit(void)
{
    begin();
    pairs(&locations[0], 50);
    const pid_t child = fork();
    if (child == 0)
    {
        child_work();
        end();
        exit(4);
    }
    await(child, 4);
    pairs(&locations[0], 50);
    end();
}

/*
 * The parent ends its measurement first, so its archive is complete when the child becomes active.
 */
static void fork_outlives(void)
{
    int ready[2];
    begin();
    pairs(&locations[0], 100);
    if (pipe(ready))
        FAIL("pipe");
    const pid_t child = fork();
    if (child == 0)
    {
        char byte;
        close(ready[1]);
        if (read(ready[0], &byte, 1) < 0)
            _exit(9);
        child_work();
        end();
        exit(5);
    }
    end();
    close(ready[1]);
    await(child, 5);
}

static void fork_before_init_mpp(void)
{
    start(library);
    create(0, "Master thread");
    program_begin();
    const pid_t child = fork();
    if (child == 0)
    {
        init_mpp();
        child_work();
        end();
        exit(4);
    }
    await(child, 4);
    init_mpp();
    pairs(&locations[0], 100);
    end();
}

/* A child created without running the handlers of pthread_atfork. */
static void fork_by_system_call(void)
{
    begin();
    pairs(&locations[0], 50);
    const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
    {
        child_work();
        end();
        _exit(6);
    }
    await(child, 6);
    pairs(&locations[0], 50);
    end();
}

/*
 * A program closes all descriptors, as daemons do, and opens its own files under the numbers of the
 * plugin's descriptors. These files must not change.
 */
static void fork_less_closefrom(void)
{
    enum
    {
        NUMBERS = 1200
    };
    static const char text[] = "the program's own";
    char own[4096];
    begin();
    pairs(&locations[0], 50);
    snprintf(own, sizeof own, "%s-own", directory);
    if (syscall(SYS_close_range, 3, ~0U, 0))
        FAIL("close_range: %s", strerror(errno));
    const int file = open(own, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0 || write(file, text, sizeof text) != sizeof text)
        FAIL("%s: %s", own, strerror(errno));
    for (int number = file + 1; number < NUMBERS; number++)
        dup2(file, number);
    /* Enough events to grow the scratch file and to write to the event file. */
    pairs(&locations[0], 400000);
    char found[2 * sizeof text];
    if (pread(file, found, sizeof found, 0) != sizeof text || memcmp(found, text, sizeof text) != 0)
        FAIL("the program's own file was changed");
    for (int number = file + 1; number < NUMBERS; number++)
        if (fcntl(number, F_GETFD) < 0)
            FAIL("the program's own descriptor %d was closed", number);
    end();
    if (pread(file, found, sizeof found, 0) != sizeof text || memcmp(found, text, sizeof text) != 0)
        FAIL("the program's own file was changed at the end");
    for (int number = file + 1; number < NUMBERS; number++)
        if (fcntl(number, F_GETFD) < 0)
            FAIL("the program's own descriptor %d was closed at the end", number);
    unlink(own);
}

static volatile int stop;
static volatile uint64_t hammered;

static void* hammer(void* argument)
{
    struct SCOREP_Location* location = argument;
    for (uint64_t time = 2000; !stop; time++, hammered++)
    {
        EVENT(ENTER_REGION, EnterRegion, location, time, work, NULL);
        EVENT(EXIT_REGION, ExitRegion, location, time, work, NULL);
    }
    return NULL;
}

static void await_hammer(void)
{
    const uint64_t before = hammered;
    for (int looks = 0; hammered < before + 1000; looks++)
    {
        if (looks == 120000)
            FAIL("the thread does not record");
        usleep(1000);
    }
}

/* A thread continues to record while the measurement ends. */
static void thread_goes_on(void)
{
    pthread_t thread;
    begin();
    create(1, "second");
    pairs(&locations[0], 50);
    if (pthread_create(&thread, NULL, hammer, &locations[1]))
        FAIL("pthread_create");
    await_hammer();
    pairs(&locations[0], 50);
    end();
    await_hammer();
    stop = 1;
    pthread_join(thread, NULL);
}

static volatile int came_back;

/* A thread with a pending cancellation: no call of the plugin may be a cancellation point. */
static void* due(void* unused)
{
    (void)unused;
    pthread_cancel(pthread_self());
    create(1, "second");
    pairs(&locations[1], 50000);
    CALL(deactivate_cpu_location, &locations[1], &locations[0]);
    came_back = 1;
    pthread_testcancel();
    return NULL;
}

static void cancelled_in_a_call(void)
{
    pthread_t thread;
    begin();
    if (pthread_create(&thread, NULL, due, NULL) || pthread_join(thread, NULL))
        FAIL("pthread_create");
    if (!came_back)
        FAIL("cancelled in a call");
    pairs(&locations[0], 100);
    end();
}

CASES(
    CASE(fork_exit_at_once), CASE(fork_exit), CASE(fork_outlives), CASE(fork_before_init_mpp),
    CASE(fork_by_system_call), CASE(fork_less_closefrom), CASE(thread_goes_on), CASE(cancelled_in_a_call))
