// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.add;
import static coterie.diagnosis.SnapshotPrograms.await;
import static coterie.diagnosis.SnapshotPrograms.local;
import static coterie.diagnosis.SnapshotPrograms.word;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.diagnosis.LaneSnapshot.Agent;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Snapshots as large as the records of a job can make them.
class LargeSnapshotsTest {
    private static final int STREAMS = 60;
    private static final int PENDING = 126;
    private static final long SMALL_STACK_BYTES = 256 << 10;

    private static SnapshotPrograms streams(int streams, int length) {
        SnapshotPrograms programs = new SnapshotPrograms(2);
        for (int stream = 0; stream < streams; stream++) {
            programs.stream(0, Stream.generate(() -> add(1)).limit(length).toArray(PendingOperation[]::new));
        }
        return programs;
    }

    private static <T> T onSmallStack(java.util.concurrent.Callable<T> call)
            throws InterruptedException, ExecutionException {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(null, task, "small stack", SMALL_STACK_BYTES);
        thread.start();
        thread.join();
        return task.get();
    }

    @Test
    @DisplayName("7,560 operations that wait for a program that runs are STALLED, on a small stack too")
    void stalled() throws Exception {
        Snapshot snapshot = streams(STREAMS, PENDING).stream(0, await(word(0), Comparison.GE, 1))
                .lane(1, LaneSnapshot.agent("main", Agent.ACTIVE))
                .snapshot();
        Diagnosis diagnosis = onSmallStack(() -> Diagnosis.of(snapshot));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(Diagnosis.ofFinal(snapshot, 0)).isEmpty();
    }

    @Test
    @DisplayName("7,560 operations that can complete are NONE, and the report says that no other order was tried")
    void complete() throws Exception {
        Snapshot snapshot = streams(STREAMS, PENDING).stream(1, await(1)).snapshot();
        Diagnosis diagnosis = onSmallStack(() -> Diagnosis.of(snapshot));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.NONE);
        assertThat(diagnosis.unknown())
                .containsExactly(
                        "whether another order of the device is a deadlock: more than 2000 operations are pending");
    }

    @Test
    @DisplayName("7,560 operations behind a deadlock are one, with its cycle")
    void deadlock() throws Exception {
        SnapshotPrograms programs = new SnapshotPrograms(2);
        for (int stream = 0; stream < STREAMS; stream++) {
            PendingOperation[] operations =
                    Stream.generate(SnapshotPrograms::local).limit(PENDING).toArray(PendingOperation[]::new);
            operations[0] = await(word(0), Comparison.GE, 1);
            operations[PENDING - 1] = add(0);
            programs.stream(0, operations);
        }
        Diagnosis diagnosis = onSmallStack(() -> Diagnosis.of(programs.snapshot()));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(diagnosis.stuck()).hasSize(STREAMS * PENDING);
        assertThat(diagnosis.cycle()).isNotEmpty();
    }

    @Test
    @DisplayName("the search for an order follows one of 1,500 steps on a small stack")
    void search() throws Exception {
        Model model = new Model(new SnapshotPrograms(1)
                .stream(0, Stream.generate(() -> local()).limit(1_500).toArray(PendingOperation[]::new))
                        .snapshot());
        OrderSearch.Result result = onSmallStack(() -> OrderSearch.serial(model, 20_000));
        assertThat(result.canComplete()).isTrue();
        assertThat(result.deadlock()).isNull();
    }
}
