// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.Context;
import coterie.ElementView;
import coterie.Team;
import coterie.collective.Collective;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The descriptor of an operation: what it is, its arguments, and how far it has come. Queues reuse descriptors. A
/// thread has one of its own, its *draft*, where it can't hold the lock of the lane that takes the arguments.
final class StreamOperation {
    /// In its queue. [OperationQueue] publishes it.
    volatile @Nullable StreamOperation next;

    private static final long[] NONE = {};

    OperationType type = OperationType.NONE;

    // Arguments. Each type uses some of them.
    @Nullable
    ElementView view;

    @Nullable
    MemorySegment segment;

    @Nullable
    Object object;

    @Nullable
    Comparison comparison;

    @Nullable
    AtomicOperation atomic;

    /// Of a collective.
    @Nullable
    Team team;

    /// Words of a wait that take no part.
    @Nullable
    BitSet skipped;

    long index;
    long localIndex;
    long count;
    long stride;
    long localStride;
    long blockLength;
    long value;
    long expected;
    int pe;

    /// Whether it is part of a graph.
    boolean isCaptured;

    /// The word that launches of graphs advance, if this operation waits for a value of it or stores one.
    @Nullable
    AdvancingWord advancing;

    /// How much of the word's sum is in `value`.
    long advanced;

    // For a diagnosis.
    long order;
    long sequence;
    int site;

    /// Of the collectives of a graph's launch; descriptors keep it for reuse.
    long[] sequences = NONE;

    // The run.
    boolean isStarted;
    int state;
    int polls;
    long ticket;
    long known;

    @Nullable
    Context context;

    /// Begins a draft.
    StreamOperation of(OperationType begun) {
        clear();
        type = begun;
        return this;
    }

    /// Takes the arguments of a draft, which keeps no reference.
    void take(StreamOperation draft) {
        view = draft.view;
        segment = draft.segment;
        object = draft.object;
        comparison = draft.comparison;
        atomic = draft.atomic;
        team = draft.team;
        skipped = draft.skipped;
        index = draft.index;
        localIndex = draft.localIndex;
        count = draft.count;
        stride = draft.stride;
        localStride = draft.localStride;
        blockLength = draft.blockLength;
        value = draft.value;
        expected = draft.expected;
        pe = draft.pe;
        draft.clear();
    }

    /// Makes the run start anew.
    void rewind() {
        state = 0;
        polls = 0;
        ticket = 0;
        known = 0;
        context = null;
    }

    /// Drops what the operation has referred to.
    void clear() {
        rewind();
        view = null;
        segment = null;
        object = null;
        comparison = null;
        atomic = null;
        team = null;
        skipped = null;
        advancing = null;
        advanced = 0;
    }

    /// Returns what it is, for messages.
    @Override
    public String toString() {
        return object instanceof CachedRequest request ? describe(request) : type.label();
    }

    private String describe(CachedRequest request) {
        Collective collective = request.collective();
        return (type == OperationType.SYNC ? type.label() : collective.toString()) + " of team \""
                + request.team().name() + "\"";
    }
}
