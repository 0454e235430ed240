/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks from inside which resources of a process the plugin uses: limits PLUGIN DIRECTORY CASE. A
 * case that finds too many fails.
 */
#define HOST_ARENA (1 << 24)
#include "faults.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

/* ---- Resources of the process ---- */

static unsigned entries(const char* folder)
{
    unsigned count = 0;
    DIR* open = opendir(folder);
    if (!open)
        FAIL("%s: %s", folder, strerror(errno));
    for (struct dirent* entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static unsigned descriptors(void) { return entries("/proc/self/fd"); }

/* Resident bytes, including those of shared mappings. */
static uint64_t resident(void)
{
    unsigned long pages = 0, all = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu %lu", &all, &pages) != 2)
        FAIL("statm");
    fclose(file);
    return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t tick(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* A location with memory of its own. */
static struct SCOREP_Location* new_location(uint32_t id)
{
    struct SCOREP_Location* location = calloc(1, sizeof *location);
    char* name = malloc(16);
    snprintf(name, 16, "%u", id);
    location->id = id;
    location->name = name;
    location_definition(location);
    CALL(create_location, location, &locations[0]);
    return location;
}

/* ---- Descriptors ---- */

static unsigned most, before;

static void look_at_descriptors(void)
{
    const unsigned own = descriptors() - before;
    if (own > most)
        most = own;
}

static void* look_all_the_time(void* stop)
{
    while (!*(volatile int*)stop)
        look_at_descriptors();
    return NULL;
}

/*
 * Counting needs a descriptor itself: `before` includes it, and the limit allows for a second
 * counter.
 */
static void descriptors_of_many_locations(void)
{
    enum { COUNT = 250 };
    static struct SCOREP_Location* many[COUNT];
    int stop = 0;
    pthread_t looker;
    before = descriptors();
    begin();
    if (pthread_create(&looker, NULL, look_all_the_time, &stop))
        FAIL("pthread_create");
    for (uint32_t i = 0; i < COUNT; i++)
        many[i] = new_location(i + 1);
    for (int round = 0; round < 20; round++)
        for (uint32_t i = 0; i < COUNT; i++)
            pairs(many[i], 200);
    end();
    *(volatile int*)&stop = 1;
    pthread_join(looker, NULL);
    if (most > 8)
        FAIL("%u descriptors", most);
}

/* ---- Threads ---- */

static struct SCOREP_Location* short_location;

static void* live_shortly(void* unused)
{
    (void)unused;
    CALL(activate_cpu_location, short_location, &locations[0], 1);
    pairs(short_location, 5);
    CALL(deactivate_cpu_location, short_location, &locations[0]);
    return NULL;
}

static void live(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, live_shortly, NULL) || pthread_join(thread, NULL))
        FAIL("pthread_create");
}

/* Score-P reuses the locations of ended threads for new threads. */
static void short_threads(void)
{
    enum { COUNT = 100000, KEPT = 50, IN_FLIGHT = 1 << 20 };
    struct SCOREP_Location* kept[KEPT];
    uint64_t warm = 0;
    begin();
    for (uint32_t i = 0; i < KEPT; i++)
        kept[i] = new_location(i + 1);
    for (uint32_t i = 0; i < COUNT; i++)
    {
        short_location = kept[i % KEPT];
        live();
        if (i == COUNT / 10)
            warm = resident();
    }
    const uint64_t now_resident = resident();
    /* The amount in flight may differ by its limit. */
    if (now_resident > warm + warm / 20 + IN_FLIGHT)
        FAIL("%llu bytes after a tenth of the threads, %llu after all", (unsigned long long)warm, (unsigned long long)now_resident);
    end();
}

/* If locations are not reused, an ended location keeps little memory. */
static void short_locations(void)
{
    /* Of the limit of memory, all may be in flight in the end if the writer is slow. */
    enum { COUNT = 4000, WARM = 1000, MOST = 2048, IN_FLIGHT = 4 << 20 };
    uint64_t most = 0;
    begin();
    for (uint32_t i = 0; i < COUNT; i++)
    {
        if (i == WARM)
            most = resident() + IN_FLIGHT + (uint64_t)MOST * (COUNT - WARM);
        short_location = new_location(i + 1);
        live_shortly(NULL);
    }
    const uint64_t now = resident();
    if (now > most)
        FAIL("%llu bytes more than the most", (unsigned long long)(now - most));
    end();
}

/* ---- Waiting ---- */

/* How often a thread has waited of its own accord: it does not count when others take its processor. */
static unsigned long waits_of(pid_t thread)
{
    char path[64], line[256];
    unsigned long waits = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
    FILE* status = fopen(path, "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "voluntary_ctxt_switches: %lu", &waits) == 1)
            break;
    if (status)
        fclose(status);
    return waits;
}

/* The thread that records, the number of its calls that have returned, and whether it goes on. */
static pid_t recorder;
static volatile uint64_t returned;
static volatile int is_recording;

/*
 * Holds a write of the plugin's thread until the recording thread waits for memory, however slow
 * both are: it has waited many times within one call.
 */
static void hold_until_it_waits(pid_t writer)
{
    uint64_t call = returned;
    unsigned long waits = waits_of(recorder);
    while (is_recording && writer != recorder && waits_of(recorder) < waits + 20)
    {
        usleep(500);
        if (returned != call)
            call = returned, waits = waits_of(recorder);
    }
}

static void install_held_faults(void (*hold)(pid_t))
{
    recorder = (pid_t)syscall(SYS_gettid);
    faults.hold = hold;
    install_faults();
}

/* Prints begin and end of each call that took long on standard output. */
static void says_when_it_waits(void)
{
    install_held_faults(hold_until_it_waits);
    now = tick();
    begin();
    is_recording = 1;
    for (int i = 0; i < 1200000; i++, returned++)
    {
        const uint64_t start = tick();
        if (i % 2)
            EVENT(EXIT_REGION, ExitRegion, &locations[0], start, work, NULL);
        else
            EVENT(ENTER_REGION, EnterRegion, &locations[0], start, work, NULL);
        const uint64_t stop = tick();
        if (stop - start > 500000)
            printf("%llu %llu\n", (unsigned long long)start, (unsigned long long)stop);
    }
    is_recording = 0;
    now = tick();
    end();
}

/* Records more events than fit into memory, like a program that does much before MPI_Init. */
static void much_before_the_archive(void)
{
    start(library);
    create(0, "Master thread");
    program_begin();
    pairs(&locations[0], 100000);
    init_mpp();
    pairs(&locations[0], 50);
    end();
}

/* ---- The program's own state ---- */

static void pairs_with_errno(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
    {
        errno = 77;
        pairs(&locations[0], 1);
        if (errno != 77)
            FAIL("after pair %u errno is %d", i, errno);
    }
}

/* errno is kept while memory grows, and while the storage does not keep up. */
static void errno_stays(void)
{
    install_faults();
    start(library);
    create(0, "Master thread");
    program_begin();
    pairs_with_errno(80000);
    init_mpp();
    pairs_with_errno(160000);
    end();
}

/* The thread must end at the program's cancellation point, not in the plugin. */
static void* ends_when_it_may(void* unused)
{
    (void)unused;
    pthread_cancel(pthread_self());
    pairs(short_location, 160000);
    pthread_testcancel();
    return NULL;
}

static void cancelled(void)
{
    pthread_t thread;
    void* value = NULL;
    install_faults();
    begin();
    short_location = new_location(1);
    if (pthread_create(&thread, NULL, ends_when_it_may, NULL) || pthread_join(thread, &value) || value != PTHREAD_CANCELED)
        FAIL("the thread was not cancelled");
    end();
}

static sigjmp_buf out;

static void leave(int signal)
{
    (void)signal;
    is_recording = 0;
    siglongjmp(out, 1);
}

static void interrupt_when_it_waits(pid_t writer)
{
    hold_until_it_waits(writer);
    if (!is_recording || writer == recorder)
        return;
    syscall(SYS_tgkill, getpid(), recorder, SIGALRM);
    while (is_recording)
        usleep(500);
}

/*
 * A handler jumps out of an event that waits for memory. Prints the number of pairs that had
 * returned on standard output.
 */
static void jumps_out_of_an_event(void)
{
    install_held_faults(interrupt_when_it_waits);
    begin();
    create(1, "second");
    pairs(&locations[1], 50);
    signal(SIGALRM, leave);
    if (!sigsetjmp(out, 1))
    {
        is_recording = 1;
        for (;; returned++)
            pairs(&locations[0], 1);
    }
    pairs(&locations[1], 50);
    printf("%llu\n", (unsigned long long)returned);
    fflush(stdout);
    end();
}

/* ---- The thread of the plugin ---- */

/* How often to look, a millisecond apart, for a change that only a fault prevents. */
enum { LOOKS = 120000 };

/* The number of the last thread that `writers` counted. */
static pid_t writer;

/* Counts the threads of the writer's name; each must block every signal that can be blocked. */
static unsigned writers(void)
{
    unsigned count = 0;
    DIR* tasks = opendir("/proc/self/task");
    for (struct dirent* entry; (entry = readdir(tasks));)
    {
        char path[512], line[256] = "";
        snprintf(path, sizeof path, "/proc/self/task/%s/status", entry->d_name);
        FILE* status = entry->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (!status)
            continue;
        int is_writer = 0;
        while (fgets(line, sizeof line, status))
        {
            unsigned long long blocked;
            if (strcmp(line, "Name:\tkymo-writer\n") == 0)
                is_writer = 1, count++, writer = atoi(entry->d_name);
            /* All but SIGKILL, SIGSTOP and the two signals that the C library reserves. */
            const unsigned long long all = ~(1ull << 8 | 1ull << 18 | 3ull << 31);
            if (is_writer && sscanf(line, "SigBlk: %llx", &blocked) == 1 && (blocked & all) != all)
                FAIL("the writer does not block all signals: %llx", blocked);
        }
        fclose(status);
    }
    closedir(tasks);
    return count;
}

static void own_thread(void)
{
    begin();
    pairs(&locations[0], 100000);
    /* A new thread sets its name when it first runs. */
    for (int i = 0; i < LOOKS && writers() == 0; i++)
        usleep(1000);
    const unsigned during = writers();
    end();
    /* The kernel lists a thread that was joined for another moment. */
    for (int i = 0; i < LOOKS && writers() != 0; i++)
        usleep(1000);
    if (during != 1 || writers() != 0)
        FAIL("%u writers while recording, %u at the end", during, writers());
}

/* ---- Children ---- */

static uint64_t hash_of(const char* path)
{
    uint64_t hash = 14695981039346656037u;
    FILE* file = fopen(path, "r");
    if (!file)
        FAIL("%s: %s", path, strerror(errno));
    for (int byte; (byte = getc(file)) != EOF;)
        hash = (hash ^ (uint64_t)byte) * 1099511628211u;
    fclose(file);
    return hash;
}

/* Whether a thread sleeps. */
static int is_asleep(pid_t thread)
{
    char path[64], line[256], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)thread);
    FILE* status = fopen(path, "r");
    while (status && fgets(line, sizeof line, status) && sscanf(line, "State: %c", &state) != 1)
        ;
    if (status)
        fclose(status);
    return state == 'S';
}

/*
 * Waits until the writer has nothing to do: it sleeps, and not for milliseconds as it does between
 * pieces. A writer for which there is no processor does not sleep.
 */
static void await_idle_writer(void)
{
    unsigned long waits = 0;
    for (int looks = 0, same = 0; same < 5; looks++)
    {
        if (looks == LOOKS / 20)
            FAIL("the writer is never idle");
        const int is_same = writers() == 1 && is_asleep(writer) && waits_of(writer) == waits;
        same = is_same ? same + 1 : 0;
        waits = waits_of(writer);
        usleep(20000);
    }
}

/* The only file in the folder that the variable names. */
static void find_scratch(char* path, size_t size)
{
    const char* folder = getenv("SCOREP_SUBSTRATE_KYMO_SCRATCH");
    DIR* open = folder ? opendir(folder) : NULL;
    if (!open)
        FAIL("no folder for scratch files");
    *path = 0;
    for (struct dirent* entry; (entry = readdir(open));)
        if (entry->d_name[0] != '.')
            snprintf(path, size, "%s/%s", folder, entry->d_name);
    closedir(open);
    if (!*path)
        FAIL("no scratch file in %s", folder);
}

static void child_leaves_scratch_alone(void)
{
    char path[4096];
    begin();
    create(1, "second");
    pairs(&locations[0], 50000);
    pairs(&locations[1], 10);
    find_scratch(path, sizeof path);
    await_idle_writer();
    const uint64_t hash = hash_of(path);
    const pid_t child = fork();
    if (child == 0)
    {
        region("region of the child", 1, 1);
        create(3, "location of the child");
        pairs(&locations[0], 50000);
        pairs(&locations[1], 50000);
        pairs(&locations[3], 50000);
        end();
        exit(4);
    }
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 4)
        FAIL("the child ended with %x", status);
    if (hash_of(path) != hash)
        FAIL("the child has changed %s", path);
    pairs(&locations[0], 50);
    end();
    if (access(path, F_OK) == 0)
        FAIL("%s is left", path);
}

/* ---- Files ---- */

/* A write beyond this limit raises SIGXFSZ, which ends a program. */
static void limited_files(void)
{
    const struct rlimit limit = { 1 << 17, 1 << 17 };
    if (setrlimit(RLIMIT_FSIZE, &limit))
        FAIL("setrlimit");
    begin();
    pairs(&locations[0], 200000);
    end();
}

/* The limit is set when the scratch file exists. */
static void files_limited_late(void)
{
    const struct rlimit limit = { 1 << 17, 1 << 17 };
    begin();
    if (setrlimit(RLIMIT_FSIZE, &limit))
        FAIL("setrlimit");
    pairs(&locations[0], 200000);
    end();
}

CASES(
    CASE(descriptors_of_many_locations), CASE(short_threads), CASE(short_locations), CASE(says_when_it_waits),
    CASE(much_before_the_archive), CASE(errno_stays), CASE(cancelled), CASE(jumps_out_of_an_event), CASE(own_thread), CASE(child_leaves_scratch_alone), CASE(limited_files), CASE(files_limited_late))
