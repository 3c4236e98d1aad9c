// SPDX-License-Identifier: Apache-2.0
// The driver's functions of streams, events and graphs, and of what streams do beside kernels.
#include <unistd.h>

#include <chrono>
#include <cstring>

#include "driver.h"

using namespace software;

namespace {

// Where the host has bytes of either, or null.
char *either(u64 address, size_t bytes) {
    char *found = at(EVERY_DEVICE, address, bytes);
    return found != nullptr ? found : isOfDevice(address) ? nullptr : (char *)address;
}

// A copy of pageable memory is over when the call returns.
int copy(Stream *stream, u64 target, u64 source, size_t bytes, bool isPageable) {
    if (either(target, bytes) == nullptr || either(source, bytes) == nullptr) {
        return INVALID_VALUE;
    }
    begin(stream, false, [=] {
        char *to = either(target, bytes), *from = either(source, bytes);
        if (to == nullptr || from == nullptr) {
            lose(ILLEGAL_ADDRESS, "a copy of memory that is gone");
        } else {
            memmove(to, from, bytes);
        }
    });
    for (unsigned polls = 0; isPageable && stream->capture == nullptr && !isOver(stream); polls++) {
        nap(polls);
    }
    return SUCCESS;
}

}  // namespace

API int cuStreamCreateWithPriority(Stream **stream, unsigned, int) {
    READY
    *stream = createStream(currentDevice());
    return SUCCESS;
}

API int cuStreamDestroy_v2(Stream *stream) {
    READY
    destroyStream(stream);
    return SUCCESS;
}

API int cuStreamQuery(Stream *stream) {
    READY
    if (stream->capture != nullptr) {
        stream->isInvalid = true;
        return STREAM_CAPTURE_UNSUPPORTED;
    }
    if (globalCaptures > 0 || localCaptures > 0) {
        return STREAM_CAPTURE_UNSUPPORTED;
    }
    return isOver(stream) ? lost() : NOT_READY;
}

API int cuStreamWaitEvent(Stream *stream, Event *event, unsigned) {
    READY
    if (event->capture != nullptr) {
        if (event->capture->isOver) {
            return CAPTURED_EVENT;
        }
        if (stream->capture == nullptr) {
            stream->capture = event->capture;
            event->capture->joined.push_back(stream);
        }
        return stream->capture == event->capture ? SUCCESS : STREAM_CAPTURE_INVALIDATED;
    }
    if (std::shared_ptr<Mark> mark = event->mark) {
        begin(stream, true, [mark] {
            for (unsigned polls = 0; !mark->isOver; polls++) {
                nap(polls);
            }
        });
    }
    return SUCCESS;
}

API int cuStreamIsCapturing(Stream *stream, int *status) {
    READY
    *status = stream->capture == nullptr ? 0 : stream->isInvalid ? 2 : 1;
    return SUCCESS;
}

API int cuStreamBeginCapture_v2(Stream *stream, int mode) {
    READY
    if (stream->capture != nullptr) {
        return INVALID_VALUE;
    }
    stream->capture = new Capture{stream, mode, std::this_thread::get_id(), {}, {}};
    stream->isInvalid = false;
    globalCaptures += mode == 0;
    localCaptures += mode == 1;
    return SUCCESS;
}

API int cuStreamEndCapture(Stream *stream, Graph **graph) {
    READY
    Capture *capture = stream->capture;
    if (capture == nullptr || capture->origin != stream) {
        return INVALID_VALUE;
    }
    if (capture->mode != 2 && capture->owner != std::this_thread::get_id()) {
        return STREAM_CAPTURE_WRONG_THREAD;
    }
    globalCaptures -= capture->mode == 0;
    localCaptures -= capture->mode == 1;
    stream->capture = nullptr;
    capture->isOver = true;  // and stays, as events name it
    for (Stream *each : capture->joined) {
        each->capture = nullptr;
    }
    *graph = nullptr;
    if (stream->isInvalid) {
        return STREAM_CAPTURE_INVALIDATED;
    }
    *graph = new Graph{capture->work};
    return SUCCESS;
}

API int cuGraphInstantiateWithFlags(Graph **made, Graph *graph, unsigned long long) {
    READY
    *made = new Graph(*graph);
    return SUCCESS;
}

API int cuGraphLaunch(Graph *graph, Stream *stream) {
    READY
    for (const Work &each : graph->work) {
        enqueue(stream, each.isWait, each.run);
    }
    return SUCCESS;
}

API int cuGraphExecDestroy(Graph *graph) {
    delete graph;
    return SUCCESS;
}

API int cuGraphDestroy(Graph *graph) {
    delete graph;
    return SUCCESS;
}

API int cuEventCreate(Event **event, unsigned flags) {
    READY
    *event = new Event{currentDevice(), (flags & 2) == 0, nullptr, nullptr};
    return SUCCESS;
}

API int cuEventDestroy_v2(Event *event) {
    READY
    delete event;
    return SUCCESS;
}

API int cuEventRecord(Event *event, Stream *stream) {
    READY
    if (event->device != stream->device) {
        return INVALID_HANDLE;
    }
    event->capture = stream->capture;
    if (stream->capture != nullptr) {
        return SUCCESS;
    }
    auto mark = std::make_shared<Mark>();
    event->mark = mark;
    enqueue(stream, false, [mark] {
        mark->nanos = std::chrono::steady_clock::now().time_since_epoch().count();
        mark->isOver = true;
    });
    return SUCCESS;
}

API int cuEventQuery(Event *event) {
    UNSAFE
    if (event->capture != nullptr) {
        return CAPTURED_EVENT;
    }
    return event->mark == nullptr || event->mark->isOver ? lost() : NOT_READY;
}

API int cuEventElapsedTime_v2(float *millis, Event *start, Event *end) {
    READY
    if (!start->isTimed || !end->isTimed || start->mark == nullptr || end->mark == nullptr) {
        return INVALID_HANDLE;
    }
    if (!start->mark->isOver || !end->mark->isOver) {
        return NOT_READY;
    }
    *millis = (float)((double)(end->mark->nanos - start->mark->nanos) / 1e6);
    return SUCCESS;
}

API int cuStreamWriteValue64_v2(Stream *stream, u64 address, u64 value, unsigned) {
    READY
    if (address % 8 != 0 || at(stream->device, address, 8) == nullptr) {
        return INVALID_VALUE;
    }
    begin(stream, false, [=] {
        char *word = at(stream->device, address, 8);
        if (word == nullptr) {
            lose(ILLEGAL_ADDRESS, "a word that is gone is written");
        } else {
            __atomic_store_n((u64 *)word, value, __ATOMIC_SEQ_CST);
        }
    });
    return SUCCESS;
}

API int cuStreamWaitValue64_v2(Stream *stream, u64 address, u64 value, unsigned flags) {
    READY
    if (address % 8 != 0 || at(stream->device, address, 8) == nullptr || flags > 3) {
        return INVALID_VALUE;
    }
    begin(stream, true, [=] {
        for (unsigned polls = 0;; polls++) {
            char *word = at(stream->device, address, 8);
            if (word == nullptr) {
                lose(ILLEGAL_ADDRESS, "a stream waits for a word that is gone");
                return;
            }
            u64 found = __atomic_load_n((u64 *)word, __ATOMIC_SEQ_CST);
            if (flags == 0   ? (long long)(found - value) >= 0
                : flags == 1 ? found == value
                : flags == 2 ? (found & value) != 0
                             : ~(found | value) != 0) {
                return;
            }
            nap(polls);
        }
    });
    return SUCCESS;
}

API int cuMemcpyAsync(u64 target, u64 source, size_t bytes, Stream *stream) {
    READY
    return copy(stream, target, source, bytes,
                at(EVERY_DEVICE, target, bytes) == nullptr || at(EVERY_DEVICE, source, bytes) == nullptr);
}

API int cuMemcpyHtoDAsync_v2(u64 target, const void *source, size_t bytes, Stream *stream) {
    READY
    return copy(stream, target, (u64)source, bytes, !isRegistered((u64)source, bytes));
}

API int cuMemcpyDtoHAsync_v2(void *target, u64 source, size_t bytes, Stream *stream) {
    READY
    return copy(stream, (u64)target, source, bytes, !isRegistered((u64)target, bytes));
}

API int cuMemsetD8Async(u64 target, unsigned char value, size_t bytes, Stream *stream) {
    READY
    if (at(stream->device, target, bytes) == nullptr) {
        return INVALID_VALUE;
    }
    begin(stream, false, [=] {
        char *to = at(stream->device, target, bytes);
        if (to == nullptr) {
            lose(ILLEGAL_ADDRESS, "memory that is gone is filled");
        } else {
            memset(to, value, bytes);
        }
    });
    return SUCCESS;
}
