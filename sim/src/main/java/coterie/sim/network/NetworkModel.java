// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import java.util.List;
import java.util.Map;

/// What the network and its PEs are like. Times are virtual nanoseconds.
///
/// @param nodes per PE, the number of its node
/// @param overhead o: what starting an operation takes a PE
/// @param poll what a look at its own memory takes a PE
/// @param self to oneself
/// @param near between PEs of a node
/// @param far between nodes
/// @param links latency between two nodes, where it is not that of `far`; keyed by [#pair]
/// @param slow per PE, by what its overhead is multiplied, where not by 1
/// @param mtu bytes of a piece: longer puts travel in pieces, each for itself
/// @param ordered whether channels order; otherwise the runtime has to
/// @param pressure operations of a channel that are under way at once, at most
/// @param deaths per PE that dies, at which of its operations
/// @param outages links that fail
public record NetworkModel(
        List<Integer> nodes,
        long overhead,
        long poll,
        Link self,
        Link near,
        Link far,
        Map<Long, Long> links,
        Map<Integer, Double> slow,
        int mtu,
        boolean ordered,
        int pressure,
        Map<Integer, Long> deaths,
        List<Outage> outages) {

    /// A link that fails for a while or for ever: what would leave in this time is held back until then, or lost.
    ///
    /// @param from a PE
    /// @param to another; both ways are cut
    /// @param begin time
    /// @param end time, or `Long.MAX_VALUE`
    public record Outage(int from, int to, long begin, long end) {
        boolean holds(int pe, int peer, long time) {
            return ((pe == from && peer == to) || (pe == to && peer == from)) && time >= begin && time < end;
        }
    }

    public NetworkModel {
        nodes = List.copyOf(nodes);
        links = Map.copyOf(links);
        slow = Map.copyOf(slow);
        deaths = Map.copyOf(deaths);
        outages = List.copyOf(outages);
    }

    /// A key for two nodes, whichever comes first.
    public static long pair(int node, int other) {
        return ((long) Math.min(node, other) << Integer.SIZE) | Math.max(node, other);
    }

    /// The least time in which anything gets from one PE to another.
    public long lookahead() {
        long least = Math.min(near.latency(), far.latency());
        for (long latency : links.values()) {
            least = Math.min(least, latency);
        }
        return least;
    }

    /// What starting an operation takes this PE.
    long overhead(int pe) {
        return slow.isEmpty() ? overhead : (long) (overhead * slow.getOrDefault(pe, 1.0));
    }

    Link link(int pe, int peer) {
        if (pe == peer) {
            return self;
        }
        int node = nodes.get(pe);
        int other = nodes.get(peer);
        if (node == other) {
            return near;
        }
        Long latency = links.isEmpty() ? null : links.get(pair(node, other));
        return latency == null ? far : new Link(latency, far.gap(), far.byteNanos());
    }
}
