// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CoterieException;
import coterie.internal.collective.ByteAllgather;
import coterie.internal.collective.TeamSync;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Creates this PE's heap and attaches those of all PEs, once, in a round of its own at the first allocation. A PE
/// on which that fails refuses its part of every later allocation.
final class HeapAttachment {
    /// Byte before a description, which may itself be empty.
    private static final byte MADE = 1;

    private final TeamSync teamSync;
    private final PeContext context;
    private final Conduit conduit;
    private final long byteSize;

    /// What the others attach this PE's heap by; null before it is made.
    private byte @Nullable [] description;

    private boolean attached;
    private volatile @Nullable String refusal;

    /// Set when all is attached: other threads of the PE may ask.
    private volatile boolean usable;

    HeapAttachment(TeamSync teamSync, PeContext context, Conduit conduit, long byteSize) {
        this.teamSync = teamSync;
        this.context = context;
        this.conduit = conduit;
        this.byteSize = byteSize;
    }

    /// Whether there are heaps that can be used.
    boolean isUsable() {
        return usable;
    }

    /// Why the heaps can't be used, or null.
    @Nullable
    String refusal() {
        return refusal;
    }

    void attach() {
        if (attached) {
            return;
        }
        byte[] mine = describe();
        byte[][] all;
        teamSync.begin(OperationKind.ATTACH);
        try {
            all = new ByteAllgather(teamSync).exchange(OperationKind.ATTACH, mine);
        } finally {
            teamSync.leave();
        }
        attached = true;
        for (int member = 0; member < all.length && refusal == null; member++) {
            refusal = attach(teamSync.membership().pe(member), all[member]);
        }
        context.peerBases().attach();
        usable = refusal == null;
    }

    /// Returns [#MADE] and the conduit's description of this PE's heap; no bytes if it can't be made.
    private byte[] describe() {
        if (description == null && refusal == null) {
            try {
                byte[] made = conduit.createHeap(byteSize);
                description =
                        ByteBuffer.allocate(1 + made.length).put(MADE).put(made).array();
            } catch (CoterieException e) {
                refusal = e.getMessage();
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
