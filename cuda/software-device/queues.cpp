// SPDX-License-Identifier: Apache-2.0
#include "queues.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace software {

struct Channel {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::pair<Stream *, Work>> queue;
};

namespace {

std::mutex &lock = *new std::mutex();
std::set<Stream *> &streams = *new std::set<Stream *>();

void finished(Stream *stream) {
    std::lock_guard guard(stream->mutex);
    stream->isBusy = false;
    stream->pending--;
    stream->changed.notify_all();
}

// Runs kernels and copies of a stream.
void serve(Stream *stream) {
    while (true) {
        std::function<void()> next;
        {
            std::unique_lock guard(stream->mutex);
            stream->changed.wait(guard,
                                 [&] { return !stream->begun.empty() || (stream->isEnding && stream->pending == 0); });
            if (stream->begun.empty()) {
                break;
            }
            next = std::move(stream->begun.front());
            stream->begun.pop_front();
        }
        next();
        finished(stream);
    }
    {
        std::lock_guard guard(lock);
        streams.erase(stream);
    }
    delete stream;
}

void serveChannel(Channel *channel) {
    while (true) {
        std::pair<Stream *, Work> next;
        {
            std::unique_lock guard(channel->mutex);
            channel->changed.wait(guard, [&] { return !channel->queue.empty(); });
            next = std::move(channel->queue.front());
            channel->queue.pop_front();
        }
        Stream *stream = next.first;
        {
            std::unique_lock guard(stream->mutex);
            stream->changed.wait(guard, [&] { return !stream->isBusy; });
            stream->isBusy = true;
            if (!next.second.isWait) {
                stream->begun.push_back(std::move(next.second.run));
                stream->changed.notify_all();
                continue;
            }
        }
        next.second.run();
        finished(stream);
    }
}

Channel *nextChannel() {
    static std::vector<Channel *> channels;
    static size_t count = 0;
    const char *text = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    size_t most = (size_t)std::clamp(text == nullptr ? 8 : atoi(text), 1, 32);
    if (channels.size() < most) {
        Channel *made = new Channel();
        channels.push_back(made);
        std::thread(serveChannel, made).detach();
    }
    return channels[count++ % most];
}

}  // namespace

Stream *createStream(int device) {
    std::lock_guard guard(lock);
    Stream *made = new Stream();
    made->channel = nextChannel();
    made->device = device;
    streams.insert(made);
    std::thread(serve, made).detach();
    return made;
}

void destroyStream(Stream *stream) {
    std::lock_guard guard(stream->mutex);
    stream->isEnding = true;
    stream->changed.notify_all();
}

void enqueue(Stream *stream, bool isWait, std::function<void()> run) {
    if (stream->capture != nullptr) {
        stream->capture->work.push_back({std::move(run), isWait});
        return;
    }
    {
        std::lock_guard guard(stream->mutex);
        stream->pending++;
    }
    std::lock_guard guard(stream->channel->mutex);
    stream->channel->queue.push_back({stream, {std::move(run), isWait}});
    stream->channel->changed.notify_all();
}

bool isOver(Stream *stream) {
    std::lock_guard guard(stream->mutex);
    return stream->pending == 0;
}

void awaitAll(const char *call) {
    auto begin = std::chrono::steady_clock::now();
    bool isTold = false;
    while (true) {
        bool isIdle = true;
        {
            std::lock_guard guard(lock);
            for (Stream *each : streams) {
                isIdle &= isOver(each);
            }
        }
        if (isIdle) {
            return;
        }
        usleep(20);
        if (!isTold && std::chrono::steady_clock::now() - begin > std::chrono::seconds(5)) {
            fprintf(stderr, "software device: %s of process %d has waited 5 s for the work of all streams\n", call,
                    getpid());
            isTold = true;
        }
    }
}

}  // namespace software
