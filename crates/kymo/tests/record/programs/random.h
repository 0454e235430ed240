/* The call path that a random program knows of itself: each call puts its function there, and takes
   it away again. */
#ifndef RANDOM_H
#define RANDOM_H

#include <string.h>
#include <unistd.h>

enum { DEEPEST_PATH = 4096 };

struct shadow {
    int depth;
    /* Where the stack of a coroutine begins. */
    int begin;
    const char *names[DEEPEST_PATH];
    /* The function may have left its frame to the next one. */
    char has_jumped[DEEPEST_PATH];
    /* The calls that catch exceptions, as long as these can reach them. */
    int catching;
    /* The calls that are left. */
    int left;
    unsigned random;
    int file;
    int length;
    char text[1 << 16];
};

extern __thread struct shadow shadow;

/* Calls a function. */
#define CALL(name, call)                \
    do {                                \
        int depth_before = shadow.depth; \
        put(name);                      \
        call;                           \
        shadow.depth = depth_before;    \
    } while (0)

/* As above, in code that no exception can pass. */
#define CALL_WITHOUT_EXCEPTIONS(name, call)    \
    do {                                       \
        int catching_before = shadow.catching; \
        shadow.catching = 0;                   \
        CALL(name, call);                      \
        shadow.catching = catching_before;     \
    } while (0)

/* The call with which a function ends. It may be a jump. */
#define LAST_CALL(name, call) (shadow.has_jumped[shadow.depth - 1] = 1, put(name), call)

/* Writes the path of the function to the thread's file: the event. */
#define EVENT()                                                         \
    do {                                                                \
        compose();                                                      \
        if (write(shadow.file, shadow.text, (size_t)shadow.length) < 0) \
            _exit(99);                                                  \
    } while (0)

static __attribute__((noinline, unused)) void compose(void) {
    shadow.length = 0;
    for (int place = shadow.begin; place < shadow.depth; place++) {
        size_t length = strlen(shadow.names[place]);
        memcpy(shadow.text + shadow.length, shadow.names[place], length);
        shadow.length += (int)length;
        if (shadow.has_jumped[place]) shadow.text[shadow.length++] = '?';
        shadow.text[shadow.length++] = place + 1 < shadow.depth ? '>' : '\n';
    }
}

static inline __attribute__((always_inline, unused)) void put(const char *name) {
    shadow.has_jumped[shadow.depth] = 0;
    shadow.names[shadow.depth++] = name;
}

/* A number below `most`. */
static inline __attribute__((always_inline, unused)) unsigned drawn(unsigned most) {
    shadow.random = shadow.random * 1103515245u + 12345u;
    return (shadow.random >> 16) % most;
}

#endif
