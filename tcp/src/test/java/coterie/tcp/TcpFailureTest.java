// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static coterie.tcp.TcpPair.await;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
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
class TcpFailureTest {
    private final TcpPair pair = new TcpPair();
    private final MemorySegment old = Arena.ofAuto().allocate(JAVA_LONG);

    @AfterEach
    void close() {
        pair.close();
    }

    private void isReported(String... phrases) {
        PeJob ofZero = pair.job.pe(0);
        await(() -> ofZero.state(1) == PeState.FAILED);
        assertThat(ofZero.failureReason(1).orElseThrow())
                .startsWith("its TCP connection failed: ")
                .contains(phrases);
        assertThat(pair.job.pe(1).state(0))
                .as("PE 0, which has done nothing wrong")
                .isEqualTo(PeState.RUNNING);
    }

    @Test
    @DisplayName("a peer that has been reported as failed is fenced: nothing that it sends later is applied")
    void fenced() {
        pair.putToZero(7);
        pair.job.end(1, "a test says so");
        long remote = pair.zero.remoteBase(Region.SYNC, 1);
        await(() -> pair.fromZero.atomic(AtomicOperation.FETCH, 0, 8, 1, remote, old, 0) == TcpTickets.NEVER);
        assertThat(pair.fromZero.isDone(TcpTickets.NEVER)).isFalse();
        assertThat(pair.fromZero.quiet(1))
                .as("a quiet towards it has nothing to complete")
                .isZero();
        pair.fromOne.putWord(8, 8, 0, pair.one.remoteBase(Region.SYNC, 0));
        await(pair.fromOne, pair.fromOne.quiet(0)); // PE 0 has closed the connection
        assertThat(pair.wordOfZero()).isEqualTo(7);
    }

    @Test
    @DisplayName("a peer that counts as failed reports none of those that have closed their connections to it")
    void fencedReportsNone() {
        pair.putToZero(7);
        pair.job.end(1, "a test says so");
        await(() -> isLost(pair.zero, 1) && isLost(pair.one, 0));
        assertThat(pair.job.pe(1).state(0)).isEqualTo(PeState.RUNNING);
    }

    /// Returns whether a PE has lost a peer, and has nothing to report any more.
    private static boolean isLost(TcpConduit conduit, int pe) {
        conduit.progress();
        conduit.engine.lock.lock();
        try {
            TcpPeer peer = conduit.engine.known(pe);
            return peer != null && peer.state == TcpPeer.State.LOST && conduit.engine.unreported.isEmpty();
        } finally {
            conduit.engine.lock.unlock();
        }
    }

    @Test
    @DisplayName("a word outside of a PE's memory is not applied; its source is reported as failed")
    void outside() {
        pair.putToZero(7);
        pair.fromOne.putWord(8, 8, 0, pair.one.remoteBase(Region.SYNC, 0) + TcpPair.SYNC_BYTES);
        pair.fromOne.quiet(0);
        isReported("8 bytes at offset " + TcpPair.SYNC_BYTES, "SYNC");
    }

    @Test
    @DisplayName("bytes that run over the end of the heap are not applied, none of them; their source is reported")
    void overTheEnd() {
        long length = 100_000;
        MemorySegment source = Arena.ofAuto().allocate(length).fill((byte) 1);
        pair.fromOne.put(source, 0, length, 0, pair.one.remoteBase(Region.HEAP, 0) + TcpPair.HEAP_BYTES - length + 1);
        pair.fromOne.quiet(0);
        isReported("100000 bytes at offset", "HEAP");
        MemorySegment heap = ProcessMemory.ALL.asSlice(pair.zero.localBase(Region.HEAP), TcpPair.HEAP_BYTES);
        assertThat(heap.mismatch(Arena.ofAuto().allocate(TcpPair.HEAP_BYTES)))
                .as("the heap is as it was")
                .isEqualTo(-1);
    }

    @Test
    @DisplayName("a word that is not aligned, and a word of a width that there is not, are refused")
    void badWords() {
        pair.fromOne.update(AtomicOperation.ADD, 1, 4, 0, pair.one.remoteBase(Region.SYNC, 0) + 2);
        isReported("a word of 4 bytes at offset 2");
    }

    @Test
    @DisplayName("an answer for which nothing has asked is refused")
    void unaskedAnswer() {
        pair.putToZero(7);
        pair.one.engine.lock.lock();
        try {
            TcpPeer zero = pair.one.engine.peer(0);
            zero.send.add(TcpMessage.Kind.WORD, 0, 0, 0, 1);
            pair.one.engine.flush(zero);
        } finally {
            pair.one.engine.lock.unlock();
        }
        isReported("an answer to a FETCH, where nothing is awaited");
    }

    @Test
    @DisplayName("a fetch from a lost peer never completes, a put and a quiet do")
    void lost() {
        long remote = pair.zero.remoteBase(Region.HEAP, 1);
        MemorySegment many = Arena.ofAuto().allocate(32 << 20);
        pair.one.engine.lock.lock(); // PE 1 does nothing for its peers
        try {
            long fetch = pair.fromZero.atomic(AtomicOperation.FETCH, 0, 8, 1, remote, old, 0);
            long put = pair.fromZero.put(many, 0, many.byteSize(), 1, remote);
            long quiet = pair.fromZero.quiet(1);
            assertThat(pair.fromZero.isDone(fetch)).isFalse();
            pair.job.end(1, "a test says so");
            await(pair.fromZero, put);
            await(pair.fromZero, quiet);
            assertThat(pair.fromZero.isDone(fetch)).isFalse();
        } finally {
            pair.one.engine.lock.unlock();
        }
    }

    @Test
    @DisplayName("a peer that closes in good order is not reported, and operations towards it end")
    void closedPeer() {
        pair.putToZero(7);
        pair.one.close();
        pair.hasClosedOne = true;
        pair.fromZero.putWord(1, 8, 1, pair.zero.remoteBase(Region.SYNC, 1));
        await(pair.fromZero, pair.fromZero.quiet(1));
        assertThat(pair.job.pe(0).state(1)).isEqualTo(PeState.RUNNING);
    }
}
