// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.cuda.driver.Words;

/// Symmetric memory of the host through which device memory goes to collectives of the host. This PE's own part
/// is registered with the driver, so that copies run beside the host: its pages are its own, so that PEs of one
/// process can register theirs.
final class StagingMemory {
    /// Bytes of a piece of a long vector: the copies of one take some 20 times as long as the round trip between
    /// device and host that each piece costs.
    static final long BYTES = 4L << 20;

    private final DeviceContext context;
    private final SymmetricMemory memory;
    private final long address;
    private boolean isRegistered;

    /// **Collective** over the team, agreeing.
    ///
    /// @param bytes of each part, at least
    StagingMemory(DeviceContext context, Team team, long bytes) {
        this.context = context;
        int page = Words.pageBytes();
        long least = (long) team.size() * Long.BYTES; // an element for each member
        this.memory = team.allocate((Math.max(bytes, least) + page - 1) / page * page, page);
        this.address = memory.segment().address();
    }

    /// Registers this PE's own part. Not collective.
    void register() {
        context.check("collectives", context.driver.registrations().register(address, address + memory.byteSize()));
        isRegistered = true;
    }

    long byteSize() {
        return memory.byteSize();
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
        return switch (elements) {
            case BYTE -> memory.bytes();
            case UNSIGNED_BYTE -> memory.bytes().unsigned();
            case SHORT -> memory.shorts();
            case UNSIGNED_SHORT -> memory.shorts().unsigned();
            case INT -> memory.ints();
            case UNSIGNED_INT -> memory.ints().unsigned();
            case LONG -> memory.longs();
            case UNSIGNED_LONG -> memory.longs().unsigned();
            case FLOAT -> memory.floats();
            case DOUBLE -> memory.doubles();
        };
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
