// Known numbers of calls: `leaf` 3, `recurse` 5, `plugged` in a library that is loaded 2.
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(int number) {
    return number + 1;
}

__attribute__((noinline)) int recurse(int depth) {
    return depth == 1 ? leaf(0) : recurse(depth - 1);
}

__attribute__((noinline)) int fails(void) {
    return close(-1);
}

static int plugged(const char *library) {
    void *plugin = library ? dlopen(library, RTLD_NOW) : NULL;
    if (!plugin) return 0;
    int (*call)(int) = (int (*)(int))dlsym(plugin, "in_library");
    int result = call(1) + call(2);
    dlclose(plugin);
    return result;
}

int main(int count, char **arguments) {
    int sum = leaf(1) + leaf(2) + recurse(5);
    for (int place = 1; place < count; place++) sum += plugged(arguments[place]);
    fails();
    printf("%d %d\n", sum, errno == EBADF);
    return 3;
}
