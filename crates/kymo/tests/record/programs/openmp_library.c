/* A library that uses OpenMP, for a program that does not: it is opened for itself alone, and so is
 * its runtime. Without LIBRARY, the program. */
#include <dlfcn.h>
#include <stdio.h>

#ifdef LIBRARY
int work(void);
int work(void)
{
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp barrier
        sum++;
    }
    return sum;
}
#else
int main(int count, char** arguments)
{
    int sum = 0;
    for (int i = 1; i < count; i++)
    {
        void* library   = dlopen(arguments[i], RTLD_NOW | RTLD_LOCAL);
        int (*work)(void) = library ? (int (*)(void))dlsym(library, "work") : NULL;
        if (!work)
        {
            puts(dlerror());
            return 1;
        }
        sum += work() + work();
    }
    printf("%d\n", sum);
    return 0;
}
#endif
