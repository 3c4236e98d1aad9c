// SPDX-License-Identifier: Apache-2.0

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.CollectiveLayer;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.Configuration;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTask;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import coterie.layer.TransportLayer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// What a blocking call costs that goes through a layer which plugs in. Two layers come with it: `idle` has a
/// task that does nothing, and `whole` composes each collective of one collective of the whole team. Run by
/// layers/run.sh.
public final class LayerCosts {
    private static final int CALLS = 2_000;
    private static final int REPETITIONS = 15;
    private static final Map<CollectiveType, List<String>> ALGORITHMS =
            Map.of(CollectiveType.BARRIER, List.of("only"), CollectiveType.ALL_REDUCE, List.of("only"));

    private LayerCosts() {}

    /// A transport layer whose tasks do nothing.
    public static final class Idle implements TransportLayer {
        @Override
        public String name() {
            return "idle";
        }

        @Override
        public int defaultScore() {
            return 2;
        }

        @Override
        public LayerLibrary open(Configuration configuration) {
            return library(Idle::work);
        }

        private static LayerWork work(Arguments arguments) {
            return new LayerTask() {
                @Override
                public void post(long number) {
                    if (arguments.targets() > 0) {
                        arguments.target(0).copyFrom(arguments.source(0)); // no reduction, whose time is not measured
                    }
                }

                @Override
                public boolean progress() {
                    return true;
                }
            };
        }
    }

    /// A collective layer that composes each collective of itself.
    public static final class Whole implements CollectiveLayer {
        @Override
        public String name() {
            return "whole";
        }

        @Override
        public int defaultScore() {
            return 3;
        }

        @Override
        public LayerLibrary open(Configuration configuration) {
            return library(Whole::work);
        }

        private static LayerWork work(Arguments arguments) {
            int[] all = IntStream.range(0, arguments.team().size()).toArray();
            BufferSlice source = arguments.sources() == 0 ? BufferSlice.NONE : BufferSlice.source(0, arguments.bytes());
            BufferSlice target = arguments.targets() == 0 ? BufferSlice.NONE : BufferSlice.target(0, arguments.bytes());
            return new Composition().then(arguments.type(), all, target, source, 0);
        }
    }

    private interface Preparation {
        LayerWork of(Arguments arguments);
    }

    private static LayerLibrary library(Preparation preparation) {
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                return new Attributes(ALGORITHMS, ThreadLevel.MULTIPLE, 1, Integer.MAX_VALUE);
            }

            @Override
            public LayerContext open() {
                return team -> new OneAlgorithm(team, preparation);
            }
        };
    }

    private record OneAlgorithm(TeamParameters team, Preparation preparation) implements LayerTeam {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public List<Offer> offers() {
            return List.of(
                    Offer.always(CollectiveType.BARRIER, "only", 1), Offer.always(CollectiveType.ALL_REDUCE, "only", 1));
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            return Optional.of(preparation.of(arguments));
        }
    }

    /// Prints the median time of calls on PE 0.
    public static void main(String[] arguments) {
        try (World world = World.join()) {
            Team team = world.team();
            LongView longs = world.allocate(4096).longs();
            print(world, "barrier", CollectiveType.BARRIER, 0, team::barrier);
            print(world, "allreduce of 8 B", CollectiveType.ALL_REDUCE, 8, () ->
                    team.allReduce(Reduction.SUM, longs, 64, longs, 0, 1));
            print(world, "allreduce of 1 KiB", CollectiveType.ALL_REDUCE, 1024, () ->
                    team.allReduce(Reduction.SUM, longs, 256, longs, 0, 128));
        }
    }

    private static void print(World world, String name, CollectiveType type, long bytes, Runnable call) {
        double[] nanos = new double[REPETITIONS];
        for (int repetition = -5; repetition < REPETITIONS; repetition++) {
            long begin = System.nanoTime();
            for (int each = 0; each < CALLS; each++) {
                call.run();
            }
            if (repetition >= 0) {
                nanos[repetition] = (System.nanoTime() - begin) / (double) CALLS;
            }
        }
        Arrays.sort(nanos);
        if (world.pe() == 0) {
            System.out.printf(
                    "%-20s %8.3f µs (%.3f … %.3f) by %s%n",
                    name,
                    nanos[REPETITIONS / 2] / 1e3,
                    nanos[0] / 1e3,
                    nanos[REPETITIONS - 1] / 1e3,
                    world.team().explain(type, bytes).candidates().getFirst());
        }
    }
}
