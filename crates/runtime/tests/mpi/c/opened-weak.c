/* A program that opens the MPI library, and then a library that asks which functions there are, as
 * Python does for mpi4py. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns which MPI library a file needs. */
static const char *needed(const char *path) {
    static const char *names[] = {"libmpich.so.12", "libmpi.so.12", "libmpi.so.40", "libmpi_abi.so.0"};
    char *bytes = malloc(1 << 20);
    FILE *file = fopen(path, "rb");
    size_t length = bytes && file ? fread(bytes, 1, 1 << 20, file) : 0, i;
    for (i = 0; i < sizeof names / sizeof names[0]; i++)
        if (memmem(bytes, length, names[i], strlen(names[i]) + 1)) return names[i];
    return NULL;
}

int main(int arguments, char **argument) {
    const char *path = arguments > 1 ? argument[1] : "./libopened-weak.so", *name = needed(path);
    void *library, *own = dlopen(NULL, RTLD_LAZY);
    int (*run)(void);
    if (own && dlsym(own, "MPI_Get_version")) return fprintf(stderr, "MPI without a library\n"), 2;
    if (!name || !dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return fprintf(stderr, "no MPI: %s\n", dlerror()), 2;
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    run = (int (*)(void))dlsym(library, "run");
    return run ? run() : 2;
}
