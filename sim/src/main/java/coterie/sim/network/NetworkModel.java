// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import java.util.List;
import java.util.Map;

/// The parameters of the network and of its PEs. Times are virtual nanoseconds.
///
/// @param nodes for each PE, the number of its node
/// @param overhead o: the time that starting an operation takes
/// @param poll the time that a load of a PE's own memory takes
/// @param self the link of a PE to itself
/// @param near the link between PEs of a node
/// @param far the link between nodes
/// @param links latency between two nodes where it differs from that of `far`; keyed by [#pair]
/// @param slow for each slow PE, the factor of its overhead
/// @param mtu bytes of a piece: a longer put travels in pieces, independent of each other
/// @param ordered whether the network executes fences; otherwise the runtime defers what follows a fence
/// @param pressure operations of a channel that may be in flight at once
/// @param failures for each PE that fails, the number of the operation at which it does
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
        Map<Integer, Long> failures,
        List<Outage> outages) {

    /// A link that fails for a while or for good. A message that would leave meanwhile is delayed until the end of
    /// the outage, or lost if the outage has none.
    ///
    /// @param from a PE
    /// @param to another PE; the link fails in both directions
    /// @param begin time
    /// @param end time, or `Long.MAX_VALUE` for none
    public record Outage(int from, int to, long begin, long end) {
        boolean holds(int pe, int peer, long time) {
            return ((pe == from && peer == to) || (pe == to && peer == from)) && time >= begin && time < end;
        }
    }

    public NetworkModel {
        nodes = List.copyOf(nodes);
        links = Map.copyOf(links);
        slow = Map.copyOf(slow);
        failures = Map.copyOf(failures);
        outages = List.copyOf(outages);
    }

    /// Returns a key for two nodes, in either order.
    public static long pair(int node, int other) {
        return ((long) Math.min(node, other) << Integer.SIZE) | Math.max(node, other);
    }

    /// Returns the smallest latency between two PEs: no PE can affect another one sooner.
    public long lookahead() {
        long min = Math.min(near.latency(), far.latency());
        for (long latency : links.values()) {
            min = Math.min(min, latency);
        }
        return min;
    }

    /// Returns the time that starting an operation takes a PE.
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
