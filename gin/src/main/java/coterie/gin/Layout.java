// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/// Where a communicator's words are in its symmetric memory, counted in words of 8 bytes; the same on all ranks.
///
/// ```
///  for each context and signal     value │ first use │ …       a line of 64 bytes: SIGNAL_WORDS
///  for each context and counter    value │ …                   a line
///  for each rank, context, signal  what this rank has sent     for the check of resets, if not all peers are direct
///  texts of call sites             for messages of other ranks
///  exchange                        for agreement: EXCHANGE words of each rank, and the caller's
/// ```
///
/// The ids of signals of one context: the plain ones, those of resources, and those of barriers: for barrier i
/// of a set whose team has n members, n ids from `first + i * n` on, one for each sender.
final class Layout {
    /// A signal has a cache line, so that its waiter and writers of its neighbours do not share one.
    static final int SIGNAL_WORDS = 8;

    /// Where, in a signal's line, the first use since the last reset is.
    static final int USE = 1;

    /// Words that a member contributes to an agreement.
    static final int EXCHANGE = 4;

    final int contexts;
    final int plainSignals;
    final int plainCounters;

    /// with those of resources, without those of barriers
    final int namedSignals;

    final int signals;
    final int counters;
    final BarrierSet lsa;
    final BarrierSet rail;
    final BarrierSet world;
    final long resourceBytes;
    final long resourceAlignment;
    final IdentityHashMap<ResourceRequirement, Resources> resources = new IdentityHashMap<>();

    private final long counterBase;
    private final long sentBase;
    private final long siteBase;
    private final long exchangeBase;
    private final long words;

    /// The barriers of one team.
    ///
    /// @param first signal of barrier 0
    /// @param count barriers
    /// @param members of the team
    record BarrierSet(int first, int count, int members) {
        int end() {
            return Math.addExact(first, Math.multiplyExact(count, members));
        }
    }

    Layout(CommunicatorRequirements asked, int size, int lsaSize) {
        ConnectionType type = RequirementFields.connectionType(asked);
        int connections = asked.connections;
        contexts = type == ConnectionType.NONE
                ? 1 // for barriers of the LSA team alone
                : Math.multiplyExact(Math.ceilDiv(asked.contexts, connections), connections);
        plainSignals = asked.signals;
        plainCounters = asked.counters;
        int signal = plainSignals;
        int counter = plainCounters;
        long bytes = 0;
        long alignment = Long.BYTES;
        for (ResourceRequirement each : asked.resources) {
            bytes = (bytes + each.alignment() - 1) & -each.alignment();
            alignment = Math.max(alignment, each.alignment());
            resources.put(each, new Resources(bytes, signal, each.signals(), counter, each.counters()));
            bytes = Math.addExact(bytes, each.bytes());
            signal = Math.addExact(signal, each.signals());
            counter = Math.addExact(counter, each.counters());
        }
        resourceBytes = bytes;
        resourceAlignment = alignment;
        namedSignals = signal;
        counters = counter;
        lsa = new BarrierSet(signal, asked.lsaBarriers + asked.hybridBarriers, lsaSize);
        rail = new BarrierSet(
                lsa.end(), type == ConnectionType.NONE ? 0 : asked.railBarriers + asked.hybridBarriers, size / lsaSize);
        world = new BarrierSet(
                rail.end(), type == ConnectionType.FULL ? asked.worldBarriers + asked.hybridBarriers : 0, size);
        signals = world.end();
        counterBase = (long) contexts * signals * SIGNAL_WORDS;
        sentBase = counterBase + (long) contexts * counters * SIGNAL_WORDS;
        siteBase = sentBase + (long) size * contexts * namedSignals;
        exchangeBase = siteBase + FirstUseSites.WORDS;
        words = exchangeBase + (size + 1L) * EXCHANGE;
    }

    /// Returns the bytes of all.
    long bytes() {
        return words * Long.BYTES;
    }

    long signal(int context, int id) {
        return ((long) context * signals + id) * SIGNAL_WORDS;
    }

    /// A signal or a counter of a context.
    record Place(int context, boolean isSignal, int id) {}

    /// Returns what a word is the value of, or null.
    @Nullable
    Place place(long word) {
        long line = word / SIGNAL_WORDS;
        if (word % SIGNAL_WORDS != 0 || word >= sentBase) {
            return null;
        }
        return word < counterBase
                ? new Place((int) (line / signals), true, (int) (line % signals))
                : new Place((int) ((word - counterBase) / SIGNAL_WORDS / counters), false, (int)
                        ((word - counterBase) / SIGNAL_WORDS % counters));
    }

    /// Returns what a requirement of a communicator has got.
    Resources resources(ResourceRequirement requirement, DeviceCommunicator communicator) {
        Resources got = resources.get(requirement);
        if (got == null) {
            throw new IllegalArgumentException(
                    "resources of " + communicator + ": the requirements of the communicator do not have this object");
        }
        return got;
    }

    long use(int context, int id) {
        return signal(context, id) + USE;
    }

    long counter(int context, int id) {
        return counterBase + ((long) context * counters + id) * SIGNAL_WORDS;
    }

    /// Returns where a rank counts what it has sent to a signal of another.
    long sent(int target, int context, int id) {
        return sentBase + ((long) target * contexts + context) * namedSignals + id;
    }

    long sites() {
        return siteBase;
    }

    long exchange(int rank) {
        return exchangeBase + (long) rank * EXCHANGE;
    }
}
