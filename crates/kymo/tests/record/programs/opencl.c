/* OpenCL: the commands that are put into three queues are known. */
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 4096
#define BYTES (COUNT * sizeof(float))

static void check(cl_int status, int line)
{
    if (status != CL_SUCCESS)
    {
        fprintf(stderr, "line %d: error %d\n", line, status);
        exit(1);
    }
}
#define CHECK(call) check(call, __LINE__)

static const char* source = "kernel void scale(global float* data, float by) { data[get_global_id(0)] *= by; }\n"
                            "kernel void shift(global float* data, float by) { data[get_global_id(0)] += by; }\n";

int main(void)
{
    cl_platform_id platform;
    cl_device_id   device;
    cl_int         status;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    CHECK(status);
    cl_command_queue first = clCreateCommandQueue(context, device, 0, &status);
    CHECK(status);
    cl_queue_properties properties[] = { CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
    cl_command_queue    second       = clCreateCommandQueueWithProperties(context, device, properties, &status);
    CHECK(status);
    cl_command_queue third = clCreateCommandQueueWithProperties(context, device, NULL, &status);
    CHECK(status);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    CHECK(status);
    CHECK(clBuildProgram(program, 1, &device, NULL, NULL, NULL));
    cl_kernel scale = clCreateKernel(program, "scale", &status);
    CHECK(status);
    cl_kernel all[2];
    CHECK(clCreateKernelsInProgram(program, 2, all, NULL));
    cl_kernel shift = clCreateKernel(program, "shift", &status);
    CHECK(status);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &status);
    CHECK(status);
    cl_mem other = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &status);
    CHECK(status);
    float* data = malloc(BYTES);
    for (int place = 0; place < COUNT; place++)
        data[place] = 1;
    size_t size = COUNT;
    float  two = 2, one = 1;
    CHECK(clSetKernelArg(scale, 0, sizeof(buffer), &buffer));
    CHECK(clSetKernelArg(scale, 1, sizeof(two), &two));
    CHECK(clSetKernelArg(shift, 0, sizeof(buffer), &buffer));
    CHECK(clSetKernelArg(shift, 1, sizeof(one), &one));
    /* In order: 2 writes, 10 kernels, 3 of them with an event of the program, a copy, a fill, a read. */
    CHECK(clEnqueueWriteBuffer(first, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
    CHECK(clEnqueueWriteBuffer(first, other, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));
    for (int round = 0; round < 7; round++)
        CHECK(clEnqueueNDRangeKernel(first, scale, 1, NULL, &size, NULL, 0, NULL, NULL));
    for (int round = 0; round < 3; round++)
    {
        cl_event event;
        CHECK(clEnqueueNDRangeKernel(first, shift, 1, NULL, &size, NULL, 0, NULL, &event));
        CHECK(clWaitForEvents(1, &event));
        CHECK(clReleaseEvent(event));
    }
    CHECK(clEnqueueCopyBuffer(first, buffer, other, 0, 0, BYTES, 0, NULL, NULL));
    CHECK(clFinish(first));
    CHECK(clEnqueueReadBuffer(first, other, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
    float sum = data[0] + data[COUNT - 1];
    CHECK(clEnqueueFillBuffer(first, other, &two, sizeof(two), 0, BYTES, 0, NULL, NULL));
    CHECK(clFinish(first));
   /* Not in order: 6 kernels. */
    for (int round = 0; round < 6; round++)
        CHECK(clEnqueueNDRangeKernel(second, scale, 1, NULL, &size, NULL, 0, NULL, NULL));
    CHECK(clFinish(second));
    /* A map for reading and one for writing. */
    float* mapped = clEnqueueMapBuffer(third, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &status);
    CHECK(status);
    CHECK(clEnqueueUnmapMemObject(third, buffer, mapped, 0, NULL, NULL));
    mapped = clEnqueueMapBuffer(third, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &status);
    CHECK(status);
    CHECK(clEnqueueUnmapMemObject(third, buffer, mapped, 0, NULL, NULL));
    /* An error: the buffer is smaller. */
    if (clEnqueueReadBuffer(third, buffer, CL_TRUE, 0, 2 * BYTES, data, 0, NULL, NULL) == CL_SUCCESS)
        return 1;
    CHECK(clFinish(third));
    printf("%.0f\n", sum);
    CHECK(clReleaseCommandQueue(first));
    CHECK(clReleaseCommandQueue(second));
    CHECK(clReleaseCommandQueue(third));
    CHECK(clReleaseContext(context));
    return 0;
}
