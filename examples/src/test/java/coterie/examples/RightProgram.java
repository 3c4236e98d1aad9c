// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.stream.WorkStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A random program that can't deadlock: all PEs make the same list of steps from one seed, a step needs no more than
/// the steps before it, and each PE does its part of them in their order. Some PEs come late to some steps.
///
/// ```
///  step   PE 0          PE 1           PE 2
///  1      sum           sum            sum
///  2      add to PE 2   -              wait for the word
///  3      lock          300 ms, lock   lock
///  4      barrier       barrier        barrier
/// ```
final class RightProgram {
    private static final int MOST_STEPS = 6;

    /// Of ten steps in which some PE is late; a program has at least one.
    private static final int LATE_OF_TEN = 1;

    /// Words of a PE that others add to; a step waits for one or two neighbours.
    private static final int WORDS = 4;

    /// Where in the memory of a PE they begin; then come those of collectives and the lock.
    private static final int FIRST_WORD = 0;

    private static final int FIRST_VALUE = 8;
    private static final int FIRST_TARGET = 40;
    private static final int LOCK = 80;

    static final long BYTES = 1024;

    private enum Action {
        SIGNAL,
        SIGNAL_OF_ONE,
        SIGNALS,
        BARRIER,
        SYNC,
        SUM,
        REDUCE_VECTOR,
        BROADCAST,
        ALL_TO_ALL,
        ALLOCATE,
        DUPLICATE,
        SPLIT,
        REQUEST,
        LOCK,
        STREAM_BARRIER,
        STREAM_SIGNAL
    }

    private static final List<Action> ACTIONS = List.of(Action.values());

    /// A step of all PEs.
    ///
    /// @param from the PE that adds to a word, or the root
    /// @param to the PE that waits for the word
    /// @param lateness for each PE in which way it is late; null if it is not
    @SuppressWarnings("ArrayRecordComponent") // no code compares steps
    private record Step(Action action, int from, int to, int word, Lateness.Way[] lateness, long[] delayMillis) {}

    /// What a PE has for all its programs.
    ///
    /// @param self a team of this PE alone
    /// @param awaited how often each word of each PE has been added to by the steps so far
    @SuppressWarnings("ArrayRecordComponent") // no code compares places
    record Place(
            World world, Team self, SymmetricMemory memory, WorkStream stream, Lateness lateness, long[][] awaited) {
        static long[][] noneAwaited(World world) {
            return new long[world.size()][WORDS];
        }

        IntegerView words() {
            return memory.longs();
        }
    }

    private final List<Step> steps = new ArrayList<>();
    private final int pes;

    /// @param ways in which PEs may be late
    /// @param delays in milliseconds
    RightProgram(long seed, int pes, List<Lateness.Way> ways, Delays delays) {
        this.pes = pes;
        Random random = new Random(seed * 0x9E3779B97F4A7C15L);
        int length = 2 + random.nextInt(MOST_STEPS - 1);
        int surely = random.nextInt(length);
        for (int i = 0; i < length; i++) {
            Lateness.Way[] lateness = new Lateness.Way[pes];
            long[] delayMillis = new long[pes];
            if (i == surely || random.nextInt(10) < LATE_OF_TEN) {
                int late = random.nextInt(3) > 0 ? 1 : 2;
                for (int number = 0; number < late; number++) {
                    int pe = random.nextInt(pes);
                    lateness[pe] = ways.get(random.nextInt(ways.size()));
                    delayMillis[pe] = delays.next(random);
                }
            }
            int from = random.nextInt(pes);
            int to = (from + 1 + random.nextInt(pes - 1)) % pes;
            Action action = ACTIONS.get(random.nextInt(ACTIONS.size()));
            steps.add(new Step(action, from, to, random.nextInt(WORDS - 1), lateness, delayMillis));
        }
    }

    /// How late PEs are.
    ///
    /// @param least in milliseconds
    /// @param most in milliseconds
    record Delays(long least, long most) {
        long next(Random random) {
            return least + random.nextLong(most - least + 1);
        }
    }

    /// Does this PE's part, to the end of all.
    void run(Place place) throws InterruptedException {
        int me = place.world.pe();
        for (Step step : steps) {
            Lateness.Way way = step.lateness[me];
            if (way != null) {
                place.lateness.pass(way, step.delayMillis[me]);
            }
            act(step, place, me);
        }
        place.world.team().barrier();
    }

    private void act(Step step, Place place, int me) {
        Team team = place.world.team();
        IntegerView words = place.words();
        switch (step.action) {
            case SIGNAL, SIGNAL_OF_ONE, SIGNALS, STREAM_SIGNAL -> signal(step, place, me);
            case BARRIER -> team.barrier();
            case SYNC -> team.sync();
            case SUM -> check(step, pes * (pes - 1) / 2, team.allReduce(Reduction.SUM, me));
            case REDUCE_VECTOR -> {
                words.set(FIRST_VALUE, me);
                team.allReduce(Reduction.MAX, words, FIRST_TARGET, words, FIRST_VALUE, 1);
                check(step, pes - 1, words.get(FIRST_TARGET));
            }
            case BROADCAST -> {
                words.set(FIRST_VALUE, 100 + me);
                team.broadcast(words, FIRST_TARGET, words, FIRST_VALUE, 1, step.from);
                check(step, 100 + step.from, words.get(FIRST_TARGET));
            }
            case ALL_TO_ALL -> {
                for (int pe = 0; pe < pes; pe++) {
                    words.set(FIRST_VALUE + pe, 10 * me + pe);
                }
                team.allToAll(words, FIRST_TARGET, words, FIRST_VALUE, 1);
                check(step, 10 * step.from + me, words.get(FIRST_TARGET + step.from));
            }
            case ALLOCATE -> place.world.allocate(64).close();
            case DUPLICATE -> {
                try (Team copy = team.duplicate()) {
                    check(step, pes, copy.sum(1L));
                }
            }
            case SPLIT -> {
                try (Team part = team.splitByColor(me == step.from ? 1 : 0, me)) {
                    part.barrier();
                }
            }
            case REQUEST -> {
                words.set(FIRST_VALUE, 1);
                Collective sum = Collective.allReduce(Reduction.SUM)
                        .source(words, FIRST_VALUE, 1)
                        .target(words, FIRST_TARGET, 1);
                try (Request request = team.prepare(sum)) {
                    request.post();
                    request.await();
                }
                check(step, pes, words.get(FIRST_TARGET));
            }
            case LOCK -> {
                place.memory.lock(LOCK).lock();
                place.memory.lock(LOCK).unlock();
            }
            case STREAM_BARRIER -> {
                place.stream.barrier(team);
                place.stream.synchronize();
            }
        }
    }

    /// One PE adds to a word of another one, or to two of them, and that one waits.
    private void signal(Step step, Place place, int me) {
        int words = step.action == Action.SIGNALS ? 2 : 1;
        for (int word = step.word; word < step.word + words; word++) {
            place.awaited[step.to][word]++;
            if (me == step.from) {
                place.words().add(FIRST_WORD + word, 1, step.to);
            }
        }
        if (me == step.to) {
            long[] counts = place.awaited[me];
            long first = (long) FIRST_WORD + step.word;
            IntegerView view = place.words();
            switch (step.action) {
                case SIGNAL -> view.waitUntil(first, Comparison.GE, counts[step.word]);
                case SIGNAL_OF_ONE -> view.writtenBy(step.from).waitUntil(first, Comparison.GE, counts[step.word]);
                case SIGNALS ->
                    view.waitSet(first, 2)
                            .waitAll(Comparison.GE, new long[] {counts[step.word], counts[step.word + 1]});
                default -> {
                    place.stream.waitUntil(view, first, Comparison.GE, counts[step.word]);
                    place.stream.synchronize();
                }
            }
        }
    }

    private static void check(Step step, long expected, long found) {
        if (expected != found) {
            throw new AssertionError(step + ": " + found + " instead of " + expected);
        }
    }
}
