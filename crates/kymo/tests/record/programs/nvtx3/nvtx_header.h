/* Like the headers of NVTX: tables of pointers to functions, which initialise themselves at the
 * first call, with the library that NVTX_INJECTION64_PATH names. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t  color_type;
    uint32_t color;
    int32_t  payload_type, reserved;
    union { uint64_t u64; int64_t i64; double f64; uint32_t u32; int32_t i32; float f32; } payload;
    int32_t  message_type;
    union { const char* ascii; const wchar_t* wide; void* registered; } message;
};

enum { ATTRIBUTES_SIZE = sizeof(struct attributes), ASCII = 1, WIDE = 2, REGISTERED = 3 };
enum { U64 = 1, I64, F64, U32, I32, F32 };

typedef void (*function)(void);
static function  core[16], core2[16];
static function* core_places[16];
static function* core2_places[16];
static int       has_tool;

static int table_of(unsigned module, function*** table, unsigned* size)
{
    *table = module == 1 ? core_places : module == 5 ? core2_places : NULL;
    *size  = 16;
    return *table != NULL;
}

static const void* export_table(unsigned number)
{
    static const struct { size_t size; int (*table_of)(unsigned, function***, unsigned*); } callbacks =
        { sizeof callbacks, table_of };
    return number == 1 ? &callbacks : NULL;
}

static void not_initialised(void) { abort(); }

static void initialise(void)
{
    for (int i = 1; i < 16; i++) {
        core[i] = core2[i] = not_initialised;
        core_places[i] = &core[i], core2_places[i] = &core2[i];
    }
    const char* path = getenv("NVTX_INJECTION64_PATH");
    void* library = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*inject)(const void* (*)(unsigned)) = NULL;
    if (library)
        *(void**)&inject = dlsym(library, "InitializeInjectionNvtx2");
    has_tool = inject && inject(export_table);
    if (library && !has_tool)
        dlclose(library);
    for (int i = 1; i < 16; i++) {
        core[i]  = core[i] == not_initialised ? NULL : core[i];
        core2[i] = core2[i] == not_initialised ? NULL : core2[i];
    }
}

#define CALL(table, number, type, ...) (table[number] ? ((type)table[number])(__VA_ARGS__) : 0)
#define CALL_VOID(table, number, type, ...) (table[number] ? ((type)table[number])(__VA_ARGS__) : (void)0)

static int push(const char* text) { return CALL(core, 9, int (*)(const char*), text); }
static int push_wide(const wchar_t* text) { return CALL(core, 10, int (*)(const wchar_t*), text); }
static int pop(void) { return CALL(core, 11, int (*)(void)); }
static void mark(const char* text) { CALL_VOID(core, 2, void (*)(const char*), text); }
static uint64_t start(const char* text) { return CALL(core, 5, uint64_t (*)(const char*), text); }
static void end(uint64_t id) { CALL_VOID(core, 7, void (*)(uint64_t), id); }
static void name_category(uint32_t id, const char* text)
{
    CALL_VOID(core, 12, void (*)(uint32_t, const char*), id, text);
}
static void name_thread(uint32_t id, const char* text)
{
    CALL_VOID(core, 14, void (*)(uint32_t, const char*), id, text);
}
static void* domain_create(const char* text) { return CALL(core2, 12, void* (*)(const char*), text); }
static void* register_string(void* domain, const char* text)
{
    return CALL(core2, 10, void* (*)(void*, const char*), domain, text);
}
static int domain_push(void* domain, const struct attributes* it)
{
    return CALL(core2, 4, int (*)(void*, const struct attributes*), domain, it);
}
static int domain_pop(void* domain) { return CALL(core2, 5, int (*)(void*), domain); }
static void domain_mark(void* domain, const struct attributes* it)
{
    CALL_VOID(core2, 1, void (*)(void*, const struct attributes*), domain, it);
}
