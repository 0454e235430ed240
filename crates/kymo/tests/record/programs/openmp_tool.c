/* A tool for OpenMP of the program's own, which is to be called in any case. */
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

static int begin(void* lookup, int device, uint64_t* data)
{
    (void)lookup, (void)device, (void)data;
    puts("the tool begins");
    return 1;
}

static void end(uint64_t* data)
{
    (void)data;
}

static struct
{
    int (*initialize)(void*, int, uint64_t*);
    void (*finalize)(uint64_t*);
    uint64_t data;
} result = { begin, end, 0 };

void* ompt_start_tool(unsigned version, const char* runtime);
void* ompt_start_tool(unsigned version, const char* runtime)
{
    (void)version, (void)runtime;
    return &result;
}

int main(void)
{
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum++;
    printf("%d\n", sum);
    return 0;
}
