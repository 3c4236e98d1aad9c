// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Arguments;
import coterie.layer.Attributes;
import coterie.layer.CollectiveLayer;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.FragmentPipeline;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import coterie.layer.LayerTask;
import coterie.layer.LayerTeam;
import coterie.layer.LayerWork;
import coterie.layer.Offer;
import coterie.layer.TeamParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/// A collective layer for tests: pairs of neighbours reduce, the first of all pairs allreduce, and each
/// broadcasts to its pair. By the algorithm `strips`, all members reduce a part each, of a length of its own, and
/// gather the parts. A barrier is a barrier of the whole team.
public final class RungLayer implements CollectiveLayer {
    /// The numbers of the runs of its own tasks.
    static final List<Long> POSTED = new CopyOnWriteArrayList<>();

    /// Its own tasks that are open.
    static final AtomicInteger OPEN = new AtomicInteger();

    @Override
    public String name() {
        return "rung";
    }

    @Override
    public int defaultScore() {
        return 600;
    }

    @Override
    public List<Field> fields() {
        return List.of(
                new Field("FAULT", "", "where it fails: none, odd, throws"),
                new Field("PIPELINE", "n", "how pairs divide vectors"));
    }

    @Override
    public List<String> levels() {
        return List.of("PAIR", "FIRSTS");
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        String fault = configuration.text("FAULT");
        LongFunction<FragmentPipeline> pipeline = configuration.pipeline("PIPELINE");
        return new LayerLibrary() {
            @Override
            public Attributes attributes() {
                return new Attributes(
                        Map.of(
                                CollectiveType.ALL_REDUCE,
                                List.of("pairs", "strips"),
                                CollectiveType.BARRIER,
                                List.of("whole", "own")),
                        ThreadLevel.MULTIPLE,
                        1,
                        100);
            }

            @Override
            public LayerContext open() {
                return team -> new Rungs(team, fault, pipeline);
            }
        };
    }

    private record Rungs(TeamParameters team, String fault, LongFunction<FragmentPipeline> pipeline)
            implements LayerTeam {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public List<Offer> offers() {
            return List.of(
                    Offer.always(CollectiveType.ALL_REDUCE, "pairs", 600),
                    Offer.always(CollectiveType.BARRIER, "whole", 600));
        }

        @Override
        public int[] group(String level) {
            if (fault.equals("throws") && team.me() == 1) {
                throw new IllegalStateException("group fails");
            }
            if (level.equals("PAIR")) {
                return fault.equals("odd") && team.me() == 1 ? new int[] {1} : pair();
            }
            return team.me() % 2 == 0 ? firsts() : new int[0];
        }

        private int[] pair() {
            int first = team.me() & -2;
            return first + 1 < team.size() ? new int[] {first, first + 1} : new int[] {first};
        }

        private int[] firsts() {
            return IntStream.range(0, (team.size() + 1) / 2)
                    .map(each -> 2 * each)
                    .toArray();
        }

        @Override
        public Optional<LayerWork> prepare(String algorithm, Arguments arguments) {
            Composition plan = new Composition();
            int[] all = IntStream.range(0, team.size()).toArray();
            if (algorithm.equals("strips")) {
                return Optional.of(strips(plan, all, arguments));
            }
            if (!algorithm.equals("pairs")) {
                plan.then(CollectiveType.BARRIER, all, BufferSlice.NONE, BufferSlice.NONE, 0);
                return Optional.of(algorithm.equals("whole") ? plan : withOwn(plan, all));
            }
            long elements = arguments.bytes() / arguments.width();
            FragmentPipeline how = pipeline.apply(arguments.bytes()).upTo(elements);
            return Optional.of(plan.pipeline(how, number -> {
                long from = how.begin(elements, number) * arguments.width();
                long bytes = how.begin(elements, number + 1) * arguments.width() - from;
                return pairs(from, bytes, how.fragments() > 1);
            }));
        }

        /// @param withOwn whether with a task of the layer between the collectives
        private Composition pairs(long from, long bytes, boolean withOwn) {
            Composition plan = new Composition();
            BufferSlice target = BufferSlice.target(from, bytes);
            BufferSlice partly = plan.scratch(bytes);
            plan.then(CollectiveType.REDUCE, pair(), partly, BufferSlice.source(from, bytes), 0);
            if (withOwn) {
                plan.then(new Counting());
            }
            plan.then(CollectiveType.ALL_REDUCE, firsts(), target, partly, 0);
            return plan.then(CollectiveType.BROADCAST, pair(), target, target, 0);
        }

        /// The first third and the rest at the same time, where member i of each has i times what member 1 has.
        private Composition strips(Composition plan, int[] all, Arguments arguments) {
            long third = arguments.bytes() / arguments.width() / 3 * arguments.width();
            List<BufferSlice> first = strips(BufferSlice::target, 0, third, arguments.width());
            List<BufferSlice> rest = strips(BufferSlice::target, third, arguments.bytes(), arguments.width());
            plan.thenV(
                    CollectiveType.REDUCE_SCATTER_V,
                    all,
                    List.of(first.get(team.me())),
                    strips(BufferSlice::source, 0, third, arguments.width()),
                    0);
            plan.withV(
                    CollectiveType.REDUCE_SCATTER_V,
                    all,
                    List.of(rest.get(team.me())),
                    strips(BufferSlice::source, third, arguments.bytes(), arguments.width()),
                    0);
            plan.thenV(CollectiveType.ALL_GATHER_V, all, first, List.of(first.get(team.me())), 0);
            return plan.withV(CollectiveType.ALL_GATHER_V, all, rest, List.of(rest.get(team.me())), 0);
        }

        private List<BufferSlice> strips(BiFunction<Long, Long, BufferSlice> slice, long from, long to, int width) {
            long each = (to - from) / width / (1L + team.size() * (team.size() - 1L) / 2);
            List<BufferSlice> strips = new ArrayList<>();
            long at = from;
            for (int member = 0; member < team.size(); member++) {
                long end = member == team.size() - 1 ? to : at + member * each * width;
                strips.add(slice.apply(at, end - at));
                at = end;
            }
            return strips;
        }

        /// A barrier, beside it a task and a fan-in, then another task.
        private static Composition withOwn(Composition plan, int[] all) {
            return plan.with(new Counting())
                    .with(CollectiveType.FAN_IN, all, BufferSlice.NONE, BufferSlice.NONE, 0)
                    .then(new Counting());
        }
    }

    /// A task of the layer itself, which takes some polls.
    private static final class Counting implements LayerTask {
        private int polls;

        Counting() {
            OPEN.incrementAndGet();
        }

        @Override
        public void post(long number) {
            polls = 3;
            POSTED.add(number);
        }

        @Override
        public boolean progress() {
            polls--;
            return polls == 0;
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
        }
    }
}
