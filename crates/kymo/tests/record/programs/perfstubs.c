/* Calls the tool interface of perfstubs, if there is a tool, as its library does. Ends with 3. With
 * an argument, says whether there is one. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

static void* find(const char* name) { return dlsym(RTLD_DEFAULT, name); }

static void (*string_start)(const char*);
static void (*string_stop)(const char*);

static void* worker(void* nothing)
{
    for (int i = 0; i < 10; i++) {
        string_start("in a worker");
        string_stop("in a worker");
    }
    return nothing;
}

static void annotate(void)
{
    void* (*create)(const char*)                 = (void* (*)(const char*))find("ps_tool_timer_create");
    void (*start)(const void*)                   = (void (*)(const void*))find("ps_tool_timer_start");
    void (*stop)(const void*)                    = (void (*)(const void*))find("ps_tool_timer_stop");
    void (*stop_current)(void)                   = (void (*)(void))find("ps_tool_stop_current");
    void (*phase_start)(const char*, int)        = (void (*)(const char*, int))find("ps_tool_dynamic_phase_start");
    void (*phase_stop)(const char*, int)         = (void (*)(const char*, int))find("ps_tool_dynamic_phase_stop");
    void* (*create_counter)(const char*)         = (void* (*)(const char*))find("ps_tool_create_counter");
    void (*sample)(const void*, double)          = (void (*)(const void*, double))find("ps_tool_sample_counter");
    void (*parameter)(const char*, int64_t)      = (void (*)(const char*, int64_t))find("ps_tool_set_parameter");
    void (*metadata)(const char*, const char*)   = (void (*)(const char*, const char*))find("ps_tool_set_metadata");
    ((void (*)(void))find("ps_tool_initialize"))();
    void* inner = create("inner [{some file.c} {17}]");
    void* counter = create_counter("residual");
    metadata("solver", "cg");
    for (int i = 0; i < 5; i++) {
        phase_start("step", i);
        start(inner);
        sample(counter, 0.5 * i);
        stop(inner);
        string_start("last");
        stop_current();
        phase_stop("step", i);
    }
    parameter("size", -12);
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    stop(inner);
    ((void (*)(void))find("ps_tool_finalize"))();
}

int main(int count, char** arguments)
{
    int has_tool = find("ps_tool_initialize") != NULL;
    string_start = (void (*)(const char*))find("ps_tool_start_string");
    string_stop  = (void (*)(const char*))find("ps_tool_stop_string");
    if (count > 1)
        printf("%s %s\n", arguments[1], has_tool ? "a tool" : "no tool");
    else if (has_tool)
        annotate();
    return 3;
}
