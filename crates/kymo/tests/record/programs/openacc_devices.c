/* A library of OpenACC that reports the places of constructs, and the operations on a device. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct
{
    int         event, valid_bytes, version, device_type, device_number, thread;
    ptrdiff_t   async, queue;
    const char* file;
    const char* function;
    int         line, end_line, function_line, function_end_line;
} profile_info;

typedef struct
{
    int   event, valid_bytes, parent, implicit;
    void* tool;
} head;

typedef struct
{
    head        head;
    const char* variable;
    size_t      bytes;
    const void* host;
    const void* device;
} data_info;

typedef struct
{
    head        head;
    const char* kernel;
    size_t      gangs, workers, vector_length;
} launch_info;

typedef void (*callback)(profile_info*, void*, void*);
typedef void (*register_function)(int, callback, int);

static callback callbacks[32];

static void register_callback(int event, callback function, int scope)
{
    if (scope == 0 && event > 0 && event < 32)
        callbacks[event] = function;
}

static void report(int event, int line, head* info)
{
    profile_info profile = { event, sizeof(profile), 201711, 4, 0, 0, -1, -1, "/src/solver/heat.c", "step", line,
                             line,  1,               2 };
    info->event          = event;
    if (callbacks[event])
        callbacks[event](&profile, info, NULL);
}

static void construct(int begin, int line, head* info)
{
    report(begin, line, info);
    report(begin + 1, line, info);
}

int main(void)
{
    typedef void (*library_function)(register_function, void*, void*);
    library_function library = (library_function)dlsym(RTLD_DEFAULT, "acc_register_library");
    if (library)
    {
        library(register_callback, NULL, NULL);
        /* A second request changes nothing. */
        library(register_callback, NULL, NULL);
    }
    static char block[2];
    for (int step = 0; step < 3; step++)
    {
        head      compute = { 0, sizeof(head), 0, 0, NULL };
        data_info data    = { { 0, sizeof(data_info), 0, 1, NULL }, "field", 8000, &data, &block[0] };
        report(16, 20, &compute);
        report(8, 20, &data.head);
        construct(20, 20, &data.head);
        launch_info launch = { { 0, sizeof(launch_info), 0, 0, NULL }, "step_20_gpu", 32, 4, 128 };
        construct(18, 20, &launch.head);
        /* An older library, which does not tell the sizes. */
        launch.head.valid_bytes = offsetof(launch_info, gangs);
        construct(18, 30, &launch.head);
        construct(22, 20, &data.head);
        data.bytes = (size_t)-1;
        report(9, 20, &data.head);
        report(17, 20, &compute);
    }
    head wait = { 0, sizeof(head), 15, 0, NULL };
    construct(24, 0, &wait);
    /* An end without a begin. */
    report(15, 40, &wait);
    puts("done");
    return 0;
}
