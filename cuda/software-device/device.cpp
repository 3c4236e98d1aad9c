// SPDX-License-Identifier: Apache-2.0
// The driver's functions of the process, the device and memory.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "driver.h"
#include "machine.h"

namespace software {

std::atomic<int> globalCaptures{0};
thread_local int localCaptures = 0;

namespace {

std::atomic<bool> isInitialised{false};
std::atomic<int> firstError{SUCCESS};
thread_local int current = -1;  // the device of the thread's context

struct Text {
    int result;
    const char *name, *text;
};

const Text TEXTS[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {HOST_MEMORY_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer is not registered"},
    {MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {STREAM_CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
     "operation failed due to a previous error during capture"},
    {CAPTURED_EVENT, "CUDA_ERROR_CAPTURED_EVENT",
     "operation not permitted on an event last recorded in a capturing stream"},
    {STREAM_CAPTURE_WRONG_THREAD, "CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD",
     "attempt to terminate a thread-local capture sequence from another thread"},
};

int devices() {
    static const char *text = getenv("SOFTWARE_DEVICES");
    return text == nullptr ? 1 : atoi(text);
}

const Text *textOf(int result) {
    for (const Text &each : TEXTS) {
        if (each.result == result) {
            return &each;
        }
    }
    return nullptr;
}

}  // namespace

int ready() { return firstError != SUCCESS ? firstError.load() : current < 0 ? INVALID_CONTEXT : SUCCESS; }

int lost() { return firstError; }

void lose(int result, const std::string &text) {
    int none = SUCCESS;
    firstError.compare_exchange_strong(none, result);
    fprintf(stderr, "software device: error %d of process %d: %s\n", result, getpid(), text.c_str());
}

void begin(Stream *stream, bool isWait, std::function<void()> run) {
    enqueue(stream, isWait, [run] {
        if (firstError == SUCCESS) {
            run();
        }
    });
}

int currentDevice() { return current; }

char *at(int device, u64 address, size_t bytes) {
    Range cache;
    char *found = find(address, bytes, cache);
    return found != nullptr && reaches(device, cache.device) ? found : nullptr;
}

void synchronise(const char *call, bool isAlways) {
    static const bool isAsked = getenv("SOFTWARE_DEVICE_SYNCHRONISES") != nullptr;
    if (isAlways || isAsked) {
        awaitAll(call);
    }
}

void nap(unsigned polls) {
    if (polls > 100) {
        usleep(20);
    } else {
        std::this_thread::yield();
    }
}

}  // namespace software

using namespace software;

API int cuInit(unsigned) {
    isInitialised = true;
    return SUCCESS;
}

API int cuDriverGetVersion(int *version) {
    *version = 13000;
    return SUCCESS;
}

API int cuGetErrorName(int result, const char **name) {
    const Text *found = textOf(result);
    *name = found == nullptr ? nullptr : found->name;
    return found == nullptr ? INVALID_VALUE : SUCCESS;
}

API int cuGetErrorString(int result, const char **text) {
    const Text *found = textOf(result);
    *text = found == nullptr ? nullptr : found->text;
    return found == nullptr ? INVALID_VALUE : SUCCESS;
}

API int cuDeviceGetCount(int *count) {
    *count = devices();
    return isInitialised ? SUCCESS : NOT_INITIALIZED;
}

API int cuDeviceGet(int *device, int number) {
    *device = number;
    return number >= 0 && number < devices() ? SUCCESS : INVALID_DEVICE;
}

API int cuDeviceGetName(char *text, int bytes, int) {
    snprintf(text, (size_t)bytes, "software device");
    return SUCCESS;
}

API int cuDeviceTotalMem_v2(size_t *bytes, int) {
    *bytes = TOTAL_BYTES;
    return SUCCESS;
}

API int cuDeviceGetAttribute(int *value, int attribute, int device) {
    static const bool hasAtomics = getenv("SOFTWARE_DEVICE_NO_HOST_ATOMICS") == nullptr;
    switch (attribute) {
        case 1:
            *value = THREADS_PER_BLOCK;
            break;
        case 16:
            *value = MULTIPROCESSORS;
            break;
        case 75:
        case 76:
            *value = 9;
            break;  // no device has 9.9: compilers make PTX for it
        case 97:
            *value = SHARED_BYTES;
            break;
        case 86:
            *value = hasAtomics && device % 2 == 0;
            break;
        case 33:
            *value = device;  // the bus
            break;
        case 34:
        case 50:
        case 102:
        case 103:
            *value = 0;
            break;
        default:
            *value = 1;
    }
    return SUCCESS;
}

API int cuDeviceCanAccessPeer(int *can, int device, int other) {
    *can = device != other;
    return SUCCESS;
}

API int cuDeviceGetP2PAttribute(int *value, int attribute, int device, int other) {
    static const bool hasLinks = getenv("SOFTWARE_DEVICE_NO_LINKS") == nullptr;
    *value = attribute == 3 && hasLinks;
    return device == other ? INVALID_DEVICE : SUCCESS;
}

API int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = (void *)(u64)(device + 1);
    return lost();
}

API int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }

API int cuCtxSetCurrent(void *context) {
    current = (int)(u64)context - 1;
    return SUCCESS;
}

API int cuCtxEnablePeerAccess(void *context, unsigned) {
    READY
    return enableAccess(current, (int)(u64)context - 1);
}

API int cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    READY
    *least = 0;
    *greatest = -5;
    return SUCCESS;
}

// -------------------------------------------------------------------------------------------------------- memory

API int cuMemAlloc_v2(u64 *address, size_t bytes) {
    UNSAFE
    synchronise("cuMemAlloc", false);
    return allocate(bytes, current, address);
}

API int cuMemFree_v2(u64 address) {
    UNSAFE
    synchronise("cuMemFree", true);
    return release(address);
}

API int cuMemGetInfo_v2(size_t *free, size_t *total) {
    READY
    *free = freeBytes();
    *total = TOTAL_BYTES;
    return SUCCESS;
}

API int cuIpcGetMemHandle(Handle *handle, u64 address) {
    READY
    return exportHandle(address, handle);
}

API int cuIpcOpenMemHandle_v2(u64 *address, Handle handle, unsigned flags) {
    READY
    return flags != 1 ? INVALID_VALUE : openHandle(handle, current, address);
}

API int cuIpcCloseMemHandle(u64 address) {
    READY
    return closeHandle(address);
}

API int cuMemHostRegister_v2(void *start, size_t bytes, unsigned) {
    UNSAFE
    synchronise("cuMemHostRegister", false);
    return registerPages(start, bytes);
}

API int cuMemHostGetDevicePointer_v2(u64 *pointer, void *address, unsigned) {
    READY
    *pointer = (u64)address;
    return isRegistered((u64)address, 1) ? SUCCESS : INVALID_VALUE;
}

API int cuMemHostUnregister(void *start) {
    UNSAFE
    synchronise("cuMemHostUnregister", true);
    return unregisterPages(start);
}
