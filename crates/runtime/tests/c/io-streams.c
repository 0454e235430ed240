// The streams of ISO C: `io-streams PART`. The test compiles it with and without _FORTIFY_SOURCE.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1000];
// The compiler does not know the sizes, so fortified functions check them when they are called.
static volatile size_t ten = 10, hundred = 100;

static void expect(int is_true, int line) {
    if (!is_true) {
        dprintf(2, "line %d: errno %d\n", line, errno);
        _exit(1);
    }
}
#define EXPECT(what) expect(what, __LINE__)

static int list(FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = stream ? vfprintf(stream, format, arguments) : vprintf(format, arguments);
    va_end(arguments);
    return result;
}

static int scan_list(FILE *stream, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = vfscanf(stream, format, arguments);
    va_end(arguments);
    return result;
}

static void blocks(void) {
    errno = 77;
    FILE *file = fopen("a", "w+e");
    EXPECT(fwrite(bytes, ten, 7, file) == 7);
    EXPECT(fflush(file) == 0);
    EXPECT(fseek(file, 4, SEEK_SET) == 0);
    EXPECT(fread(bytes, ten, 9, file) == 6);
    EXPECT(ftell(file) == 70);
    rewind(file);
    fpos_t position;
    EXPECT(fgetpos(file, &position) == 0 && fsetpos(file, &position) == 0);
    EXPECT(fseeko(file, -10, SEEK_END) == 0 && ftello(file) == 60);
    EXPECT(fread_unlocked(bytes, 1, hundred, file) == 10);
    EXPECT(fflush(NULL) == 0);
    EXPECT(fclose(file) == 0);
    EXPECT(errno == 77);
    EXPECT(remove("a") == 0);
}

static void characters(void) {
    FILE *file = fopen("a", "w");
    EXPECT(fputc('a', file) == 'a' && putc('b', file) == 'b' && fputs("cde\n", file) >= 0);
    EXPECT(fputs_unlocked("fgh", file) >= 0 && fputc_unlocked('\n', file) == '\n');
    EXPECT(fwrite("last", 1, 4, file) == 4);
    EXPECT(fclose(file) == 0);
    file = fopen("a", "r");
    EXPECT(fgetc(file) == 'a' && getc(file) == 'b');
    EXPECT(ungetc('b', file) == 'b');
    EXPECT(fgets(bytes, (int)hundred, file) == bytes && !strcmp(bytes, "bcde\n"));
    char *line = NULL;
    size_t room = 0;
    EXPECT(getline(&line, &room, file) == 4);
    EXPECT(getdelim(&line, &room, 's', file) == 3);
    EXPECT(fgetc_unlocked(file) == 't' && fgetc(file) == EOF);
    EXPECT(fgets(bytes, (int)hundred, file) == NULL);
    EXPECT(getline(&line, &room, file) == -1);
    free(line);
    EXPECT(fclose(file) == 0);
    puts("puts");
    putchar('x');
    putchar('\n');
    fputs("fputs\n", stdout);
}

static void formats(void) {
    FILE *file = fopen("a", "w+");
    EXPECT(fprintf(file, "%d %s\n", 12, "words") == 9);
    EXPECT(list(file, "%d\n", 345) == 4);
    rewind(file);
    int number = 0;
    EXPECT(fscanf(file, "%d %99s", &number, bytes) == 2 && number == 12);
    EXPECT(scan_list(file, "%d", &number) == 1 && number == 345);
    EXPECT(scan_list(file, "%d", &number) == EOF);
    EXPECT(fclose(file) == 0);
    EXPECT(printf("%s %zu %f %d %d %d %d %d\n", "printf", ten, 1.5, 1, 2, 3, 4, 5) == 29);
    EXPECT(list(NULL, "%s\n", "vprintf") == 8);
    EXPECT(fflush(stdout) == 0);
    EXPECT(dprintf(1, "%s\n", "dprintf") == 8);
}

static void failures(void) {
    EXPECT(fopen("none", "r") == NULL && errno == ENOENT);
    FILE *file = fopen("a", "w");
    EXPECT(fgetc(file) == EOF);
    EXPECT(fseek(file, -1, SEEK_SET) == -1);
    EXPECT(fclose(file) == 0);
    file = fopen("/dev/full", "w");
    EXPECT(fwrite(bytes, 1, 10, file) == 10);
    EXPECT(fflush(file) == EOF && errno == ENOSPC);
    fclose(file);
}

static void descriptors(void) {
    int number = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    FILE *file = fdopen(number, "rb+");
    EXPECT(fwrite(bytes, 1, 10, file) == 10);
    EXPECT(fclose(file) == 0);
    file = fopen("b", "w");
    EXPECT(fwrite(bytes, 1, 5, file) == 5);
    EXPECT(fflush(file) == 0);
    EXPECT(write(fileno(file), bytes, 3) == 3);
    EXPECT(freopen("c", "a", file) == file);
    EXPECT(fwrite(bytes, 1, 6, file) == 6);
    flockfile(file);
    EXPECT(ftrylockfile(file) == 0);
    funlockfile(file);
    funlockfile(file);
    EXPECT(fclose(file) == 0);
    file = popen("true", "r");
    EXPECT(fgetc(file) == EOF);
    EXPECT(pclose(file) == 0);
    EXPECT(fclose(stdin) == 0 && fclose(stdout) == 0 && fclose(stderr) == 0);
}

// The macros of characters without locks call functions only when a buffer is empty or full.
static void macros(void) {
    FILE *file = fopen("a", "w");
    for (int count = 0; count < 10000; count++) putc_unlocked('x', file);
    EXPECT(fclose(file) == 0);
    file = fopen("a", "r");
    int count = 0;
    while (getc_unlocked(file) != EOF) count++;
    EXPECT(count == 10000 && fclose(file) == 0);
}

// The standard output, with the bytes in its buffer, becomes another file.
static void moved(void) {
    EXPECT(fwrite("out\n", 1, 4, stdout) == 4 && fflush(stdout) == 0);
    int file = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    EXPECT(dup2(file, 1) == 1 && close(file) == 0);
    EXPECT(fwrite(bytes, 1, 30, stdout) == 30);
    EXPECT(fclose(stdin) == 0);
}

// A child has the streams of its parent, and writes the bytes in their buffers.
static void children(void) {
    FILE *file = fopen("a", "w");
    EXPECT(fwrite(bytes, 1, 10, file) == 10 && fflush(file) == 0);
    pid_t child = fork();
    if (child == 0) {
        EXPECT(fwrite(bytes, 1, 20, file) == 20);
        EXPECT(fclose(file) == 0);
        _exit(0);
    }
    EXPECT(waitpid(child, NULL, 0) == child);
    EXPECT(fclose(file) == 0);
}

int main(int count, char **arguments) {
    const char *part = count > 1 ? arguments[1] : "";
    if (!strcmp(part, "blocks")) blocks();
    if (!strcmp(part, "characters")) characters();
    if (!strcmp(part, "formats")) formats();
    if (!strcmp(part, "stream-failures")) failures();
    if (!strcmp(part, "descriptors")) descriptors();
    if (!strcmp(part, "macros")) macros();
    if (!strcmp(part, "moved")) moved();
    if (!strcmp(part, "stream-children")) children();
    return 0;
}
