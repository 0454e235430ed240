/*
 * Uses interfaces to accelerators, again and again.
 *
 *     accelerator_calls acc|target|kernel NUMBER FOLDER
 *
 * acc     a compute construct of OpenACC, which the host executes
 * target  a target construct of OpenMP, which the host executes
 * kernel  clEnqueueNDRangeKernel of a kernel with one work item; every 100th call is followed by clFinish
 *
 * Prints nanoseconds of CPU of the calling thread, those of the process, and a checksum.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include "clock.h"

#include <CL/cl.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seen;

static void acc( uint64_t number )
{
    uint64_t sum = seen;
#pragma acc parallel num_gangs( 1 ) num_workers( 1 ) vector_length( 1 ) copy( sum )
    sum += number;
    seen = sum;
}

static void target( uint64_t number )
{
    uint64_t sum = seen;
#pragma omp target map( tofrom : sum )
    sum += number;
    seen = sum;
}

static cl_command_queue queue;
static cl_kernel        kernel_object;

static void kernel( uint64_t number )
{
    size_t one = 1;
    seen += clEnqueueNDRangeKernel( queue, kernel_object, 1, NULL, &one, NULL, 0, NULL, NULL ) == CL_SUCCESS;
    if ( number % 100 == 0 )
    {
        seen += clFinish( queue ) == CL_SUCCESS;
    }
}

static void open_device( void )
{
    static const char* source = "kernel void nothing(void) {}\n";
    cl_platform_id     platform;
    cl_device_id       device;
    clGetPlatformIDs( 1, &platform, NULL );
    clGetDeviceIDs( platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL );
    cl_context context = clCreateContext( NULL, 1, &device, NULL, NULL, NULL );
    queue              = clCreateCommandQueue( context, device, 0, NULL );
    cl_program program = clCreateProgramWithSource( context, 1, &source, NULL, NULL );
    clBuildProgram( program, 1, &device, NULL, NULL, NULL );
    kernel_object = clCreateKernel( program, "nothing", NULL );
}

int main( int argc, char** argv )
{
    if ( argc < 3 )
    {
        return 2;
    }
    void ( *call )( uint64_t ) = strcmp( argv[ 1 ], "acc" ) == 0      ? acc
                                 : strcmp( argv[ 1 ], "target" ) == 0 ? target
                                                                      : kernel;
    uint64_t number = strtoull( argv[ 2 ], NULL, 10 );
    if ( call == kernel )
    {
        open_device();
    }
    /* The first calls make memory available. */
    measure( call, 1000, CLOCK_MONOTONIC );
    seen               = 0;
    struct times times = measure( call, number, CLOCK_THREAD_CPUTIME_ID );
    print_times( times, seen );
    return 0;
}
