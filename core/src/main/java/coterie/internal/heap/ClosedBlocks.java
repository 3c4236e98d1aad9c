// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.internal.rma.PeMemory;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Which blocks of a team its members have closed. A close waits for no other PE; that all members have closed a
/// block they learn from a word of the rounds in which they allocate:
///
/// ```
///  blocks of the team, in the order of their allocation, the same on all members
///  │ 0 … 63 │ 64 … 127 │ …     each round tells of one part, in turn: a bit for each block that the member has closed
/// ```
///
/// Blocks that all have closed go, on all members after the same round.
///
/// Not thread-safe.
final class ClosedBlocks {
    private final Membership membership;

    /// The blocks that not all members have closed, as of the latest round.
    private final List<PeMemory> blocks = new ArrayList<>();

    /// For blocks that this member has closed: one that had not by the latest round that told of it.
    private final Map<PeMemory, Integer> open = new HashMap<>();

    /// The part that the next round tells of.
    private int part;

    ClosedBlocks(Membership membership) {
        this.membership = membership;
    }

    /// Notes a new block, which all members have.
    void add(PeMemory block) {
        blocks.add(block);
    }

    /// Notes that all members have freed a block together.
    void remove(PeMemory block) {
        blocks.remove(block);
        open.remove(block);
    }

    /// Forgets all blocks, and returns those whose memory is still in use.
    List<PeMemory> removeAll() {
        List<PeMemory> all = List.copyOf(blocks);
        blocks.clear();
        open.clear();
        return all;
    }

    /// Returns the number of blocks that not all members have closed.
    int size() {
        return blocks.size();
    }

    /// Returns how many rounds tell of all blocks.
    int parts() {
        return (blocks.size() + Long.SIZE - 1) / Long.SIZE;
    }

    /// Returns this member's word for the next round.
    long word() {
        long word = 0;
        for (int bit = 0; bit < Long.SIZE && index(bit) < blocks.size(); bit++) {
            word |= blocks.get(index(bit)).isFreed() ? 1L << bit : 0;
        }
        return word;
    }

    private int index(int bit) {
        return part * Long.SIZE + bit;
    }

    /// Takes the words of all members after a round.
    ///
    /// @param mine the word that this member has sent
    /// @param sent which word of the round it was
    /// @param freed gets the blocks that all have closed: no PE uses them any more
    void take(SyncRound round, long mine, int sent, Consumer<PeMemory> freed) {
        long all = mine == 0 ? 0 : round.and(sent);
        for (long left = mine & ~all; left != 0; left &= left - 1) {
            int bit = Long.numberOfTrailingZeros(left);
            open.put(blocks.get(index(bit)), firstOpen(round, sent, bit));
        }
        for (long left = all; left != 0; left ^= Long.highestOneBit(left)) { // so the places of the others stay
            PeMemory block = blocks.remove(index(Long.SIZE - 1 - Long.numberOfLeadingZeros(left)));
            open.remove(block);
            freed.accept(block);
        }
        if (all == 0 || part >= parts()) {
            part = part + 1 < parts() ? part + 1 : 0;
        }
    }

    private int firstOpen(SyncRound round, int sent, int bit) {
        int member = 0;
        while ((round.received(member, sent) >>> bit & 1) != 0) {
            member++;
        }
        return membership.pe(member);
    }

    /// Returns which blocks this member has closed and another one has not, for messages; or an empty string.
    String text() {
        return open.entrySet().stream()
                .sorted(Map.Entry.comparingByKey((one, other) -> Long.compare(one.generation(), other.generation())))
                .map(each -> each.getKey() + ", which PE " + each.getValue() + " has not closed")
                .collect(Collectors.joining("; "));
    }
}
