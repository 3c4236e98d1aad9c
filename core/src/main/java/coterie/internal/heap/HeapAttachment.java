// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CoterieException;
import coterie.internal.rma.PeContext;
import coterie.internal.sync.ByteAllgather;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Creates this PE's heap once, and attaches the heaps of a team's members in a round of the team's first
/// allocation. Thread-safe: threads may allocate for different teams at the same time.
final class HeapAttachment {
    /// The byte before a description, which may itself be empty.
    private static final byte MADE = 1;

    private final PeContext context;
    private final Conduit conduit;
    private final long byteSize;
    private final Runnable created;

    /// The PEs whose heaps are attached, by world numbers.
    private final BitSet attached = new BitSet();

    /// What the other PEs attach this PE's heap by; null before it is created.
    private byte @Nullable [] description;

    /// Why this PE's heap can't be created.
    private @Nullable String uncreated;

    /// @param created called once the conduit has made the heap
    HeapAttachment(PeContext context, Conduit conduit, long byteSize, Runnable created) {
        this.context = context;
        this.conduit = conduit;
        this.byteSize = byteSize;
        this.created = created;
    }

    /// Returns whether this PE has a heap.
    synchronized boolean isUsable() {
        return attached.get(context.team().pe(context.team().member()));
    }

    /// What this PE can't attach, and why.
    ///
    /// @param pe the owner of the heap, also if it is this PE
    record Refusal(int pe, String why) {}

    /// Attaches the heaps of all members of a team. Returns null, or what this PE can't attach.
    @Nullable
    Refusal attach(TeamSync teamSync) {
        byte[] mine = describe();
        byte[][] all;
        try (CallGate.Passage _ = teamSync.gate().enter(OperationKind.ATTACH)) {
            all = ByteAllgather.exchange(teamSync, OperationKind.ATTACH, mine);
        }
        return attach(teamSync.membership(), all);
    }

    private synchronized @Nullable Refusal attach(Membership membership, byte[][] descriptions) {
        Refusal refusal = uncreated == null ? null : new Refusal(membership.myPe(), uncreated);
        for (int member = 0; member < descriptions.length && refusal == null; member++) {
            int pe = membership.pe(member);
            if (!attached.get(pe)) {
                String why = attach(pe, descriptions[member]);
                refusal = why == null ? null : new Refusal(pe, why);
                attached.set(pe, refusal == null);
            }
        }
        context.peerBases().attach(attached);
        return refusal;
    }

    /// Returns [#MADE] and the conduit's description of this PE's heap; no bytes if it can't be created.
    private synchronized byte[] describe() {
        if (description == null && uncreated == null) {
            try {
                byte[] made = conduit.createHeap(byteSize);
                created.run();
                description =
                        ByteBuffer.allocate(1 + made.length).put(MADE).put(made).array();
            } catch (CoterieException e) {
                uncreated = e.getMessage();
            }
        }
        return description != null ? description : new byte[0];
    }

    /// Attaches the heap of a PE. Returns null, or why that is impossible.
    private @Nullable String attach(int pe, byte[] its) {
        if (its.length == 0) {
            return "PE " + pe + " could not make its heap";
        }
        try {
            conduit.attachHeap(pe, Arrays.copyOfRange(its, 1, its.length));
            return null;
        } catch (CoterieException e) {
            return e.getMessage();
        }
    }
}
