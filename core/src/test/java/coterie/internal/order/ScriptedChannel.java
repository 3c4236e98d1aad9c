// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A channel without order, whose operations are complete when the test says so, in any order. It records each
/// operation as "put 5→1": the thing, its word or length, and the peer.
final class ScriptedChannel implements Channel {
    /// The recorded operations, in order, quiets included.
    final List<String> asked = new ArrayList<>();

    private final Map<String, Integer> open = new LinkedHashMap<>();
    private final Map<Long, Set<String>> tickets = new HashMap<>();
    private final Map<Integer, Integer> room = new HashMap<>();
    private long latest;
    boolean closed;

    /// The most bytes of an operation that the channel orders by itself.
    long ordersUpTo = -1;

    /// Completes an operation at its peer.
    void complete(String operation) {
        if (open.remove(operation) == null) {
            throw new AssertionError(operation + " is not under way: " + open.keySet());
        }
    }

    /// Completes all that is under way towards a peer, as after the peer's failure.
    void completeAll(int peer) {
        open.values().removeIf(towards -> towards == peer);
    }

    /// Takes so many more operations towards a peer, and then none.
    void takeOnly(int operations, int peer) {
        room.put(peer, operations);
    }

    @Override
    public boolean accepts(int peer) {
        return room.getOrDefault(peer, 1) > 0;
    }

    private long begin(String what, long word, int peer) {
        if (!accepts(peer)) {
            throw new AssertionError("no room for " + what + " towards " + peer);
        }
        room.computeIfPresent(peer, (pe, left) -> left - 1);
        String operation = what + " " + word + "→" + peer;
        asked.add(operation);
        open.put(operation, peer);
        return ticket(Set.of(operation));
    }

    private long ticket(Set<String> operations) {
        tickets.put(++latest, operations);
        return latest;
    }

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        return begin("put", length, peer);
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return begin("get", length, peer);
    }

    @Override
    public long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        return begin("putSignal", value, peer);
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        begin("putWord", word, peer);
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return begin("getWord", remote, peer);
    }

    @Override
    public long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        return begin("atomic " + operation, operand, peer);
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        begin("update " + operation, operand, peer);
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return begin("compareAndSwap " + expected, value, peer);
    }

    @Override
    public void fence() {
        throw new AssertionError("this channel does not order");
    }

    @Override
    public boolean orders(int peer, long bytes) {
        return bytes <= ordersUpTo;
    }

    @Override
    public long quiet(int peer) {
        asked.add("quiet " + peer);
        Set<String> operations = new HashSet<>();
        open.forEach((operation, towards) -> {
            if (peer == ALL_PEERS || peer == towards) {
                operations.add(operation);
            }
        });
        return operations.isEmpty() ? 0 : ticket(operations);
    }

    @Override
    public boolean isDone(long ticket) {
        @Nullable Set<String> operations = tickets.get(ticket);
        if (operations == null) {
            throw new AssertionError("unknown ticket " + ticket);
        }
        return operations.stream().noneMatch(open::containsKey);
    }

    @Override
    public void close() {
        closed = true;
    }
}
