// Ways to end or to become another program: `ends HOW`. Each enters `work` a known number of times
// first.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) void work(void) {
    __asm__ volatile("");
}

static void repeat(int times) {
    for (int i = 0; i < times; i++) work();
}

static void *exit_here(void *nothing) {
    repeat(5);
    exit(6);
    return nothing;
}

static void *outlive(void *nothing) {
    usleep(100 * 1000);
    repeat(5);
    puts("last");
    return nothing;
}

static void thread(void *(*begin)(void *), int join) {
    pthread_t thread;
    pthread_create(&thread, NULL, begin, NULL);
    if (join) pthread_join(thread, NULL);
}

static void forked(void) {
    fflush(stdout);
    pid_t child = fork();
    repeat(child == 0 ? 3 : 2);
    if (child == 0) exit(0);
    waitpid(child, NULL, 0);
}

static void executed(char *self) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execl(self, self, "return", (char *)NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
}

// Workers that are killed when their work is done, as in a Python pool.
static void pooled(void) {
    int ready[2];
    pid_t workers[3];
    if (pipe(ready) != 0) exit(1);
    for (int i = 0; i < 3; i++) {
        workers[i] = fork();
        if (workers[i] != 0) continue;
        repeat(4);
        if (write(ready[1], "x", 1) == 1) pause();
        _exit(1);
    }
    for (int i = 0; i < 3; i++) {
        char byte;
        if (read(ready[0], &byte, 1) != 1) exit(1);
    }
    for (int i = 0; i < 3; i++) kill(workers[i], SIGTERM);
    while (wait(NULL) > 0) {}
}

// Waits until this number of ranks have come here, each of which leaves a file in the folder.
static void wait_for_ranks(int ranks) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
    const char *own = NULL, *prefix = getenv("ARRIVALS");
    char name[256];
    for (int i = 0; i < 3 && !own; i++) own = getenv(variables[i]);
    snprintf(name, sizeof name, "%s-%s", prefix ? prefix : "met", own ? own : "0");
    FILE *file = fopen(name, "w");
    if (!file || fclose(file)) exit(8);
    for (int rank = 0; rank < ranks; rank++) {
        snprintf(name, sizeof name, "%s-%d", prefix ? prefix : "met", rank);
        // Two minutes, which only a rank that never comes takes.
        for (int looks = 0; access(name, F_OK); looks++) {
            if (looks == 12000) exit(9);
            usleep(10 * 1000);
        }
    }
}

static void on_signal(int number) {
    (void)number;
    repeat(2);
}

int main(int count, char **arguments) {
    const char *how = count > 1 ? arguments[1] : "return";
    repeat(10);
    if (!strcmp(how, "exit")) exit(5);
    if (!strcmp(how, "_exit")) _exit(7);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "kill")) kill(getpid(), SIGKILL);
    if (!strcmp(how, "terminate")) raise(SIGTERM);
    if (!strcmp(how, "thread")) thread(exit_here, 1);
    if (!strcmp(how, "pthread_exit")) {
        thread(outlive, 0);
        pthread_exit(NULL);
    }
    if (!strcmp(how, "fork")) forked();
    if (!strcmp(how, "pool")) pooled();
    if (!strcmp(how, "interrupt")) raise(SIGINT);
    if (!strcmp(how, "spawn")) executed(arguments[0]);
    if (!strcmp(how, "wait-for-ranks")) wait_for_ranks(atoi(arguments[2]));
    if (!strcmp(how, "become")) execl(arguments[0], arguments[0], "return", (char *)NULL);
    if (!strcmp(how, "handler")) {
        signal(SIGUSR1, on_signal);
        raise(SIGUSR1);
    }
    return 0;
}
