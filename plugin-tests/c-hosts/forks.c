/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program for `kymo record`: functions, threads, and with an argument a child that goes on without exec. It prints a line and ends
 * with status 7, the child with 5.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
    THREADS = 3,
    CALLS = 50
};

/* What -finstrument-functions has a function call. They are there if the runtime is. */
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

int main(int count, char** arguments)
{
    (void)arguments;
    pthread_t threads[THREADS];
    for (int number = 0; number < THREADS; number++)
        if (pthread_create(&threads[number], NULL, thread, NULL) != 0)
            return 99;
    thread(NULL);
    for (int number = 0; number < THREADS; number++)
        pthread_join(threads[number], NULL);
    if (count > 1)
    {
        int status;
        const pid_t child = fork();
        if (child == 0)
        {
            thread(NULL);
            exit(5);
        }
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5)
            return 98;
    }
    puts("done");
    return 7;
}
