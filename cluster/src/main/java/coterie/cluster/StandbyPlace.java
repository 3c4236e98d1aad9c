// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;

/// A PE that takes over the coordinator of its job if the process ends that has it, and where it listens then.
///
/// @param host an address by which the other PEs reach it
record StandbyPlace(int pe, String host, int port) {
    /// How many PEs of a job stand by at most: the first ones after PE 0.
    static final int MOST = 3;

    /// Returns whether a PE of a job whose PE 0 has the coordinator stands by.
    static boolean isOf(int pe) {
        return pe >= 1 && pe <= MOST;
    }

    /// Adds places to a message.
    static void write(List<StandbyPlace> places, JobFrame.Builder message) {
        message.number(places.size());
        for (StandbyPlace each : places) {
            message.number(each.pe).text(each.host).number(each.port);
        }
    }

    /// Reads places from a message.
    ///
    /// @param size number of PEs of the job
    static List<StandbyPlace> read(JobFrame message, int size) throws ProtocolException {
        List<StandbyPlace> places = new ArrayList<>();
        int count = message.number();
        for (int i = 0; i < count; i++) {
            StandbyPlace place = new StandbyPlace(message.number(), message.text(), message.number());
            if (place.pe < 0 || place.pe >= size) {
                throw new ProtocolException("it names PE " + place.pe + " of " + size);
            }
            places.add(place);
        }
        return places;
    }
}
