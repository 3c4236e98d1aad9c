// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CoterieException;
import coterie.internal.collective.Gathering;
import coterie.internal.collective.Meeting;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.WaitKind;
import coterie.spi.Conduit;
import org.jspecify.annotations.Nullable;

/// Makes my heap and attaches everybody's, once, in a round of its own: a program that never allocates pays for
/// none of it. Where that goes wrong, this PE refuses its part of every allocation ever after.
final class HeapAttachment {
    private final Gathering gathering;
    private final PeContext context;
    private final Conduit conduit;
    private final long byteSize;

    /// What the others attach my heap by; null before it is made.
    private long @Nullable [] mine;

    private boolean attached;
    private volatile @Nullable String refusal;

    /// Set when all is attached: other threads of the PE may ask.
    private volatile boolean usable;

    HeapAttachment(Gathering gathering, PeContext context, Conduit conduit, long byteSize) {
        this.gathering = gathering;
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
        gathering.begin(WaitKind.ATTACH);
        Meeting meeting = gathering.meeting();
        for (int word = 0; word < words.length; word++) {
            meeting.say(word, words[word]);
        }
        meeting.say(words.length, mine != null ? 1 : 0);
        gathering.meet(WaitKind.ATTACH, words.length + 1, 0);
        attached = true;
        for (int member = 0; member < gathering.roster().size() && refusal == null; member++) {
            refusal = attach(member);
        }
        context.peers().attach();
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
        Meeting meeting = gathering.meeting();
        long[] theirs = new long[Conduit.DESCRIPTOR_WORDS];
        for (int word = 0; word < theirs.length; word++) {
            theirs[word] = meeting.heard(member, word);
        }
        if (meeting.heard(member, theirs.length) == 0) {
            return "PE " + gathering.roster().pe(member) + " could not make its heap";
        }
        try {
            conduit.attachHeap(gathering.roster().pe(member), theirs);
            return null;
        } catch (CoterieException e) {
            return e.getMessage();
        }
    }
}
