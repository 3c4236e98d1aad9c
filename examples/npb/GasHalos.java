// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.*;
import java.lang.foreign.MemorySegment;

/// Messages of rows between this PE and those that have the planes of a grid below and above its own.
///
/// There are boxes for what comes from below and for what comes from above, and a signal for each box that counts its
/// messages. A message waits for nothing: a box may be filled again if the receiver has said so in some other way.
final class GasHalos {
    private final int below, above; // the PEs, or -1
    private final int points; // of a row
    private final int capacity; // of a box
    private final int boxes; // from one side
    private final DoubleView inbox;
    private final SignalWord[] arrived;
    private final int[] rounds; // of messages from a box
    private final double[] packed;
    private final MemorySegment outgoing;

    /// Collective.
    ///
    /// @param active PEs that have planes, the first ones
    /// @param rows in a message, at most
    GasHalos(World world, int active, int boxes, int rows, int points) {
        int pe = world.pe();
        below = pe < active ? pe - 1 : -1;
        above = pe < active - 1 ? pe + 1 : -1;
        this.points = points;
        this.boxes = boxes;
        capacity = active == 1 ? 1 : rows * points;
        inbox = world.allocate(2L * boxes * capacity * Double.BYTES).doubles();
        SymmetricMemory words = world.allocate(2L * boxes * Long.BYTES);
        arrived = new SignalWord[2 * boxes];
        for (int i = 0; i < arrived.length; i++) arrived[i] = words.signal(i);
        rounds = new int[2 * boxes];
        packed = new double[capacity];
        outgoing = MemorySegment.ofArray(packed);
    }

    boolean hasBelow() {
        return below >= 0;
    }

    boolean hasAbove() {
        return above >= 0;
    }

    /// Sends the first `count` rows to a box of the PE above, for what comes from below.
    void sendUp(int box, double[][] rows, int count) {
        send(box, rows, count, above);
    }

    /// Sends the first `count` rows to a box of the PE below, for what comes from above.
    void sendDown(int box, double[][] rows, int count) {
        send(boxes + box, rows, count, below);
    }

    /// Waits for the next message from below to a box, and copies its rows.
    void receiveFromBelow(int box, double[][] rows, int count) {
        receive(box, rows, count);
    }

    /// Waits for the next message from above to a box, and copies its rows.
    void receiveFromAbove(int box, double[][] rows, int count) {
        receive(boxes + box, rows, count);
    }

    private void send(int box, double[][] rows, int count, int pe) {
        for (int i = 0; i < count; i++) System.arraycopy(rows[i], 0, packed, i * points, points);
        inbox.putSignal((long) box * capacity, outgoing, 0, (long) count * points, arrived[box].adding(1), pe);
    }

    private void receive(int box, double[][] rows, int count) {
        arrived[box].waitUntil(Comparison.GE, ++rounds[box]);
        MemorySegment source = inbox.segment();
        long from = (long) box * capacity * Double.BYTES;
        for (int i = 0; i < count; i++, from += (long) points * Double.BYTES) {
            MemorySegment.copy(source, JAVA_DOUBLE, from, rows[i], 0, points);
        }
    }
}
