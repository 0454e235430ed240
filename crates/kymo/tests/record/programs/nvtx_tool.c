/* A tool of NVTX that counts pushes, and whose handles are small numbers. */
#include <stdint.h>
#include <stdio.h>

typedef void (*function)(void);
struct callbacks { size_t size; int (*table_of)(unsigned, function***, unsigned*); };

static int pushes, pops, domains;

static int push(const char* text) { return text ? 100 + pushes++ : 0; }
static int pop(void) { return 200 + pops++; }
static void* create(const char* name) { return name ? (void*)(uintptr_t)++domains : NULL; }
static int domain_push(void* domain, void* it) { return (int)(uintptr_t)domain * 1000 + (it ? pushes++ : 0); }
static int domain_pop(void* domain) { return (int)(uintptr_t)domain * 1000 + pops++; }

int InitializeInjectionNvtx2(const void* (*table)(unsigned))
{
    const struct callbacks* callbacks = table(1);
    function** functions;
    unsigned   size;
    callbacks->table_of(1, &functions, &size);
    *functions[9] = (function)push, *functions[11] = (function)pop;
    callbacks->table_of(5, &functions, &size);
    *functions[12] = (function)create, *functions[4] = (function)domain_push, *functions[5] = (function)domain_pop;
    return 1;
}
