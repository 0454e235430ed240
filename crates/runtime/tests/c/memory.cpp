// Allocates and frees memory with the operators of C++, and lets them fail.
#include <cstdint>
#include <cstdlib>
#include <new>

struct alignas(64) Aligned
{
    char bytes[128];
};

struct Numbers
{
    int values[25];
    ~Numbers() {}
};

static void* reserve;

static void release()
{
    if (reserve == nullptr)
        throw std::bad_alloc();
    free(reserve);
    reserve = nullptr;
}

int main(int count, char**)
{
    int* number = new int(5);
    int* numbers = new int[100];
    Aligned* aligned = new Aligned;
    Aligned* several = new Aligned[2];
    char* without = new (std::nothrow) char[7];
    Numbers* objects = new Numbers;
    delete number;
    delete[] numbers;
    delete aligned;
    delete[] several;
    operator delete[](without, std::nothrow);
    delete objects;

    // A handler that frees memory, and one that gives up.
    reserve = malloc(1000);
    std::set_new_handler(release);
    volatile std::size_t huge = SIZE_MAX / 2;
    int caught = 0;
    try {
        // The operator must not be left out.
        void* volatile result = operator new(huge);
        operator delete(result);
    } catch (const std::bad_alloc&) {
        caught = 1;
    }
    std::set_new_handler(nullptr);
    void* last = operator new(9);
    operator delete(last, 9);
    return caught == 1 && count == 1 && reserve == nullptr ? 0 : 1;
}
