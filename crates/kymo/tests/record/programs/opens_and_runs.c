/* Opens the library that its argument names, alone, and calls its function `run`. */
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** arguments)
{
    void* library   = count > 1 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(void) = library ? (int (*)(void))dlsym(library, "run") : NULL;
    if (!run)
    {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    return run();
}
