/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for `kymo record`: functions, threads, and, with an argument, a child that continues
 * without exec. It prints a line and ends with status 7, the child with 5. With the argument
 * `refused`, a new thread makes each attempt to fork, and an attempt that fails with EAGAIN or
 * ENOMEM is repeated.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    THREADS = 3,
    CALLS = 50,
    TRIES = 4
};

/* The functions that -finstrument-functions calls. They exist only if the runtime is loaded. */
__attribute__((weak)) void __cyg_profile_func_enter(void* function, void* caller);
__attribute__((weak)) void __cyg_profile_func_exit(void* function, void* caller);

static void work(void)
{
    if (__cyg_profile_func_enter)
        __cyg_profile_func_enter((void*)&work, NULL);
    if (__cyg_profile_func_exit)
        __cyg_profile_func_exit((void*)&work, NULL);
}

static void* thread(void* argument)
{
    for (int call = 0; call < CALLS; call++)
        work();
    return argument;
}

/* Creates the child and waits for it. Returns 0 if fork was refused. */
static int fork_and_wait(void)
{
    int status;
    const pid_t child = fork();
    if (child == 0)
    {
        thread(NULL);
        exit(5);
    }
    if (child < 0 && (errno == EAGAIN || errno == ENOMEM))
        return 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
        exit(98);
    return 1;
}

static void* try_once(void* done)
{
    work();
    if (fork_and_wait())
        return done;
    work();
    return NULL;
}

static void try_to_fork(void)
{
    void* is_done = NULL;
    for (int tries = 0; is_done == NULL && tries < TRIES; tries++)
    {
        pthread_t thread;
        if (pthread_create(&thread, NULL, try_once, &is_done) != 0)
            exit(99);
        pthread_join(thread, &is_done);
    }
}

int main(int count, char** arguments)
{
    pthread_t threads[THREADS];
    for (int number = 0; number < THREADS; number++)
        if (pthread_create(&threads[number], NULL, thread, NULL) != 0)
            return 99;
    thread(NULL);
    for (int number = 0; number < THREADS; number++)
        pthread_join(threads[number], NULL);
    if (count > 1 && strcmp(arguments[1], "refused") == 0)
        try_to_fork();
    else if (count > 1 && !fork_and_wait())
        return 98;
    puts("done");
    return 7;
}
