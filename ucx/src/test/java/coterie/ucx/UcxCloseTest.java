// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.TwoPes.await;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A close of PE 0 while its operations towards PE 1 are under way.
@Timeout(60)
class UcxCloseTest {
    private static final int PUTS = 1000;
    private static final int BYTES = 4096;

    private final TwoPes pes = new TwoPes();
    private final long remote = pes.zero.remoteBase(Region.SYNC, 1);
    private final MemorySegment source = Arena.ofAuto().allocate(BYTES);
    private final MemorySegment result = Arena.ofAuto().allocate(Long.BYTES);

    private void connect() {
        pes.fromZero.putWord(7, 8, 1, remote);
        long quiet = pes.fromZero.quiet(1);
        await(() -> pes.fromZero.isDone(quiet));
    }

    private void putsAndFetch() {
        for (int i = 0; i < PUTS; i++) {
            pes.fromZero.put(source, 0, BYTES, 1, remote);
        }
        pes.fromZero.atomic(AtomicOperation.FETCH, 0, 8, 1, remote, result, 0);
    }

    @Test
    @DisplayName("towards a PE that has left: the puts and the fetch end, and so does the close")
    void left() {
        connect();
        pes.one.close();
        putsAndFetch();
        pes.zero.close();
        assertThat(pes.job.pe(0).failureReason(1)).as("it left in good order").isEmpty();
    }

    @Test
    @DisplayName("towards a PE that stands still and counts as failed: the close ends, and the PE can close later")
    void stopped() {
        connect();
        pes.one.worker.lock.lock(); // PE 1 does nothing for its peers
        try {
            putsAndFetch();
            pes.job.end(1, "it stands still");
            pes.zero.close();
        } finally {
            pes.one.worker.lock.unlock();
        }
        pes.one.close();
    }

    @Test
    @DisplayName("with answers on the way from a PE that lives: the close takes them, and both close")
    void living() {
        connect();
        putsAndFetch();
        pes.close();
        assertThat(pes.job.pe(0).failureReason(1)).isEmpty();
    }
}
