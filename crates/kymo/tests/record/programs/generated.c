/* Generates functions, and writes about them as generators of code do: into a perf map or a
   jitdump. The first argument is the action; all print the process. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A function that counts its argument down to 0. */
#if defined __x86_64__
static const unsigned char code[] = {0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf9, 0x48,
                                     0xff, 0xc9, 0x75, 0xfb, 0x5d, 0xc3};
#else
static const uint32_t code[] = {0xa9bf7bfd, 0x910003fd, 0xf1000400, 0x54ffffe1, 0xa8c17bfd, 0xd65f03c0};
#endif

typedef void (*function)(long rounds);

/* The same place in every process, where no system puts anything by itself. */
#define PLACE ((char*)0x200000000)
#define DISTANCE 4096
#define PLACES 8

static volatile long work;

static char* place(int number)
{
    return PLACE + number * DISTANCE;
}

static function generate(int number)
{
    memcpy(place(number), code, sizeof code);
    __builtin___clear_cache(place(number), place(number) + sizeof code);
    return (function)place(number);
}

static void reserve(void)
{
    int access = PROT_READ | PROT_WRITE | PROT_EXEC;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    if (mmap(PLACE, PLACES * DISTANCE, access, flags, -1, 0) != PLACE)
        exit(9);
}

/* Calls two functions, the first one for three times as long, for a time of the processor. The
   lengths vary, so that they have nothing in common with the period of samples. */
__attribute__((noinline)) static void run(function often, function seldom)
{
    static uint32_t random = 1;
    clock_t end = clock() + CLOCKS_PER_SEC * 4 / 10;
    while (clock() < end) {
        random = random * 1664525 + 1013904223;
        long rounds = 20000 + (random >> 16);
        often(3 * rounds);
        seldom(rounds);
        work++;
    }
}

__attribute__((noinline)) static void early(function often, function seldom)
{
    run(often, seldom);
    work++;
}

__attribute__((noinline)) static void late(function often, function seldom)
{
    run(often, seldom);
    work++;
}

static void map_line(FILE* file, int number, const char* name)
{
    fprintf(file, "%lx %x %s\n", (unsigned long)place(number), (unsigned)sizeof code, name);
    fflush(file);
}

static FILE* open_map(const char* mode)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    return fopen(path, mode);
}

static FILE* dump;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void put32(uint32_t number)
{
    fwrite(&number, 4, 1, dump);
}

static void put64(uint64_t number)
{
    fwrite(&number, 8, 1, dump);
}

static void begin_record(uint32_t kind, size_t size)
{
    put32(kind);
    put32(16 + size);
    put64(now());
}

static void open_dump(void)
{
    char path[64];
    snprintf(path, sizeof path, "jit-%d.dump", (int)getpid());
    dump = fopen(path, "w+");
    put32(0x4A695444);
    put32(1);
    put32(40);
    put32(62);
    put32(0);
    put32(getpid());
    put64(now());
    put64(0);
    fflush(dump);
    mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0);
}

static void load(int number, uint64_t index, const char* name)
{
    begin_record(0, 40 + strlen(name) + 1 + sizeof code);
    put32(getpid());
    put32(getpid());
    put64((uintptr_t)place(number));
    put64((uintptr_t)place(number));
    put64(sizeof code);
    put64(index);
    fwrite(name, strlen(name) + 1, 1, dump);
    fwrite(code, sizeof code, 1, dump);
    fflush(dump);
}

static void move(int from, int to, uint64_t index)
{
    begin_record(1, 48);
    put32(getpid());
    put32(getpid());
    put64((uintptr_t)place(to));
    put64((uintptr_t)place(from));
    put64((uintptr_t)place(to));
    put64(sizeof code);
    put64(index);
    fflush(dump);
}

static void line(int number, const char* file, uint32_t line)
{
    begin_record(2, 16 + 16 + strlen(file) + 1);
    put64((uintptr_t)place(number));
    put64(1);
    put64((uintptr_t)place(number));
    put32(line);
    put32(0);
    fwrite(file, strlen(file) + 1, 1, dump);
}

/* Waits until clocks that tick slowly show another time. */
static void pause_for_clocks(void)
{
    usleep(100000);
}

int main(int count, char** arguments)
{
    const char* what = count > 1 ? arguments[1] : "";
    int is_killed = count > 2 && strcmp(arguments[2], "killed") == 0;
    printf("%d\n", (int)getpid());
    fflush(stdout);
    reserve();
    function first = generate(0), second = generate(1);
    if (strcmp(what, "map") == 0) {
        FILE* map = open_map("w");
        map_line(map, 0, "first");
        map_line(map, 1, "JS:*second /a/file.js:12:3");
        run(first, second);
        if (is_killed) {
            fprintf(map, "%lx ffff cut", (unsigned long)place(0));
            fflush(map);
        }
    } else if (strcmp(what, "dump") == 0) {
        open_dump();
        line(0, "/a/file.lang", 7);
        load(0, 0, "first");
        load(1, 1, "second");
        run(first, second);
        if (is_killed) {
            begin_record(0, 1000);
            fflush(dump);
        }
    } else if (strcmp(what, "moved") == 0) {
        open_dump();
        load(0, 0, "first");
        load(1, 1, "second");
        early(first, second);
        pause_for_clocks();
        /* The first one moves, and a third one takes its place. */
        function moved = generate(2), third = generate(0);
        move(0, 2, 0);
        load(0, 2, "third");
        pause_for_clocks();
        late(moved, third);
    } else if (strcmp(what, "replaced") == 0) {
        open_dump();
        load(1, 1, "second");
        /* One place from which both are called. */
        volatile int turns = 2;
        for (int turn = 0; turn < turns; turn++) {
            pause_for_clocks();
            load(0, 2 + turn, turn == 0 ? "first" : "third");
            pause_for_clocks();
            run(first, second);
        }
    } else if (strcmp(what, "fork") == 0) {
        FILE* map = open_map("w");
        map_line(map, 0, "first");
        pid_t child = fork();
        function third = generate(2);
        if (child == 0) {
            printf("%d\n", (int)getpid());
            fflush(stdout);
            map = open_map("w");
            map_line(map, 1, "of_child");
            late(first, second);
            /* The child writes nothing about this one. */
            late(third, third);
            exit(0);
        }
        map_line(map, 1, "of_parent");
        map_line(map, 2, "third");
        early(first, second);
        early(third, third);
        waitpid(child, NULL, 0);
    } else if (strcmp(what, "execute") == 0) {
        map_line(open_map("w"), 0, "first");
        run(first, first);
        pause_for_clocks();
        execl(arguments[0], arguments[0], "executed", NULL);
    } else if (strcmp(what, "executed") == 0) {
        map_line(open_map("w"), 0, "second");
        run(first, first);
    } else if (strcmp(what, "append") == 0) {
        map_line(open_map("a"), 0, "own");
        run(first, first);
    } else {
        run(first, first);
    }
    return is_killed ? raise(SIGKILL) : 0;
}
