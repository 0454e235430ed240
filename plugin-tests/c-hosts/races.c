/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Creates children while threads record: races PLUGIN DIRECTORY CASE, with the number of children
 * in KYMO_RACES.
 *
 * Children are created in every possible way and use their copy of the plugin in every way a child
 * may. The main thread and two others record meanwhile; at the end, the number of their events is
 * printed for each location. Ends with status 7.
 */
#include "host.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/time.h>

extern char** environ;

enum
{
    HOT = 2,
    CHILD_DONE = 3,
    STACK = 1 << 16
};

static char* const nothing_to_do[] = { "true", NULL };
static volatile int stop;
static uint64_t recorded[1 + HOT];

/* A pair of events whose times count the events of the location. */
static void pair(int location)
{
    uint64_t* count = &recorded[location];
    EVENT(ENTER_REGION, EnterRegion, &locations[location], ++*count, work, NULL);
    EVENT(EXIT_REGION, ExitRegion, &locations[location], ++*count, work, NULL);
}

static void* hot(void* argument)
{
    const int location = (int)(intptr_t)argument;
    while (!stop)
    {
        for (int burst = 0; burst < 100; burst++)
            pair(location);
        usleep(100);
    }
    return NULL;
}

/*
 * The work of a child that continues: events of inherited locations, definitions, a new location.
 */
static void child_work(void)
{
    region("region of the child", 1, 1);
    create(5, "location of the child");
    for (int number = 0; number < 500; number++)
        for (int location = 0; location <= HOT; location++)
            pair(location);
}

static void await_child(pid_t child)
{
    int status;
    if (child < 0)
        FAIL("no child: %s", strerror(errno));
    while (waitpid(child, &status, 0) != child)
        if (errno != EINTR)
            FAIL("waitpid: %s", strerror(errno));
    if (!WIFEXITED(status) || (WEXITSTATUS(status) != CHILD_DONE && WEXITSTATUS(status) != 0))
        FAIL("a child ended with %x", status);
}

static void child_works(void)
{
    const pid_t child = fork();
    if (child == 0)
    {
        child_work();
        _exit(CHILD_DONE);
    }
    await_child(child);
}

static void child_ends_the_measurement(void)
{
    const pid_t child = fork();
    if (child == 0)
    {
        child_work();
        end();
        _exit(CHILD_DONE);
    }
    await_child(child);
}

static void child_becomes_a_program(void)
{
    const pid_t child = fork();
    if (child == 0)
    {
        execvp("true", nothing_to_do);
        _exit(9);
    }
    await_child(child);
}

static void vforked(void)
{
    const pid_t child = vfork();
    if (child == 0)
    {
        execvp("true", nothing_to_do);
        _exit(9);
    }
    await_child(child);
}

static void spawned(void)
{
    pid_t child;
    if (posix_spawnp(&child, "true", NULL, NULL, nothing_to_do, environ))
        FAIL("posix_spawn");
    await_child(child);
}

static int leave(void* unused)
{
    (void)unused;
    syscall(SYS_exit, CHILD_DONE);
    return CHILD_DONE;
}

static void with_shared_memory(int flags)
{
    static _Alignas(16) char stack[STACK];
    await_child(clone(leave, stack + STACK, SIGCHLD | CLONE_VM | flags, NULL));
}

static void cloned_with_shared_memory(void) { with_shared_memory(0); }
static void cloned_as_vfork_does(void) { with_shared_memory(CLONE_VFORK); }

static void cloned_by_system_call(void)
{
    const pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
    {
        child_work();
        _exit(CHILD_DONE);
    }
    await_child(child);
}

/* Closes all descriptors; afterwards the child's own file must be unchanged. */
static void work_without_descriptors(void)
{
    static const char text[] = "the child's own";
    char own[4096], found[sizeof text + 1];
    snprintf(own, sizeof own, "%s-own-%d", directory, (int)getpid());
    syscall(SYS_close_range, 3, ~0U, 0);
    const int file = open(own, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0 || write(file, text, sizeof text) != sizeof text)
        _exit(8);
    for (int number = file + 1; number < 1200; number++)
        dup2(file, number);
    child_work();
    if (pread(file, found, sizeof found, 0) != sizeof text || memcmp(found, text, sizeof text) != 0)
        _exit(7);
    unlink(own);
}

static void closefrom_in_a_child(void)
{
    const pid_t child = fork();
    if (child == 0)
    {
        work_without_descriptors();
        _exit(CHILD_DONE);
    }
    await_child(child);
}

/* The grandchild is a daemon; the pipe is closed when it has ended. */
static void daemon_of_two_forks(void)
{
    int ends[2];
    char byte;
    if (pipe(ends))
        FAIL("pipe");
    const pid_t child = fork();
    if (child == 0)
    {
        setsid();
        if (fork() == 0)
        {
            child_work();
            end();
        }
        _exit(CHILD_DONE);
    }
    close(ends[1]);
    await_child(child);
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
        ;
    close(ends[0]);
}

static void child_of_another_root_and_user(void)
{
    const pid_t child = fork();
    if (child == 0)
    {
        /* Without root these calls fail, which does no harm. */
        if (chroot("/proc") != 0 || setgid(65534) != 0 || setuid(65534) != 0)
            errno = 0;
        child_work();
        end();
        _exit(CHILD_DONE);
    }
    await_child(child);
}

static volatile pid_t forked;

static void fork_here(int signal)
{
    (void)signal;
    const pid_t child = fork();
    if (child == 0)
    {
        child_work();
        _exit(CHILD_DONE);
    }
    forked = child;
}

/* The handler interrupts the main thread, which records. */
static void forked_in_a_handler(void)
{
    static const struct itimerval soon = { { 0, 0 }, { 0, 300 } };
    forked = 0;
    signal(SIGALRM, fork_here);
    setitimer(ITIMER_REAL, &soon, NULL);
    while (forked == 0)
        pair(0);
    await_child(forked);
}

static void (*const ways[])(void) = {
    child_works,           child_ends_the_measurement, child_becomes_a_program, vforked,
    spawned,               cloned_with_shared_memory,  cloned_as_vfork_does,    cloned_by_system_call,
    closefrom_in_a_child,  daemon_of_two_forks,        forked_in_a_handler,     child_of_another_root_and_user,
};

static void fork_races(void)
{
    pthread_t threads[HOT];
    const char* text = getenv("KYMO_RACES");
    const int races = text ? atoi(text) : 100;
    begin();
    recorded[0] = now - 1;
    for (intptr_t location = 1; location <= HOT; location++)
    {
        create((uint32_t)location, "hot");
        if (pthread_create(&threads[location - 1], NULL, hot, (void*)location))
            FAIL("pthread_create");
    }
    for (int race = 0; race < races; race++)
    {
        for (int number = 0; number < 20; number++)
            pair(0);
        ways[(size_t)race % (sizeof ways / sizeof *ways)]();
    }
    stop = 1;
    for (int location = 1; location <= HOT; location++)
        pthread_join(threads[location - 1], NULL);
    now = ++recorded[0];
    for (int location = 0; location <= HOT; location++)
        printf("%llu\n", (unsigned long long)recorded[location]);
    fflush(stdout);
    end();
}

CASES(CASE(fork_races))
