// SPDX-License-Identifier: Apache-2.0
// The driver's functions of modules and kernels.
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "driver.h"
#include "machine.h"

using namespace software;

namespace {

struct Module {
    int device;
    std::unique_ptr<Program> program;
};

// Never destroyed: streams may run when the process ends.
std::map<const Function *, const Module *> &modules = *new std::map<const Function *, const Module *>();
std::mutex &lock = *new std::mutex();

u64 placeVariable(size_t bytes) {
    u64 address = 0;
    allocate(bytes == 0 ? 1 : bytes, currentDevice(), &address);
    return address;
}

int launch(const Function *kernel, Size grid, Size block, unsigned shared, Stream *stream, void **parameters) {
    READY
    u64 blocks = (u64)grid.x * grid.y * grid.z;
    if (blocks == 0 || blocks > 0x7fffffff || block.count() == 0 || block.count() > THREADS_PER_BLOCK ||
        shared > SHARED_BYTES) {
        return INVALID_VALUE;
    }
    Launch made;
    {
        std::lock_guard guard(lock);
        const Module *module = modules.at(kernel);
        if (module->device != stream->device) {
            return INVALID_HANDLE;
        }
        made.program = module->program.get();
    }
    made.device = stream->device;
    made.kernel = kernel;
    made.grid = grid;
    made.block = block;
    made.sharedBytes = shared;
    for (size_t i = 0; i < kernel->parameters.size(); i++) {
        const char *from = (const char *)parameters[i];
        made.arguments.insert(made.arguments.end(), from, from + kernel->parameters[i].bytes);
    }
    begin(stream, false, [made] {
        try {
            execute(made);
        } catch (const Fault &fault) {
            lose(fault.result, fault.text);
        }
    });
    return SUCCESS;
}

}  // namespace

API int cuModuleLoadDataEx(Module **module, const void *image, unsigned count, int *options, void **values) {
    UNSAFE
    std::string why;
    int result = INVALID_PTX;
    try {
        const char *text = (const char *)image;
        if (text[0] == 0x7f) {
            result = INVALID_IMAGE;
            throw InvalidPtx("machine code, which a software device does not execute");
        }
        Module *made = new Module{currentDevice(), parse(text, placeVariable)};
        for (auto &each : made->program->globals) {
            char *to = at(EVERY_DEVICE, each.second.address, each.second.bytes);
            memset(to, 0, each.second.bytes);
            memcpy(to, each.second.value.data(), each.second.value.size());
        }
        std::lock_guard guard(lock);
        for (auto &each : made->program->functions) {
            modules[each.second.get()] = made;
        }
        *module = made;
        return SUCCESS;
    } catch (const InvalidPtx &e) {
        why = e.what();
    }
    char *log = nullptr;
    size_t bytes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (options[i] == 5) {
            log = (char *)values[i];
        } else if (options[i] == 6) {
            bytes = (size_t)values[i];
        }
    }
    if (log != nullptr) {
        snprintf(log, bytes, "%s", why.c_str());
    }
    return result;
}

API int cuModuleGetFunction(const Function **function, Module *module, const char *name) {
    READY
    auto found = module->program->functions.find(name);
    if (found == module->program->functions.end() || !found->second->isKernel) {
        return NOT_FOUND;
    }
    *function = found->second.get();
    return SUCCESS;
}

API int cuModuleGetGlobal_v2(u64 *address, size_t *bytes, Module *module, const char *name) {
    READY
    auto found = module->program->globals.find(name);
    if (found == module->program->globals.end()) {
        return NOT_FOUND;
    }
    *address = found->second.address;
    *bytes = found->second.bytes;
    return SUCCESS;
}

API int cuModuleUnload(Module *module) {
    UNSAFE
    synchronise("cuModuleUnload", true);
    {
        std::lock_guard guard(lock);
        for (auto &each : module->program->functions) {
            modules.erase(each.second.get());
        }
    }
    for (auto &each : module->program->globals) {
        release(each.second.address);
    }
    delete module;
    return SUCCESS;
}

API int cuFuncGetAttribute(int *value, int attribute, const Function *) {
    READY
    *value = attribute == 0 ? (int)THREADS_PER_BLOCK : 0;
    return SUCCESS;
}

API int cuFuncSetAttribute(const Function *, int, int value) {
    READY
    return value > (int)SHARED_BYTES ? INVALID_VALUE : SUCCESS;
}

API int cuFuncGetParamInfo(const Function *function, size_t index, size_t *offset, size_t *bytes) {
    READY
    if (index >= function->parameters.size()) {
        return INVALID_VALUE;
    }
    *offset = function->parameters[index].offset;
    *bytes = function->parameters[index].bytes;
    return SUCCESS;
}

API int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const Function *, int threads, size_t) {
    READY
    *blocks = (int)(residentBlocks((unsigned)threads) / MULTIPROCESSORS);
    return SUCCESS;
}

API int cuLaunchKernel(const Function *kernel, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                       unsigned blockY, unsigned blockZ, unsigned shared, Stream *stream, void **parameters, void **) {
    return launch(kernel, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, stream, parameters);
}

API int cuLaunchCooperativeKernel(const Function *kernel, unsigned gridX, unsigned gridY, unsigned gridZ,
                                  unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared, Stream *stream,
                                  void **parameters) {
    if ((u64)gridX * gridY * gridZ > residentBlocks(blockX * blockY * blockZ)) {
        return COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    return launch(kernel, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, shared, stream, parameters);
}
