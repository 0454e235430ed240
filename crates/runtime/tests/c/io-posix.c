// The functions of POSIX input and output, with all kinds of results: `io-posix PART`.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1000];

static void expect(int is_true, int line) {
    if (!is_true) {
        dprintf(2, "line %d: errno %d\n", line, errno);
        _exit(1);
    }
}
#define EXPECT(what) expect(what, __LINE__)

static void basic(void) {
    errno = 77;
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    EXPECT(write(file, bytes, 100) == 100);
    EXPECT(lseek(file, -40, SEEK_CUR) == 60);
    EXPECT(read(file, bytes, 30) == 30);
    EXPECT(read(file, bytes, 30) == 10);
    EXPECT(read(file, bytes, 30) == 0);
    EXPECT(pwrite(file, bytes, 7, 200) == 7);
    EXPECT(pread(file, bytes, 50, 190) == 17);
    EXPECT(ftruncate(file, 50) == 0);
    EXPECT(fsync(file) == 0 && fdatasync(file) == 0);
    EXPECT(fcntl(file, F_SETFL, O_APPEND) == 0);
    EXPECT(close(file) == 0);
    EXPECT(errno == 77);
    int folder = open(".", O_RDONLY | O_DIRECTORY);
    file = openat(folder, "a", O_WRONLY);
    EXPECT(file >= 0 && close(file) == 0);
    EXPECT(symlink("a", "link") == 0);
    EXPECT(unlinkat(folder, "link", 0) == 0);
    EXPECT(close(folder) == 0);
    EXPECT(creat("b", 0600) >= 0);
    EXPECT(unlink("a") == 0 && remove("b") == 0);
}

static void temporary(void) {
    char name[] = "nameXXXXXX", other[] = "nameXXXXXX.txt";
    int file = mkstemp(name);
    EXPECT(write(file, bytes, 11) == 11);
    EXPECT(close(file) == 0 && unlink(name) == 0);
    file = mkostemps(other, 4, O_APPEND);
    EXPECT(write(file, bytes, 22) == 22);
    EXPECT(close(file) == 0 && unlink(other) == 0);
}

static void many(void) {
    int first = open("many", O_RDWR | O_CREAT, 0600), file = -1;
    for (int number = 1; number < 300; number++)
        EXPECT((file = open("many", O_RDWR)) != -1);
    closefrom(first);
    EXPECT(write(file, bytes, 1) == -1 && errno == EBADF);
}

static void failures(void) {
    EXPECT(open("none", O_RDONLY) == -1 && errno == ENOENT);
    EXPECT(close(700) == -1 && errno == EBADF);
    EXPECT(read(700, bytes, 1) == -1 && errno == EBADF);
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(lseek(file, -1, SEEK_SET) == -1 && errno == EINVAL);
    EXPECT(write(file, bytes, 5) == 5);
    EXPECT(pread(file, NULL, 5, 0) == -1 && errno == EFAULT);
    EXPECT(dup2(700, file) == -1 && errno == EBADF);
    EXPECT(dup2(file, file) == file);
    EXPECT(write(file, bytes, 5) == 5);
    EXPECT(close(file) == 0);
    EXPECT(close(file) == -1 && errno == EBADF);
    EXPECT(unlink("none") == -1 && errno == ENOENT);
}

static void duplicates(void) {
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
    int other = dup(file);
    EXPECT(close(file) == 0);
    EXPECT(dup2(other, 50) == 50);
    EXPECT(write(50, bytes, 3) == 3);
    EXPECT(dup2(1, 50) == 50);
    EXPECT(dup3(other, 50, O_CLOEXEC) == 50);
    EXPECT(fcntl(other, F_DUPFD, 60) == 60);
    EXPECT(fcntl(other, F_DUPFD_CLOEXEC, 60) == 61);
    EXPECT(write(61, bytes, 4) == 4);
    EXPECT(close_range(60, 61, 0) == 0);
    closefrom(50);
    EXPECT(close(other) == 0);
}

static void vectors(void) {
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct iovec pieces[3] = {{bytes, 10}, {bytes, 20}, {bytes, 30}};
    EXPECT(writev(file, pieces, 3) == 60);
    EXPECT(pwritev(file, pieces, 2, 50) == 30);
    EXPECT(preadv(file, pieces, 3, 65) == 15);
    EXPECT(preadv64v2(file, pieces, 1, -1, 0) == 10);
    EXPECT(readv(file, pieces, 1) == 10);
    EXPECT(pwritev64v2(file, pieces, 1, 0, RWF_APPEND) == 10);
    EXPECT(readv(file, pieces, -1) == -1 && errno == EINVAL);
    EXPECT(lseek64(file, 0, SEEK_SET) == 0);
    int other = open("b", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    off_t offset = 2;
    EXPECT(sendfile(other, file, &offset, 5) == 5);
    EXPECT(copy_file_range(file, NULL, other, NULL, 8, 0) == 8);
    EXPECT(close(file) == 0 && close(other) == 0);
}

static void locks(void) {
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(lockf(file, F_LOCK, 0) == 0 && lockf(file, F_ULOCK, 0) == 0);
    EXPECT(lockf(file, F_TLOCK, 0) == 0 && lockf(file, F_ULOCK, 0) == 0);
    EXPECT(flock(file, LOCK_SH) == 0 && flock(file, LOCK_UN) == 0);
    int other = open("a", O_RDWR);
    EXPECT(flock(file, LOCK_EX) == 0);
    EXPECT(flock(other, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
    EXPECT(flock(file, LOCK_UN) == 0);
    EXPECT(close(other) == 0 && close(file) == 0);
}

static void streams(void) {
    // The standard streams are replaced and closed.
    int saved = dup(1);
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(dup2(file, 1) == 1 && close(file) == 0);
    EXPECT(write(1, bytes, 9) == 9);
    EXPECT(dup2(saved, 1) == 1 && close(saved) == 0);
    EXPECT(write(1, "out\n", 4) == 4);
    EXPECT(close(0) == 0 && close(1) == 0 && close(2) == 0);
}

static void *work(void *name) {
    for (int time = 0; time < 100; time++) {
        int file = open(name, O_RDWR | O_CREAT | O_APPEND, 0600);
        EXPECT(write(file, bytes, 10) == 10);
        EXPECT(close(file) == 0);
    }
    return NULL;
}

static void threads(void) {
    pthread_t all[4];
    int shared = open("shared", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int number = 0; number < 4; number++) pthread_create(&all[number], NULL, work, number % 2 ? "a" : "b");
    EXPECT(write(shared, bytes, 10) == 10);
    for (int number = 0; number < 4; number++) pthread_join(all[number], NULL);
    EXPECT(close(shared) == 0);
}

// Descriptors that a child of `fork` inherits; a child of `vfork` changes nothing here.
static void children(char *self) {
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    pid_t child = fork();
    if (child == 0) {
        EXPECT(dup2(file, 70) == 70 && close(file) == 0);
        EXPECT(write(70, bytes, 20) == 20);
        EXPECT(close(70) == 0);
        _exit(0);
    }
    EXPECT(waitpid(child, NULL, 0) == child);
    child = vfork();
    if (child == 0) {
        // As if in the parent; this must change nothing there.
        close(file);
        dup2(1, 3);
        write(3, "vfork\n", 6);
        execl(self, self, "inherits", (char *)NULL);
        _exit(1);
    }
    EXPECT(waitpid(child, NULL, 0) == child);
    EXPECT(write(file, bytes, 30) == 30);
    child = vfork();
    if (child == 0) _exit(0);
    EXPECT(waitpid(child, NULL, 0) == child);
    EXPECT(close(file) == 0);
}

static void inherits(void) {
    EXPECT(write(3, "executed\n", 9) == 9);
}

int main(int count, char **arguments) {
    const char *part = count > 1 ? arguments[1] : "";
    if (!strcmp(part, "basic")) basic();
    if (!strcmp(part, "temporary")) temporary();
    if (!strcmp(part, "many")) many();
    if (!strcmp(part, "failures")) failures();
    if (!strcmp(part, "duplicates")) duplicates();
    if (!strcmp(part, "vectors")) vectors();
    if (!strcmp(part, "locks")) locks();
    if (!strcmp(part, "streams")) streams();
    if (!strcmp(part, "threads")) threads();
    if (!strcmp(part, "children")) children(arguments[0]);
    if (!strcmp(part, "inherits")) inherits();
    return 0;
}
