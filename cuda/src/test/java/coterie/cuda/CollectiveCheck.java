// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Bfloat16;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.ElementView;
import coterie.FloatView;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Compares collectives over device memory with those of core over symmetric memory: the same bytes.
final class CollectiveCheck implements AutoCloseable {
    static final long BYTES = 64 << 10;
    private static final long SOURCE = 1024;
    private static final long TARGET = BYTES + 2048;
    private static final byte GUARD = 0x33;

    private final Team team;
    private final DeviceCollectives collectives;
    private final CudaStream stream;
    private final DeviceMemory device;
    private final SymmetricMemory host;
    private final boolean isByCalls;
    private int seed;

    /// @param isByCalls whether the reference are core's calls; else its requests
    CollectiveCheck(Cuda cuda, Team team, DeviceCollectives collectives, boolean isByCalls) {
        this.team = team;
        this.collectives = collectives;
        this.stream = cuda.createStream("collectives");
        this.device = cuda.allocate(team, 2 * BYTES + 4096);
        this.host = team.allocate(2 * BYTES + 4096);
        this.isByCalls = isByCalls;
    }

    /// Numbers of which all have a defined result.
    private static void fill(MemorySegment bytes, ElementType elements, Random random) {
        for (long at = 0; at < bytes.byteSize(); at += elements.byteSize()) {
            switch (elements) {
                case FLOAT -> bytes.set(JAVA_FLOAT, at, (float) special(random));
                case DOUBLE -> bytes.set(JAVA_DOUBLE, at, special(random));
                case HALF -> bytes.set(JAVA_SHORT, at, Float.floatToFloat16((float) special(random)));
                case BFLOAT16 -> bytes.set(JAVA_SHORT, at, Bfloat16.of((float) special(random)));
                default -> {
                    for (int i = 0; i < elements.byteSize(); i++) {
                        bytes.set(JAVA_BYTE, at + i, (byte) random.nextInt());
                    }
                }
            }
        }
    }

    private static double special(Random random) {
        return switch (random.nextInt(8)) {
            case 0 -> 0.0;
            case 1 -> -0.0;
            default -> random.nextGaussian() * 3;
        };
    }

    /// Runs one collective of both kinds and compares all bytes of target and source.
    void run(CollectiveType type, @Nullable DeviceReduction reduction, ElementType elements, long count, int root) {
        run(type, reduction, elements, count, root, TARGET, SOURCE);
    }

    /// Runs one in place.
    void inPlace(CollectiveType type, @Nullable DeviceReduction reduction, ElementType elements, long count, int root) {
        long own = team.member() * count * elements.byteSize();
        switch (type) {
            case ALL_GATHER, GATHER -> run(type, reduction, elements, count, root, TARGET, TARGET + own);
            case REDUCE_SCATTER, SCATTER -> run(type, reduction, elements, count, root, SOURCE + own, SOURCE);
            default -> run(type, reduction, elements, count, root, SOURCE, SOURCE);
        }
    }

    private void run(
            CollectiveType type,
            @Nullable DeviceReduction reduction,
            ElementType elements,
            long count,
            int root,
            long target,
            long source) {
        MemorySegment mine = host.segment();
        mine.fill(GUARD);
        long blocks = DeviceCall.sourceBlocks(type, team.size());
        seed++;
        fill(
                mine.asSlice(source, blocks * count * elements.byteSize()),
                elements,
                new Random(1000L * seed + team.member()));
        device.put(0, mine, team.member());
        team.barrier();
        device(type, reduction, elements, count, root, target, source);
        stream.synchronize();
        MemorySegment result = MemorySegment.ofArray(new byte[(int) mine.byteSize()]);
        device.get(0, result, team.member());
        reference(type, reduction, elements, count, root, target, source);
        assertThat(result.mismatch(mine))
                .as("first byte that differs in %s %s of %d %s by %s", type, reduction, count, elements, collectives)
                .isEqualTo(-1);
        team.barrier();
    }

    private void device(
            CollectiveType type,
            @Nullable DeviceReduction reduction,
            ElementType elements,
            long count,
            int root,
            long target,
            long source) {
        long to = target / elements.byteSize();
        long from = source / elements.byteSize();
        switch (type) {
            case ALL_REDUCE ->
                collectives.allReduce(stream, given(reduction), elements, device, to, device, from, count);
            case REDUCE ->
                collectives.reduce(stream, given(reduction), elements, device, to, device, from, count, root);
            case BROADCAST -> collectives.broadcast(stream, elements, device, to, device, from, count, root);
            case ALL_GATHER -> collectives.allGather(stream, elements, device, to, device, from, count);
            case GATHER -> collectives.gather(stream, elements, device, to, device, from, count, root);
            case SCATTER -> collectives.scatter(stream, elements, device, to, device, from, count, root);
            case REDUCE_SCATTER ->
                collectives.reduceScatter(stream, given(reduction), elements, device, to, device, from, count);
            case ALL_TO_ALL -> collectives.allToAll(stream, elements, device, to, device, from, count);
            default -> throw new AssertionError(type);
        }
    }

    /// The operator for views of any type; the kind suits the elements.
    @SuppressWarnings("unchecked")
    private static ReductionOperator<ElementView> given(@Nullable DeviceReduction reduction) {
        return (ReductionOperator<ElementView>)
                Objects.requireNonNull(reduction).operator();
    }

    private void reference(
            CollectiveType type,
            @Nullable DeviceReduction reduction,
            ElementType elements,
            long count,
            int root,
            long target,
            long source) {
        // Through other memory: core's rules for in place differ, and members may be in different places.
        int width = elements.byteSize();
        long sources = DeviceCall.sourceBlocks(type, team.size()) * count;
        long targets = DeviceCall.targetBlocks(type, team.size()) * count;
        try (SymmetricMemory apart = team.allocate((sources + targets) * width)) {
            ElementView view = apart.elements(elements);
            MemorySegment.copy(host.segment(), source, apart.segment(), targets * width, sources * width);
            team.barrier();
            if (isByCalls && type != CollectiveType.REDUCE) {
                call(type, reduction, view, count, root, targets);
            } else {
                request(type, reduction, view, count, root, targets, sources);
            }
            boolean isAtRoot = type == CollectiveType.REDUCE || type == CollectiveType.GATHER;
            if (!isAtRoot || team.member() == root) {
                MemorySegment.copy(apart.segment(), 0, host.segment(), target, targets * width);
            }
            team.barrier();
        }
    }

    private void call(
            CollectiveType type,
            @Nullable DeviceReduction reduction,
            ElementView view,
            long count,
            int root,
            long source) {
        switch (type) {
            case ALL_REDUCE -> {
                team.allReduce(summed(reduction, view), view, 0, view, source, count);
                divide(reduction, view, count);
            }
            case BROADCAST -> team.broadcast(view, 0, view, source, count, root);
            case ALL_GATHER -> team.allGather(view, 0, view, source, count);
            case GATHER -> team.gather(view, 0, view, source, count, root);
            case SCATTER -> team.scatter(view, 0, view, source, count, root);
            case REDUCE_SCATTER -> team.reduceScatter(given(reduction), view, 0, view, source, count);
            case ALL_TO_ALL -> team.allToAll(view, 0, view, source, count);
            default -> throw new AssertionError(type);
        }
    }

    /// Returns the reduction of a call. Numbers without wider accumulators are averaged here, since calls do
    /// averages as requests, which may group the members.
    private static ReductionOperator<ElementView> summed(@Nullable DeviceReduction reduction, ElementView view) {
        return given(isDivided(reduction, view) ? DeviceReduction.SUM : reduction);
    }

    private static boolean isDivided(@Nullable DeviceReduction reduction, ElementView view) {
        boolean isWide = view.type() == ElementType.FLOAT || view.type() == ElementType.DOUBLE;
        return reduction == DeviceReduction.AVERAGE && isWide;
    }

    private void divide(@Nullable DeviceReduction reduction, ElementView view, long count) {
        for (long i = 0; isDivided(reduction, view) && i < count; i++) {
            switch (view) {
                case FloatView numbers -> numbers.set(i, numbers.get(i) / team.size());
                case DoubleView numbers -> numbers.set(i, numbers.get(i) / team.size());
                default -> throw new AssertionError(view);
            }
        }
    }

    private void request(
            CollectiveType type,
            @Nullable DeviceReduction reduction,
            ElementView view,
            long count,
            int root,
            long targets,
            long sources) {
        Collective described = switch (type) {
            case ALL_REDUCE -> Collective.allReduce(given(reduction));
            case REDUCE -> Collective.reduce(given(reduction), root);
            case BROADCAST -> Collective.broadcast(root);
            case ALL_GATHER -> Collective.allGather();
            case GATHER -> Collective.gather(root);
            case SCATTER -> Collective.scatter(root);
            case REDUCE_SCATTER -> Collective.reduceScatter(given(reduction));
            case ALL_TO_ALL -> Collective.allToAll();
            default -> throw new AssertionError(type);
        };
        assertThat(count).isPositive();
        try (Request request =
                team.prepare(described.source(view, targets, sources).target(view, 0, targets))) {
            request.post();
            request.await();
        }
    }

    /// Runs each collective with each reduction that each type has, small and long, apart and in place.
    void all(long most) {
        int last = team.size() - 1;
        for (ElementType elements : ElementType.values()) {
            for (DeviceReduction reduction : DeviceReduction.values()) {
                if (reduction.suits(elements)) {
                    long count = 1 + seed * 37L % most;
                    run(CollectiveType.ALL_REDUCE, reduction, elements, count, 0);
                }
            }
        }
        for (CollectiveType type : new CollectiveType[] {
            CollectiveType.ALL_REDUCE,
            CollectiveType.REDUCE,
            CollectiveType.BROADCAST,
            CollectiveType.ALL_GATHER,
            CollectiveType.GATHER,
            CollectiveType.SCATTER,
            CollectiveType.REDUCE_SCATTER,
            CollectiveType.ALL_TO_ALL
        }) {
            boolean isReduction = type == CollectiveType.ALL_REDUCE
                    || type == CollectiveType.REDUCE
                    || type == CollectiveType.REDUCE_SCATTER;
            DeviceReduction reduction = isReduction ? DeviceReduction.SUM : null;
            run(type, reduction, ElementType.DOUBLE, most, last);
            run(type, reduction, ElementType.SHORT, 3, last);
            run(type, reduction, ElementType.INT, most + 1, 0);
            if (isReduction) {
                run(type, DeviceReduction.AVERAGE, ElementType.HALF, 7, last);
                run(type, DeviceReduction.AVERAGE, ElementType.BFLOAT16, 6, 0);
            }
            if (type != CollectiveType.ALL_TO_ALL) {
                inPlace(type, reduction, ElementType.DOUBLE, most, last);
                inPlace(type, reduction, ElementType.LONG, 5, 0);
            }
        }
    }

    DeviceMemory device() {
        return device;
    }

    CudaStream stream() {
        return stream;
    }

    @Override
    public void close() {
        device.close();
        host.close();
    }
}
