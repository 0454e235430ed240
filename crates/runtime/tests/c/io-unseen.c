/* Closes descriptors in ways that no function of the C library sees, and uses their numbers for
 * something else: each file "WAY-USE" receives 10 bytes, and the next user of its number 20. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* Like a library that has system calls of its own. */
static long own_call(long number, long first)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long result __asm__("x0") = first;
    register long call __asm__("x8") = number;
    __asm__ volatile("svc 0" : "+r"(result) : "r"(call) : "memory");
    return result;
#endif
}

static void close_unseen(int way, int descriptor)
{
    long result = -1;
    switch (way) {
    case 0: result = syscall(SYS_close, descriptor); break;
    case 1:
        result = syscall(SYS_close_range, descriptor, descriptor, 0);
        /* An old system does not have it. */
        if (result != 0)
            result = syscall(SYS_close, descriptor);
        break;
    case 2: result = own_call(SYS_close, descriptor); break;
    }
    if (result != 0)
        exit(2);
}

/* The ends of a connection. */
static int sends, receives;

static void connect_ends(void)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || dup2(ends[0], 97) != 97 || dup2(ends[1], 98) != 98)
        exit(3);
    close(ends[0]), close(ends[1]);
    sends = 97, receives = 98;
}

/* Sends a descriptor to this process, or receives it. */
static int transfer(int sent)
{
    char room[CMSG_SPACE(sizeof(int))] = {0}, byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET, header->cmsg_type = SCM_RIGHTS, header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &sent, sizeof sent);
    if ((sent >= 0 ? sendmsg(sends, &message, 0) : recvmsg(receives, &message, 0)) != 1)
        exit(4);
    memcpy(&sent, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof sent);
    return sent;
}

static FILE* stream;
static DIR* folder;

static int use(int what)
{
    int ends[2] = {-1, -1};
    char name[] = "temporary-XXXXXX";
    switch (what) {
    case 0: return open("other", O_WRONLY | O_CREAT, 0600);
    case 1: return fileno(stream = fopen("other", "w"));
    case 2: return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ? -1 : ends[0];
    case 3: return dup(99);
    case 4: return fileno(stream = popen("true", "r"));
    case 5: return syscall(SYS_openat, AT_FDCWD, "other", O_WRONLY);
    case 6: return memfd_create("other", 0);
    case 7: return mkstemp(name);
    case 8: return fcntl(99, F_DUPFD, 3);
    case 9: return dirfd(folder = opendir("."));
    case 10: return epoll_create1(0);
    case 11: return transfer(-1);
    default: return pipe(ends) ? -1 : ends[0];
    }
}

int main(void)
{
    static const char bytes[20];
    int other = open("/dev/null", O_WRONLY);
    if (dup2(other, 99) != 99 || close(other))
        return 1;
    connect_ends();
    for (int way = 0; way < 3; way++) {
        for (int what = 0; what < 13; what++) {
            char name[16];
            snprintf(name, sizeof name, "%d-%d", way, what);
            int file = open(name, O_WRONLY | O_CREAT, 0600);
            if (write(file, bytes, 10) != 10)
                return 5;
            if (what == 11)
                transfer(99);
            close_unseen(way, file);
            int next = use(what);
            if (next != file)
                return 6;
            /* Fails where nothing can be written. */
            if (write(next, bytes, 20) == -100)
                return 7;
            if (stream)
                what == 4 ? pclose(stream) : fclose(stream);
            else if (folder)
                closedir(folder);
            else
                close(next);
            stream = NULL, folder = NULL;
            if (what == 2 || what == 12)
                close(next + 1);
        }
    }
    return 0;
}
