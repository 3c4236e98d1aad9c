// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import java.lang.foreign.MemorySegment;

/// Memory for what the four neighbours of a PE in a plane send to it.
///
/// There are some slots for each neighbour, each with a signal that has the number of the round whose numbers have
/// come last. A neighbour must not send to a slot before this PE has read the last numbers.
final class FlowBoxes {
    static final int BEFORE_X = 0, AFTER_X = 1, BEFORE_Y = 2, AFTER_Y = 3; // neighbours

    private final int[] neighbours;
    private final int slots, capacity;
    private final DoubleView inbox; // by neighbour and slot
    private final SignalWord[] arrived;
    final double[] outgoing, incoming;
    private final MemorySegment source;

    /// Collective.
    ///
    /// @param neighbours PEs, or -1 where the grid ends
    /// @param capacity   numbers that fit into a slot
    FlowBoxes(World world, int[] neighbours, int slots, int capacity) {
        this.neighbours = neighbours;
        this.slots = slots;
        this.capacity = world.size() == 1 ? 0 : capacity;
        inbox = world.allocate((4L * slots * this.capacity + 1) * Double.BYTES).doubles();
        SymmetricMemory words = world.allocate(4L * slots * Long.BYTES);
        arrived = new SignalWord[4 * slots];
        for (int i = 0; i < arrived.length; i++) arrived[i] = words.signal(i);
        outgoing = new double[this.capacity];
        incoming = new double[this.capacity];
        source = MemorySegment.ofArray(outgoing);
    }

    boolean has(int neighbour) {
        return neighbours[neighbour] >= 0;
    }

    /// Sends the first numbers of `outgoing`.
    void send(int neighbour, int slot, int length, long round) {
        int box = (neighbour ^ 1) * slots + slot; // there this PE is the opposite neighbour
        inbox.putSignal(
                (long) box * capacity, source, 0, length, arrived[box].setting(round), neighbours[neighbour]);
    }

    /// Waits for numbers, and copies them to `incoming`.
    void receive(int neighbour, int slot, int length, long round) {
        int box = neighbour * slots + slot;
        arrived[box].waitUntil(Comparison.GE, round);
        inbox.get((long) box * capacity, incoming, 0, length);
    }
}
