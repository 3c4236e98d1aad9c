// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.ElementType;
import coterie.ElementView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.spi.ReductionKind;
import java.util.List;

/// A collective call over a block, and what it does to the members' parts: element by element, as the definition
/// says it.
///
/// @param counts of each member; all the same but for a collect
record CollectiveModel(
        Collectives collective,
        ReductionKind reduction,
        ElementType type,
        int target,
        int source,
        List<Integer> counts,
        int root,
        int targetStride,
        int sourceStride) {

    void call(Team team, SymmetricMemory memory) {
        ElementView view = memory.elements(type);
        collective.call(
                team,
                reduction,
                view,
                target,
                targetStride,
                view,
                source,
                sourceStride,
                counts.get(team.member()),
                root);
    }

    /// My part of the block afterwards.
    ///
    /// @param before the parts of all members
    byte[] after(byte[][] before, int me) {
        byte[] after = before[me].clone();
        int count = counts.get(me);
        int members = before.length;
        switch (collective) {
            case ALL_REDUCE -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, reduced(before, members, source + i));
                }
            }
            case INCLUSIVE_SCAN -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, reduced(before, me + 1, source + i));
                }
            }
            case EXCLUSIVE_SCAN -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, me == 0 ? identity() : reduced(before, me, source + i));
                }
            }
            case REDUCE_SCATTER -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, reduced(before, members, source + me * count + i));
                }
            }
            case BROADCAST -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, load(before[root], source + i));
                }
            }
            case ALL_GATHER_V, ALL_GATHER -> {
                int at = target;
                for (int member = 0; member < members; member++) {
                    for (int i = 0; i < counts.get(member); i++) {
                        store(after, at++, load(before[member], source + i));
                    }
                }
            }
            case ALL_TO_ALL -> exchange(before, after, me, 1, 1);
            case ALL_TO_ALL_STRIDED -> exchange(before, after, me, targetStride, sourceStride);
        }
        return after;
    }

    private void exchange(byte[][] before, byte[] after, int me, int to, int from) {
        int count = counts.get(me);
        for (int member = 0; member < before.length; member++) {
            for (int k = 0; k < count; k++) {
                long element = load(before[member], source + from * (me * count + k));
                store(after, target + to * (member * count + k), element);
            }
        }
    }

    private long reduced(byte[][] parts, int members, int index) {
        long result = load(parts[0], index);
        for (int member = 1; member < members; member++) {
            result = combined(result, load(parts[member], index));
        }
        return result;
    }

    private long identity() {
        return elements().identity(reduction);
    }

    private long combined(long a, long b) {
        return elements().combined(reduction, a, b);
    }

    private long load(byte[] part, int index) {
        return elements().load(part, index);
    }

    private void store(byte[] part, int index, long bits) {
        elements().store(part, index, bits);
    }

    private ElementModel elements() {
        return new ElementModel(type);
    }
}
