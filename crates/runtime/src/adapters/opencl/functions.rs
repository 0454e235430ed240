//! The functions of OpenCL, in the order of a loader's table of functions (`cl_icd.h`).

use std::ffi::CStr;

use kymo_substrate::bindings::{SCOREP_PARADIGM_OPENCL, SCOREP_REGION_KERNEL_LAUNCH, SCOREP_REGION_WRAPPER};

use super::calls::wrapper;
use crate::measurement::LazyRegion;
use crate::next::c_name;

/// A function that receives machine words and returns one: all arguments of OpenCL are words.
pub(super) type WordFunction = unsafe extern "C-unwind" fn(
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
    usize,
) -> usize;

/// The most arguments of a function.
pub(super) const WORDS: usize = 14;

/// Declares the functions by their numbers in the table.
macro_rules! functions {
    ($($number:literal $name:ident)*) => {
        /// A function of OpenCL.
        #[allow(non_camel_case_types, reason = "the names of OpenCL")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum ClFunction {
            $($name = $number,)*
        }

        impl ClFunction {
            /// All functions, in the order of the table.
            pub(super) const ALL: [Self; COUNT] = [$(Self::$name),*];
        }

        /// The number of functions.
        pub(super) const COUNT: usize = [$($number),*].len();

        /// The functions of the layer.
        pub(super) static WRAPPERS: [WordFunction; COUNT] = [$(wrapper::<$number>),*];

        /// The names of the functions.
        pub(super) static NAMES: [&CStr; COUNT] = [$(c_name(concat!(stringify!($name), "\0"))),*];

        static REGIONS: [LazyRegion; COUNT] = [$(region(stringify!($name), $number)),*];

        /// The functions in front of those of a loader without layers.
        mod exports {
            use super::ClFunction;
            use crate::adapters::opencl::interposition::exported;

            $(
            /// # Safety
            ///
            /// The arguments must be valid for OpenCL's function of this name.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "a function of OpenCL")]
            unsafe extern "C-unwind" fn $name(
                a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, g: usize, h: usize,
                i: usize, j: usize, k: usize, l: usize, m: usize, n: usize,
            ) -> usize {
                // SAFETY: the words are the program's arguments, which are valid for the function.
                unsafe { exported(ClFunction::$name, [a, b, c, d, e, f, g, h, i, j, k, l, m, n]) }
            }
            )*
        }
    };
}

functions! {
    0 clGetPlatformIDs
    1 clGetPlatformInfo
    2 clGetDeviceIDs
    3 clGetDeviceInfo
    4 clCreateContext
    5 clCreateContextFromType
    6 clRetainContext
    7 clReleaseContext
    8 clGetContextInfo
    9 clCreateCommandQueue
    10 clRetainCommandQueue
    11 clReleaseCommandQueue
    12 clGetCommandQueueInfo
    13 clSetCommandQueueProperty
    14 clCreateBuffer
    15 clCreateImage2D
    16 clCreateImage3D
    17 clRetainMemObject
    18 clReleaseMemObject
    19 clGetSupportedImageFormats
    20 clGetMemObjectInfo
    21 clGetImageInfo
    22 clCreateSampler
    23 clRetainSampler
    24 clReleaseSampler
    25 clGetSamplerInfo
    26 clCreateProgramWithSource
    27 clCreateProgramWithBinary
    28 clRetainProgram
    29 clReleaseProgram
    30 clBuildProgram
    31 clUnloadCompiler
    32 clGetProgramInfo
    33 clGetProgramBuildInfo
    34 clCreateKernel
    35 clCreateKernelsInProgram
    36 clRetainKernel
    37 clReleaseKernel
    38 clSetKernelArg
    39 clGetKernelInfo
    40 clGetKernelWorkGroupInfo
    41 clWaitForEvents
    42 clGetEventInfo
    43 clRetainEvent
    44 clReleaseEvent
    45 clGetEventProfilingInfo
    46 clFlush
    47 clFinish
    48 clEnqueueReadBuffer
    49 clEnqueueWriteBuffer
    50 clEnqueueCopyBuffer
    51 clEnqueueReadImage
    52 clEnqueueWriteImage
    53 clEnqueueCopyImage
    54 clEnqueueCopyImageToBuffer
    55 clEnqueueCopyBufferToImage
    56 clEnqueueMapBuffer
    57 clEnqueueMapImage
    58 clEnqueueUnmapMemObject
    59 clEnqueueNDRangeKernel
    60 clEnqueueTask
    61 clEnqueueNativeKernel
    62 clEnqueueMarker
    63 clEnqueueWaitForEvents
    64 clEnqueueBarrier
    65 clGetExtensionFunctionAddress
    66 clCreateFromGLBuffer
    67 clCreateFromGLTexture2D
    68 clCreateFromGLTexture3D
    69 clCreateFromGLRenderbuffer
    70 clGetGLObjectInfo
    71 clGetGLTextureInfo
    72 clEnqueueAcquireGLObjects
    73 clEnqueueReleaseGLObjects
    74 clGetGLContextInfoKHR
    75 clGetDeviceIDsFromD3D10KHR
    76 clCreateFromD3D10BufferKHR
    77 clCreateFromD3D10Texture2DKHR
    78 clCreateFromD3D10Texture3DKHR
    79 clEnqueueAcquireD3D10ObjectsKHR
    80 clEnqueueReleaseD3D10ObjectsKHR
    81 clSetEventCallback
    82 clCreateSubBuffer
    83 clSetMemObjectDestructorCallback
    84 clCreateUserEvent
    85 clSetUserEventStatus
    86 clEnqueueReadBufferRect
    87 clEnqueueWriteBufferRect
    88 clEnqueueCopyBufferRect
    89 clCreateSubDevicesEXT
    90 clRetainDeviceEXT
    91 clReleaseDeviceEXT
    92 clCreateEventFromGLsyncKHR
    93 clCreateSubDevices
    94 clRetainDevice
    95 clReleaseDevice
    96 clCreateImage
    97 clCreateProgramWithBuiltInKernels
    98 clCompileProgram
    99 clLinkProgram
    100 clUnloadPlatformCompiler
    101 clGetKernelArgInfo
    102 clEnqueueFillBuffer
    103 clEnqueueFillImage
    104 clEnqueueMigrateMemObjects
    105 clEnqueueMarkerWithWaitList
    106 clEnqueueBarrierWithWaitList
    107 clGetExtensionFunctionAddressForPlatform
    108 clCreateFromGLTexture
    109 clGetDeviceIDsFromD3D11KHR
    110 clCreateFromD3D11BufferKHR
    111 clCreateFromD3D11Texture2DKHR
    112 clCreateFromD3D11Texture3DKHR
    113 clCreateFromDX9MediaSurfaceKHR
    114 clEnqueueAcquireD3D11ObjectsKHR
    115 clEnqueueReleaseD3D11ObjectsKHR
    116 clGetDeviceIDsFromDX9MediaAdapterKHR
    117 clEnqueueAcquireDX9MediaSurfacesKHR
    118 clEnqueueReleaseDX9MediaSurfacesKHR
    119 clCreateFromEGLImageKHR
    120 clEnqueueAcquireEGLObjectsKHR
    121 clEnqueueReleaseEGLObjectsKHR
    122 clCreateEventFromEGLSyncKHR
    123 clCreateCommandQueueWithProperties
    124 clCreatePipe
    125 clGetPipeInfo
    126 clSVMAlloc
    127 clSVMFree
    128 clEnqueueSVMFree
    129 clEnqueueSVMMemcpy
    130 clEnqueueSVMMemFill
    131 clEnqueueSVMMap
    132 clEnqueueSVMUnmap
    133 clCreateSamplerWithProperties
    134 clSetKernelArgSVMPointer
    135 clSetKernelExecInfo
    136 clGetKernelSubGroupInfoKHR
    137 clCloneKernel
    138 clCreateProgramWithIL
    139 clEnqueueSVMMigrateMem
    140 clGetDeviceAndHostTimer
    141 clGetHostTimer
    142 clGetKernelSubGroupInfo
    143 clSetDefaultDeviceCommandQueue
    144 clSetProgramReleaseCallback
    145 clSetProgramSpecializationConstant
    146 clCreateBufferWithProperties
    147 clCreateImageWithProperties
    148 clSetContextDestructorCallback
}

/// The functions that start a kernel.
const LAUNCHES: [usize; 2] =
    [ClFunction::clEnqueueNDRangeKernel as usize, ClFunction::clEnqueueTask as usize];

const fn region(name: &'static str, number: usize) -> LazyRegion {
    let is_launch = number == LAUNCHES[0] || number == LAUNCHES[1];
    let kind = if is_launch { SCOREP_REGION_KERNEL_LAUNCH } else { SCOREP_REGION_WRAPPER };
    LazyRegion::new(name, "OpenCL", SCOREP_PARADIGM_OPENCL, kind)
}

impl ClFunction {
    /// Returns the result of a call if the loader lacks the function: no object, or an error.
    pub(super) fn missing(self) -> usize {
        const INVALID_OPERATION: i32 = -59;
        let name = NAMES[self as usize].to_bytes();
        let returns_object =
            [&b"clCreate"[..], b"clClone", b"clLink", b"clEnqueueMap", b"clSVMAlloc", b"clGetExtension"];
        if returns_object.iter().any(|begin| name.starts_with(begin)) {
            0
        } else {
            INVALID_OPERATION as usize
        }
    }

    /// Returns the region of the function's calls.
    pub(super) fn region(self) -> &'static LazyRegion {
        &REGIONS[self as usize]
    }
}
