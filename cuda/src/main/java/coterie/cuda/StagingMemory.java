// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.cuda.driver.Words;
import java.lang.foreign.MemorySegment;

/// Symmetric memory of the host through which device memory goes to collectives of the host. This PE's own part
/// is registered with the driver, so that copies run beside the host: its pages are its own, so that PEs of one
/// process can register theirs.
///
/// ```
///  byte 0                    collective bytes
///       │ of collectives      │ of exchanges between pairs of members, see [ExchangeMemory]
/// ```
final class StagingMemory {
    /// Bytes of a piece of a long vector: the copies of one take some 20 times as long as the round trip between
    /// device and host that each piece costs.
    static final long BYTES = 4L << 20;

    private final DeviceContext context;
    private final SymmetricMemory memory;
    private final long address;
    private final long collectiveBytes;
    private boolean isRegistered;

    /// **Collective** over the team, agreeing.
    ///
    /// @param bytes of collectives in each part, at least; exchanges have half as many, at least
    StagingMemory(DeviceContext context, Team team, long bytes) {
        this.context = context;
        long least = (long) team.size() * Long.BYTES; // an element for each member
        this.collectiveBytes = pages(Math.max(bytes, least));
        long exchangeBytes = pages(Math.max(bytes / 2, ExchangeMemory.leastBytes(team.size())));
        this.memory = team.allocate(collectiveBytes + exchangeBytes, Words.pageBytes());
        this.address = memory.segment().address();
    }

    private static long pages(long bytes) {
        int page = Words.pageBytes();
        return (bytes + page - 1) / page * page;
    }

    /// Registers this PE's own part. Not collective.
    void register() {
        context.check("collectives", context.driver.registrations().register(address, address + memory.byteSize()));
        isRegistered = true;
    }

    /// Returns the bytes of collectives.
    long byteSize() {
        return collectiveBytes;
    }

    /// Returns the bytes of exchanges, which are after those of collectives.
    long exchangeBytes() {
        return memory.byteSize() - collectiveBytes;
    }

    /// Returns all bytes of this PE's own part.
    MemorySegment segment() {
        return memory.segment();
    }

    /// Returns a word as a signal.
    SignalWord signal(long index) {
        return memory.signal(index);
    }

    /// Returns the address of this PE's own part, for the host and for copies of the driver.
    long address() {
        return address;
    }

    /// Returns the memory as words.
    IntegerView words() {
        return memory.longs();
    }

    /// Returns the memory as elements of a type.
    ElementView view(ElementType elements) {
        return memory.elements(elements);
    }

    /// Ends the registration. Not collective.
    void unregister() {
        if (isRegistered && context.canRelease()) {
            isRegistered = false;
            context.check("close of collectives", context.driver.registrations().unregister(address));
        }
    }

    /// Ends its use here, and waits for no other PE.
    void close() {
        memory.close();
    }
}
