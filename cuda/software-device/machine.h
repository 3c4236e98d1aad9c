// SPDX-License-Identifier: Apache-2.0
// The machine that executes kernels: all threads of the resident blocks of a launch in turn, in one thread of the
// system.
#pragma once

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "memory.h"
#include "program.h"

namespace software {

constexpr unsigned MULTIPROCESSORS = 4, BLOCKS_PER_MULTIPROCESSOR = 4, THREADS_PER_MULTIPROCESSOR = 2048,
                   THREADS_PER_BLOCK = 1024, SHARED_BYTES = 64u << 10;

struct Size {
    unsigned x, y, z;
    unsigned count() const { return x * y * z; }
};

struct Launch {
    int device;
    const Program *program;
    const Function *kernel;
    Size grid, block;
    size_t sharedBytes;  // beside those of the program
    std::vector<char> arguments;
};

// What ends a launch, and the context with it.
struct Fault {
    int result;
    std::string text;
};

// Returns how many blocks run at one time.
unsigned residentBlocks(unsigned threads);

// Throws a Fault.
void execute(const Launch &launch);

}  // namespace software
