// SPDX-License-Identifier: Apache-2.0
// What the functions of the driver share. They have the names and results of cuda.h; Coterie calls them by their
// symbols.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "memory.h"
#include "queues.h"
#include "results.h"

namespace software {

// Captures that keep all threads of the process, or this one, from some calls.
extern std::atomic<int> globalCaptures;
extern thread_local int localCaptures;

// Returns the error that a call of this thread gets before it does anything, or SUCCESS.
int ready();

// The first error of a kernel or copy, after which the device is lost for this process; SUCCESS before.
int lost();

// Loses the device, and prints why.
void lose(int result, const std::string &text);

// Enqueues work, which a lost device skips.
void begin(Stream *stream, bool isWait, std::function<void()> run);

// The device of this thread's context.
int currentDevice();

// Where the host has bytes that a device reaches, or null.
char *at(int device, u64 address, size_t bytes);

// Waits for all streams where a call may do so: always, or only if SOFTWARE_DEVICE_SYNCHRONISES is set.
void synchronise(const char *call, bool isAlways);

// A pause between two looks at a word.
void nap(unsigned polls);

}  // namespace software

#define API extern "C" __attribute__((visibility("default")))

#define READY                                          \
    if (int result = software::ready(); result != 0) { \
        return result;                                 \
    }

// Of calls that a capture does not allow.
#define UNSAFE                                                         \
    READY                                                              \
    if (software::globalCaptures > 0 || software::localCaptures > 0) { \
        return software::STREAM_CAPTURE_UNSUPPORTED;                   \
    }
