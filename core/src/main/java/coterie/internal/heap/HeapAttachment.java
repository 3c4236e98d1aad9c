// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CoterieException;
import coterie.internal.collective.SyncRound;
import coterie.internal.collective.TeamSync;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit;
import org.jspecify.annotations.Nullable;

/// Creates this PE's heap and attaches those of all PEs, once, in a round of its own at the first allocation. A PE
/// on which that fails refuses its part of every later allocation.
final class HeapAttachment {
    private final TeamSync teamSync;
    private final PeContext context;
    private final Conduit conduit;
    private final long byteSize;

    /// What the others attach my heap by; null before it is made.
    private long @Nullable [] mine;

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
        long[] words = describe();
        teamSync.begin(OperationKind.ATTACH);
        SyncRound round = teamSync.syncRound();
        for (int word = 0; word < words.length; word++) {
            round.send(word, words[word]);
        }
        round.send(words.length, mine != null ? 1 : 0);
        teamSync.synchronise(OperationKind.ATTACH, words.length + 1, 0);
        attached = true;
        for (int member = 0; member < teamSync.membership().size() && refusal == null; member++) {
            refusal = attach(member);
        }
        context.peerBases().attach();
        usable = refusal == null;
    }

    private long[] describe() {
        if (mine == null && refusal == null) {
            try {
                mine = conduit.createHeap(byteSize);
            } catch (CoterieException e) {
                refusal = e.getMessage();
            }
        }
        return mine != null ? mine : new long[Conduit.DESCRIPTOR_WORDS];
    }

    /// Attaches one member's heap. Returns null, or what is in the way.
    private @Nullable String attach(int member) {
        SyncRound round = teamSync.syncRound();
        long[] theirs = new long[Conduit.DESCRIPTOR_WORDS];
        for (int word = 0; word < theirs.length; word++) {
            theirs[word] = round.received(member, word);
        }
        if (round.received(member, theirs.length) == 0) {
            return "PE " + teamSync.membership().pe(member) + " could not make its heap";
        }
        try {
            conduit.attachHeap(teamSync.membership().pe(member), theirs);
            return null;
        } catch (CoterieException e) {
            return e.getMessage();
        }
    }
}
