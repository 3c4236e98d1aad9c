// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.mapped.MemoryCopy;
import coterie.internal.plan.Action;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.PlanBuffer;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.Counters;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Does the work of a plan, on this member's buffers and on those of members that have published theirs.
final class PlanWork {
    /// Bytes of accumulators: with the operands' piece they fit the L1 cache.
    private static final long ACCUMULATORS = 16L << 10;

    private final TeamEndpoint endpoint;
    private final Operator operator;

    /// By the ordinal of a [PlanBuffer]: where it begins in this member's heap.
    private final long[] buffers = new long[PlanBuffer.values().length];

    /// Null unless the plan has direct work.
    final @Nullable BufferPlaces places;

    /// The operands of a fold of many.
    private long[] addresses = {};

    /// Null until a fold of many needs some.
    private @Nullable MemorySegment accumulators;

    /// The address of this member's heap.
    long heap;

    PlanWork(TeamEndpoint endpoint, Operator operator, boolean isDirect) {
        this.endpoint = endpoint;
        this.operator = operator;
        this.places = isDirect ? new BufferPlaces(endpoint) : null;
    }

    /// Sets where the buffers of the next run are, as offsets in this member's heap.
    ///
    /// @param scratch or −1 if the plan needs none
    void set(long source, long target, long scratch) {
        buffers[PlanBuffer.SOURCE.ordinal()] = source;
        buffers[PlanBuffer.TARGET.ordinal()] = target;
        // A plan without scratch, such as a barrier's, may run before there is a heap.
        buffers[PlanBuffer.SCRATCH.ordinal()] = Math.max(0, scratch);
    }

    /// A run begins.
    void begin() {
        heap = endpoint.conduit.localBase(Region.HEAP);
        if (places != null) {
            places.begin(offset(PlanBuffer.SOURCE), offset(PlanBuffer.TARGET));
        }
    }

    /// Does one action.
    void perform(Action.Work action) {
        switch (action) {
            case Action.Copy(var target, var source) -> {
                long from = read(source);
                MemoryCopy.copy(AddressSpace.ALL, from, AddressSpace.ALL, written(target), source.bytes());
            }
            case Action.Fold(var target, var left, var right) -> {
                long one = read(left);
                long other = read(right);
                long to = written(target);
                operator.fold(AddressSpace.ALL, to, AddressSpace.ALL, one, AddressSpace.ALL, other, target.bytes());
            }
            case Action.FoldAll(var target, var operands) -> {
                int count = operands.size();
                if (addresses.length < count) {
                    addresses = new long[count];
                }
                for (int member = 0; member < count; member++) {
                    addresses[member] = read(operands.get(member));
                }
                operator.foldAll(written(target), addresses, count, target.bytes(), accumulators());
            }
            case Action.Clear(var target) -> operator.clear(AddressSpace.ALL, written(target), target.bytes());
            case Action.Finish(var target) -> {
                long at = read(target);
                written(target);
                operator.finish(AddressSpace.ALL, at, target.bytes());
            }
        }
    }

    private MemorySegment accumulators() {
        MemorySegment made = accumulators;
        if (made == null) {
            made = Arena.ofAuto().allocate(ACCUMULATORS, Long.BYTES);
            accumulators = made;
        }
        return made;
    }

    /// The address of bytes that are about to be read.
    private long read(ByteSpan span) {
        if (span.isOwn() || places == null) {
            long at = offset(span.buffer()) + span.offset();
            endpoint.reads(at, span.bytes());
            return heap + at;
        }
        Counters counters = endpoint.runtime.counters();
        counters.gets++;
        counters.getBytes += span.bytes();
        return places.address(span);
    }

    /// The address of bytes that are about to be written.
    private long written(ByteSpan span) {
        if (span.isOwn() || places == null) {
            long at = offset(span.buffer()) + span.offset();
            endpoint.writes(at, span.bytes());
            return heap + at;
        }
        Counters counters = endpoint.runtime.counters();
        counters.puts++;
        counters.putBytes += span.bytes();
        return places.address(span);
    }

    /// Returns where a buffer begins in this member's heap.
    long offset(PlanBuffer buffer) {
        return buffers[buffer.ordinal()];
    }
}
