// SPDX-License-Identifier: Apache-2.0
// Streams, events and captures. A stream shares one of a few channels with other streams: a channel begins the work of
// its streams in the order of the calls, and a wait holds up all that is behind it. Kernels and copies run beside the
// channel, one of a stream at a time.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace software {

struct Channel;
struct Capture;

// What a record of an event has captured.
struct Mark {
    std::atomic<bool> isOver{false};
    std::atomic<long long> nanos{0};
};

struct Work {
    std::function<void()> run;
    bool isWait;
};

struct Stream {
    Channel *channel = nullptr;
    int device = 0;
    Capture *capture = nullptr;
    bool isInvalid = false;  // its capture
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::function<void()>> begun;  // at most one
    bool isBusy = false, isEnding = false;
    long long pending = 0;
};

struct Event {
    int device;
    bool isTimed;
    std::shared_ptr<Mark> mark;
    Capture *capture = nullptr;  // that has recorded it last
};

struct Capture {
    Stream *origin;
    int mode;
    std::thread::id owner;
    std::vector<Work> work;
    std::vector<Stream *> joined;
    bool isOver = false;
};

struct Graph {
    std::vector<Work> work;
};

Stream *createStream(int device);
void destroyStream(Stream *stream);
void enqueue(Stream *stream, bool isWait, std::function<void()> run);
bool isOver(Stream *stream);

// Waits until no stream of the process has work, as some calls of the driver do.
void awaitAll(const char *call);

}  // namespace software
