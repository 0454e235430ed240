/* Annotates itself with ITT, through a static part like those in programs and libraries: a list of
 * pointers to functions, which the collector that INTEL_LIBITTNOTIFY64 names fills in. The counts are
 * in the tests. Ends with 3, or with the number of a check that fails. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

/* The C library has a function of this name. */
#define pause itt_pause

struct domain {
    volatile int    flags;
    const char*     name;
    const wchar_t*  wide;
    int             extra1;
    void*           extra2;
    struct domain*  next;
};
struct string {
    const char*    text;
    const wchar_t* wide;
    int            extra1;
    void*          extra2;
    struct string* next;
};
struct counter {
    const char*    name;
    const wchar_t* wide_name;
    const char*    domain;
    const wchar_t* wide_domain;
    int            type;
    long           index;
    int            extra1;
    void*          extra2;
    void*          next;
};
struct id {
    unsigned long long words[3];
};
enum { U64 = 1, I64, U32, I32, U16, I16, F32, F64 };
enum { STRUCTURE = 4, CONTROL = 1, COUNTER = 2, OTHER = 64 };

#define FUNCTIONS                                                                                            \
    F(struct domain*, domain_create, (const char*), STRUCTURE)                                               \
    F(struct string*, string_handle_create, (const char*), STRUCTURE)                                        \
    F(void, task_begin, (const struct domain*, struct id, struct id, struct string*), STRUCTURE)             \
    F(void, task_begin_fn, (const struct domain*, struct id, struct id, void*), STRUCTURE)                   \
    F(void, task_end, (const struct domain*), STRUCTURE)                                                     \
    F(void, task_begin_overlapped, (const struct domain*, struct id, struct id, struct string*), STRUCTURE)  \
    F(void, task_end_overlapped, (const struct domain*, struct id), STRUCTURE)                               \
    F(void, marker, (const struct domain*, struct id, struct string*, int), STRUCTURE)                       \
    F(void, frame_begin_v3, (const struct domain*, struct id*), STRUCTURE)                                   \
    F(void, frame_end_v3, (const struct domain*, struct id*), STRUCTURE)                                     \
    F(void, frame_submit_v3, (const struct domain*, struct id*, unsigned long long, unsigned long long),     \
      STRUCTURE)                                                                                             \
    F(unsigned long long, get_timestamp, (void), STRUCTURE)                                                  \
    F(struct counter*, counter_create, (const char*, const char*), COUNTER)                                  \
    F(struct counter*, counter_create_typed, (const char*, const char*, int), COUNTER)                       \
    F(void, counter_inc, (struct counter*), COUNTER)                                                         \
    F(void, counter_inc_delta, (struct counter*, unsigned long long), COUNTER)                               \
    F(void, counter_dec, (struct counter*), COUNTER)                                                         \
    F(void, counter_set_value, (struct counter*, void*), COUNTER)                                            \
    F(void, metadata_add, (const struct domain*, struct id, struct string*, int, size_t, void*), STRUCTURE)  \
    F(void, metadata_str_add, (const struct domain*, struct id, struct string*, const char*, size_t),        \
      STRUCTURE)                                                                                             \
    F(int, event_create, (const char*, int), OTHER)                                                          \
    F(int, event_start, (int), OTHER)                                                                        \
    F(int, event_end, (int), OTHER)                                                                          \
    F(void, pause, (void), CONTROL)                                                                          \
    F(void, resume, (void), CONTROL)                                                                         \
    F(void, thread_set_name, (const char*), OTHER)                                                           \
    F(void, never_heard_of, (void), OTHER)

#define F(result, name, arguments, group) static result(*name) arguments;
FUNCTIONS
#undef F

static void* no_tool(void)
{
    return NULL;
}

struct function {
    const char* name;
    void**      place;
    void*       initial;
    void*       null;
    int         group;
};

static struct function functions[] = {
#define F(result, name, arguments, group) { "__itt_" #name, (void**)&name, NULL, (void*)no_tool, group },
    FUNCTIONS
#undef F
    { NULL, NULL, NULL, NULL, 0 },
};

static struct {
    unsigned char    magic[8];
    unsigned long    version[3];
    volatile long    state[3];
    pthread_mutex_t  mutex;
    void*            library;
    void*            error_handler;
    const char**     path;
    struct function* functions;
    void*            rest[10];
} global = {
    .magic     = { 0xED, 0xAB, 0xAB, 0xEC, 0x0D, 0xEE, 0xDA, 0x30 },
    .version   = { 3, 0, 20250807 },
    .functions = functions,
};

static int has_tool;

/* Asks the collector for these groups. */
static void initialize(unsigned groups)
{
    for (struct function* it = functions; it->name; it++)
        *it->place = it->null;
    const char* path = getenv("INTEL_LIBITTNOTIFY64");
    void*       file = path ? dlopen(path, RTLD_LAZY) : NULL;
    void (*init)(void*, unsigned) = file ? (void (*)(void*, unsigned))dlsym(file, "__itt_api_init") : NULL;
    if (init)
        init(&global, groups);
    has_tool = task_begin != (void*)no_tool;
}

static void expect(int number, int is_right)
{
    if (has_tool && !is_right)
        exit(number);
}

static const struct id none;
static struct domain   before = { .flags = 1, .name = "made before" };
static struct string   wide   = { .wide = L"inn\u00e4r" };

static void* worker(void* domain)
{
    thread_set_name("an itt worker");
    struct string* name = string_handle_create("in a worker");
    for (int i = 0; i < 10; i++) {
        task_begin(domain, none, none, name);
        task_end(domain);
    }
    return NULL;
}

static void tasks(struct domain* domain)
{
    struct string *outer = string_handle_create("outer"), *marked = string_handle_create("marked");
    expect(20, outer && outer == string_handle_create("outer") && outer != marked);
    task_begin(domain, none, none, outer);
    for (int i = 0; i < 3; i++) {
        task_begin(domain, none, none, &wide);
        task_end(domain);
    }
    marker(domain, none, marked, 4);
    task_end(domain);
    task_end(domain); /* Of no task. */
    /* The same string in another domain, which the static part has made. */
    task_begin(&before, none, none, outer);
    task_end(&before);
    task_begin_overlapped(domain, (struct id){ { 1, 2, 3 } }, none, outer);
    task_end_overlapped(domain, (struct id){ { 1, 2, 3 } });
    task_begin(domain, none, none, string_handle_create("around"));
    task_begin_fn(domain, none, none, (void*)tasks);
    task_end(domain);
    task_end(domain);
}

static void metadata(struct domain* domain)
{
    struct id one = { { 7, 8, 9 } }, other = { { 9, 8, 7 } };
    task_begin(domain, one, none, string_handle_create("described"));
    long long      number  = -5;
    unsigned short small   = 65535;
    double         many[3] = { 1.5, 2, -3 };
    metadata_add(domain, one, string_handle_create("number"), I64, 1, &number);
    metadata_add(domain, none, string_handle_create("small"), U16, 1, &small);
    metadata_add(domain, one, string_handle_create("many"), F64, 3, many);
    metadata_str_add(domain, one, string_handle_create("text"), "a text, cut off", 6);
    metadata_str_add(domain, none, string_handle_create("text"), "to its end", 0);
    metadata_add(domain, other, string_handle_create("of another"), I64, 1, &number);
    task_end(domain);
}

static void counters(void)
{
    static struct counter made = { .name = "made before", .domain = "counters", .type = I32 };
    struct counter*       sum  = counter_create("sum", "counters");
    expect(30, sum && sum == counter_create("sum", "counters"));
    counter_inc(sum);
    counter_inc_delta(sum, 10);
    counter_dec(sum);
    int value = -7;
    counter_set_value(&made, &value);
    counter_inc(&made);
    double          half  = 0.5;
    struct counter* float_ = counter_create_typed("share", "counters", F64);
    counter_set_value(float_, &half);
}

static void frames(struct domain* domain)
{
    for (int i = 0; i < 5; i++) {
        frame_begin_v3(domain, NULL);
        frame_end_v3(domain, NULL);
    }
    unsigned long long now = get_timestamp();
    expect(40, now > 0 && get_timestamp() >= now);
    frame_submit_v3(domain, NULL, now, now + 1);
}

static void events(void)
{
    int event = event_create("an event, cut off", 8);
    expect(50, event == event_create("an event", 8) && event_start(event) == 0 && event_end(event) == 0);
}

int main(int count, char** arguments)
{
    (void)arguments;
    initialize(count > 1 ? CONTROL : 0x7FFFFFFF);
    never_heard_of();
    struct domain* domain = domain_create("library");
    if (!domain)
        domain = &before;
    expect(10, domain->flags == 1 && domain == domain_create("library") && domain != &before);
    tasks(domain);
    metadata(domain);
    counters();
    frames(domain);
    events();
    pause();
    task_begin(domain, none, none, string_handle_create("while paused"));
    task_end(domain);
    resume();
    pthread_t thread;
    pthread_create(&thread, NULL, worker, domain);
    pthread_join(thread, NULL);
    task_begin(domain, none, none, string_handle_create("around the fork"));
    pid_t child = fork();
    if (child == 0) {
        task_end(domain);
        task_begin(domain, none, none, string_handle_create("in the child"));
        task_end(domain);
        exit(0);
    }
    waitpid(child, NULL, 0);
    task_end(domain);
    puts("done");
    return 3;
}
