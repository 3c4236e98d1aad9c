// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.add;
import static coterie.diagnosis.SnapshotPrograms.after;
import static coterie.diagnosis.SnapshotPrograms.await;
import static coterie.diagnosis.SnapshotPrograms.barrier;
import static coterie.diagnosis.SnapshotPrograms.local;
import static coterie.diagnosis.SnapshotPrograms.word;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Both checks on programs of which the answer is known, and the number of orders that are deadlocks.
class CheckTableTest {
    private static final PendingOperation W = barrier("W", 0, 1);
    private static final PendingOperation T = barrier("T", 0, 1);
    private static final PendingOperation U = barrier("U", 0, 1);

    static Stream<Arguments> programs() {
        return Stream.of(
                row("circular", 1, 1, new SnapshotPrograms(2).stream(0, W, add(1)).stream(1, await(1), W)),
                row("circular, PE 0 mended", 0, 1, new SnapshotPrograms(2).stream(0, add(1), W).stream(1, await(1), W)),
                row("wait beside notify on both PEs", 1, 4, both((pe, other) ->
                        new PendingOperation[][] {{await(pe)}, {add(other)}})),
                row("notify before wait in one stream", 0, 1, both((pe, other) ->
                        new PendingOperation[][] {{add(other), await(pe)}})),
                row("the wait for the event comes before the record, and is none", 1, 36, both((pe, other) ->
                        new PendingOperation[][] {{local(), await(pe)}, {add(other), local()}})),
                row("the record comes first", 0, 1, both((pe, other) ->
                        new PendingOperation[][] {{add(other)}, {after(0, 1), await(pe)}})),
                row(
                        "the event on one PE alone",
                        0,
                        2,
                        new SnapshotPrograms(2)
                                .stream(0, add(1)).stream(0, after(0, 1), await(0)).stream(1, add(0)).stream(
                                        1, await(1))),
                row(
                        "two teams in two streams, opposite order",
                        2,
                        4,
                        new SnapshotPrograms(2).stream(0, T).stream(0, U).stream(1, U).stream(1, T)),
                row("two teams in two streams, same order", 2, 4, both((pe, other) ->
                        new PendingOperation[][] {{T}, {U}})),
                row(
                        "two teams in one stream, opposite order",
                        1,
                        1,
                        new SnapshotPrograms(2).stream(0, T, U).stream(1, U, T)),
                row("a host barrier beside a stream's", 2, 4, both((pe, other) -> new PendingOperation[][] {{T}, {W}})),
                row(
                        "a notification of itself in another stream",
                        1,
                        2,
                        new SnapshotPrograms(1).stream(0, await(0)).stream(0, add(0))),
                row("a ring that waits before it puts", 1, 1, ring(4, -1)),
                row("a ring in which one PE puts first", 0, 1, ring(4, 0)),
                row(
                        "two producers, of which one is in a cycle",
                        0,
                        1,
                        new SnapshotPrograms(3)
                                .stream(0, await(0), add(1)).stream(1, add(word(0), 1)).stream(
                                        2, await(1), add(word(0), 1))),
                // The internal stream of PE 0 has the put of stream 0, which waits, before that of stream 1.
                row(
                        "puts of two streams through one internal stream",
                        4,
                        4,
                        new SnapshotPrograms(2)
                                .stream(0, await(0)).stream(0, local()).stream(
                                        0, after(0, 1), local(), after(1, 1), add(1))
                                        .stream(1, await(1), add(0))));
    }

    private interface Streams {
        PendingOperation[][] of(int pe, int other);
    }

    private static SnapshotPrograms both(Streams streams) {
        SnapshotPrograms programs = new SnapshotPrograms(2);
        for (int pe = 0; pe < 2; pe++) {
            for (PendingOperation[] stream : streams.of(pe, 1 - pe)) {
                programs.stream(pe, stream);
            }
        }
        return programs;
    }

    private static SnapshotPrograms ring(int pes, int first) {
        SnapshotPrograms programs = new SnapshotPrograms(pes);
        for (int pe = 0; pe < pes; pe++) {
            int next = (pe + 1) % pes;
            if (pe == first) {
                programs.stream(pe, add(next), await(pe));
            } else {
                programs.stream(pe, await(pe), add(next));
            }
        }
        return programs;
    }

    private static Arguments row(String name, int bad, int total, SnapshotPrograms programs) {
        return Arguments.of(name, bad, total, programs.snapshot());
    }

    @ParameterizedTest(name = "{0}: {1} of {2} orders")
    @MethodSource("programs")
    @DisplayName("a deadlock of all orders is certain, one of some is a hazard, and none is clean")
    void checks(String name, int bad, int total, Snapshot snapshot) {
        Model model = new Model(snapshot);
        boolean isCertain =
                !CertainCheck.residue(model, CertainCheck.Helpers.ALL).isEmpty();
        List<Model.Node> unsafe = HazardCheck.unsafe(model);
        OrderSearch.Result search = OrderSearch.serial(model, 100_000);
        SerialOrders.Count count = SerialOrders.count(model);
        assertThat(count).isEqualTo(new SerialOrders.Count(bad, total));
        assertThat(isCertain).isEqualTo(bad == total);
        assertThat(unsafe.isEmpty()).isEqualTo(bad == 0);
        assertThat(search.deadlock() == null).isEqualTo(bad == 0);
        assertThat(search.canComplete()).isEqualTo(bad < total);
        Verdict expected = bad == 0 ? Verdict.NONE : bad == total ? Verdict.DEADLOCK : Verdict.HAZARD;
        assertThat(Diagnosis.of(snapshot).verdict()).isEqualTo(expected);
    }
}
