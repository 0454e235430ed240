/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that ends badly: ends PLUGIN DIRECTORY NAME=VALUE...  Without a plugin (an empty name)
 * it ends as it would without measurement.
 *
 * Threads record operations that are derived from `seed`, the number of the thread and that of the
 * operation (`operate`), and count in the file `progress` how many of them have returned, so that a
 * test can compute the expected content of the trace. The time of an operation is its number +
 * 1001. The name of the thread's location is `thread N`.
 */
#include "faults.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

/* Defined in C++, if the program is linked with throws.cpp. */
extern __attribute__((weak)) void throw_exception(void);

/* ---- The plan ---- */

static struct
{
    uint64_t threads, seed, events, before, rewinds, pace, late, who;
    const char *progress, *end, *handler;
} plan = { .threads = 1, .events = 100, .end = "well", .handler = "none" };

static void read_plan(int count, char** arguments)
{
    const struct { const char* name; uint64_t* number; const char** text; } settings[] = {
        { "threads", &plan.threads, NULL }, { "seed", &plan.seed, NULL }, { "events", &plan.events, NULL },
        { "before", &plan.before, NULL }, { "rewinds", &plan.rewinds, NULL }, { "pace", &plan.pace, NULL },
        { "late", &plan.late, NULL }, { "who", &plan.who, NULL }, { "progress", NULL, &plan.progress }, { "end", NULL, &plan.end },
        { "handler", NULL, &plan.handler },
    };
    for (int i = 0; i < count; i++)
    {
        const size_t length = strcspn(arguments[i], "=");
        size_t at = 0;
        while (strlen(settings[at].name) != length || strncmp(settings[at].name, arguments[i], length))
            if (++at == sizeof settings / sizeof settings[0])
                FAIL("unknown setting %s", arguments[i]);
        if (settings[at].number)
            *settings[at].number = strtoull(arguments[i] + length + 1, NULL, 10);
        else
            *settings[at].text = arguments[i] + length + 1;
    }
    if (plan.threads < 1 || plan.threads > MOST_LOCATIONS)
        FAIL("1 to %d threads", MOST_LOCATIONS);
}

/* ---- The progress, which survives this process ---- */

enum phase { LOADING, BEFORE, INIT_MPP, RECORDING, ENDING, PRE_UNIFY, WRITE_DATA, FINALIZE, OVER };

static struct
{
    volatile uint64_t phase, handled;
    struct counts counts;
    uint64_t fill[2];
    struct { volatile uint64_t returned; uint64_t fill[7]; } threads[MOST_LOCATIONS];
} own, *progress = &own;

static void open_progress(void)
{
    if (!plan.progress)
        return;
    const int file = open(plan.progress, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof own))
        FAIL("%s: %s", plan.progress, strerror(errno));
    progress = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (progress == MAP_FAILED)
        FAIL("%s: %s", plan.progress, strerror(errno));
    close(file);
    faults.counts = &progress->counts;
}

/* ---- Operations ---- */

/* A mark that is set at depth 0 allows one more level each time. */
enum { DEEPEST = 30, STACK = 1024, MOST_REGIONS = 24 };

struct worker
{
    struct SCOREP_Location* location;
    uint64_t key, done;
    unsigned depth, regions, marked_depth;
    int is_marked;
    /* Deeper than DEEPEST, because a mark can be set at any depth. */
    uint32_t region, stack[STACK];
};

static struct worker workers[MOST_LOCATIONS];
static uint32_t parameter, rewind_region;
static pthread_mutex_t defining = PTHREAD_MUTEX_INITIALIZER;

static uint64_t mixed(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static void define_region(struct worker* worker, uint64_t number)
{
    char name[64];
    snprintf(name, sizeof name, "region %u.%llu", worker->location->id, (unsigned long long)number);
    pthread_mutex_lock(&defining);
    worker->region = region(name, 1, 1);
    pthread_mutex_unlock(&defining);
    worker->regions++;
}

static void leave(struct worker* worker, uint64_t time)
{
    worker->depth--;
    EVENT(EXIT_REGION, ExitRegion, worker->location, time, worker->stack[worker->depth], NULL);
}

static void rest(struct worker* worker)
{
    CALL(deactivate_cpu_location, worker->location, NULL);
    CALL(activate_cpu_location, worker->location, NULL, 1);
}

static void mark_or_go_back(struct worker* worker, uint64_t time, int goes_back)
{
    if (!worker->is_marked)
    {
        worker->marked_depth = worker->depth;
        EVENT(ENTER_REWIND_REGION, EnterRewindRegion, worker->location, time, rewind_region);
    }
    else
    {
        if (goes_back)
            worker->depth = worker->marked_depth;
        EVENT(EXIT_REWIND_REGION, ExitRewindRegion, worker->location, time, rewind_region, goes_back);
    }
    worker->is_marked = !worker->is_marked;
}

/*
 * Performs operation number `number`. The runner in Rust implements the same rules. While a mark is
 * set, no region is left that was entered before the mark; after the last drawn operation all are
 * left.
 */
static void operate(struct worker* worker, uint64_t number)
{
    struct SCOREP_Location* location = worker->location;
    const uint64_t draw = mixed(worker->key + number), time = 1001 + number, rare = draw % 1024, usual = (draw >> 20) % 8;
    const unsigned floor = worker->is_marked ? worker->marked_depth : 0;
    if (number >= plan.events)
        leave(worker, time);
    else if (rare < 3 && worker->regions < MOST_REGIONS)
        define_region(worker, number);
    else if (rare >= 3 && rare < 5)
        rest(worker);
    else if (rare >= 5 && rare < 5 + plan.rewinds)
        mark_or_go_back(worker, time, draw >> 40 & 1);
    else if (usual == 6)
        EVENT(TRIGGER_PARAMETER_UINT64, TriggerParameterUint64, location, time, parameter, number);
    else if (usual == 7)
        EVENT(TRIGGER_COUNTER_UINT64, TriggerCounterUint64, location, time, counter, number);
    else if ((usual < 3 && worker->depth < DEEPEST) || worker->depth == floor)
    {
        if (worker->depth == STACK)
            FAIL("too deep");
        worker->stack[worker->depth++] = worker->region;
        EVENT(ENTER_REGION, EnterRegion, location, time, worker->region, NULL);
    }
    else
        leave(worker, time);
}

static void operate_until(struct worker* worker, uint64_t end)
{
    for (; worker->done < end || (end == plan.events && worker->depth); progress->threads[worker->location->id].returned = ++worker->done)
    {
        operate(worker, worker->done);
        if (plan.pace && worker->done % 64 == 0)
            usleep((useconds_t)plan.pace);
    }
}

/* ---- Ends ---- */

static void overflow_stack(unsigned depth)
{
    volatile char frame[4096];
    frame[depth % sizeof frame] = (char)depth;
    if (depth < 1u << 30)
        overflow_stack(depth + 1);
    frame[0] = frame[depth % sizeof frame];
}

static void segv(void) { *(volatile int*)16 = 1; }
static void overflow(void) { overflow_stack(0); }
static void now_exit(void) { _exit(5); }
static void now_quick_exit(void) { quick_exit(5); }
static void now_exit_unfinished(void) { exit(5); }
static void be_another(void) { execl("/bin/sh", "sh", "-c", "exit 5", (char*)NULL); }
static void vanish(void) { raise(SIGKILL); }

static void bus(void)
{
    FILE* file = tmpfile();
    if (!file)
        FAIL("tmpfile");
    *(volatile char*)mmap(NULL, 4096, PROT_WRITE | PROT_READ, MAP_SHARED, fileno(file), 0) = 1;
}

static void throw_it(void)
{
    if (!throw_exception)
        FAIL("not linked with C++");
    throw_exception();
}

static void use_up_time(void)
{
    const struct rlimit limit = { 1, 1000 };
    setrlimit(RLIMIT_CPU, &limit);
    while (!progress->handled)
        ;
}

static const struct { const char* name; int signal; void (*end)(void); } ends[] = {
    { "term", SIGTERM, NULL }, { "int", SIGINT, NULL }, { "hup", SIGHUP, NULL }, { "xcpu", SIGXCPU, NULL },
    { "time-limit", SIGXCPU, use_up_time }, { "usr1", SIGUSR1, NULL }, { "segv", SIGSEGV, segv }, { "bus", SIGBUS, bus },
    { "stack", SIGSEGV, overflow }, { "abort", SIGABRT, abort }, { "exception", SIGABRT, throw_it }, { "kill", 0, vanish },
    { "_exit", 0, now_exit }, { "quick_exit", 0, now_quick_exit }, { "exit", 0, now_exit_unfinished }, { "exec", 0, be_another },
};

static void* come_to_end(void* unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
    {
        if (strcmp(ends[i].name, plan.end))
            continue;
        if (ends[i].end)
            ends[i].end();
        else
            raise(ends[i].signal);
        return NULL;
    }
    if (strcmp(plan.end, "well"))
        FAIL("there is no end %s", plan.end);
    return NULL;
}

/* The program's own handler of the signal. */
static void handle(int signal)
{
    progress->handled = (uint64_t)signal;
    if (strcmp(plan.handler, "exit") == 0)
        _exit(6);
    if (strcmp(plan.handler, "again") == 0)
    {
        struct sigaction usual = { .sa_handler = SIG_DFL };
        sigset_t set;
        sigaction(signal, &usual, NULL);
        sigemptyset(&set);
        sigaddset(&set, signal);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        raise(signal);
    }
}

static void install_handler(void)
{
    static char stack[1 << 16];
    const stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
    const struct sigaction action = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
    sigaltstack(&other, NULL);
    for (size_t i = 0; strcmp(plan.handler, "none") && i < sizeof ends / sizeof ends[0]; i++)
        if (ends[i].signal && strcmp(ends[i].name, plan.end) == 0)
            sigaction(ends[i].signal, &action, NULL);
}

/* ---- The plugin must not install signal handlers ---- */

static struct sigaction actions[65];

static void look_at_signals(int is_later)
{
    for (int signal = 1; signal < 65; signal++)
    {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        if (sigaction(signal, NULL, &action))
            continue;
        if (is_later && (action.sa_handler != actions[signal].sa_handler || action.sa_flags != actions[signal].sa_flags))
            FAIL("the handler of signal %d has changed", signal);
        actions[signal] = action;
    }
}

/* ---- The program ---- */

static void* work_in_thread(void* argument)
{
    struct worker* worker = argument;
    pthread_mutex_lock(&defining);
    char* name = malloc(32);
    snprintf(name, 32, "thread %u", (unsigned)(worker - workers));
    worker->location = create((uint32_t)(worker - workers), name);
    pthread_mutex_unlock(&defining);
    operate_until(worker, plan.events);
    CALL(deactivate_cpu_location, worker->location, NULL);
    return NULL;
}

static void start_threads(pthread_t* threads)
{
    for (uint64_t i = 1; i < plan.threads; i++)
        if (pthread_create(&threads[i], NULL, work_in_thread, &workers[i]))
            FAIL("pthread_create");
}

static void prepare(uint64_t thread)
{
    struct worker* worker = &workers[thread];
    worker->location = &locations[thread];
    worker->key = mixed(plan.seed + thread * 0x10001);
    worker->region = work;
}

static void start_host(void)
{
    if (*library)
        start(library);
    else
        define();
    const uint32_t name = string("count");
    parameter = place(SCOREP_HANDLE_TYPE_PARAMETER, 28);
    set_word(parameter, 20, name);
    set_word(parameter, 24, SCOREP_PARAMETER_UINT64);
    announce(parameter, SCOREP_HANDLE_TYPE_PARAMETER);
    rewind_region = region("marked", 1, 1);
}

static void finish_measurement(void)
{
    progress->phase = ENDING;
    now = 1002 + plan.events + STACK + 1;
    program_end();
    progress->phase = PRE_UNIFY;
    CALL(pre_unify);
    progress->phase = WRITE_DATA;
    CALL(write_data);
    progress->phase = FINALIZE;
    finish();
    progress->phase = OVER;
}

int main(int count, char** arguments)
{
    pthread_t threads[MOST_LOCATIONS], other;
    if (count < 3)
        FAIL("expected a plugin, a directory and settings");
    library = arguments[1];
    directory = arguments[2];
    read_plan(count - 3, arguments + 3);
    setenv("SCOREP_EXPERIMENT_DIRECTORY", directory, 1);
    open_progress();
    install_faults();
    /* Shells ignore these signals in background programs. */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    install_handler();
    look_at_signals(0);
    start_host();
    for (uint64_t i = 0; i < plan.threads; i++)
        prepare(i);
    progress->phase = BEFORE;
    create(0, "thread 0");
    program_begin();
    operate_until(&workers[0], plan.before);
    if (!plan.late)
        start_threads(threads);
    operate_until(&workers[0], plan.before * 2);
    progress->phase = INIT_MPP;
    init_mpp();
    progress->phase = RECORDING;
    if (plan.late)
        start_threads(threads);
    operate_until(&workers[0], plan.events);
    if (plan.who == 0)
        come_to_end(NULL);
    else if (pthread_create(&other, NULL, come_to_end, NULL) || pthread_join(other, NULL))
        FAIL("pthread_create");
    for (uint64_t i = 1; i < plan.threads; i++)
        pthread_join(threads[i], NULL);
    look_at_signals(1);
    finish_measurement();
    look_at_signals(1);
    return 7;
}
