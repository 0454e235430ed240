/* Annotates itself with NVTX; the counts are in the tests. Ends with 3, or with the number of a call
 * whose result is not that of a tool. */
#include "nvtx3/nvtx_header.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void* domain;

static void expect(int number, int is, int should)
{
    if (has_tool && is != should)
        exit(number);
}

static struct attributes named(const char* text)
{
    struct attributes it = { .version = 3, .size = ATTRIBUTES_SIZE, .message_type = ASCII };
    it.message.ascii = text;
    return it;
}

static void* worker(void* nothing)
{
    name_thread((uint32_t)syscall(SYS_gettid), "a worker with a long name");
    for (int i = 0; i < 10; i++) {
        char name[] = "in a worker";
        struct attributes it = named(name);
        expect(10, domain_push(domain, &it), 0);
        memset(name, 'x', sizeof name - 1);
        expect(11, domain_pop(domain), 0);
    }
    return nothing;
}

static void nested(void)
{
    expect(20, push("outer"), 0);
    for (int i = 0; i < 3; i++) {
        expect(21, push_wide(L"inn\u00e4r"), 1);
        expect(22, pop(), 1);
    }
    expect(23, pop(), 0);
    expect(24, pop() < 0, 1);
}

static void with_attributes(void)
{
    void* string = register_string(domain, "registered");
    name_category(5, "of no domain");
    CALL_VOID(core2, 8, void (*)(void*, uint32_t, const char*), domain, 5, "of the domain");
    for (int i = 0; i < 4; i++) {
        struct attributes it = named(NULL);
        it.message_type = REGISTERED, it.message.registered = string;
        it.category = 5, it.payload_type = I64, it.payload.i64 = -i;
        expect(30, domain_push(domain, &it), 0);
        it.payload_type = F32, it.payload.f32 = 1.5F, it.category = 6;
        domain_mark(domain, &it);
        /* The rest is not covered. */
        it.size = 32;
        it.payload_type = U32, it.payload.u32 = 7;
        domain_mark(domain, &it);
        expect(31, domain_pop(domain), 0);
    }
}

static void begin_phase(void) { push("phase"); }

static void crossing(void)
{
    struct attributes it = named("B");
    push("A");
    domain_push(domain, &it);
    expect(40, pop(), 0);
    expect(41, domain_pop(domain), 0);
    end(start("overlapping"));
}

int main(void)
{
    initialise();
    domain = domain_create("library");
    expect(1, domain_create("library") == domain, 1);
    begin_phase();
    expect(2, pop(), 0);
    nested();
    with_attributes();
    crossing();
    mark("mark");
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    push("around the fork");
    pid_t child = fork();
    if (child == 0) {
        expect(50, push("in the child"), 1);
        expect(51, pop(), 1);
        expect(52, pop(), 0);
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    expect(53, status, 0);
    expect(54, pop(), 0);
    return 3;
}
