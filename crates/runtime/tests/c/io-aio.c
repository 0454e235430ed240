// Asynchronous input and output.
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char bytes[1000];

static void expect(int is_true, int line) {
    if (!is_true) {
        dprintf(2, "line %d: errno %d\n", line, errno);
        _exit(1);
    }
}
#define EXPECT(what) expect(what, __LINE__)

static struct aiocb block(int file, size_t count, off_t offset, int operation) {
    struct aiocb block;
    memset(&block, 0, sizeof block);
    block.aio_fildes = file;
    block.aio_buf = bytes;
    block.aio_nbytes = count;
    block.aio_offset = offset;
    block.aio_lio_opcode = operation;
    return block;
}

static ssize_t finish(struct aiocb *block) {
    const struct aiocb *list[] = {block};
    aio_suspend(list, 1, NULL);
    EXPECT(aio_error(block) != EINPROGRESS);
    return aio_return(block);
}

int main(void) {
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    static struct aiocb first, second, third, bad, left;
    first = block(file, 100, 0, LIO_WRITE);
    EXPECT(aio_write(&first) == 0 && finish(&first) == 100);
    first = block(file, 100, 60, LIO_READ);
    EXPECT(aio_read(&first) == 0 && finish(&first) == 40);
    second = block(file, 10, 200, LIO_WRITE);
    third = block(file, 20, 0, LIO_READ);
    struct aiocb *list[] = {&second, NULL, &third};
    EXPECT(lio_listio(LIO_WAIT, list, 3, NULL) == 0);
    EXPECT(aio_return(&second) == 10 && aio_return(&third) == 20);
    bad = block(file, 10, -5, LIO_READ);
    EXPECT(aio_read(&bad) == 0 ? finish(&bad) == -1 : errno == EINVAL);
    left = block(file, 5, 0, LIO_READ);
    const struct aiocb *waits[] = {&left};
    EXPECT(aio_read(&left) == 0 && aio_suspend(waits, 1, NULL) == 0);
    EXPECT(close(file) == 0);
    return 0;
}
