/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of gcc's OpenMP runtime, as far as something is recorded about them
 * (src/adapters/openmp/gomp). In C they know where they were called from.
 *
 * Each calls the function of the runtime once. Most take words: more of them than the function has
 * parameters do no harm, since the caller removes them. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CALLER __builtin_return_address(0)

typedef uintptr_t word;
typedef word (*words)(word, word, word, word, word, word, word, word, word, word, word);

/* Finds the function of this name for the code at `caller`, and keeps it if it is that of all. */
void* kymo_gomp_find(const char* name, void** place, const void* caller);

/* The hooks, src/adapters/openmp/gomp/hooks.rs. */
void*    kymo_gomp_fork(const void* caller, unsigned requested);
void     kymo_gomp_join(void* place);
void     kymo_gomp_begin(void* place, unsigned number, unsigned size, unsigned work);
void     kymo_gomp_end(void* place);
void     kymo_gomp_loop(const void* caller, unsigned schedule);
void     kymo_gomp_loop_end(void);
void     kymo_gomp_barrier(const void* caller, bool implicit);
void     kymo_gomp_barrier_end(void);
void     kymo_gomp_wait(const void* caller, bool group);
void     kymo_gomp_wait_end(bool group);
void     kymo_gomp_group(const void* caller);
uint64_t kymo_gomp_now(void);
void     kymo_gomp_enter(const void* caller, bool ordered, word lock, uint64_t since);
void     kymo_gomp_leave(bool ordered, word lock);
void     kymo_gomp_single(const void* caller, bool executes, uint64_t since);
void     kymo_gomp_single_end(void);
void     kymo_gomp_sections(const void* caller);
void     kymo_gomp_section(unsigned number);
void     kymo_gomp_sections_end(void);
void*    kymo_gomp_task(const void* caller, unsigned flags);
void     kymo_gomp_task_begin(void* task);
void     kymo_gomp_task_end(void* task);
void     kymo_gomp_lock(word lock, bool nest, unsigned function, uint64_t since);
void     kymo_gomp_unlock(word lock, bool nest);
void     kymo_gomp_lock_call(unsigned function);
void     kymo_gomp_target(const void* caller, unsigned kind, bool deferred);
void     kymo_gomp_target_end(void);

/* Defines the place for the address of a function, and a function that returns it. */
#define REAL(name)                                                                                           \
    void*       kymo_gomp_real_##name;                                                                       \
    static void* real_##name(const void* caller)                                                             \
    {                                                                                                        \
        void* real = __atomic_load_n(&kymo_gomp_real_##name, __ATOMIC_RELAXED);                              \
        return real ? real : kymo_gomp_find(#name, &kymo_gomp_real_##name, caller);                          \
    }

/* Parallel regions. */

struct region
{
    void (*function)(void*);
    void*    data;
    void*    place;
    unsigned work;
    unsigned (*number)(void);
    unsigned (*size)(void);
};

REAL(omp_get_thread_num)
REAL(omp_get_num_threads)
REAL(omp_get_max_threads)
REAL(omp_in_final)

/* The function that a member of a team executes. */
static void member(void* argument)
{
    struct region region = *(struct region*)argument;
    kymo_gomp_begin(region.place, region.number(), region.size(), region.work);
    region.function(region.data);
    kymo_gomp_end(region.place);
}

/* The work-sharing construct that a member executes besides the function. */
enum
{
    NOTHING,
    LOOP,
    SECTIONS = 16,
};

static word parallel(const void* caller, void* real, unsigned work, word function, word data, word threads, word d,
                     word e, word f, word g, word h)
{
    words call = (words)real;
    if (!real)
    {
        ((void (*)(void*))function)((void*)data);
        return 1;
    }
    struct region region = { (void (*)(void*))function, (void*)data, NULL, work, NULL, NULL };
    region.number        = (unsigned (*)(void))real_omp_get_thread_num(caller);
    region.size          = (unsigned (*)(void))real_omp_get_num_threads(caller);
    unsigned (*most)(void) = (unsigned (*)(void))real_omp_get_max_threads(caller);
    if (region.number && region.size && most)
    {
        region.place = kymo_gomp_fork(caller, (unsigned)threads ? (unsigned)threads : most());
    }
    if (!region.place)
    {
        return call(function, data, threads, d, e, f, g, h, 0, 0, 0);
    }
    word result = call((word)member, (word)&region, threads, d, e, f, g, h, 0, 0, 0);
    kymo_gomp_join(region.place);
    return result;
}

#define PARALLEL(name, work)                                                                                 \
    REAL(name)                                                                                               \
    word kymo_gomp_##name(word function, word data, word threads, word d, word e, word f, word g, word h);   \
    word kymo_gomp_##name(word function, word data, word threads, word d, word e, word f, word g, word h)    \
    {                                                                                                        \
        return parallel(CALLER, real_##name(CALLER), work, function, data, threads, d, e, f, g, h);          \
    }

/* The schedules, in the order of `Schedule` in src/adapters/openmp/work.rs. */
enum
{
    STATIC,
    DYNAMIC,
    GUIDED,
    OTHER,
};

PARALLEL(GOMP_parallel, NOTHING)
PARALLEL(GOMP_parallel_reductions, NOTHING)
PARALLEL(GOMP_parallel_sections, SECTIONS)
PARALLEL(GOMP_parallel_loop_static, LOOP + STATIC)
PARALLEL(GOMP_parallel_loop_dynamic, LOOP + DYNAMIC)
PARALLEL(GOMP_parallel_loop_guided, LOOP + GUIDED)
PARALLEL(GOMP_parallel_loop_runtime, LOOP + OTHER)
PARALLEL(GOMP_parallel_loop_nonmonotonic_dynamic, LOOP + DYNAMIC)
PARALLEL(GOMP_parallel_loop_nonmonotonic_guided, LOOP + GUIDED)
PARALLEL(GOMP_parallel_loop_nonmonotonic_runtime, LOOP + OTHER)
PARALLEL(GOMP_parallel_loop_maybe_nonmonotonic_runtime, LOOP + OTHER)

/* Loops. */

#define LOOP_START(name, schedule)                                                                           \
    REAL(name)                                                                                               \
    word kymo_gomp_##name(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j);   \
    word kymo_gomp_##name(word a, word b, word c, word d, word e, word f, word g, word h, word i, word j)    \
    {                                                                                                        \
        words real = (words)real_##name(CALLER);                                                             \
        kymo_gomp_loop(CALLER, schedule);                                                                    \
        return real ? real(a, b, c, d, e, f, g, h, i, j, 0) : 0;                                             \
    }
#define LOOP_STARTS(prefix)                                                                                  \
    LOOP_START(prefix##_static_start, STATIC)                                                                \
    LOOP_START(prefix##_dynamic_start, DYNAMIC)                                                              \
    LOOP_START(prefix##_guided_start, GUIDED)                                                                \
    LOOP_START(prefix##_runtime_start, OTHER)                                                                \
    LOOP_START(prefix##_nonmonotonic_dynamic_start, DYNAMIC)                                                 \
    LOOP_START(prefix##_nonmonotonic_guided_start, GUIDED)                                                   \
    LOOP_START(prefix##_nonmonotonic_runtime_start, OTHER)                                                   \
    LOOP_START(prefix##_maybe_nonmonotonic_runtime_start, OTHER)                                             \
    LOOP_START(prefix##_ordered_static_start, STATIC)                                                        \
    LOOP_START(prefix##_ordered_dynamic_start, DYNAMIC)                                                      \
    LOOP_START(prefix##_ordered_guided_start, GUIDED)                                                        \
    LOOP_START(prefix##_ordered_runtime_start, OTHER)                                                        \
    LOOP_START(prefix##_doacross_static_start, STATIC)                                                       \
    LOOP_START(prefix##_doacross_dynamic_start, DYNAMIC)                                                     \
    LOOP_START(prefix##_doacross_guided_start, GUIDED)                                                       \
    LOOP_START(prefix##_doacross_runtime_start, OTHER)                                                       \
    LOOP_START(prefix##_start, OTHER)                                                                        \
    LOOP_START(prefix##_ordered_start, OTHER)                                                                \
    LOOP_START(prefix##_doacross_start, OTHER)

LOOP_STARTS(GOMP_loop)
LOOP_STARTS(GOMP_loop_ull)

/* Functions without parameters; `before` and `after` record the events around the call. */
#define PLAIN(name, before, after)                                                                           \
    REAL(name)                                                                                               \
    word kymo_gomp_##name(void);                                                                             \
    word kymo_gomp_##name(void)                                                                              \
    {                                                                                                        \
        word (*real)(void) = (word(*)(void))real_##name(CALLER);                                             \
        before;                                                                                              \
        word result = real ? real() : 0;                                                                     \
        after;                                                                                               \
        return result;                                                                                       \
    }
#define END(name, end)                                                                                       \
    PLAIN(name, (end, kymo_gomp_barrier(CALLER, true)), kymo_gomp_barrier_end())                             \
    PLAIN(name##_cancel, (end, kymo_gomp_barrier(CALLER, true)), kymo_gomp_barrier_end())                    \
    PLAIN(name##_nowait, end, (void)0)

END(GOMP_loop_end, kymo_gomp_loop_end())
END(GOMP_sections_end, kymo_gomp_sections_end())
PLAIN(GOMP_barrier, kymo_gomp_barrier(CALLER, false), kymo_gomp_barrier_end())
PLAIN(GOMP_barrier_cancel, kymo_gomp_barrier(CALLER, false), kymo_gomp_barrier_end())
PLAIN(GOMP_taskwait, kymo_gomp_wait(CALLER, false), kymo_gomp_wait_end(false))
PLAIN(GOMP_taskgroup_start, kymo_gomp_group(CALLER), (void)0)
PLAIN(GOMP_taskgroup_end, kymo_gomp_wait(CALLER, true), kymo_gomp_wait_end(true))
PLAIN(GOMP_critical_start, uint64_t since = kymo_gomp_now(), kymo_gomp_enter(CALLER, false, 0, since))
PLAIN(GOMP_critical_end, kymo_gomp_leave(false, 0), (void)0)
PLAIN(GOMP_ordered_start, uint64_t since = kymo_gomp_now(), kymo_gomp_enter(CALLER, true, 0, since))
PLAIN(GOMP_ordered_end, kymo_gomp_leave(true, 0), (void)0)
PLAIN(GOMP_single_start, uint64_t since = kymo_gomp_now(), kymo_gomp_single(CALLER, result & 0xff, since))
PLAIN(GOMP_single_copy_start, uint64_t since = kymo_gomp_now(), kymo_gomp_single(CALLER, !result, since))
PLAIN(GOMP_sections_next, (void)0, kymo_gomp_section((unsigned)result))

/* Functions with words, of which the first may be needed. */
#define WITH(name, before, after)                                                                            \
    REAL(name)                                                                                               \
    word kymo_gomp_##name(word a, word b, word c, word d);                                                   \
    word kymo_gomp_##name(word a, word b, word c, word d)                                                    \
    {                                                                                                        \
        words real = (words)real_##name(CALLER);                                                             \
        before;                                                                                              \
        word result = real ? real(a, b, c, d, 0, 0, 0, 0, 0, 0, 0) : 0;                                      \
        after;                                                                                               \
        return result;                                                                                       \
    }

WITH(GOMP_sections_start, kymo_gomp_sections(CALLER), kymo_gomp_section((unsigned)result))
WITH(GOMP_sections2_start, kymo_gomp_sections(CALLER), kymo_gomp_section((unsigned)result))
WITH(GOMP_single_copy_end, kymo_gomp_single_end(), (void)0)
WITH(GOMP_taskwait_depend, kymo_gomp_wait(CALLER, false), kymo_gomp_wait_end(false))
WITH(GOMP_critical_name_start, uint64_t since = kymo_gomp_now(), kymo_gomp_enter(CALLER, false, a, since))
WITH(GOMP_critical_name_end, kymo_gomp_leave(false, a), (void)0)

/* Locks. The numbers are those of `Function` in src/adapters/openmp/locks.rs. */
enum
{
    INIT      = 0,
    DESTROY   = 2,
    SET       = 3,
    TEST      = 5,
    NEST      = 6,
};

#define LOCKS(suffix)                                                                                        \
    WITH(omp_init_lock##suffix, kymo_gomp_lock_call(INIT), (void)0)                                          \
    WITH(omp_destroy_lock##suffix, kymo_gomp_lock_call(DESTROY), (void)0)                                    \
    WITH(omp_set_lock##suffix, uint64_t since = kymo_gomp_now(), kymo_gomp_lock(a, false, SET, since))       \
    WITH(omp_unset_lock##suffix, kymo_gomp_unlock(a, false), (void)0)                                        \
    WITH(omp_test_lock##suffix, uint64_t since = kymo_gomp_now(),                                            \
         if ((int)result) kymo_gomp_lock(a, false, TEST, since))                                             \
    WITH(omp_init_nest_lock##suffix, kymo_gomp_lock_call(NEST + INIT), (void)0)                              \
    WITH(omp_destroy_nest_lock##suffix, kymo_gomp_lock_call(NEST + DESTROY), (void)0)                        \
    WITH(omp_set_nest_lock##suffix, uint64_t since = kymo_gomp_now(),                                        \
         kymo_gomp_lock(a, true, NEST + SET, since))                                                         \
    WITH(omp_unset_nest_lock##suffix, kymo_gomp_unlock(a, true), (void)0)                                    \
    WITH(omp_test_nest_lock##suffix, uint64_t since = kymo_gomp_now(),                                       \
         if ((int)result) kymo_gomp_lock(a, true, NEST + TEST, since))

LOCKS()
LOCKS(_)

/* Tasks. The runtime copies the data of a task, so the copy can begin with a header for recording
 * its execution. */

struct header
{
    void (*function)(void*);
    void*  task;
    size_t pad;
};

/* The source of the copy. The runtime stores the event of a detached task in the first word. */
struct creation
{
    void* event;
    void (*function)(void*);
    void* data;
    void (*copy)(void*, void*);
    size_t size;
    size_t pad;
    void*  task;
    bool   is_detached;
};

static void copy(void* to, void* from)
{
    struct creation* creation = from;
    struct header    header   = { creation->function, creation->task, creation->pad };
    memcpy(to, &header, sizeof(header));
    void* data = (char*)to + creation->pad;
    if (creation->is_detached && creation->data)
    {
        *(void**)creation->data = creation->event;
    }
    if (creation->copy)
    {
        creation->copy(data, creation->data);
    }
    else if (creation->size > 0)
    {
        memcpy(data, creation->data, creation->size);
    }
}

static void run(void* argument)
{
    struct header header;
    memcpy(&header, argument, sizeof(header));
    kymo_gomp_task_begin(header.task);
    header.function((char*)argument + header.pad);
    kymo_gomp_task_end(header.task);
}

#define DETACH 8192

REAL(GOMP_task)
void kymo_gomp_GOMP_task(void (*function)(void*), void* data, void (*copying)(void*, void*), long size, long align,
                         word deferred, word flags, word depend, word priority, word detach);
void kymo_gomp_GOMP_task(void (*function)(void*), void* data, void (*copying)(void*, void*), long size, long align,
                         word deferred, word flags, word depend, word priority, word detach)
{
    words real           = (words)real_GOMP_task(CALLER);
    int (*is_final)(void) = (int (*)(void))real_omp_in_final(CALLER);
    void* task           = NULL;
    if (!real)
    {
        return;
    }
    if ((deferred & 0xff) && is_final && !is_final())
    {
        task = kymo_gomp_task(CALLER, (unsigned)flags);
    }
    if (!task)
    {
        real((word)function, (word)data, (word)copying, (word)size, (word)align, deferred, flags, depend, priority,
             detach, 0);
        return;
    }
    size_t          wide     = align < 8 ? 8 : (size_t)align;
    size_t          pad      = (sizeof(struct header) + wide - 1) / wide * wide;
    struct creation creation = { NULL, function, data, copying, size < 0 ? 0 : (size_t)size,
                                 pad,  task,     (flags & DETACH) != 0 };
    real((word)run, (word)&creation, (word)copy, (word)(pad + creation.size), (word)wide, deferred, flags, depend,
         priority, detach, 0);
}

/* Constructs for devices. The kinds are in the order of `TargetKind` in src/adapters/openmp/target.rs. */
enum
{
    TARGET,
    ENTER_DATA,
    EXIT_DATA,
    UPDATE,
};

/* Flags of these functions. */
enum
{
    NOWAIT = 1,
    EXIT   = 2,
};

#define OFFLOAD(name, kind, flags)                                                                           \
    REAL(name)                                                                                               \
    word kymo_gomp_##name(word a, word b, word c, word d, word e, word f, word g, word h, word i);           \
    word kymo_gomp_##name(word a, word b, word c, word d, word e, word f, word g, word h, word i)            \
    {                                                                                                        \
        words real = (words)real_##name(CALLER);                                                             \
        kymo_gomp_target(CALLER, kind, (flags) & NOWAIT);                                                    \
        word result = real ? real(a, b, c, d, e, f, g, h, i, 0, 0) : 0;                                      \
        kymo_gomp_target_end();                                                                              \
        return result;                                                                                       \
    }

OFFLOAD(GOMP_target, TARGET, 0)
OFFLOAD(GOMP_target_ext, TARGET, g)
OFFLOAD(GOMP_target_data, ENTER_DATA, 0)
OFFLOAD(GOMP_target_data_ext, ENTER_DATA, 0)
OFFLOAD(GOMP_target_end_data, EXIT_DATA, 0)
OFFLOAD(GOMP_target_update, UPDATE, 0)
OFFLOAD(GOMP_target_update_ext, UPDATE, f)
OFFLOAD(GOMP_target_enter_exit_data, (f) & EXIT ? EXIT_DATA : ENTER_DATA, f)
