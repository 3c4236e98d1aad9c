// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ElementView;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import coterie.SymmetricMemory;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/// A request over a block, and what it does to the members' parts: element by element, as the definition says it.
///
/// @param lengths elements from each member to each other one; all the same but for the forms with a v
/// @param inPlace of all members, or of the root alone where only it has both
/// @param half where in the block the target's part begins, in elements
/// @param seed of the layout
record RequestModel(
        CollectiveType collective,
        ReductionOperator<?> operator,
        ElementType type,
        int root,
        boolean inPlace,
        List<int[]> lengths,
        int half,
        long seed) {
    /// Composition of maps x → ax + b, two longs each: does not commute.
    static final CustomReduction AFFINE = new CustomReduction("affine", 16, RequestModel::compose);

    private static void compose(MemorySegment target, MemorySegment left, MemorySegment right, long count) {
        ValueLayout.OfLong number = ValueLayout.JAVA_LONG_UNALIGNED;
        for (long at = 0; at < 16 * count; at += 16) {
            long a = left.get(number, at);
            long b = left.get(number, at + 8);
            long c = right.get(number, at);
            long d = right.get(number, at + 8);
            target.set(number, at, a * c);
            target.set(number, at + 8, b * c + d);
        }
    }

    /// Blocks of a buffer, in elements.
    private static final class Blocks {
        final int[] counts;
        final int[] indices;

        Blocks(int[] counts, int[] indices) {
            this.counts = counts;
            this.indices = indices;
        }
    }

    int members() {
        return lengths.size();
    }

    boolean isReduction() {
        return switch (collective) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_V, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
    }

    private boolean isRooted() {
        return switch (collective) {
            case BROADCAST, REDUCE, GATHER, GATHER_V, SCATTER, SCATTER_V, FAN_IN, FAN_OUT -> true;
            default -> false;
        };
    }

    private boolean isListed() {
        return switch (collective) {
            case ALL_GATHER_V, ALL_TO_ALL_V, GATHER_V, SCATTER_V, REDUCE_SCATTER_V -> true;
            default -> false;
        };
    }

    private boolean isInPlace(int me) {
        return inPlace && (!isRooted() || me == root) && collective != CollectiveType.ALL_TO_ALL_V;
    }

    /// What a member asks for.
    Collective asked(SymmetricMemory memory, int me) {
        Collective asked = switch (collective) {
            case BARRIER -> Collective.barrier();
            case FAN_IN -> Collective.fanIn(root);
            case FAN_OUT -> Collective.fanOut(root);
            case BROADCAST -> Collective.broadcast(root);
            case ALL_REDUCE -> Collective.allReduce(operator);
            case REDUCE -> Collective.reduce(operator, root);
            case ALL_GATHER -> Collective.allGather();
            case ALL_GATHER_V -> Collective.allGatherV();
            case ALL_TO_ALL -> Collective.allToAll();
            case ALL_TO_ALL_V -> Collective.allToAllV();
            case REDUCE_SCATTER -> Collective.reduceScatter(operator);
            case REDUCE_SCATTER_V -> Collective.reduceScatterV(operator);
            case GATHER -> Collective.gather(root);
            case GATHER_V -> Collective.gatherV(root);
            case SCATTER -> Collective.scatter(root);
            case SCATTER_V -> Collective.scatterV(root);
            case INCLUSIVE_SCAN -> Collective.inclusiveScan(operator);
            case EXCLUSIVE_SCAN -> Collective.exclusiveScan(operator);
        };
        ElementView view = memory.elements(type);
        Blocks source = source(me);
        Blocks target = target(me);
        if (source.counts.length > 0) {
            asked = isListed() && source.counts.length == members() && manySources()
                    ? asked.source(view, longs(source.counts), longs(source.indices))
                    : asked.source(
                            view,
                            source.indices[0],
                            Arrays.stream(source.counts).sum());
        }
        if (target.counts.length > 0) {
            asked = isListed() && target.counts.length == members() && manyTargets()
                    ? asked.target(view, longs(target.counts), longs(target.indices))
                    : asked.target(
                            view,
                            target.indices[0],
                            Arrays.stream(target.counts).sum());
        }
        return asked;
    }

    private static long[] longs(int[] numbers) {
        return Arrays.stream(numbers).asLongStream().toArray();
    }

    private boolean manySources() {
        return switch (collective) {
            case SCATTER, SCATTER_V, ALL_TO_ALL, ALL_TO_ALL_V, REDUCE_SCATTER, REDUCE_SCATTER_V -> true;
            default -> false;
        };
    }

    private boolean manyTargets() {
        return switch (collective) {
            case GATHER, GATHER_V, ALL_GATHER, ALL_GATHER_V, ALL_TO_ALL, ALL_TO_ALL_V -> true;
            default -> false;
        };
    }

    private Blocks source(int me) {
        int[] counts = switch (collective) {
            case BARRIER, FAN_IN, FAN_OUT -> new int[0];
            case BROADCAST -> me == root ? new int[] {lengths.get(0)[0]} : new int[0];
            case SCATTER, SCATTER_V -> me == root ? lengths.get(0) : new int[0];
            case ALL_TO_ALL_V -> lengths.get(me);
            case ALL_TO_ALL, REDUCE_SCATTER, REDUCE_SCATTER_V -> lengths.get(0);
            default -> new int[] {lengths.get(0)[isListed() ? me : 0]};
        };
        Blocks apart = laidOut(counts, 0, me);
        boolean isPartOfTarget = switch (collective) {
            case GATHER, GATHER_V, ALL_GATHER, ALL_GATHER_V -> isInPlace(me);
            default -> false;
        };
        return isPartOfTarget ? new Blocks(counts, new int[] {target(me).indices[me]}) : apart;
    }

    private Blocks target(int me) {
        int[] counts = switch (collective) {
            case BARRIER, FAN_IN, FAN_OUT -> new int[0];
            case REDUCE -> me == root ? new int[] {lengths.get(0)[0]} : new int[0];
            case GATHER, GATHER_V -> me == root ? lengths.get(0) : new int[0];
            case ALL_GATHER, ALL_GATHER_V, ALL_TO_ALL -> lengths.get(0);
            case ALL_TO_ALL_V -> lengths.stream().mapToInt(each -> each[me]).toArray();
            default -> new int[] {lengths.get(0)[isListed() ? me : 0]};
        };
        Blocks apart = laidOut(counts, half, me + 1000);
        if (!isInPlace(me)) {
            return apart;
        }
        return switch (collective) {
            case SCATTER, SCATTER_V -> new Blocks(counts, new int[] {source(me).indices[me]});
            case REDUCE_SCATTER, REDUCE_SCATTER_V ->
                new Blocks(
                        counts,
                        new int[] {Arrays.stream(source(me).indices).min().orElseThrow()});
            case BROADCAST, ALL_REDUCE, REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, ALL_TO_ALL -> source(me);
            default -> apart;
        };
    }

    /// Where blocks are: one behind the other, or, where each may have a place of its own, in any order and with
    /// gaps.
    private Blocks laidOut(int[] counts, int begin, int salt) {
        SplittableRandom random = new SplittableRandom(seed + salt);
        int[] order = new int[counts.length];
        for (int block = 0; block < order.length; block++) {
            int other = isListed() ? random.nextInt(block + 1) : block;
            order[block] = order[other];
            order[other] = block;
        }
        int[] indices = new int[counts.length];
        int at = begin + random.nextInt(5);
        for (int block : order) {
            indices[block] = at;
            at += counts[block] + (isListed() ? random.nextInt(3) : 0);
        }
        return new Blocks(counts, indices);
    }

    /// A member's part of the block afterwards.
    ///
    /// @param before the parts of all members
    byte[] after(byte[][] before, int me) {
        byte[] after = before[me].clone();
        Blocks target = target(me);
        int members = members();
        for (int block = 0; block < target.counts.length; block++) {
            int count = target.counts[block];
            int giver = block;
            long[] result = switch (collective) {
                case BARRIER, FAN_IN, FAN_OUT -> new long[0];
                case BROADCAST -> brought(before, root, 0, count);
                case ALL_REDUCE, REDUCE -> finished(reduced(before, members, 0, count));
                case REDUCE_SCATTER, REDUCE_SCATTER_V -> finished(reduced(before, members, me, count));
                case INCLUSIVE_SCAN -> finished(reduced(before, me + 1, 0, count));
                case EXCLUSIVE_SCAN -> finished(me == 0 ? identities(count) : reduced(before, me, 0, count));
                case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V -> brought(before, giver, 0, count);
                case ALL_TO_ALL, ALL_TO_ALL_V -> brought(before, giver, me, count);
                case SCATTER, SCATTER_V -> brought(before, root, me, count);
            };
            for (int i = 0; i < count; i++) {
                elements().store(after, target.indices[block] + i, result[i]);
            }
        }
        return after;
    }

    private long[] brought(byte[][] before, int member, int block, int count) {
        long[] brought = new long[count];
        int from = source(member).indices[block];
        for (int i = 0; i < count; i++) {
            brought[i] = elements().load(before[member], from + i);
        }
        return brought;
    }

    private long[] reduced(byte[][] before, int members, int block, int count) {
        long[] result = brought(before, 0, block, count);
        for (int member = 1; member < members; member++) {
            long[] next = brought(before, member, block, count);
            switch (operator) {
                case Reduction _ -> Arrays.setAll(result, i -> combined(kernel(), result[i], next[i]));
                case IntegerReduction integers -> combine(integers, result, next);
                case CustomReduction _ -> {
                    for (int i = 0; i < count; i += 2) {
                        result[i + 1] = result[i + 1] * next[i] + next[i + 1];
                        result[i] *= next[i];
                    }
                }
                case ExtendedReduction extended -> combine(extended, result, next);
                case ScaledSum _ -> Arrays.setAll(result, i -> combined(ReductionKind.SUM, result[i], next[i]));
            }
        }
        return result;
    }

    private ReductionKind kernel() {
        return ReductionKind.of(operator).orElseThrow();
    }

    private void combine(IntegerReduction reduction, long[] result, long[] next) {
        Arrays.setAll(result, i -> switch (reduction) {
            case AND, OR, XOR -> combined(kernel(), result[i], next[i]);
            case LOGICAL_AND -> result[i] != 0 && next[i] != 0 ? 1 : 0;
            case LOGICAL_OR -> result[i] != 0 || next[i] != 0 ? 1 : 0;
            case LOGICAL_XOR -> (result[i] != 0) != (next[i] != 0) ? 1 : 0;
        });
    }

    private void combine(ExtendedReduction reduction, long[] result, long[] next) {
        switch (reduction) {
            case AVERAGE -> Arrays.setAll(result, i -> combined(ReductionKind.SUM, result[i], next[i]));
            case MIN_LOCATION, MAX_LOCATION -> {
                ReductionKind which =
                        reduction == ExtendedReduction.MIN_LOCATION ? ReductionKind.MIN : ReductionKind.MAX;
                for (int i = 0; i < result.length; i += 2) {
                    boolean isEqual = elements().isSame(result[i], next[i]);
                    boolean isNext = isEqual
                            ? !elements().isSame(result[i + 1], combined(ReductionKind.MIN, result[i + 1], next[i + 1]))
                            : elements().isSame(next[i], combined(which, result[i], next[i]));
                    result[i] = isNext ? next[i] : result[i];
                    result[i + 1] = isNext ? next[i + 1] : result[i + 1];
                }
            }
        }
    }

    private long combined(ReductionKind reduction, long a, long b) {
        return elements().combined(reduction, a, b);
    }

    private long[] finished(long[] reduced) {
        if (operator == ExtendedReduction.AVERAGE) {
            return scaled(reduced, sum -> sum / members(), sum -> sum / members());
        }
        if (operator instanceof ScaledSum by) {
            return scaled(reduced, sum -> sum * (float) by.factor(), sum -> sum * by.factor());
        }
        boolean isLogical = operator == IntegerReduction.LOGICAL_AND
                || operator == IntegerReduction.LOGICAL_OR
                || operator == IntegerReduction.LOGICAL_XOR;
        return isLogical ? Arrays.stream(reduced).map(bits -> bits != 0 ? 1 : 0).toArray() : reduced;
    }

    private interface OfFloat {
        float of(float sum);
    }

    /// The bits of `double`s, or of `float`s for the others.
    private long[] scaled(long[] sums, OfFloat ofFloat, DoubleUnaryOperator ofDouble) {
        return Arrays.stream(sums)
                .map(bits -> type != ElementType.DOUBLE
                        ? Float.floatToRawIntBits(ofFloat.of(Float.intBitsToFloat((int) bits)))
                        : Double.doubleToRawLongBits(ofDouble.applyAsDouble(Double.longBitsToDouble(bits))))
                .toArray();
    }

    private long[] identities(int count) {
        long[] identities = new long[count];
        Arrays.fill(
                identities,
                ReductionKind.of(operator).isPresent()
                        ? elements().identity(kernel())
                        : operator == IntegerReduction.LOGICAL_AND ? 1 : 0);
        return identities;
    }

    ElementModel elements() {
        return new ElementModel(type);
    }

    @Override
    public String toString() {
        return collective + (isReduction() ? " " + operator.name() : "") + " of " + type + ", root " + root
                + (inPlace ? ", in place" : "") + ", lengths "
                + lengths.stream().map(Arrays::toString).distinct().toList() + ", layout " + seed;
    }
}
