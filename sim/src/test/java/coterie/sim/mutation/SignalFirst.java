// SPDX-License-Identifier: Apache-2.0
package coterie.sim.mutation;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;

/// A put with signal as two unordered operations.
public final class SignalFirst {
    private SignalFirst() {}

    /// Replaces [Channel#putSignal].
    public static long putSignal(
            Channel channel,
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        AtomicOperation operation = update == SignalOperation.SET ? AtomicOperation.SWAP : AtomicOperation.ADD;
        channel.update(operation, value, Long.BYTES, peer, signal);
        return channel.put(source, sourceOffset, length, peer, remote);
    }
}
