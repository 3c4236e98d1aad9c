// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The result of each collective, computed by one member after the other.
final class Reference {
    private final PlanOperation operation;
    private final List<CollectiveShape> shapes;
    private final List<PlanMemory> planMemories;

    Reference(PlanOperation operation, List<CollectiveShape> shapes, List<PlanMemory> planMemories) {
        this.operation = operation;
        this.shapes = shapes;
        this.planMemories = planMemories;
    }

    /// Each member has got what it should.
    void check() {
        for (CollectiveShape shape : shapes) {
            int me = shape.me();
            for (int block = 0; block < shape.target().count(); block++) {
                byte[] expected = switch (shape.type()) {
                    case BARRIER, FAN_IN, FAN_OUT -> throw new AssertionError("no blocks");
                    case BROADCAST -> planMemories.get(shape.root()).brought(0);
                    case ALL_REDUCE, REDUCE -> reduce(0, shape.size(), 0);
                    case REDUCE_SCATTER, REDUCE_SCATTER_V -> reduce(0, shape.size(), me);
                    case INCLUSIVE_SCAN -> reduce(0, me + 1, 0);
                    case EXCLUSIVE_SCAN -> reduce(0, me, 0);
                    case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V ->
                        planMemories.get(block).brought(0);
                    case ALL_TO_ALL, ALL_TO_ALL_V -> planMemories.get(block).brought(me);
                    case SCATTER, SCATTER_V -> planMemories.get(shape.root()).brought(me);
                };
                byte[] got = planMemories.get(me).got(block);
                assertThat(Arrays.mismatch(got, expected))
                        .as("first wrong byte of %s in block %s of member %s", got.length, block, me)
                        .isNegative();
            }
        }
    }

    /// All members have got the same.
    void checkSame() {
        for (int member = 1; member < planMemories.size(); member++) {
            assertThat(Arrays.mismatch(
                            planMemories.get(member).got(0),
                            planMemories.getFirst().got(0)))
                    .as("first byte that members 0 and %s have different", member)
                    .isNegative();
        }
    }

    private byte[] reduce(int from, int to, int block) {
        List<byte[]> operands = new ArrayList<>();
        for (PlanMemory planMemory : planMemories.subList(from, to)) {
            operands.add(planMemory.brought(block));
        }
        int bytes = planMemories.getFirst().brought(block).length;
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
