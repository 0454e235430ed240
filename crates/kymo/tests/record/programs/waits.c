// Each function makes one call that waits, or could wait. The calls that prepare it are in main.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT(name, call) \
    __attribute__((noinline)) static void wait_##name(void) { \
        result = (long)(call); \
        steps++; \
    }

static volatile long result;
static volatile int steps;
static int ends[2], sockets[2], listening, events, word = 1;
static pid_t child;
static char bytes[8];
static sem_t semaphore;
static sigset_t signals;
static FILE *lines;
static pthread_t thread;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static struct timespec soon = {0, 20 * 1000 * 1000}, past = {1, 0};
static struct pollfd polled;
static fd_set selected;

WAIT(sleep, usleep(20 * 1000))
WAIT(time, nanosleep(&soon, NULL))
WAIT(clock, clock_nanosleep(CLOCK_MONOTONIC, 0, &soon, NULL))
WAIT(semaphore, sem_wait(&semaphore))
WAIT(condition, pthread_cond_timedwait(&condition, &mutex, &past))
WAIT(pipe, read(ends[0], bytes, 1))
WAIT(socket, recv(sockets[0], bytes, 1, 0))
WAIT(poll, poll(&polled, 1, 20))
WAIT(select, select(ends[0] + 1, &selected, NULL, NULL, &(struct timeval){0, 0}))
WAIT(epoll, epoll_wait(events, &(struct epoll_event){0}, 1, 20))
WAIT(child, waitpid(child, NULL, 0))
WAIT(futex, syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0))
WAIT(signal, sigtimedwait(&signals, NULL, &soon))
WAIT(line, fgets(bytes, 2, lines))
WAIT(connection, accept(listening, NULL, NULL))
WAIT(command, system("true"))
WAIT(thread, pthread_join(thread, NULL))

static void *work(void *data) { return data; }

static int connected(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof(sa_family_t);
    listening = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&address, length) || listen(listening, 1)) return 0;
    length = sizeof address;
    getsockname(listening, (struct sockaddr *)&address, &length);
    return connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, length) == 0;
}

int main(void) {
    if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) || sem_init(&semaphore, 0, 1)) return 1;
    if (write(ends[1], "123", 3) != 3 || send(sockets[1], "1", 1, 0) != 1 || !connected()) return 2;
    if (pthread_create(&thread, NULL, work, NULL)) return 3;
    lines = fdopen(dup(ends[0]), "r");
    events = epoll_create1(0);
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    polled.fd = -1;
    FD_ZERO(&selected);
    child = fork();
    if (child == 0) _exit(0);
    wait_sleep();
    wait_time();
    wait_clock();
    wait_semaphore();
    pthread_mutex_lock(&mutex);
    wait_condition();
    pthread_mutex_unlock(&mutex);
    wait_pipe();
    wait_socket();
    wait_poll();
    wait_select();
    wait_epoll();
    wait_child();
    wait_futex();
    wait_signal();
    wait_line();
    wait_connection();
    wait_command();
    wait_thread();
    return steps == 17 ? 0 : 4;
}
