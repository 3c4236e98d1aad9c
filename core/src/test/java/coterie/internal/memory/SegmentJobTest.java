// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.internal.posix.AddressSpace;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SegmentJobTest {
    private final JobSegment segment = JobSegment.create(new JobSegment.Parameters("a job", 3, 4096, 2, true));
    private final List<SegmentJob> pes = IntStream.range(0, 3)
            .mapToObj(pe -> new SegmentJob(segment, pe, "PE " + pe))
            .toList();

    @AfterEach
    void close() {
        segment.close();
    }

    private void fence() {
        long[] tickets = pes.stream().mapToLong(SegmentJob::fence).toArray();
        for (int pe = 0; pe < 3; pe++) {
            assertThat(pes.get(pe).isFenced(tickets[pe])).isTrue();
        }
    }

    @Test
    @DisplayName("PEs of a job share a key for each purpose, which another job does not have")
    void sharedKeys() {
        byte[] key = pes.get(0).sharedKey("one").orElseThrow();
        assertThat(key).hasSize(32);
        assertThat(pes.get(2).sharedKey("one")).hasValue(key);
        assertThat(pes.get(0).sharedKey("two").orElseThrow()).isNotEqualTo(key);
        try (JobSegment other = JobSegment.create(new JobSegment.Parameters("a job", 3, 4096, 2, true))) {
            assertThat(new SegmentJob(other, 0, "PE 0").sharedKey("one").orElseThrow())
                    .isNotEqualTo(key);
        }
    }

    @Test
    @DisplayName("a PE gets a peer's value after a fence of all, and a later value of the key after the next fence")
    void valuesTravelByFences() {
        for (int pe = 0; pe < 3; pe++) {
            pes.get(pe).put("address", new byte[] {(byte) pe, 7});
            pes.get(pe).put("empty", new byte[0]);
        }
        assertThat(pes.get(1).get(2, "address")).isEmpty();
        long early = pes.get(0).fence();
        assertThat(pes.get(0).isFenced(early)).as("two have not begun").isFalse();
        long[] late = {early, pes.get(1).fence(), pes.get(2).fence()};
        for (int pe = 0; pe < 3; pe++) {
            assertThat(pes.get(pe).isFenced(late[pe])).isTrue();
        }
        pes.get(2).put("address", new byte[300]);
        for (SegmentJob pe : pes) {
            assertThat(pe.get(2, "address")).get().isEqualTo(new byte[] {2, 7});
            assertThat(pe.get(1, "empty")).get().isEqualTo(new byte[0]);
            assertThat(pe.get(1, "none")).isEmpty();
        }
        long ahead = pes.get(2).fence();
        assertThat(pes.get(0).get(2, "address"))
                .as("PE 2 has begun the next fence, PE 0 has not")
                .get()
                .isEqualTo(new byte[] {2, 7});
        pes.get(0).fence();
        pes.get(1).fence();
        assertThat(pes.get(2).isFenced(ahead)).isTrue();
        assertThat(pes.get(2).get(2, "address")).get().isEqualTo(new byte[300]);
        assertThat(pes.get(2).get(0, "address")).get().isEqualTo(new byte[] {0, 7});
    }

    @Test
    @DisplayName("a put that exceeds the room for values throws, names both sizes, and leaves the values as they were")
    void valuesAreLimited() {
        PeJob job = pes.getFirst();
        assertThat(job.valueBytes()).isGreaterThanOrEqualTo(16384);
        job.put("key", new byte[] {1});
        assertThatThrownBy(() -> job.put("key", new byte[(int) job.valueBytes()]))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll("put", "\"key\"", "PE 0", String.valueOf(job.valueBytes()));
        assertThatThrownBy(() -> job.put("", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("put", "PE 0", "[1, 255]");
        job.put("other", new byte[(int) job.valueBytes() - 8 - 3 - 1 - 8 - 5]);
        fence();
        assertThat(pes.get(1).get(0, "key")).get().isEqualTo(new byte[] {1});
        assertThat(pes.get(1).get(0, "other").orElseThrow()).hasSize((int) job.valueBytes() - 25);
    }

    @Test
    @DisplayName("a reported failure moves the epoch once; the exit code that the launcher learns later is kept")
    void failuresAreReported() {
        PeJob job = pes.getFirst();
        pes.get(2).state(PeState.RUNNING);
        job.failed(2, "its connection was closed");
        job.failed(2, "another reason");
        assertThat(AddressSpace.getLongAcquire(job.epochAddress())).isEqualTo(1);
        assertThat(pes.get(1).state(2)).isEqualTo(PeState.FAILED);
        assertThat(pes.get(1).exitCode(2)).isEqualTo(PeJob.UNKNOWN_EXIT_CODE);
        assertThat(job.failureReason(2)).contains("its connection was closed");
        assertThat(pes.get(1).failureReason(2)).isEmpty();
        pes.get(2).state(PeState.CLOSED);
        assertThat(job.state(2)).as("it lives, and can't become well").isEqualTo(PeState.FAILED);

        segment.end(2, 137);
        segment.end(2, 0);
        assertThat(job.exitCode(2)).isEqualTo(137);
        assertThat(job.failureReason(2)).isEmpty();
        assertThat(AddressSpace.getLongAcquire(job.epochAddress())).isEqualTo(1);
    }
}
