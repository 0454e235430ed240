// Calls a tool as Kokkos does, which looks its functions up in the library that KOKKOS_TOOLS_LIBS
// names. Ends with 3.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <typeinfo>

struct SpaceHandle { char name[64]; };
struct Settings { bool requires_global_fencing; bool padding[255]; };

namespace solver { struct Functor { }; }

template <typename Function> static Function* find(void* tool, const char* name)
{
    return reinterpret_cast<Function*>(dlsym(tool, name));
}

using Begin = void(const char*, uint32_t, uint64_t*);
using End   = void(uint64_t);

static void kernels(void* tool, const char* kind, const char* name, int count)
{
    char function[64];
    std::strcpy(function, "kokkosp_begin_");
    Begin* begin = find<Begin>(tool, std::strcat(function, kind));
    std::strcpy(function, "kokkosp_end_");
    End* end = find<End>(tool, std::strcat(function, kind));
    for (int i = 0; i < count; i++) {
        uint64_t number = 0;
        begin(name, 0x1000001, &number);
        end(number);
    }
}

int main()
{
    const char* path = std::getenv("KOKKOS_TOOLS_LIBS");
    void* tool = path ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : nullptr;
    if (!tool)
        return 3;
    Settings settings = { true, {} };
    find<void(uint32_t, Settings*)>(tool, "kokkosp_request_tool_settings")(1, &settings);
    if (settings.requires_global_fencing)
        return 4;
    find<void(int, uint64_t, uint32_t, void*)>(tool, "kokkosp_init_library")(0, 20240906, 0, nullptr);
    find<void(const char*, const char*)>(tool, "kokkosp_declare_metadata")("backend", "Serial");
    auto push = find<void(const char*)>(tool, "kokkosp_push_profile_region");
    auto pop  = find<void()>(tool, "kokkosp_pop_profile_region");
    uint32_t section = 0;
    find<void(const char*, uint32_t*)>(tool, "kokkosp_create_profile_section")("section", &section);
    auto start = find<void(uint32_t)>(tool, "kokkosp_start_profile_section");
    auto stop  = find<void(uint32_t)>(tool, "kokkosp_stop_profile_section");
    push("setup");
    // The section ends after the region that it began in.
    start(section);
    kernels(tool, "parallel_for", "axpy", 7);
    kernels(tool, "parallel_for", typeid(solver::Functor).name(), 2);
    pop();
    stop(section);
    kernels(tool, "parallel_reduce", "axpy", 3);
    kernels(tool, "parallel_scan", "sum", 2);
    kernels(tool, "fence", "wait", 1);
    SpaceHandle host = { "Host" };
    int block[25];
    using Change = void(SpaceHandle, const char*, const void*, uint64_t);
    find<Change>(tool, "kokkosp_allocate_data")(host, "block", block, sizeof block);
    find<void(SpaceHandle, const char*, const void*, SpaceHandle, const char*, const void*, uint64_t)>(
        tool, "kokkosp_begin_deep_copy")(host, "to", block, host, "from", block + 5, 20);
    find<void()>(tool, "kokkosp_end_deep_copy")();
    find<Change>(tool, "kokkosp_deallocate_data")(host, "block", block, sizeof block);
    find<void(const char*)>(tool, "kokkosp_profile_event")("event");
    find<void()>(tool, "kokkosp_finalize_library")();
    return 3;
}
