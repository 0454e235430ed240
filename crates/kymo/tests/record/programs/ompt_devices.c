/* A runtime of OpenMP that reports the same as LLVM's of one device: regions, operations on its
 * memory, launches. It has one word for all regions of a thread, and does not reset it. */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef union
{
    uint64_t value;
    void*    pointer;
} data;

typedef void (*function)(void);
typedef function (*lookup_function)(const char*);
typedef struct
{
    int (*initialize)(lookup_function, int, data*);
    void (*finalize)(data*);
    data tool;
} tool;

enum
{
    BEGIN = 1,
    END,
};
enum
{
    TARGET_EMI        = 33,
    TARGET_DATA_OP    = 34,
    TARGET_SUBMIT_EMI = 35,
};

static function callbacks[64];

static int set_callback(int number, function callback)
{
    callbacks[number] = callback;
    return 5;
}

static function lookup(const char* name)
{
    return strcmp(name, "ompt_set_callback") == 0 ? (function)set_callback : NULL;
}

static __thread data region;
static __thread uint64_t operation;

static void target(int kind, int end, const void* place)
{
    data task = { 0 };
    ((void (*)(int, int, int, data*, data*, data*, const void*))callbacks[TARGET_EMI])(kind, end, 0, &task, NULL,
                                                                                        &region, place);
}

static void operate(int kind, size_t bytes, const void* place)
{
    for (int end = BEGIN; end <= END; end++)
        ((void (*)(int, data*, data*, uint64_t*, int, void*, int, void*, int, size_t, const void*))
             callbacks[TARGET_DATA_OP])(end, NULL, &region, &operation, kind, NULL, 1, NULL, 0, bytes, place);
}

static void submit(void)
{
    for (int end = BEGIN; end <= END; end++)
        ((void (*)(int, data*, uint64_t*, unsigned))callbacks[TARGET_SUBMIT_EMI])(end, &region, &operation, 1);
}

__attribute__((noinline)) static void construct(int kind)
{
    const void* place = __builtin_return_address(0);
    target(kind, BEGIN, place);
    operate(1, 8000, place);
    operate(2, 8000, place);
    submit();
    operate(3, 8000, place);
    operate(4, 0, place);
    target(kind, END, place);
}

/* Outside of any region: omp_target_alloc. */
__attribute__((noinline)) static void allocate(void)
{
    operate(1, 100, __builtin_return_address(0));
}

static void* deferred(void* argument)
{
    construct(1 + 8);
    return argument;
}

int main(void)
{
    tool* (*start)(unsigned, const char*) =
        (tool * (*)(unsigned, const char*)) dlsym(RTLD_DEFAULT, "ompt_start_tool");
    tool* found = start ? start(202011, "a runtime") : NULL;
    if (found && found->initialize(lookup, 0, &found->tool))
    {
        for (int time = 0; time < 5; time++)
            construct(1);
        construct(2);
        allocate();
        pthread_t thread;
        pthread_create(&thread, NULL, deferred, NULL);
        pthread_join(thread, NULL);
        found->finalize(&found->tool);
    }
    puts("done");
    return 0;
}
