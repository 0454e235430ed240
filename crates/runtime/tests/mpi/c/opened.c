/* A program that is not linked with MPI and opens a library that is, with RTLD_LOCAL. */
#include <dlfcn.h>
#include <stdio.h>

int main(int arguments, char **argument) {
    void *library = dlopen(arguments > 1 ? argument[1] : "./libopened.so", RTLD_NOW | RTLD_LOCAL);
    int (*run)(void);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 2;
    run = (int (*)(void))dlsym(library, "run");
    return run ? run() : 2;
}
