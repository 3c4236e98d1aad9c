// SPDX-License-Identifier: Apache-2.0
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.*;
import java.lang.foreign.MemorySegment;

/// Fills the halos of cubes, each of which is a PE's part of a periodic grid.
///
/// One axis at a time, x first: then a face has what came with the axes before, and edges and corners need no messages
/// of their own. Along an axis with one PE the far side is here. Along others each PE puts its two faces into its
/// neighbours' memory, with a signal that counts them. Memory for two rounds is enough: a neighbour that sends for the
/// round after next has this PE's face of the next round, which follows the end of this one.
final class CubeHalos {
    final int[] sizes; // of the grid of PEs, by axis
    final int[] place; // of this PE in it
    private final int[] below = new int[3], above = new int[3]; // the neighbours, by axis
    private final DoubleView inbox; // two rounds · three axes · from below and from above
    private final int capacity; // of a part of it
    private final SignalWord[] arrived = new SignalWord[6];
    private final double[] face;
    private final MemorySegment outgoing;
    private int round;

    /// Collective. Any faces must have at most `points` points.
    CubeHalos(World world, int[] sizes, int points) {
        this.sizes = sizes;
        int pe = world.pe();
        place = new int[] {pe % sizes[0], pe / sizes[0] % sizes[1], pe / sizes[0] / sizes[1]};
        for (int axis = 0, stride = 1; axis < 3; stride *= sizes[axis++]) {
            below[axis] = pe + (Math.floorMod(place[axis] - 1, sizes[axis]) - place[axis]) * stride;
            above[axis] = pe + ((place[axis] + 1) % sizes[axis] - place[axis]) * stride;
        }
        capacity = world.size() == 1 ? 1 : points;
        inbox = world.allocate(12L * capacity * Double.BYTES).doubles();
        SymmetricMemory words = world.allocate((long) arrived.length * Long.BYTES);
        for (int i = 0; i < arrived.length; i++) arrived[i] = words.signal(i);
        face = new double[capacity];
        outgoing = MemorySegment.ofArray(face);
    }

    /// Fills the halo of this PE's part, with all other PEs.
    void exchange(Cube cube) {
        round++;
        for (int axis = 0; axis < 3; axis++) {
            if (sizes[axis] == 1) {
                wrap(cube, axis);
                continue;
            }
            send(cube, axis, 1, below[axis], 2 * axis + 1);
            send(cube, axis, size(cube, axis), above[axis], 2 * axis);
            receive(cube, axis, 0, 2 * axis);
            receive(cube, axis, size(cube, axis) + 1, 2 * axis + 1);
        }
    }

    /// Fills the halo of a cube that is a whole grid.
    static void wrap(Cube cube) {
        for (int axis = 0; axis < 3; axis++) wrap(cube, axis);
    }

    private static int size(Cube cube, int axis) {
        return axis == 0 ? cube.x() : axis == 1 ? cube.y() : cube.z();
    }

    private static void wrap(Cube cube, int axis) {
        int size = size(cube, axis);
        if (axis == 0) {
            for (double[] row : cube.rows()) {
                row[0] = row[size];
                row[size + 1] = row[1];
            }
            return;
        }
        int rows = axis == 1 ? cube.z() + 2 : cube.y() + 2;
        for (int i = 0; i < rows; i++) {
            System.arraycopy(row(cube, axis, size, i), 0, row(cube, axis, 0, i), 0, cube.x() + 2);
            System.arraycopy(row(cube, axis, 1, i), 0, row(cube, axis, size + 1, i), 0, cube.x() + 2);
        }
    }

    /// Returns row `i` of a face across y or z.
    private static double[] row(Cube cube, int axis, int index, int i) {
        return axis == 1 ? cube.row(index, i) : cube.row(i, index);
    }

    private void send(Cube cube, int axis, int index, int pe, int box) {
        int length = 0;
        if (axis == 0) {
            for (double[] row : cube.rows()) face[length++] = row[index];
        } else {
            int rows = axis == 1 ? cube.z() + 2 : cube.y() + 2;
            for (int i = 0; i < rows; i++, length += cube.x() + 2) {
                System.arraycopy(row(cube, axis, index, i), 0, face, length, cube.x() + 2);
            }
        }
        inbox.putSignal(begin(box), outgoing, 0, length, arrived[box].adding(1), pe);
    }

    private void receive(Cube cube, int axis, int index, int box) {
        arrived[box].waitUntil(Comparison.GE, round);
        MemorySegment source = inbox.segment();
        long from = begin(box) * Double.BYTES;
        if (axis == 0) {
            for (double[] row : cube.rows()) {
                row[index] = source.get(JAVA_DOUBLE, from);
                from += Double.BYTES;
            }
            return;
        }
        int rows = axis == 1 ? cube.z() + 2 : cube.y() + 2;
        for (int i = 0; i < rows; i++, from += (cube.x() + 2L) * Double.BYTES) {
            MemorySegment.copy(source, JAVA_DOUBLE, from, row(cube, axis, index, i), 0, cube.x() + 2);
        }
    }

    private long begin(int box) {
        return (long) (round % 2 * arrived.length + box) * capacity;
    }
}
