// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.plan.Action;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Plans that fit together and do random things, and their results, computed by doing them one after another.
///
/// All members go through the same stages. In a stage any member may send any other any number of messages;
/// members without messages and work have no step. What is received in a stage goes to one half of a buffer, by
/// turns, and what is sent comes from the other.
final class RandomPlans {
    /// Bytes of each buffer.
    static final int BYTES = 256 << 10;

    private static final int HALF = BYTES / 2;
    private static final List<PlanBuffer> BUFFERS = List.of(PlanBuffer.SOURCE, PlanBuffer.TARGET, PlanBuffer.SCRATCH);
    private static final int[] LENGTHS = {0, 0, 1, 7, 8, 8, 24, 31, 32, 33, 40, 64, 100, 1000, 4096, 100 << 10};

    final List<Plan> plans = new ArrayList<>();
    private final int size;
    private final List<byte[]> befores = new ArrayList<>();
    private final List<Stage> stages = new ArrayList<>();

    private record Message(int from, ByteSpan source, int to, ByteSpan target) {}

    /// @param work of each member
    private record Stage(List<Message> messages, List<List<Action.Work>> work) {}

    RandomPlans(int size, long seed) {
        this.size = size;
        Random random = new Random(seed);
        int count = random.nextInt(1, 7);
        for (int stage = 0; stage < count; stage++) {
            stages.add(stage(random, stage % 2));
        }
        for (int member = 0; member < size; member++) {
            plans.add(plan(member));
            byte[] before = new byte[3 * BYTES];
            random.nextBytes(before);
            befores.add(before);
        }
    }

    private Stage stage(Random random, int parity) {
        List<Message> messages = new ArrayList<>();
        int[] used = new int[size];
        int count = size == 1 ? 0 : random.nextInt(2 * size + 1);
        for (int each = 0; each < count; each++) {
            int from = random.nextInt(size);
            int to = (from + 1 + random.nextInt(size - 1)) % size;
            int length = LENGTHS[random.nextInt(LENGTHS.length)];
            if (used[to] + length > HALF) {
                continue;
            }
            PlanBuffer into = random.nextBoolean() ? PlanBuffer.TARGET : PlanBuffer.SCRATCH;
            ByteSpan target = new ByteSpan(into, parity * HALF + used[to], length);
            used[to] += length;
            PlanBuffer outOf = BUFFERS.get(random.nextInt(BUFFERS.size()));
            long offset = (1L - parity) * HALF + random.nextInt(HALF - length + 1);
            messages.add(new Message(from, new ByteSpan(outOf, offset, length), to, target));
        }
        List<List<Action.Work>> work = new ArrayList<>();
        for (int member = 0; member < size; member++) {
            List<Action.Work> actions = new ArrayList<>();
            for (int each = random.nextInt(3); each > 0; each--) {
                actions.add(work(random));
            }
            work.add(actions);
        }
        return new Stage(messages, work);
    }

    private static Action.Work work(Random random) {
        int length = LENGTHS[2 + random.nextInt(LENGTHS.length - 3)];
        ByteSpan target = span(PlanBuffer.TARGET, random, length);
        ByteSpan source = span(PlanBuffer.SCRATCH, random, length);
        return switch (random.nextInt(4)) {
            case 0 -> new Action.Copy(target, source);
            case 1 -> new Action.Fold(target, target, source);
            case 2 -> new Action.Fold(source, span(PlanBuffer.SOURCE, random, length), target);
            default -> new Action.Clear(target);
        };
    }

    private static ByteSpan span(PlanBuffer buffer, Random random, int length) {
        return new ByteSpan(buffer, random.nextInt(BYTES - length + 1), length);
    }

    private Plan plan(int member) {
        Plan.Builder builder = Plan.builder();
        for (Stage stage : stages) {
            for (Message message : stage.messages) {
                if (message.from == member) {
                    builder.send(message.to, message.target.bytes() == 0 ? message.target : message.source);
                }
                if (message.to == member) {
                    builder.receive(message.from, message.target);
                }
            }
            for (Action.Work each : stage.work.get(member)) {
                switch (each) {
                    case Action.Copy copy -> builder.copy(copy.target(), copy.source());
                    case Action.Fold fold -> builder.fold(fold.target(), fold.left(), fold.right());
                    case Action.Clear clear -> builder.clear(clear.target());
                    case Action.FoldAll _ -> throw new AssertionError("no plan of these tests folds many");
                    case Action.Finish _ -> throw new AssertionError("no plan of these tests finishes");
                }
            }
            builder.next();
        }
        return builder.build();
    }

    /// What a member's buffers hold at the start, one after the other.
    byte[] before(int member) {
        return befores.get(member);
    }

    /// What the members' buffers hold at the end.
    List<byte[]> after() {
        List<byte[]> heaps = new ArrayList<>();
        for (int member = 0; member < size; member++) {
            heaps.add(before(member).clone());
        }
        for (Stage stage : stages) {
            for (Message message : stage.messages) {
                System.arraycopy(
                        heaps.get(message.from), at(message.source), heaps.get(message.to), at(message.target), (int)
                                message.target.bytes());
            }
            for (int member = 0; member < size; member++) {
                for (Action.Work each : stage.work.get(member)) {
                    perform(each, heaps.get(member));
                }
            }
        }
        return heaps;
    }

    private static void perform(Action.Work action, byte[] heap) {
        switch (action) {
            case Action.Copy(ByteSpan target, ByteSpan source) ->
                System.arraycopy(heap, at(source), heap, at(target), (int) target.bytes());
            case Action.Fold(ByteSpan target, ByteSpan left, ByteSpan right) -> {
                for (int each = 0; each < target.bytes(); each++) {
                    heap[at(target) + each] = TestMembers.Mixing.mix(heap[at(left) + each], heap[at(right) + each]);
                }
            }
            case Action.Clear(ByteSpan target) ->
                Arrays.fill(heap, at(target), at(target) + (int) target.bytes(), (byte) 7);
            case Action.FoldAll _ -> throw new AssertionError("no plan of these tests folds many");
            case Action.Finish _ -> throw new AssertionError("no plan of these tests finishes");
        }
    }

    private static int at(ByteSpan span) {
        return BUFFERS.indexOf(span.buffer()) * BYTES + (int) span.offset();
    }
}
