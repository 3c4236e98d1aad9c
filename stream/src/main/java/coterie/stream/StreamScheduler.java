// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Starts the operations of streams as a device with [DeviceLimits] does: the first operation of a stream starts
/// when its hardware queue has come to it, and a slot is free; those that could start do so in the device's order.
///
/// ```
///  streams    A  B  C      each a FIFO of its own
///              \ | /
///  queues      0  1        streams share them, in the order of the calls
///              | /
///  slots       ▯ ▯         held from the start of an operation to its end
/// ```
///
/// It looks at all pending operations in each round: it is for finding mistakes, not for speed.
final class StreamScheduler {
    private final StreamEngine engine;
    private final DeviceLimits limits;
    private final Random random;
    private final Map<String, Integer> ranks = new HashMap<>();

    /// Operations that are not over, in the order of the calls; the engine's lock guards it.
    private final List<Issued> pending = new ArrayList<>();

    private int namedStarts;
    private int heldSlots;

    private record Issued(StreamLane lane, long position, StreamOperation operation) {}

    StreamScheduler(StreamEngine engine, DeviceLimits limits) {
        this.engine = engine;
        this.limits = limits;
        this.random = new Random(limits.startOrder().seed());
        String mine = "P" + engine.world().pe() + ".";
        for (String id : limits.startOrder().witness()) {
            boolean isOther = id.matches("P\\d+\\..*") && !id.startsWith(mine);
            if (!isOther) {
                ranks.putIfAbsent(id.startsWith(mine) ? id.substring(mine.length()) : id, ranks.size());
            }
        }
    }

    /// Notes an operation. The caller holds the lock.
    void issued(StreamLane lane, long position, StreamOperation operation) {
        operation.isStarted = false;
        pending.add(new Issued(lane, position, operation));
    }

    /// Starts what may start now.
    void start() {
        synchronized (engine) {
            List<Issued> ready = new ArrayList<>();
            for (int i = 0; i < pending.size(); i++) {
                Issued each = pending.get(i);
                if (!each.operation.isStarted && isHead(each) && isNextInQueue(i)) {
                    ready.add(each);
                }
            }
            sort(ready);
            for (Issued each : ready) {
                if (needsSlot(each.operation)) {
                    if (limits.slots() > 0 && heldSlots == limits.slots()) {
                        continue;
                    }
                    heldSlots++;
                }
                each.operation.isStarted = true;
                LaneLog log = each.lane.log();
                if (log != null) {
                    log.started(each.position);
                }
                namedStarts += rank(each) < ranks.size() ? 1 : 0;
            }
        }
    }

    /// Notes that an operation is over. Only the thread that runs the hook calls it.
    @SuppressWarnings("ReferenceEquality") // the very operation
    void ended(StreamOperation operation) {
        synchronized (engine) {
            pending.removeIf(each -> each.operation == operation);
            if (operation.isStarted && needsSlot(operation)) {
                heldSlots--;
            }
        }
    }

    private static boolean isHead(Issued each) {
        return each.position == each.lane.completed();
    }

    private boolean isNextInQueue(int index) {
        if (limits.queues() == 0) {
            return true;
        }
        Issued mine = pending.get(index);
        for (int i = 0; i < index; i++) {
            Issued other = pending.get(i);
            if (other.lane.queue == mine.lane.queue && !letsPass(other.operation)) {
                return false;
            }
        }
        return true;
    }

    private boolean letsPass(StreamOperation before) {
        return limits.queueOrder() == QueueOrder.DISPATCH && before.isStarted && !before.type.isOrder();
    }

    private void sort(List<Issued> ready) {
        switch (limits.startOrder().kind()) {
            case ISSUE -> {} // as it is
            case SHUFFLED -> {
                Collections.shuffle(ready, random);
                ready.subList(Math.min(1, ready.size()), ready.size()).clear();
            }
            case WITNESS -> {
                ready.removeIf(each -> rank(each) > namedStarts);
                ready.sort(Comparator.comparingInt(this::rank));
            }
        }
    }

    /// Returns the place in the given order; the number of named operations for one that it does not name.
    private int rank(Issued each) {
        Integer rank = ranks.get(each.lane.id(each.position));
        return rank == null ? ranks.size() : rank;
    }

    static boolean needsSlot(StreamOperation operation) {
        return !operation.type.isOrder() && operation.type != OperationType.HOST;
    }

    /// Returns the scheduler of a device, or null if it has no limits.
    static @Nullable StreamScheduler of(StreamEngine engine, DeviceLimits limits) {
        return limits.areScarce() ? new StreamScheduler(engine, limits) : null;
    }
}
