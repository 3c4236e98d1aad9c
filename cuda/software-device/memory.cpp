// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>

#include "results.h"

namespace software {
namespace {

constexpr u64 FIRST = 0x090000000000, BLOCK = 2u << 20, MAGIC = 0x736f6674677075;

struct Part {
    u64 end;
    char *host;
    int file;  // that others open; -1: registered pages, -2: opened from another process
    int uses;
    int device;
};

// Never destroyed: streams may run when the process ends.
std::shared_mutex &lock = *new std::shared_mutex();
std::map<u64, Part> &parts = *new std::map<u64, Part>();
std::map<std::pair<u64, u64>, u64> &opened = *new std::map<std::pair<u64, u64>, u64>();
std::set<std::pair<int, int>> &enabled = *new std::set<std::pair<int, int>>();
std::atomic<u64> generation{0};
u64 next = FIRST;
size_t used = 0;

size_t rounded(size_t bytes) { return (bytes + BLOCK - 1) / BLOCK * BLOCK; }

u64 enter(size_t bytes, char *host, int file, int device) {
    u64 address = next;
    next += rounded(bytes) + BLOCK;  // a gap, in which no access is right
    parts[address] = {address + bytes, host, file, 1, device};
    generation++;
    return address;
}

}  // namespace

int allocate(size_t bytes, int device, u64 *address) {
    if (bytes == 0) {
        return INVALID_VALUE;
    }
    std::unique_lock guard(lock);
    if (bytes > TOTAL_BYTES - used) {
        return OUT_OF_MEMORY;
    }
    int file = memfd_create("software-device", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)bytes) != 0) {
        return OUT_OF_MEMORY;
    }
    void *host = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (host == MAP_FAILED) {
        close(file);
        return OUT_OF_MEMORY;
    }
    memset(host, 0xa5, bytes);  // a device does not clear it
    used += bytes;
    *address = enter(bytes, (char *)host, file, device);
    return SUCCESS;
}

int release(u64 address) {
    std::unique_lock guard(lock);
    auto found = parts.find(address);
    if (found == parts.end() || found->second.file < 0) {
        return INVALID_VALUE;
    }
    size_t bytes = found->second.end - address;
    munmap(found->second.host, bytes);
    close(found->second.file);
    used -= bytes;
    parts.erase(found);
    generation++;
    return SUCCESS;
}

int registerPages(void *start, size_t bytes) {
    u64 begin = (u64)start, end = begin + bytes;
    if (begin % 4096 != 0 || bytes == 0 || bytes % 4096 != 0) {
        return INVALID_VALUE;  // drivers take less, but not all of them
    }
    std::unique_lock guard(lock);
    auto after = parts.lower_bound(begin);
    if ((after != parts.end() && after->first < end) ||
        (after != parts.begin() && std::prev(after)->second.end > begin)) {
        return HOST_MEMORY_ALREADY_REGISTERED;
    }
    parts[begin] = {end, (char *)start, -1, 1, EVERY_DEVICE};
    generation++;
    return SUCCESS;
}

int unregisterPages(void *start) {
    std::unique_lock guard(lock);
    auto found = parts.find((u64)start);
    if (found == parts.end() || found->second.file != -1) {
        return HOST_MEMORY_NOT_REGISTERED;
    }
    parts.erase(found);
    generation++;
    return SUCCESS;
}

bool isRegistered(u64 address, size_t bytes) {
    std::shared_lock guard(lock);
    auto after = parts.upper_bound(address);
    return after != parts.begin() && std::prev(after)->second.file == -1 &&
           address + bytes <= std::prev(after)->second.end;
}

bool isOfDevice(u64 address) { return address >= FIRST && address < LOCAL; }

size_t freeBytes() {
    std::shared_lock guard(lock);
    return TOTAL_BYTES - used;
}

int exportHandle(u64 address, Handle *handle) {
    std::shared_lock guard(lock);
    auto after = parts.upper_bound(address);
    if (after == parts.begin() || std::prev(after)->second.end <= address || std::prev(after)->second.file < 0) {
        return INVALID_VALUE;
    }
    auto found = std::prev(after);
    *handle = {MAGIC,
               (u64)getpid(),
               (u64)found->second.file,
               found->second.end - found->first,
               found->first,
               (u64)found->second.device,
               {}};
    return SUCCESS;
}

int openHandle(const Handle &handle, int device, u64 *address) {
    if (handle.magic != MAGIC) {
        return INVALID_VALUE;
    }
    if (handle.owner == (u64)getpid()) {
        return INVALID_CONTEXT;  // a process does not open its own
    }
    enableAccess(device, (int)handle.device);
    std::unique_lock guard(lock);
    std::pair<u64, u64> key = {handle.owner, handle.address};
    auto known = opened.find(key);
    if (known != opened.end()) {
        parts[known->second].uses++;
        *address = known->second;
        return SUCCESS;
    }
    std::string path = "/proc/" + std::to_string(handle.owner) + "/fd/" + std::to_string(handle.file);
    int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return INVALID_VALUE;
    }
    void *host = mmap(nullptr, handle.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (host == MAP_FAILED) {
        return OUT_OF_MEMORY;
    }
    *address = opened[key] = enter(handle.bytes, (char *)host, -2, (int)handle.device);
    return SUCCESS;
}

int closeHandle(u64 address) {
    std::unique_lock guard(lock);
    auto found = parts.find(address);
    if (found == parts.end() || found->second.file != -2) {
        return INVALID_VALUE;
    }
    if (--found->second.uses > 0) {
        return SUCCESS;
    }
    munmap(found->second.host, found->second.end - address);
    parts.erase(found);
    for (auto each = opened.begin(); each != opened.end(); ++each) {
        if (each->second == address) {
            opened.erase(each);
            break;
        }
    }
    generation++;
    return SUCCESS;
}

bool reaches(int device, int other) {
    if (device == other || device == EVERY_DEVICE || other == EVERY_DEVICE) {
        return true;
    }
    std::shared_lock guard(lock);
    return enabled.count({device, other}) != 0;
}

int enableAccess(int device, int other) {
    std::unique_lock guard(lock);
    return device == other                          ? INVALID_DEVICE
           : enabled.insert({device, other}).second ? SUCCESS
                                                    : PEER_ACCESS_ALREADY_ENABLED;
}

char *find(u64 address, size_t bytes, Range &cache) {
    if (cache.generation != generation.load(std::memory_order_acquire) || address < cache.begin ||
        address + bytes > cache.end) {
        std::shared_lock guard(lock);
        auto after = parts.upper_bound(address);
        if (after == parts.begin()) {
            return nullptr;
        }
        auto found = std::prev(after);
        if (address + bytes > found->second.end) {
            return nullptr;
        }
        cache = {found->first, found->second.end, generation.load(std::memory_order_acquire), found->second.host,
                 found->second.device};
    }
    return cache.host + (address - cache.begin);
}

}  // namespace software
