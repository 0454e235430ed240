/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Storage that is slow or full: KYMO_FAULTS="DELAY FIRST COUNT ERROR". Every positioned write of
 * the process takes DELAY microseconds longer; COUNT of them, from number FIRST on, fail with the
 * error number ERROR. The kernel asks a thread of the host about each write (seccomp), so it makes
 * no difference how the plugin calls it. A host can also hold writes (`hold`) for as long as it
 * needs, and have them counted, and the renames between them (`counts`).
 */
#ifndef KYMO_C_FAULTS_H
#define KYMO_C_FAULTS_H

#include "host.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef SYS_rename
#define RENAME SYS_rename
#else
#define RENAME SYS_renameat2
#endif

/* Writes and renames, and the largest number of writes from one rename to the next. */
struct counts
{
    volatile uint64_t writes, renames, most, since;
};

static struct
{
    unsigned long delay, first, count;
    int error;
    volatile int listener;
    /* Called before each write, with the number of the writing thread. */
    void (*hold)(pid_t);
    struct counts* counts;
} faults = { .listener = -1 };

static void count(int is_rename)
{
    struct counts* counts = faults.counts;
    if (is_rename)
        counts->renames++, counts->since = 0;
    else if (counts->writes++, ++counts->since > counts->most)
        counts->most = counts->since;
}

static void* answer_for_writes(void* unused)
{
    unsigned long number = 0;
    (void)unused;
    while (faults.listener < 0)
        usleep(100);
    for (;;)
    {
        struct seccomp_notif request;
        memset(&request, 0, sizeof request);
        if (ioctl(faults.listener, SECCOMP_IOCTL_NOTIF_RECV, &request))
        {
            if (errno == EINTR || errno == ENOENT)
                continue;
            return NULL;
        }
        const int is_rename = request.data.nr == RENAME || request.data.nr == SYS_renameat2;
        struct seccomp_notif_resp response = { .id = request.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE };
        if (!is_rename)
        {
            if (faults.hold)
                faults.hold((pid_t)request.pid);
            if (faults.delay)
                usleep((useconds_t)faults.delay);
            if (number >= faults.first && number - faults.first < faults.count)
                response.flags = 0, response.error = -faults.error;
            number++;
        }
        /* Before it happens: an operation that is followed by another one in the count has happened. */
        if (faults.counts)
            count(is_rename);
        ioctl(faults.listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
    }
}

static UNUSED void install_faults(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwritev, 3, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, RENAME, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    };
    const struct sock_fprog filter = { sizeof code / sizeof code[0], code };
    const char* text = getenv("KYMO_FAULTS");
    pthread_t thread;
    sigset_t all, before;
    if (!text || sscanf(text, "%lu %lu %lu %d", &faults.delay, &faults.first, &faults.count, &faults.error) != 4)
        return;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, answer_for_writes, NULL))
        FAIL("pthread_create");
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        FAIL("prctl: %s", strerror(errno));
    const long listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
    if (listener < 0)
        FAIL("seccomp: %s", strerror(errno));
    faults.listener = (int)listener;
}

#endif /* KYMO_C_FAULTS_H */
