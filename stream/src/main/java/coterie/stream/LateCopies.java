// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ElementView;
import coterie.collective.Collective;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/// Copies from the host that have returned before they have written, as those of a GPU from pageable memory may,
/// and the operations that rely on them too early: of streams, and collectives of the host.
///
/// The copy is an operation of the legacy default stream, so blocking streams come after it. Non-blocking
/// streams and the host do not.
final class LateCopies {
    /// A copy happens once nothing else has moved for so long, and the program does not wait for it.
    static final long IDLE_NANOS = 50_000_000;

    private final StreamEngine engine;

    /// Those that have not happened, in order; the engine's lock guards it.
    private final Queue<Copy> pending = new ArrayDeque<>();

    /// @param position in the legacy default stream
    private record Copy(MemorySegment target, long position, String site) {}

    LateCopies(StreamEngine engine) {
        this.engine = engine;
    }

    /// Enqueues a copy. The caller holds the lock.
    void enqueue(StreamLane legacy, ElementView view, long index, MemorySegment source, long sourceIndex, long count) {
        int width = view.type().byteSize();
        MemorySegment staging = Arena.ofAuto().allocate(Math.max(1, count * width), Long.BYTES);
        MemorySegment.copy(source, sourceIndex * width, staging, 0, count * width);
        StreamOperation operation = legacy.begin(OperationType.LATE_COPY);
        operation.view = view;
        operation.index = index;
        operation.segment = staging;
        operation.count = count;
        operation.value = engine.support().nanoTime();
        operation.pe = view.context().team().member();
        MemorySegment target = view.segment().asSlice(index * width, count * width);
        Copy copy = new Copy(target, legacy.position(), RequestCache.callSite());
        legacy.append(operation);
        pending.add(copy);
        for (StreamLane lane : engine.lanes()) {
            if (!lane.equals(legacy)) {
                lane.forEachPendingAfter(legacy.clock.at(lane.slot), each -> warnIfUsed(copy, lane, each));
            }
        }
    }

    /// Warns if a collective of the program, without a stream, uses memory that a copy may write later.
    void checkHost(String operation, ElementView elements, long index, long count) {
        synchronized (engine) {
            if (pending.isEmpty() || engine.isWithin()) {
                return;
            }
            int width = elements.type().byteSize();
            for (Copy copy : pending) {
                if (overlaps(elements.segment(), index * width, count * width, copy.target)) {
                    warn(operation + " at " + RequestCache.callSite(), copy, "Synchronize the legacy default stream");
                }
            }
        }
    }

    private void warn(String user, Copy copy, String remedy) {
        engine.warn("HEAP_RACE: " + user + ", PE " + engine.world().pe() + ", uses memory that the copy at " + copy.site
                + " may write later: a copy from the host can return before that. " + remedy);
    }

    private void warnIfUsed(Copy copy, StreamLane lane, StreamOperation operation) {
        if (uses(operation, copy.target)) {
            warn(
                    operation + " on stream \"" + lane.name + "\"",
                    copy,
                    "Put to this PE in the stream instead, or synchronize the legacy default stream");
        }
    }

    /// The oldest copy has happened.
    void done() {
        synchronized (engine) {
            pending.remove();
        }
    }

    /// Warns if an operation uses memory that a copy may write later. The caller holds the lock.
    void check(StreamLane lane, StreamOperation operation) {
        if (pending.isEmpty() || operation.type == OperationType.LATE_COPY) {
            return;
        }
        StreamLane legacy = engine.legacy();
        for (Copy copy : pending) {
            boolean isOrdered = legacy != null && (lane.equals(legacy) || lane.clock.at(legacy.slot) > copy.position);
            if (!isOrdered) {
                warnIfUsed(copy, lane, operation);
            }
        }
    }

    private static boolean uses(StreamOperation operation, MemorySegment target) {
        if (operation.object instanceof CachedRequest request) {
            Collective collective = request.collective();
            return uses(collective.source(), target) || uses(collective.target(), target);
        }
        ElementView view = operation.view;
        if (view == null) {
            return false;
        }
        int width = view.type().byteSize();
        MemorySegment local = operation.segment;
        boolean isLocal = local != null
                && local.isNative()
                && overlaps(local, operation.localIndex * width, operation.count * width, target);
        boolean isMine = operation.pe == view.context().team().member()
                && overlaps(view.segment(), operation.index * width, Math.max(1, operation.count) * width, target);
        return isLocal || isMine;
    }

    private static boolean uses(Optional<Collective.Buffer> buffer, MemorySegment target) {
        if (buffer.isEmpty()) {
            return false;
        }
        Collective.Buffer used = buffer.get();
        int width = used.elements().type().byteSize();
        for (int block = 0; block < used.blocks(); block++) {
            if (overlaps(used.elements().segment(), used.index(block) * width, used.count(block) * width, target)) {
                return true;
            }
        }
        return false;
    }

    /// Bytes outside the segment are an error that the operation finds itself.
    private static boolean overlaps(MemorySegment segment, long offset, long bytes, MemorySegment target) {
        return offset >= 0
                && bytes > 0
                && offset + bytes <= segment.byteSize()
                && segment.asSlice(offset, bytes).asOverlappingSlice(target).isPresent();
    }
}
