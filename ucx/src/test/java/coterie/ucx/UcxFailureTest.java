// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.TwoPes.await;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.conformance.ObjectJob;
import coterie.spi.Channel;
import coterie.spi.Conduit.Region;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a conduit does when it loses a peer, with two PEs that are objects of this JVM.
@Timeout(60)
class UcxFailureTest {
    private final TwoPes pes = new TwoPes();
    private final ObjectJob job = pes.job;
    private final Channel fromZero = pes.fromZero;
    private final Channel fromOne = pes.fromOne;

    @AfterEach
    void close() {
        pes.close();
    }

    private void putWord() {
        fromOne.putWord(7, 8, 0, pes.one.remoteBase(Region.SYNC, 0));
        long quiet = fromOne.quiet(0);
        await(() -> fromOne.isDone(quiet));
        assertThat(pes.wordOfZero()).isEqualTo(7);
    }

    @Test
    @DisplayName("words of a living peer arrive, and a quiet says so")
    void living() {
        putWord();
    }

    @Test
    @DisplayName("a peer that has been reported as failed is fenced: the others drop its later messages")
    void halfOpen() {
        putWord();
        job.end(1, "a test says so");
        MemorySegment old = Arena.ofAuto().allocate(JAVA_LONG);
        long remote = pes.zero.remoteBase(Region.SYNC, 1);
        await(() -> fromZero.atomic(AtomicOperation.FETCH, 0, 8, 1, remote, old, 0) == OperationPool.NEVER);
        assertThat(fromZero.isDone(OperationPool.NEVER)).isFalse();
        assertThat(fromZero.quiet(1))
                .as("a quiet towards it has nothing to complete")
                .isZero();
        fromOne.putWord(8, 8, 0, pes.one.remoteBase(Region.SYNC, 0));
        long quiet = fromOne.quiet(0);
        // The message arrives and is dropped, or the closed endpoint of PE 0 has ended that of PE 1 before.
        await(() -> pes.droppedByZero() > 0 || fromOne.isDone(quiet));
        assertThat(pes.wordOfZero()).isEqualTo(7);
    }

    @Test
    @DisplayName("a message outside of a PE's memory is not applied; its source is reported as failed after a second")
    void outside() {
        long begin = System.nanoTime();
        fromOne.putWord(7, 8, 0, pes.one.remoteBase(Region.SYNC, 0) + TwoPes.SYNC_BYTES);
        PeJob ofZero = job.pe(0);
        await(() -> ofZero.state(1) == PeState.FAILED);
        assertThat(System.nanoTime() - begin).isGreaterThan(1_000_000_000L);
        assertThat(ofZero.failureReason(1).orElseThrow())
                .contains("its UCX endpoint failed", "can't be applied", "in neither region");
    }

    @Test
    @DisplayName("a peer that closes in good order is not reported, and operations towards it end")
    void closedPeer() {
        putWord();
        pes.one.close();
        fromZero.putWord(1, 8, 1, pes.zero.remoteBase(Region.SYNC, 1));
        long quiet = fromZero.quiet(1);
        await(() -> fromZero.isDone(quiet));
        assertThat(job.pe(0).state(1)).isEqualTo(PeState.RUNNING);
        pes.hasClosedOne = true;
    }
}
