/* Calls the function `work` of each library that an argument names, and closes the library. */
#include <dlfcn.h>
#include <stddef.h>

int main(int count, char** arguments)
{
    for (int i = 1; i < count; i++) {
        void* library = dlopen(arguments[i], RTLD_NOW);
        void (*work)(void) = library ? (void (*)(void))dlsym(library, "work") : NULL;
        if (work == NULL)
            return 1;
        work();
        dlclose(library);
    }
    return 0;
}
