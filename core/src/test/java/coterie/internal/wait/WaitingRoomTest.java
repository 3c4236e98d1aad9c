// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.spi.PeState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Waits of PE 0 among three, round by round.
class WaitingRoomTest {
    private static final Comparison EQ = Comparison.EQ;
    private static final long FOREVER = WaitingRoom.FOREVER;

    private final MemorySegment memory = Arena.ofAuto().allocate(64, 8);
    private final long address = memory.address();
    private static final StatusLabel WORLD = new StatusLabel("world");

    private final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", 3, 4096, 2, true));
    private final StatusPage page = job.status(0);
    private final ScriptedWaitStrategy scheduler = new ScriptedWaitStrategy();
    private final SegmentJob jobOfPe = new SegmentJob(job, 0, "a test");
    private final PeRuntime runtime = new PeRuntime(
            jobOfPe, job.status(0), scheduler, ScriptedWaitStrategy.conduit(), new Counters(), Long.MAX_VALUE, "");
    private final WaitingRoom room = runtime.room();

    @BeforeEach
    void allRun() {
        for (int pe = 0; pe < job.size(); pe++) {
            job.status(pe).state(PeState.RUNNING);
        }
    }

    @AfterEach
    void close() {
        assertThat(page.get(StatusField.WAIT_KIND))
                .as("nothing is left on the status page")
                .isZero();
        assertThat(scheduler.isOver()).as("the script is at its end").isTrue();
        job.close();
    }

    @Test
    @DisplayName("a wait for a word of any type returns the user's value")
    void wordsOfAnyType() {
        scheduler.then(() -> memory.set(JAVA_INT, 4, -2));
        assertThat(room.awaitWord(() -> false, WordType.UNSIGNED_INT, address + 4, Comparison.GT, 1, 4, FOREVER))
                .isEqualTo(0xFFFF_FFFEL);
        assertThat(room.awaitWord(() -> false, WordType.INT, address + 4, EQ, 0xFFFF_FFFEL, 4, FOREVER))
                .isEqualTo(-2);
        scheduler.then(() -> memory.set(JAVA_LONG, 8, Long.MIN_VALUE));
        assertThat(room.awaitWord(() -> false, WordType.UNSIGNED_LONG, address + 8, Comparison.GT, 1, 8, FOREVER))
                .isEqualTo(Long.MIN_VALUE);
        assertThat(room.awaitWord(() -> false, WordType.LONG, address + 8, Comparison.LT, 1, 8, FOREVER))
                .isEqualTo(Long.MIN_VALUE);
    }

    @Test
    @DisplayName("SH-W10 the message of a deadline has the values as the type has them")
    void deadlineOfAWord() {
        idle(2);
        memory.set(JAVA_LONG, 0, -1);
        assertThatThrownBy(() ->
                        room.awaitWord(() -> false, WordType.UNSIGNED_LONG, address, Comparison.LT, 7, 40, 2_000_000))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessage("waitUntil on PE 0, word at offset 40 LT 7 (it is 18446744073709551615): not within 2 ms");
        idle(1);
        assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.BYTE, address, EQ, 255 - 1, 40, 900_000))
                .hasMessage("waitUntil on PE 0, word at offset 40 EQ -2 (it is -1): not within 900000 ns");
    }

    @Test
    @DisplayName("a wait for all lets each word compare at a moment of its own")
    void allAtSomeMoment() {
        WordSet set = longs(3);
        set.operands(new long[] {1, 2, 3});
        scheduler.then(() -> memory.set(JAVA_LONG, 0, 1));
        scheduler.then(() -> memory.set(JAVA_LONG, 0, 0));
        scheduler.then(() -> memory.set(JAVA_LONG, 16, 3));
        scheduler.then(() -> memory.set(JAVA_LONG, 8, 2));
        room.awaitAll(set, EQ, FOREVER);
        assertThat(set.all(EQ)).as("now").isFalse();
    }

    @Test
    @DisplayName("waits for any and some return what they found; an empty set at once")
    void anyAndSome() {
        WordSet set = longs(4);
        set.operand(1);
        scheduler.then(() -> memory.set(JAVA_LONG, 16, 1));
        assertThat(room.awaitAny(set, EQ, FOREVER)).isEqualTo(2);
        memory.set(JAVA_LONG, 0, 1);
        assertThat(room.awaitAny(set, EQ, FOREVER)).as("not 2 again").isZero();
        memory.fill((byte) 0);
        scheduler.then(() -> {
            memory.set(JAVA_LONG, 8, 1);
            memory.set(JAVA_LONG, 24, 1);
        });
        int[] found = new int[4];
        assertThat(room.awaitSome(set, EQ, found, FOREVER)).isEqualTo(2);
        assertThat(found).startsWith(1, 3);
        BitSet all = new BitSet();
        all.set(0, 4);
        set = set.skipping(all);
        assertThat(room.awaitAny(set, EQ, FOREVER)).isEqualTo(-1);
        assertThat(room.awaitSome(set, EQ, found, FOREVER)).isZero();
        room.awaitAll(set, EQ, FOREVER);
    }

    @Test
    @DisplayName("the message of a set's deadline says how many words are missing, and has the first")
    void deadlineOfASet() {
        WordSet set = longs(4);
        set.operand(9);
        memory.set(JAVA_LONG, 0, 9);
        memory.set(JAVA_LONG, 16, 9);
        idle(3);
        assertThatThrownBy(() -> room.awaitAll(set, EQ, 3_000_000))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessage(
                        "waitUntil of a set on PE 0, 2 of 4 words missing, first word at offset 1008 EQ 9 (it is 0):"
                                + " not within 3 ms");
        set.operand(10);
        idle(1);
        assertThatThrownBy(() -> room.awaitAny(set, EQ, 1_000_000))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessageContaining("4 of 4 words missing, first word at offset 1000 EQ 10 (it is 9): not within");
        idle(1);
        assertThatThrownBy(() -> room.awaitSome(set, EQ, new int[4], 1_000_000))
                .isInstanceOf(WaitTimeoutException.class);
    }

    @Test
    @DisplayName("the status page has the wait while it lasts")
    @SuppressWarnings("EnumOrdinal") // what the page holds
    void publishes() {
        WordSet set = longs(2);
        set.operand(3);
        memory.set(JAVA_LONG, 0, 3);
        idle(1);
        scheduler.then(() -> {
            assertThat(OperationKind.of(page.get(StatusField.WAIT_KIND))).isEqualTo(OperationKind.WORDS);
            assertThat(page.get(StatusField.WAIT_OFFSET)).isEqualTo(1008);
            assertThat(page.get(StatusField.WAIT_OPERAND)).isEqualTo(3);
            assertThat(page.get(StatusField.WAIT_COMPARISON))
                    .as("GE, by ordinal")
                    .isEqualTo(3);
            memory.set(JAVA_LONG, 8, 3);
        });
        room.awaitAll(set, Comparison.GE, FOREVER);
        idle(1);
        scheduler.then(() -> {
            assertThat(OperationKind.of(page.get(StatusField.WAIT_KIND))).isEqualTo(OperationKind.LOCK);
            assertThat(page.get(StatusField.WAIT_PE)).isEqualTo(2);
            assertThat(page.get(StatusField.WAIT_OFFSET)).isEqualTo(-1);
            memory.set(JAVA_INT, 32, 6);
        });
        assertThat(room.awaitBits(address + 32, 4, OperationKind.LOCK, 2, FOREVER, () -> null))
                .isEqualTo(6);
    }

    @Test
    @DisplayName("a second wait at the same time leaves the status page to the first")
    void oneWaitOnThePage() {
        idle(1);
        scheduler.then(() -> {
            idle(1);
            scheduler.then(() -> memory.set(JAVA_LONG, 8, 1));
            // What a second thread would do; a wait within a wait has no thread of its own, but a place.
            room.awaitWord(() -> false, WordType.LONG, address + 8, EQ, 1, 88, FOREVER);
            assertThat(page.get(StatusField.WAIT_OFFSET)).isEqualTo(80);
            assertThat(OperationKind.of(page.get(StatusField.WAIT_KIND))).isEqualTo(OperationKind.WORD);
            memory.set(JAVA_LONG, 0, 1);
        });
        room.awaitWord(() -> false, WordType.LONG, address, EQ, 1, 80, FOREVER);
    }

    @Test
    @DisplayName("a failure interrupts a wait of unknown origin once; the next wait goes on")
    void interruptsOnce() {
        scheduler.then(() -> job.end(2, 137));
        assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.LONG, address, EQ, 1, 0, FOREVER))
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(2))
                .hasMessage("waitUntil on PE 0, word at offset 0 EQ 1 (it is 0): PE 2 failed (exit code 137)");
        WordSet set = longs(2);
        set.operand(4);
        scheduler.then(() -> memory.set(JAVA_LONG, 8, 4));
        assertThat(room.awaitAny(set, EQ, FOREVER)).isEqualTo(1);
        scheduler.then(() -> job.end(1, 3));
        assertThatThrownBy(() -> room.awaitAll(set, EQ, FOREVER))
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(1, 2))
                .hasMessageContaining("1 of 2 words missing, first word at offset 1000 EQ 4 (it is 0): PE 1 failed");
        assertThatThrownBy(() -> room.awaitAll(set, EQ, FOREVER))
                .as("no other PE is left")
                .hasMessageContaining("all other PEs have ended; PE 1 failed (exit code 3); PE 2 failed");
    }

    @Test
    @DisplayName("a failure before a wait interrupts it, if no other wait has thrown it")
    void interruptsTheFirstAfterwards() {
        job.end(1, 1);
        assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.LONG, address, EQ, 1, 0, FOREVER))
                .isInstanceOf(PeFailedException.class);
        idle(1);
        assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.LONG, address, EQ, 1, 0, 1_000_000))
                .isInstanceOf(WaitTimeoutException.class);
    }

    @Test
    @DisplayName("a failure interrupts every wait that is under way, also waits that begin during an interruption")
    void interruptsAllUnderWay() {
        scheduler.then(() -> {
            scheduler.then(() -> job.end(1, 1));
            assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.LONG, address + 8, EQ, 1, 8, FOREVER))
                    .hasMessageContaining("offset 8")
                    .hasMessageContaining("PE 1 failed");
        });
        assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.LONG, address, EQ, 1, 0, FOREVER))
                .isInstanceOf(PeFailedException.class)
                .hasMessageContaining("offset 0")
                .hasMessageContaining("PE 1 failed");
    }

    @Test
    @DisplayName(
            "a wait for a PE that has failed names the first that failed, with the reason if no exit code is known")
    void firstToFail() {
        jobOfPe.failed(2, "its link broke");
        job.end(1, 137);
        assertThatThrownBy(() -> room.awaitTag(address, 1, OperationKind.BARRIER, WORLD, 5, 1, null))
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(1, 2))
                .hasMessage("barrier #5 on PE 0: PE 1 failed (exit code 137);"
                        + " PE 2 was the first to fail (its link broke)");
    }

    @Test
    @DisplayName("a PE that changes the word and then fails has still changed it")
    void lastWords() {
        scheduler.then(() -> {
            job.end(1, 1);
            scheduler.atNextClock(() -> memory.set(JAVA_LONG, 0, 1));
        });
        idle(1);
        assertThat(room.awaitWord(() -> false, WordType.LONG, address, EQ, 1, 0, FOREVER))
                .isEqualTo(1);
        assertThatThrownBy(() -> room.awaitWord(() -> false, WordType.LONG, address, EQ, 2, 0, FOREVER))
                .as("no wait has thrown the failure yet")
                .isInstanceOf(PeFailedException.class);
        assertThatThrownBy(() -> room.awaitTag(address + 8, 1, OperationKind.BARRIER, WORLD, 5, 1, null))
                .isInstanceOf(PeFailedException.class)
                .hasMessage("barrier #5 on PE 0: PE 1 failed (exit code 1)");
        scheduler.atNextClock(() -> scheduler.atNextClock(() -> memory.set(JAVA_LONG, 8, 1)));
        idle(1);
        assertThat(room.awaitTag(address + 8, 1, OperationKind.BARRIER, WORLD, 5, 1, null))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("an abort ends a wait of any kind")
    void aborts() {
        job.abort(0, 7);
        assertThatThrownBy(() -> room.awaitBits(address, 1, OperationKind.LOCK, 1, FOREVER, () -> null))
                .isInstanceOf(CoterieException.class)
                .hasMessage("lock on PE 0: the job was aborted with exit code 7");
        assertThatThrownBy(() -> room.awaitTag(address, 1, OperationKind.BARRIER, WORLD, 4, 1, null))
                .hasMessage("barrier #4 on PE 0: the job was aborted with exit code 7");
    }

    @Test
    @DisplayName("a wait for bits asks its caller for a failure, in every round once a PE has ended")
    void lostLocks() {
        boolean[] lost = {false};
        PeFailedException loss = new PeFailedException("the holder is gone", List.of(2));
        FailureCheck cause = () -> lost[0] ? loss : null;
        idle(1);
        scheduler.then(() -> job.end(1, 1));
        idle(1);
        scheduler.then(() -> lost[0] = true);
        assertThatThrownBy(() -> room.awaitBits(address, 1, OperationKind.LOCK, 2, FOREVER, cause))
                .isSameAs(loss);
        memory.set(JAVA_INT, 0, 1);
        assertThat(room.awaitBits(address, 1, OperationKind.LOCK, 2, FOREVER, cause))
                .isEqualTo(1);
    }

    @Test
    @DisplayName("a wait for bits that comes to its deadline returns 0")
    void deadlineOfBits() {
        memory.set(JAVA_INT, 0, 2);
        idle(2);
        assertThat(room.awaitBits(address, 1, OperationKind.LOCK, 2, 2_000_000, () -> {
                    throw new AssertionError("no PE has ended");
                }))
                .isZero();
        scheduler.then(() -> memory.set(JAVA_INT, 0, Integer.MIN_VALUE | 2));
        assertThat(room.awaitBits(address, Integer.MIN_VALUE, OperationKind.LOCK, 2, FOREVER, () -> null))
                .isEqualTo(Integer.MIN_VALUE | 2);
    }

    @Test
    @DisplayName("operations that continue in spite of failures get each failure once")
    void failuresBeyond() {
        assertThat(runtime.hasFailures()).isFalse();
        assertThat(runtime.failuresBeyond(0, "quiet")).isNull();
        job.end(2, 137);
        assertThat(runtime.hasFailures()).isTrue();
        assertThat(runtime.hasTerminated(2)).isTrue();
        assertThat(runtime.hasTerminated(1)).isFalse();
        assertThat(runtime.terminationCause(2)).isEqualTo("failed (exit code 137)");
        @Nullable PeFailedException failure = runtime.failuresBeyond(0, "quiet");
        assertThat(failure).hasMessage("quiet on PE 0: PE 2 failed (exit code 137)");
        assertThat(failure.failedPes()).containsExactly(2);
        assertThat(runtime.failuresBeyond(1, "quiet")).isNull();
    }

    @Test
    @DisplayName("a timeout must be positive; one of centuries is for ever")
    void timeouts() {
        assertThat(WaitingRoom.timeoutNanos("waitUntil", 0, Duration.ofMillis(5)))
                .isEqualTo(5_000_000);
        assertThat(WaitingRoom.timeoutNanos("waitUntil", 0, Duration.ofDays(400 * 365)))
                .isEqualTo(FOREVER);
        for (Duration refused : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatThrownBy(() -> WaitingRoom.timeoutNanos("lock", 3, refused))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lock on PE 3: timeout " + refused + " is not positive");
        }
    }

    private WordSet longs(int count) {
        return new WordSet(() -> false, WordType.LONG, address, count, 1000, null);
    }

    private void idle(int rounds) {
        for (int round = 0; round < rounds; round++) {
            scheduler.then(() -> {});
        }
    }
}
