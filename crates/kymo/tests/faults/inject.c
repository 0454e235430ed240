// inject CALL ACTION N REPORT COMMAND...: runs a command and makes one of its system calls fail.
//
// CALL is the name of a call ("openat") or "any". ACTION is an error number, which the N-th such
// call of the process and its threads returns without being made, or "kill:S", a signal that is
// sent at the entry of the call. Calls are counted from 0, starting when `main` of kymo begins. Output on descriptors 1 and 2 is not counted. REPORT receives
// "hit CALL" or "done". The status is that of the command, or 126 if tracing is not permitted.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct { const char *name; long number; } calls[] = {
    {"openat", SYS_openat}, {"read", SYS_read}, {"pread64", SYS_pread64}, {"write", SYS_write},
    {"pwrite64", SYS_pwrite64}, {"mkdirat", SYS_mkdirat}, {"renameat2", SYS_renameat2}, {"renameat", SYS_renameat},
    {"unlinkat", SYS_unlinkat}, {"close", SYS_close}, {"ftruncate", SYS_ftruncate}, {"fsync", SYS_fsync},
    {"fdatasync", SYS_fdatasync}, {"mmap", SYS_mmap}, {"getdents64", SYS_getdents64}, {"statx", SYS_statx},
    {"newfstatat", SYS_newfstatat}, {"fstat", SYS_fstat}, {"flock", SYS_flock}, {"clone3", SYS_clone3},
    {"copy_file_range", SYS_copy_file_range},
#ifdef SYS_open
    {"open", SYS_open}, {"mkdir", SYS_mkdir}, {"rename", SYS_rename}, {"unlink", SYS_unlink}, {"rmdir", SYS_rmdir},
#endif
};

static const char *name_of(long number) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == number) return calls[i].name;
    return NULL;
}

static void set_call(pid_t thread, long number) {
#if defined(__x86_64__)
    ptrace(PTRACE_POKEUSER, thread, offsetof(struct user_regs_struct, orig_rax), number);
#else
    int value = number;
    struct iovec part = {&value, sizeof value};
    ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &part);
#endif
}

static void set_result(pid_t thread, long value) {
    struct user_regs_struct registers;
    struct iovec part = {&registers, sizeof registers};
    ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &part);
#if defined(__x86_64__)
    registers.rax = value;
#else
    registers.regs[0] = value;
#endif
    ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &part);
}

int main(int count, char **arguments) {
    if (count < 6) return 125;
    const char *call = arguments[1], *action = arguments[2];
    long wanted = atol(arguments[3]), seen = 0;
    int signal = strncmp(action, "kill:", 5) == 0 ? atoi(action + 5) : 0, error = signal ? 0 : atoi(action);
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) _exit(126);
        raise(SIGSTOP);
        execv(arguments[5], arguments + 5);
        _exit(127);
    }
    int status, is_ready = 0, result = 125;
    const char *hit = NULL;
    pid_t spoiled = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    ptrace(PTRACE_SETOPTIONS, child, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL | PTRACE_O_TRACEEXEC);
    ptrace(PTRACE_SYSCALL, child, 0, 0);
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == child) result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int pass = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            struct __ptrace_syscall_info info;
            memset(&info, 0, sizeof info);
            ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
            if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
                long number = info.entry.nr;
                const char *name = name_of(number);
                /* The first thing that `main` does: signal_stacks.rs. */
                is_ready |= number == SYS_rt_sigaction && info.entry.args[0] == SIGBUS && info.entry.args[1] &&
                            ptrace(PTRACE_PEEKDATA, thread, info.entry.args[1], 0) == (long)SIG_DFL;
                int is_output = (number == SYS_write) && info.entry.args[0] <= 2 && info.entry.args[0] >= 1;
                int counts = is_ready && name && !is_output && (strcmp(call, "any") == 0 || strcmp(call, name) == 0);
                if (counts && !hit && seen++ == wanted) {
                    hit = name;
                    if (signal) kill(child, signal);
                    if (error) {
                        set_call(thread, -1);
                        spoiled = thread;
                    }
                }
            } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && thread == spoiled) {
                set_result(thread, -error);
                spoiled = 0;
            }
        } else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
            pass = WSTOPSIG(status);
        }
        ptrace(PTRACE_SYSCALL, thread, 0, pass);
    }
    FILE *report = fopen(arguments[4], "w");
    if (hit) fprintf(report, "hit %s\n", hit);
    else fprintf(report, "done\n");
    fclose(report);
    return result;
}
