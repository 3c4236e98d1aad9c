// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.JobSegment;
import coterie.spi.Conduit.Region;
import org.junit.jupiter.api.Test;

/// Pages once reserved are kept, and not requested again: memory may have become scarce meanwhile.
class ReserveTest {
    private static final int PES = 2;
    private static final long HEAP = 1 << 20;
    private static final long PAGE = 4096;

    /// A conduit on a machine whose free memory the test sets.
    private static final class Scarce extends MappedConduit {
        private long availableBytes;

        Scarce(JobSegment job) {
            super(job, 0, new HeapAddresses(PES));
            createHeap(HEAP);
        }

        @Override
        MemoryLimit memoryLimit() {
            return new MemoryLimit(availableBytes, "the test has " + availableBytes + " bytes");
        }

        void allows(long pages) {
            availableBytes = pages * PAGE * PES;
        }
    }

    @Test
    void onlyPagesThatAreNotReservedYetAreAskedFor() {
        try (JobSegment job = JobSegment.create(new JobSegment.Parameters("test", PES, HEAP, 2, false));
                Scarce conduit = new Scarce(job)) {
            conduit.allows(2);
            assertThat(conduit.reserve(Region.HEAP, 128, 2 * PAGE))
                    .hasValueSatisfying(why ->
                            assertThat(why).contains("0.0 MiB on each of 2 PEs").contains("the test has 16384 bytes"));
            conduit.allows(3);
            assertThat(conduit.reserve(Region.HEAP, 128, 2 * PAGE)).isEmpty();
            conduit.allows(0);
            assertThat(conduit.reserve(Region.HEAP, 0, 3 * PAGE)).isEmpty();
            assertThat(conduit.reserve(Region.HEAP, PAGE, 1)).isEmpty();
            assertThat(conduit.reserve(Region.HEAP, PAGE, 2 * PAGE + 1)).isPresent();
            conduit.allows(1);
            assertThat(conduit.reserve(Region.HEAP, PAGE, 2 * PAGE + 1)).isEmpty();
        }
    }

    @Test
    void aGapIsNotTakenForReserved() {
        try (JobSegment job = JobSegment.create(new JobSegment.Parameters("test", PES, HEAP, 2, false));
                Scarce conduit = new Scarce(job)) {
            conduit.allows(1);
            assertThat(conduit.reserve(Region.HEAP, 10 * PAGE, PAGE)).isEmpty();
            assertThat(conduit.reserve(Region.HEAP, 0, 1)).isEmpty();
            conduit.allows(0);
            assertThat(conduit.reserve(Region.HEAP, 5 * PAGE, 1)).isPresent();
            assertThat(conduit.reserve(Region.HEAP, 0, PAGE)).isEmpty();
        }
    }

    @Test
    void theLastBytesOfAnOddHeapAreReserved() {
        try (JobSegment job = JobSegment.create(new JobSegment.Parameters("test", PES, HEAP, 2, false));
                Scarce conduit = new Scarce(job)) {
            conduit.allows(HEAP / PAGE);
            assertThat(conduit.reserve(Region.HEAP, HEAP - 128, 128)).isEmpty();
            assertThat(conduit.reserve(Region.HEAP, 0, HEAP)).isEmpty();
            conduit.allows(0);
            assertThat(conduit.reserve(Region.HEAP, HEAP - 128, 128)).isEmpty();
        }
    }
}
