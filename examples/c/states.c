// Prints how often each state (function) of a TAU trace was entered:
//
//     states tau.trc tau.edf

#include <TAU_tf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static char *names[MOST];
static unsigned long visits[MOST];

static int define(void *user, unsigned state, const char *name, unsigned group) {
    (void)user, (void)group;
    if (state < MOST && !names[state]) names[state] = strdup(name);
    return 0;
}

static int enter(void *user, double time, unsigned node, unsigned thread, unsigned state) {
    (void)user, (void)time, (void)node, (void)thread;
    if (state < MOST) visits[state]++;
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    Ttf_FileHandleT trace = Ttf_OpenFileForInput(argv[1], argv[2]);
    if (!trace) return 1;
    Ttf_CallbacksT callbacks = {.DefState = define, .EnterState = enter};
    int read;
    while ((read = Ttf_ReadNumEvents(trace, callbacks, 1024)) > 0) {}
    Ttf_CloseFile(trace);
    for (int state = 0; state < MOST; state++) {
        if (visits[state]) printf("%lu %s\n", visits[state], names[state] ? names[state] : "?");
        free(names[state]);
    }
    return read != 0;
}
