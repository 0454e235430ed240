/* Calls the function `work` of the library that the argument names. */
#include <dlfcn.h>
#include <stddef.h>

int main(int count, char** arguments)
{
    void* library = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    void* (*work)(void*) = library ? (void* (*)(void*))dlsym(library, "work") : NULL;
    if (work == NULL)
        return 1;
    work(NULL);
    return 0;
}
