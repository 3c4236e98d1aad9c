// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import java.util.List;

/// The functions of the driver: one table for the binding and for the test that compares it with `cuda.h`.
///
/// The header renames many functions by macros, so that a program gets the newest form of each. A binding has to
/// ask for the symbol itself: `cuMemAlloc` still exists, with 32-bit sizes. A function that not every driver has
/// is *optional*.
public enum DriverFunction {
    /// loads the driver
    INIT("cuInit", "unsigned int", "cuInit"),
    /// tells the newest CUDA that the driver serves, 1000 × major + 10 × minor
    DRIVER_GET_VERSION("cuDriverGetVersion", "int *", "cuDriverGetVersion"),
    /// names a result
    GET_ERROR_NAME("cuGetErrorName", "CUresult, const char **", "cuGetErrorName"),
    /// explains a result
    GET_ERROR_STRING("cuGetErrorString", "CUresult, const char **", "cuGetErrorString"),
    /// counts the devices that this process may use
    DEVICE_GET_COUNT("cuDeviceGetCount", "int *", "cuDeviceGetCount"),
    /// finds a device by its number
    DEVICE_GET("cuDeviceGet", "CUdevice *, int", "cuDeviceGet"),
    /// names a device
    DEVICE_GET_NAME("cuDeviceGetName", "char *, int, CUdevice", "cuDeviceGetName"),
    /// tells the bytes of a device's memory
    DEVICE_TOTAL_MEM("cuDeviceTotalMem", "size_t *, CUdevice", "cuDeviceTotalMem_v2"),
    /// tells what a device can do
    DEVICE_GET_ATTRIBUTE("cuDeviceGetAttribute", "int *, CUdevice_attribute, CUdevice", "cuDeviceGetAttribute"),
    /// tells whether a device reads and writes the memory of another
    DEVICE_CAN_ACCESS_PEER("cuDeviceCanAccessPeer", "int *, CUdevice, CUdevice", "cuDeviceCanAccessPeer"),
    /// tells what the link between two devices can do
    DEVICE_GET_P2P_ATTRIBUTE(
            "cuDeviceGetP2PAttribute", "int *, CUdevice_P2PAttribute, CUdevice, CUdevice", "cuDeviceGetP2PAttribute"),
    /// opens the context that a process and the CUDA runtime share
    DEVICE_PRIMARY_CTX_RETAIN("cuDevicePrimaryCtxRetain", "CUcontext *, CUdevice", "cuDevicePrimaryCtxRetain"),
    /// undoes one retain
    DEVICE_PRIMARY_CTX_RELEASE("cuDevicePrimaryCtxRelease", "CUdevice", "cuDevicePrimaryCtxRelease_v2"),
    /// makes a context that of the calling thread
    CTX_SET_CURRENT("cuCtxSetCurrent", "CUcontext", "cuCtxSetCurrent"),
    /// maps the memory of another context of this process
    CTX_ENABLE_PEER_ACCESS("cuCtxEnablePeerAccess", "CUcontext, unsigned int", "cuCtxEnablePeerAccess"),
    /// tells the least and the greatest priority of streams
    CTX_GET_STREAM_PRIORITY_RANGE("cuCtxGetStreamPriorityRange", "int *, int *", "cuCtxGetStreamPriorityRange"),
    /// allocates memory of the device
    MEM_ALLOC("cuMemAlloc", "CUdeviceptr *, size_t", "cuMemAlloc_v2"),
    /// frees memory of the device
    MEM_FREE("cuMemFree", "CUdeviceptr", "cuMemFree_v2"),
    /// tells the free and all bytes of the device
    MEM_GET_INFO("cuMemGetInfo", "size_t *, size_t *", "cuMemGetInfo_v2"),
    /// makes the 64 bytes by which other processes open an allocation
    IPC_GET_MEM_HANDLE("cuIpcGetMemHandle", "CUipcMemHandle *, CUdeviceptr", "cuIpcGetMemHandle"),
    /// maps an allocation of another process; the handle travels by value
    IPC_OPEN_MEM_HANDLE("cuIpcOpenMemHandle", "CUdeviceptr *, CUipcMemHandle, unsigned int", "cuIpcOpenMemHandle_v2"),
    /// unmaps it
    IPC_CLOSE_MEM_HANDLE("cuIpcCloseMemHandle", "CUdeviceptr", "cuIpcCloseMemHandle"),
    /// pins pages of the host and maps them into the device
    MEM_HOST_REGISTER("cuMemHostRegister", "void *, size_t, unsigned int", "cuMemHostRegister_v2"),
    /// tells where the device has such a page
    MEM_HOST_GET_DEVICE_POINTER(
            "cuMemHostGetDevicePointer", "CUdeviceptr *, void *, unsigned int", "cuMemHostGetDevicePointer_v2"),
    /// undoes one register
    MEM_HOST_UNREGISTER("cuMemHostUnregister", "void *", "cuMemHostUnregister"),
    /// makes a stream
    STREAM_CREATE_WITH_PRIORITY(
            "cuStreamCreateWithPriority", "CUstream *, unsigned int, int", "cuStreamCreateWithPriority"),
    /// ends a stream once its work is over
    STREAM_DESTROY("cuStreamDestroy", "CUstream", "cuStreamDestroy_v2"),
    /// tells whether the work of a stream is over
    STREAM_QUERY("cuStreamQuery", "CUstream", "cuStreamQuery"),
    /// orders a stream after an event
    STREAM_WAIT_EVENT("cuStreamWaitEvent", "CUstream, CUevent, unsigned int", "cuStreamWaitEvent"),
    /// tells whether a stream is part of a capture
    STREAM_IS_CAPTURING("cuStreamIsCapturing", "CUstream, CUstreamCaptureStatus *", "cuStreamIsCapturing"),
    /// begins a capture
    STREAM_BEGIN_CAPTURE("cuStreamBeginCapture", "CUstream, CUstreamCaptureMode", "cuStreamBeginCapture_v2"),
    /// ends a capture
    STREAM_END_CAPTURE("cuStreamEndCapture", "CUstream, CUgraph *", "cuStreamEndCapture"),
    /// makes a graph ready for launches
    GRAPH_INSTANTIATE(
            "cuGraphInstantiate", "CUgraphExec *, CUgraph, unsigned long long", "cuGraphInstantiateWithFlags"),
    /// launches a graph
    GRAPH_LAUNCH("cuGraphLaunch", "CUgraphExec, CUstream", "cuGraphLaunch"),
    /// ends what launches have used
    GRAPH_EXEC_DESTROY("cuGraphExecDestroy", "CUgraphExec", "cuGraphExecDestroy"),
    /// ends a graph
    GRAPH_DESTROY("cuGraphDestroy", "CUgraph", "cuGraphDestroy"),
    /// makes an event
    EVENT_CREATE("cuEventCreate", "CUevent *, unsigned int", "cuEventCreate"),
    /// ends an event once its work is over
    EVENT_DESTROY("cuEventDestroy", "CUevent", "cuEventDestroy_v2"),
    /// captures the work that a stream has
    EVENT_RECORD("cuEventRecord", "CUevent, CUstream", "cuEventRecord"),
    /// tells whether that work is over
    EVENT_QUERY("cuEventQuery", "CUevent", "cuEventQuery"),
    /// tells the milliseconds between two events
    EVENT_ELAPSED_TIME(
            "cuEventElapsedTime", "float *, CUevent, CUevent", "cuEventElapsedTime_v2", "cuEventElapsedTime"),
    /// stores a word after the earlier work of a stream
    STREAM_WRITE_VALUE(
            "cuStreamWriteValue64", "CUstream, CUdeviceptr, cuuint64_t, unsigned int", "cuStreamWriteValue64_v2"),
    /// lets the later work of a stream wait for a word
    STREAM_WAIT_VALUE(
            "cuStreamWaitValue64", "CUstream, CUdeviceptr, cuuint64_t, unsigned int", "cuStreamWaitValue64_v2"),
    /// copies between addresses that the device has
    MEMCPY("cuMemcpyAsync", "CUdeviceptr, CUdeviceptr, size_t, CUstream", "cuMemcpyAsync"),
    /// copies from the host
    MEMCPY_TO_DEVICE("cuMemcpyHtoDAsync", "CUdeviceptr, const void *, size_t, CUstream", "cuMemcpyHtoDAsync_v2"),
    /// copies to the host
    MEMCPY_TO_HOST("cuMemcpyDtoHAsync", "void *, CUdeviceptr, size_t, CUstream", "cuMemcpyDtoHAsync_v2"),
    /// fills memory with a byte
    MEMSET("cuMemsetD8Async", "CUdeviceptr, unsigned char, size_t, CUstream", "cuMemsetD8Async"),
    /// loads PTX or machine code
    MODULE_LOAD_DATA(
            "cuModuleLoadDataEx",
            "CUmodule *, const void *, unsigned int, CUjit_option *, void **",
            "cuModuleLoadDataEx"),
    /// finds a kernel by its name
    MODULE_GET_FUNCTION("cuModuleGetFunction", "CUfunction *, CUmodule, const char *", "cuModuleGetFunction"),
    /// finds a variable of the device by its name
    MODULE_GET_GLOBAL("cuModuleGetGlobal", "CUdeviceptr *, size_t *, CUmodule, const char *", "cuModuleGetGlobal_v2"),
    /// ends a module
    MODULE_UNLOAD("cuModuleUnload", "CUmodule", "cuModuleUnload"),
    /// tells what a kernel needs
    FUNC_GET_ATTRIBUTE("cuFuncGetAttribute", "int *, CUfunction_attribute, CUfunction", "cuFuncGetAttribute"),
    /// allows what a kernel may need
    FUNC_SET_ATTRIBUTE("cuFuncSetAttribute", "CUfunction, CUfunction_attribute, int", "cuFuncSetAttribute"),
    /// tells where a parameter of a kernel is, and its size
    FUNC_GET_PARAM_INFO("cuFuncGetParamInfo", "CUfunction, size_t, size_t *, size_t *", "cuFuncGetParamInfo"),
    /// tells how many blocks of a kernel run on one multiprocessor at a time
    OCCUPANCY(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            "int *, CUfunction, int, size_t",
            "cuOccupancyMaxActiveBlocksPerMultiprocessor"),
    /// launches a kernel
    LAUNCH_KERNEL(
            "cuLaunchKernel",
            "CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, CUstream, void **, void **",
            "cuLaunchKernel"),
    /// launches a kernel whose blocks may wait for each other
    LAUNCH_COOPERATIVE_KERNEL(
            "cuLaunchCooperativeKernel",
            "CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, CUstream, void **",
            "cuLaunchCooperativeKernel");

    private final String functionName;
    private final String parameters;

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<String> symbols;

    /// @param parameters their types as the header has them
    /// @param symbols by which a driver may have it, the newest first
    DriverFunction(String functionName, String parameters, String... symbols) {
        this.functionName = functionName;
        this.parameters = parameters;
        this.symbols = List.of(symbols);
    }

    /// Returns the name that a C program writes.
    public String functionName() {
        return functionName;
    }

    /// Returns the types of the parameters, as a C program writes them.
    public String parameters() {
        return parameters;
    }

    /// Returns the symbols by which a driver may have it, the newest first.
    List<String> symbols() {
        return symbols;
    }

    /// Returns how many parameters it has.
    int arity() {
        return parameters.split(",").length;
    }

    /// Returns whether some drivers that this module accepts don't have it.
    boolean isOptional() {
        return this == FUNC_GET_PARAM_INFO;
    }
}
