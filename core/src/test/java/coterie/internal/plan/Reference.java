// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What comes of each collective, computed by one after the other.
final class Reference {
    private final Operation operation;
    private final List<Shape> shapes;
    private final List<Arena> arenas;

    Reference(Operation operation, List<Shape> shapes, List<Arena> arenas) {
        this.operation = operation;
        this.shapes = shapes;
        this.arenas = arenas;
    }

    /// Each member has got what it should.
    void check() {
        for (Shape shape : shapes) {
            int me = shape.me();
            for (int block = 0; block < shape.target().count(); block++) {
                byte[] expected = switch (shape.type()) {
                    case BARRIER, FANIN, FANOUT -> throw new AssertionError("no blocks");
                    case BROADCAST -> arenas.get(shape.root()).brought(0);
                    case ALLREDUCE, REDUCE -> reduce(0, shape.size(), 0);
                    case REDUCE_SCATTER, REDUCE_SCATTERV -> reduce(0, shape.size(), me);
                    case INCLUSIVE_SCAN -> reduce(0, me + 1, 0);
                    case EXCLUSIVE_SCAN -> reduce(0, me, 0);
                    case ALLGATHER, ALLGATHERV, GATHER, GATHERV ->
                        arenas.get(block).brought(0);
                    case ALLTOALL, ALLTOALLV -> arenas.get(block).brought(me);
                    case SCATTER, SCATTERV -> arenas.get(shape.root()).brought(me);
                };
                byte[] got = arenas.get(me).got(block);
                assertThat(Arrays.mismatch(got, expected))
                        .as("first wrong byte of %s in block %s of member %s", got.length, block, me)
                        .isNegative();
            }
        }
    }

    /// All members have got the same.
    void checkSame() {
        for (int member = 1; member < arenas.size(); member++) {
            assertThat(Arrays.mismatch(
                            arenas.get(member).got(0), arenas.getFirst().got(0)))
                    .as("first byte that members 0 and %s have different", member)
                    .isNegative();
        }
    }

    private byte[] reduce(int from, int to, int block) {
        List<byte[]> operands = new ArrayList<>();
        for (Arena arena : arenas.subList(from, to)) {
            operands.add(arena.brought(block));
        }
        int bytes = arenas.getFirst().brought(block).length;
        byte[] memory = new byte[2 * bytes];
        operation.clear(memory, 0, bytes);
        for (byte[] operand : operands) {
            System.arraycopy(operand, 0, memory, bytes, bytes);
            operation.fold(memory, 0, 0, bytes, bytes);
        }
        byte[] result = new byte[bytes];
        System.arraycopy(memory, 0, result, 0, bytes);
        return result;
    }
}
