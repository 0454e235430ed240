/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes system calls fail: raw PROGRAM ARGUMENTS...
 *
 * Runs a program under seccomp and decides each system call of a kind that the code of the plugin
 * or of the runtime makes directly (for calls through the C library see `fail.c`). KYMO_RAW has the
 * format of KYMO_FAIL there; KYMO_FAIL_LOG and KYMO_FAIL_RANK have the same meaning. A short count,
 * error 0, writes or reads one byte. Ends with the status of the program, or 125 if it could not be
 * run.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct
{
    const char* name;
    int calls[5];
} kinds[] = {
    {"open", {SYS_openat, SYS_open, -1}},
    {"write", {SYS_write, SYS_pwrite64, -1}},
    {"read", {SYS_read, SYS_pread64, SYS_getdents64, -1}},
    {"mkdir", {SYS_mkdirat, SYS_mkdir, -1}},
    {"fallocate", {SYS_fallocate, -1}},
    {"ftruncate", {SYS_ftruncate, -1}},
    {"mmap", {SYS_mmap, -1}},
    {"mremap", {SYS_mremap, -1}},
    {"munmap", {SYS_munmap, -1}},
    {"madvise", {SYS_madvise, -1}},
    {"statfs", {SYS_statfs, SYS_fstatfs, -1}},
    {"stat", {SYS_fstat, SYS_newfstatat, SYS_statx, SYS_stat, -1}},
    {"rename", {SYS_rename, SYS_renameat, SYS_renameat2, -1}},
    {"unlink", {SYS_unlink, SYS_unlinkat, SYS_rmdir, -1}},
    {"close", {SYS_close, -1}},
    {"fsync", {SYS_fsync, SYS_fdatasync, -1}},
    {"prlimit", {SYS_prlimit64, SYS_getrlimit, -1}},
    {"readlink", {SYS_readlink, SYS_readlinkat, -1}},
    {"getrandom", {SYS_getrandom, -1}},
    {"fcntl", {SYS_fcntl, -1}},
};

static char kind[32];
static unsigned long first, last, calls;
static int error, has_logged;

static void die(const char* what)
{
    fprintf(stderr, "raw: %s: %s\n", what, strerror(errno));
    exit(125);
}

static const int* calls_of_kind(void)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].calls;
    errno = EINVAL;
    die(kind);
    return NULL;
}

/* Makes the kernel ask about the calls of the kind. Returns the descriptor for its questions. */
static int listen_to_calls(void)
{
    struct sock_filter code[16];
    unsigned short length = 0;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (const int* call = calls_of_kind(); *call >= 0; ++call)
    {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)*call, 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const struct sock_fprog program = {length, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        die("no_new_privs");
    const long file = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (file < 0)
        die("seccomp");
    return (int)file;
}

static void send_file(int socket, int file)
{
    char byte = 0;
    struct iovec bytes = {&byte, 1};
    union
    {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof file);
    memcpy(CMSG_DATA(head), &file, sizeof file);
    if (sendmsg(socket, &message, 0) < 0)
        die("sendmsg");
}

static int receive_file(int socket)
{
    char byte;
    struct iovec bytes = {&byte, 1};
    union
    {
        char room[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct msghdr message = {
        .msg_iov = &bytes, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    int file;
    if (recvmsg(socket, &message, 0) < 1 || CMSG_FIRSTHDR(&message) == NULL)
        exit(125);
    memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}

/*
 * Whether an address of a process is in the code of the plugin or of the runtime. Recent answers
 * are cached.
 */
static int is_ours(pid_t process, uint64_t address)
{
    enum
    {
        KNOWN = 1024
    };
    static struct
    {
        pid_t process;
        uint64_t page;
        int ours;
    } known[KNOWN];
    const uint64_t page = address >> 12;
    const size_t place = (page ^ (uint64_t)process * 31) % KNOWN;
    if (known[place].process == process && known[place].page == page)
        return known[place].ours;
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%d/maps", process);
    FILE* maps = fopen(path, "re");
    int ours = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
    {
        unsigned long start, end;
        if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start <= address && address < end)
            ours = strstr(line, "libscorep_substrate_") != NULL || strstr(line, "libkymo_runtime") != NULL;
    }
    if (maps != NULL)
        fclose(maps);
    known[place].process = process;
    known[place].page = page;
    known[place].ours = ours;
    return ours;
}

/* Whether KYMO_FAIL_RANK names the rank of the process, or is not set. */
static int is_meant(pid_t process)
{
    const char* rank = getenv("KYMO_FAIL_RANK");
    if (rank == NULL)
        return 1;
    char path[64], line[4096] = {0};
    snprintf(path, sizeof path, "/proc/%d/cmdline", process);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = read(file, line, sizeof line - 1);
    close(file);
    for (ssize_t at = 0; at < length; at += (ssize_t)strlen(line + at) + 1)
        if (strcmp(line + at, "--member") == 0)
            return strcmp(line + at + strlen("--member") + 1, rank) == 0;
    return 0;
}

/* The process of a thread. */
static pid_t process_of(pid_t thread)
{
    char path[64], line[256];
    int process = thread;
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    FILE* status = fopen(path, "re");
    while (status != NULL && fgets(line, sizeof line, status) != NULL && sscanf(line, "Tgid: %d", &process) != 1)
        ;
    if (status != NULL)
        fclose(status);
    return process;
}

/* Writes or reads one byte on behalf of the process. */
static long one_byte(const struct seccomp_notif* call)
{
    const __u64* arguments = call->data.args;
    const int handle = (int)syscall(SYS_pidfd_open, process_of((pid_t)call->pid), 0);
    const int file = (int)syscall(SYS_pidfd_getfd, handle, (int)arguments[0], 0);
    const long result = -errno;
    char byte;
    struct iovec own = {&byte, 1}, theirs = {(void*)(uintptr_t)arguments[1], 1};
    long count = file < 0 ? result : 1;
    const int is_write = call->data.nr == SYS_write || call->data.nr == SYS_pwrite64;
    const int has_offset = call->data.nr == SYS_pread64 || call->data.nr == SYS_pwrite64;
    if (file >= 0 && is_write && process_vm_readv((pid_t)call->pid, &own, 1, &theirs, 1, 0) == 1)
        count = has_offset ? pwrite(file, &byte, 1, (off_t)arguments[3]) : write(file, &byte, 1);
    if (file >= 0 && !is_write)
    {
        count = has_offset ? pread(file, &byte, 1, (off_t)arguments[3]) : read(file, &byte, 1);
        if (count == 1)
            count = process_vm_writev((pid_t)call->pid, &own, 1, &theirs, 1, 0);
    }
    close(file);
    close(handle);
    return count;
}

static void log_first(void)
{
    const char* path = getenv("KYMO_FAIL_LOG");
    if (path == NULL || has_logged++)
        return;
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0 || write(file, "met\n", 4) != 4)
        die(path);
    close(file);
}

static void answer(int listener)
{
    struct seccomp_notif call = {0};
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) != 0)
        return;
    struct seccomp_notif_resp response = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    const int is_message = call.data.nr == SYS_write && call.data.args[0] == 2;
    const pid_t process = (pid_t)call.pid;
    if (!is_message && is_ours(process, call.data.instruction_pointer) && is_meant(process))
    {
        const unsigned long number = ++calls;
        if (number >= first && number <= last)
        {
            log_first();
            response.flags = 0;
            response.error = -error;
            if (error == 0)
                response.val = one_byte(&call);
            if (error == 0 && response.val < 0)
            {
                response.error = (int)response.val;
                response.val = 0;
            }
        }
    }
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

int main(int count, char** arguments)
{
    const char* settings = getenv("KYMO_RAW");
    int pair[2];
    if (count < 2 || settings == NULL || sscanf(settings, "%31s %lu %lu %d", kind, &first, &last, &error) != 4)
        return 125;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        die("socketpair");
    const pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0)
    {
        /*
         * Until the parent has the descriptor, no call may be of the kind: nothing would answer it.
         */
        const int listener = listen_to_calls();
        send_file(pair[1], listener);
        execvp(arguments[1], arguments + 1);
        die(arguments[1]);
    }
    close(pair[1]);
    const int listener = receive_file(pair[0]);
    for (;;)
    {
        struct pollfd wait = {.fd = listener, .events = POLLIN};
        int status;
        if (poll(&wait, 1, 20) > 0 && (wait.revents & POLLIN) != 0)
            answer(listener);
        else if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}
