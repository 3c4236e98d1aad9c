// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;

/// What the device can do on which a runtime runs streams and kernels. The device is simulated by threads of the
/// JVM, so
/// the numbers are those that a program asks for, such as the ones of the GPU that it is written for.
///
/// Without limits all streams run at the same time. Queues and slots let a laptop show what a GPU does with a
/// program that relies on more: `DeviceLimits.DEFAULT.withQueues(1)` is the harshest legal device.
///
/// @param residentThreads threads of all blocks that run at the same time, at least `threadsPerBlock`; a block
///     starts when so many threads are free, and holds them until its last thread has returned
/// @param threadsPerBlock of the largest block
/// @param warpThreads of a warp
/// @param queues hardware queues that the streams share in turns; 0 for one of its own for each. CUDA
///     has `CUDA_DEVICE_MAX_CONNECTIONS`
/// @param queueOf the queues of streams that do not take turns, by name; each in `[0, queues)`
/// @param queueOrder when a queue goes on
/// @param slots operations that run at the same time; 0 for any number. An operation holds a slot until it is
/// over,     also while it waits; records of events, waits for them and host functions need none
/// @param startOrder which operations start first
/// @param lateCopies whether [StreamRuntime#copy] may return before it has written, as `cudaMemcpy` does
public record DeviceLimits(
        int residentThreads,
        int threadsPerBlock,
        int warpThreads,
        int queues,
        Map<String, Integer> queueOf,
        QueueOrder queueOrder,
        int slots,
        StartOrder startOrder,
        boolean lateCopies) {
    /// 1,024 threads, also in a block, in warps of 32; all streams run at the same time.
    public static final DeviceLimits DEFAULT = new DeviceLimits(1024, 1024, 32);

    public DeviceLimits {
        if (threadsPerBlock < 1 || residentThreads < threadsPerBlock || warpThreads < 1) {
            throw new IllegalArgumentException("DeviceLimits: " + residentThreads + " resident threads, "
                    + threadsPerBlock + " in a block, " + warpThreads
                    + " in a warp; each is at least 1, and a block must fit");
        }
        if (queues < 0 || slots < 0) {
            throw new IllegalArgumentException(
                    "DeviceLimits: " + queues + " queues, " + slots + " slots; allowed are 0 and more");
        }
        queueOf = Map.copyOf(requireNonNull(queueOf, "DeviceLimits: queueOf is null"));
        for (Map.Entry<String, Integer> each : queueOf.entrySet()) {
            if (each.getValue() < 0 || each.getValue() >= queues) {
                throw new IllegalArgumentException("DeviceLimits: queue " + each.getValue() + " for stream \""
                        + each.getKey() + "\"; there are " + queues);
            }
        }
        requireNonNull(queueOrder, "DeviceLimits: queueOrder is null");
        requireNonNull(startOrder, "DeviceLimits: startOrder is null");
    }

    /// Makes a device on which all streams run at the same time.
    public DeviceLimits(int residentThreads, int threadsPerBlock, int warpThreads) {
        this(
                residentThreads,
                threadsPerBlock,
                warpThreads,
                0,
                Map.of(),
                QueueOrder.COMPLETION,
                0,
                StartOrder.ISSUE,
                false);
    }

    /// Returns a device on which so many threads run at the same time.
    public DeviceLimits withResidentThreads(int threads) {
        return new DeviceLimits(
                threads,
                Math.min(threads, threadsPerBlock),
                warpThreads,
                queues,
                queueOf,
                queueOrder,
                slots,
                startOrder,
                lateCopies);
    }

    /// Returns a device with warps of so many threads.
    public DeviceLimits withWarpThreads(int threads) {
        return new DeviceLimits(
                residentThreads, threadsPerBlock, threads, queues, queueOf, queueOrder, slots, startOrder, lateCopies);
    }

    /// Returns a device with so many hardware queues.
    public DeviceLimits withQueues(int count) {
        return new DeviceLimits(
                residentThreads,
                threadsPerBlock,
                warpThreads,
                count,
                queueOf,
                queueOrder,
                slots,
                startOrder,
                lateCopies);
    }

    /// Returns a device on which a stream, by name, has this queue.
    public DeviceLimits withQueueOf(String stream, int queue) {
        requireNonNull(stream, "DeviceLimits.withQueueOf: stream is null");
        Map<String, Integer> map = new HashMap<>(queueOf);
        map.put(stream, queue);
        return new DeviceLimits(
                residentThreads,
                threadsPerBlock,
                warpThreads,
                Math.max(queues, queue + 1),
                map,
                queueOrder,
                slots,
                startOrder,
                lateCopies);
    }

    /// Returns a device whose queues go on in this way.
    public DeviceLimits withQueueOrder(QueueOrder order) {
        requireNonNull(order, "DeviceLimits.withQueueOrder: order is null");
        return new DeviceLimits(
                residentThreads, threadsPerBlock, warpThreads, queues, queueOf, order, slots, startOrder, lateCopies);
    }

    /// Returns a device with so many slots.
    public DeviceLimits withSlots(int count) {
        return new DeviceLimits(
                residentThreads,
                threadsPerBlock,
                warpThreads,
                queues,
                queueOf,
                queueOrder,
                count,
                startOrder,
                lateCopies);
    }

    /// Returns a device that starts operations in this order.
    public DeviceLimits withStartOrder(StartOrder order) {
        requireNonNull(order, "DeviceLimits.withStartOrder: order is null");
        return new DeviceLimits(
                residentThreads, threadsPerBlock, warpThreads, queues, queueOf, queueOrder, slots, order, lateCopies);
    }

    /// Returns a device whose copies from the host are as late as they may be, or not.
    public DeviceLimits withLateCopies(boolean late) {
        return new DeviceLimits(
                residentThreads, threadsPerBlock, warpThreads, queues, queueOf, queueOrder, slots, startOrder, late);
    }

    /// Returns whether operations that could run may have to wait for others.
    boolean areScarce() {
        return queues > 0 || slots > 0 || startOrder.kind() != StartOrder.Kind.ISSUE;
    }

    /// Returns the queue of the next stream.
    ///
    /// @param turn the number of streams so far
    int queue(String stream, int turn) {
        return queues == 0 ? turn : queueOf.getOrDefault(stream, turn % queues);
    }

    /// Returns the number of blocks that run at the same time on an idle device; 0 if not even one fits.
    int residentBlocks(Extent block) {
        long threads = block.places();
        return threads < 1 || threads > threadsPerBlock ? 0 : residentThreads / (int) threads;
    }
}
