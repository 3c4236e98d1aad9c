// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.spi.WordNames;
import java.util.List;

/// What the words of a communicator are, for reports of a wait: its signals, counters and barriers.
final class CommunicatorWords implements WordNames {
    private final DeviceCommunicator comm;
    private final Layout layout;

    CommunicatorWords(DeviceCommunicator comm) {
        this.comm = comm;
        this.layout = comm.layout();
    }

    @Override
    public String name(long index) {
        Layout.Place place = layout.place(index);
        if (place == null) {
            return "word " + index + " of " + comm;
        }
        String context = " of context " + place.context();
        if (!place.isSignal()) {
            return "counter " + place.id() + context;
        }
        if (place.id() < layout.namedSignals) {
            return "signal " + place.id() + context;
        }
        Layout.BarrierSet set = set(place.id());
        int barrier = (place.id() - set.first()) / set.members();
        return kind(set) + " barrier " + barrier + context + ", rank " + rank(place.id());
    }

    @Override
    public String remark(long index) {
        Layout.Place place = layout.place(index);
        if (place == null) {
            return "";
        }
        GinContext context = comm.context(place.context());
        if (place.id() >= (place.isSignal() ? layout.namedSignals : layout.counters)) {
            return elsewhere(place);
        }
        long reset = (place.isSignal() ? context.signals : context.counters).offset(place.id());
        if (reset != 0) {
            return "it was " + Long.toUnsignedString(reset) + " when it was reset";
        }
        List<String> elsewhere = place.isSignal() ? WaitReports.elsewhere(context, place.id()) : List.of();
        return elsewhere.isEmpty() ? "" : elsewhere.getFirst();
    }

    /// Returns where a rank has arrived that a barrier misses.
    private String elsewhere(Layout.Place place) {
        int first = place.id() - member(place.id());
        for (int index = 0; index < layout.contexts; index++) {
            GinContext other = comm.context(index);
            if (index != place.context() && arrivals(other, place.id()) > other.syncs(first)) {
                return "rank " + rank(place.id()) + " has arrived on context " + index;
            }
        }
        return "";
    }

    private long arrivals(GinContext context, int signal) {
        return BarrierStage.arrivals(context.look(layout.signal(context.index, signal)));
    }

    /// Only a rank itself arrives at a barrier.
    @Override
    public int writer(long index) {
        Layout.Place place = layout.place(index);
        return place != null && place.isSignal() && place.id() >= layout.namedSignals ? rank(place.id()) : -1;
    }

    private Layout.BarrierSet set(int id) {
        return id < layout.lsa.end() ? layout.lsa : id < layout.rail.end() ? layout.rail : layout.world;
    }

    private String kind(Layout.BarrierSet set) {
        return set.equals(layout.lsa) ? "LSA" : set.equals(layout.rail) ? "rail" : "world";
    }

    private int member(int id) {
        Layout.BarrierSet set = set(id);
        return (id - set.first()) % set.members();
    }

    /// Returns the rank that sends a signal of a barrier.
    private int rank(int id) {
        Layout.BarrierSet set = set(id);
        AffineTeam team =
                set.equals(layout.lsa) ? comm.lsaTeam() : set.equals(layout.rail) ? comm.railTeam() : comm.worldTeam();
        return team.toCommunicator(member(id));
    }
}
