// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import coterie.internal.lock.SteppedJob.Action;
import coterie.internal.lock.SteppedJob.Chooser;
import coterie.internal.lock.SteppedJob.Kind;
import coterie.internal.memory.JobSegment;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The lock's own code, one step at a time, in all orders of its steps, with PEs that fail before any step.
///
/// A program has a letter for each call of each PE: `L` lock, `R` lockOrRecover, `T` tryLock, `W` lock with a
/// timeout, each with an unlock where it has acquired the lock.
class LockInterleavingsTest {
    private static final boolean SOAK = Boolean.getBoolean("coterie.soak");
    private static final int PES = 3;
    private static final int NO_PE = -1;

    @AutoClose
    private final JobSegment pages = JobSegment.create(new JobSegment.Parameters("test", PES, 4096, 2, true));

    @AutoClose
    private final Arena arena = Arena.ofShared();

    private final MemorySegment memory = SteppedJob.memory(arena, PES);

    @ParameterizedTest
    @ValueSource(strings = {"R R R", "L R L", "LL R -", "W R R", "T R L", "WL R W"})
    @DisplayName("in all orders with one preemption, and one failure at any step, no PE hangs, two never hold the lock,"
            + " and the next holder learns of a failed one")
    void allOrdersWithOneFailure(String program) {
        AllOrders orders = new AllOrders(SOAK ? 2 : 1, 1);
        long runs = 0;
        do {
            orders.restart();
            run(program, orders, orders::toString);
            runs++;
        } while (orders.next());
        assertThat(runs).isGreaterThan(1000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RR RR RR", "RL LR RL", "LW RT WR", "TR RL LW", "WWW RWL RRL"})
    @DisplayName("in random orders, with up to two failures, the same holds")
    void randomOrdersWithTwoFailures(String program) {
        for (long seed = 0; seed < (SOAK ? 1_000_000 : 10_000); seed++) {
            String name = "seed " + seed;
            run(program, new RandomOrder(seed), () -> name);
        }
    }

    private void run(String program, Chooser chooser, Supplier<String> order) {
        SteppedJob job = new SteppedJob(PES, chooser, pages, memory);
        Ledger ledger = new Ledger(job);
        String[] calls = program.split(" ", -1);
        List<Throwable> errors = job.run((pe, lock) -> {
            for (char call : calls[pe].toCharArray()) {
                if (call != '-') {
                    ledger.call(pe, lock, call);
                }
            }
            ledger.call(pe, lock, 'R');
        });
        if (!errors.isEmpty()) {
            AssertionError error = new AssertionError(program + ", " + order.get() + ": " + errors);
            errors.forEach(error::addSuppressed);
            throw error;
        }
    }

    /// What the PEs of a run know of the lock, and what they may be told.
    private static final class Ledger {
        private final SteppedJob job;
        private final boolean[] isCalling = new boolean[PES];
        private final boolean[] isUnlocking = new boolean[PES];
        private int holder = NO_PE;

        /// PEs that failed inside a call that acquires the lock: each may have been the last holder.
        private final BitSet suspects = new BitSet();

        /// Whether the next holder must get the number of a failed one, and may get this one.
        private int lost = NO_PE;

        /// All PEs that have ever been lost or suspects: a refused caller passes the lock on before it returns.
        private final BitSet everLost = new BitSet();

        Ledger(SteppedJob job) {
            this.job = job;
        }

        void call(int pe, PeLock lock, char call) {
            isCalling[pe] = true;
            OptionalInt failed = OptionalInt.empty();
            try {
                switch (call) {
                    case 'L' -> lock.lock();
                    case 'W' -> lock.lock(Duration.ofNanos(2 * SteppedJob.POLL_NANOS));
                    case 'R' -> failed = lock.lockOrRecover();
                    default -> {
                        if (!lock.tryLock()) {
                            isCalling[pe] = false;
                            return;
                        }
                    }
                }
            } catch (WaitTimeoutException e) {
                isCalling[pe] = false;
                return;
            } catch (PeFailedException e) {
                isCalling[pe] = false;
                settle();
                assertThat(call).as("lockOrRecover is never refused").isNotEqualTo('R');
                int refusedFor = e.failedPes().getFirst();
                assertThat(everLost.get(refusedFor))
                        .as("PE %s, for which a call was refused, is a failed holder", refusedFor)
                        .isTrue();
                return;
            }
            isCalling[pe] = false;
            settle();
            assertThat(holder).as("holder when PE %s acquires the lock", pe).isEqualTo(NO_PE);
            if (failed.isPresent()) {
                int number = failed.getAsInt();
                assertThat(number == lost || suspects.get(number))
                        .as("PE %s got %s, lost is %s, suspects are %s", pe, number, lost, suspects)
                        .isTrue();
            } else {
                assertThat(lost)
                        .as("the failed holder that PE %s should get by %s", pe, call)
                        .isEqualTo(NO_PE);
            }
            lost = NO_PE;
            suspects.clear();
            holder = pe;
            job.step(pe);
            job.forgetOwnChange(pe);
            isUnlocking[pe] = true;
            lock.unlock();
            isUnlocking[pe] = false;
            if (holder == pe) {
                holder = NO_PE;
            }
        }

        /// Draws the conclusions from failures, and from releases that are not over.
        private void settle() {
            if (holder != NO_PE && isUnlocking[holder] && job.hasChangedOwnNode(holder)) {
                holder = NO_PE;
            }
            if (holder != NO_PE && job.hasFailed(holder)) {
                lost = holder;
                everLost.set(lost);
                holder = NO_PE;
            }
            for (int pe = 0; pe < PES; pe++) {
                if (isCalling[pe] && job.hasFailed(pe)) {
                    isCalling[pe] = false;
                    suspects.set(pe);
                    everLost.set(pe);
                }
            }
        }
    }

    /// All orders with so many choices of another PE than the next one whose turn it is, and with so many
    /// failures, one after another. In all others a PE that waits would starve one that it waits for.
    private static final class AllOrders implements Chooser {
        private final int preemptions;
        private final int failures;
        private int[] choices = new int[64];
        private int[] counts = new int[64];
        private int known;
        private int at;
        private int preempted;
        private int failed;

        AllOrders(int preemptions, int failures) {
            this.preemptions = preemptions;
            this.failures = failures;
        }

        void restart() {
            at = 0;
            preempted = 0;
            failed = 0;
        }

        @Override
        public int choose(List<Action> actions, boolean preempts) {
            if (at == choices.length) {
                choices = Arrays.copyOf(choices, 2 * at);
                counts = Arrays.copyOf(counts, 2 * at);
            }
            int count = 0;
            int chosen = NO_PE;
            int wanted = at < known ? choices[at] : 0;
            for (int i = 0; i < actions.size(); i++) {
                boolean fails = actions.get(i).kind() != Kind.RUN;
                if (i == 0 || (fails ? failed < failures : preempted < preemptions)) {
                    chosen = count == wanted ? i : chosen;
                    count++;
                }
            }
            if (at == 5000) {
                throw new AssertionError("a run without end");
            }
            choices[at] = wanted;
            counts[at] = count;
            at++;
            known = Math.max(known, at);
            if (actions.get(chosen).kind() != Kind.RUN) {
                failed++;
            } else if (chosen > 0) {
                preempted++;
            }
            return chosen;
        }

        /// Turns to the next order; returns whether there is one.
        boolean next() {
            known = at;
            while (known > 0 && choices[known - 1] + 1 == counts[known - 1]) {
                known--;
            }
            if (known > 0) {
                choices[known - 1]++;
            }
            return known > 0;
        }

        @Override
        public String toString() {
            return "choices " + Arrays.toString(Arrays.copyOf(choices, at));
        }
    }

    /// An order by a seed, in which PEs often go on for some steps.
    private static final class RandomOrder implements Chooser {
        private final Random random;
        private final int stay;
        private final int failEvery;
        private int failures;

        RandomOrder(long seed) {
            random = new Random(seed);
            stay = 1 + random.nextInt(12);
            failEvery = 10 + random.nextInt(150);
        }

        @Override
        public int choose(List<Action> actions, boolean preempts) {
            int runs = (int)
                    actions.stream().filter(action -> action.kind() == Kind.RUN).count();
            if (failures < 2 && actions.size() > runs && random.nextInt(failEvery) == 0) {
                failures++;
                return runs + random.nextInt(actions.size() - runs);
            }
            return preempts && random.nextInt(stay) > 0 ? 0 : random.nextInt(runs);
        }
    }
}
