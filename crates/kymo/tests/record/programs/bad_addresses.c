// Calls the system with addresses that are not mapped, which it refuses.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TRY(call) \
    do { \
        errno = 0; \
        long result = (long)(call); \
        printf("%s: %ld %s\n", #call, result, strerror(errno)); \
    } while (0)

int main(void) {
    void *volatile bad = (void *)16;
    char *arguments[] = {"x", NULL};
    int ends[2], sockets[2], file = open("/proc/self/exe", O_RDONLY), events = epoll_create1(0);
    if (pipe(ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) return 1;
    if (write(ends[1], "x", 1) != 1 || write(sockets[1], "x", 1) != 1) return 1;
    TRY(open(bad, O_RDONLY));
    TRY(openat(AT_FDCWD, bad, O_RDONLY));
    TRY(creat(bad, 0600));
    TRY(unlink(bad));
    TRY(unlinkat(AT_FDCWD, bad, 0));
    TRY(rename(bad, "x"));
    TRY(mkdir(bad, 0700));
    TRY(rmdir(bad));
    TRY(truncate(bad, 0));
    TRY(link(bad, "x"));
    TRY(symlink(bad, "x"));
    TRY(read(ends[0], bad, 1));
    TRY(write(ends[1], bad, 1));
    TRY(pread(file, bad, 1, 0));
    TRY(readv(file, bad, 1));
    TRY(writev(ends[1], bad, 1));
    TRY(preadv(file, bad, 1, 0));
    TRY(preadv2(file, bad, 1, 0, 0));
    TRY(sendfile(ends[1], file, bad, 1));
    TRY(copy_file_range(file, bad, ends[1], NULL, 1, 0));
    TRY(splice(file, bad, ends[1], NULL, 1, 0));
    TRY(execv(bad, arguments));
    TRY(execve(bad, arguments, NULL));
    TRY(execve("/none", bad, NULL));
    TRY(execv("/bin/true", bad));
    TRY(nanosleep(bad, NULL));
    TRY(clock_nanosleep(CLOCK_MONOTONIC, 0, bad, NULL));
    TRY(poll(bad, 1, 1));
    TRY(ppoll(bad, 1, NULL, NULL));
    TRY(select(1, bad, NULL, NULL, NULL));
    TRY(pselect(1, bad, NULL, NULL, NULL, NULL));
    TRY(epoll_wait(events, bad, 1, 0));
    TRY(connect(sockets[0], bad, 8));
    TRY(recvmsg(sockets[0], bad, 0));
    TRY(sendmsg(sockets[0], bad, 0));
    TRY(recvmmsg(sockets[0], bad, 1, 0, NULL));
    TRY(sendmmsg(sockets[0], bad, 1, 0));
    TRY(recvfrom(sockets[0], bad, 1, 0, NULL, NULL));
    TRY(accept(sockets[0], bad, bad));
    TRY(sendto(sockets[0], "x", 1, 0, bad, 4));
    TRY(pipe(bad));
    TRY(pipe2(bad, 0));
    TRY(socketpair(AF_UNIX, SOCK_STREAM, 0, bad));
    TRY(waitid(P_ALL, 0, bad, WEXITED));
    TRY(chdir(bad));
    TRY(fcntl(file, F_SETLK, bad));
    TRY(fcntl(file, F_GETLK, bad));
    TRY(sigwaitinfo(bad, NULL));
    TRY(sigtimedwait(bad, NULL, NULL));
    TRY(sigsuspend(bad));
    return 0;
}
