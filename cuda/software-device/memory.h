// SPDX-License-Identifier: Apache-2.0
// What the addresses of the device mean: memory of the device, which the host can't use by these addresses, and the
// host's registered pages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "program.h"

namespace software {

constexpr size_t TOTAL_BYTES = 8ull << 30;
constexpr int EVERY_DEVICE = -1;

// All results are the driver's.
int allocate(size_t bytes, int device, u64 *address);
int release(u64 address);
int registerPages(void *start, size_t bytes);
int unregisterPages(void *start);
bool isRegistered(u64 address, size_t bytes);
bool isOfDevice(u64 address);  // whether the host can't use it
size_t freeBytes();

struct Handle {  // 64 bytes, between processes
    u64 magic, owner, file, bytes, address, device, unused[2];
};

int exportHandle(u64 address, Handle *handle);
int openHandle(const Handle &handle, int device, u64 *address);  // which the device then reaches
int closeHandle(u64 address);

// Whether kernels of a device reach the memory of another one, or of the host.
bool reaches(int device, int other);
int enableAccess(int device, int other);

// Returns where the host has bytes of the device's address space, or null if they are no part of it. A cache belongs to
// one thread of the system.
struct Range {
    u64 begin = 1, end = 0, generation = ~0ull;
    char *host = nullptr;
    int device = EVERY_DEVICE;
};
char *find(u64 address, size_t bytes, Range &cache);

}  // namespace software
