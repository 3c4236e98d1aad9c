// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.SignalUpdate;
import coterie.Team;
import coterie.cuda.driver.DriverFunction;
import java.util.Arrays;
import java.util.Objects;

/// The addresses of the members' parts of a block of device memory.
final class MappedParts {
    private final long[] pointers;
    private final String[] reasons;
    private final boolean[] isOpened;
    private final int me;

    MappedParts(int size, int me) {
        this.pointers = new long[size];
        this.reasons = new String[size];
        this.isOpened = new boolean[size];
        this.me = me;
        Arrays.fill(reasons, "");
    }

    int size() {
        return pointers.length;
    }

    long pointer(int member) {
        return pointers[member];
    }

    String reason(int member) {
        return reasons[member];
    }

    /// Returns how many members' parts this PE reaches.
    int mapped() {
        int count = 0;
        for (long pointer : pointers) {
            count += pointer == 0 ? 0 : 1;
        }
        return count;
    }

    void map(int member, long pointer) {
        pointers[member] = pointer;
    }

    void mapOpened(int member, long pointer) {
        pointers[member] = pointer;
        isOpened[member] = true;
    }

    void refuse(int member, String reason) {
        reasons[member] = reason;
    }

    /// Closes the handles of other processes.
    ///
    /// @return the driver's first error, or success
    int closeHandles(DeviceContext context) {
        int first = DeviceContext.SUCCESS;
        for (int member = 0; member < pointers.length; member++) {
            if (isOpened[member]) {
                isOpened[member] = false;
                int result = context.driver.call(DriverFunction.IPC_CLOSE_MEM_HANDLE, pointers[member]);
                first = first == DeviceContext.SUCCESS ? result : first;
            }
        }
        return first;
    }

    /// Frees this PE's own part, if it has one.
    void free(DeviceContext context) {
        long mine = pointers[me];
        pointers[me] = 0;
        if (mine != 0 && context.canRelease()) {
            context.check("close of device memory", context.free(mine));
        }
    }

    /// Returns the address of a range of a member's part.
    ///
    /// @throws IllegalArgumentException if the part is not mapped
    static long address(
            DeviceContext context, String operation, DeviceAddresses memory, long offset, long bytes, int pe) {
        context.own(memory, operation);
        if (pe < 0 || pe >= memory.team().size()) {
            throw new IndexOutOfBoundsException(context.prefix(operation) + "PE " + pe + " is outside [0, "
                    + memory.team().size() + ") of team \"" + memory.team().name() + "\"");
        }
        if (offset < 0 || bytes < 0 || offset > memory.byteSize() - bytes) {
            throw new IndexOutOfBoundsException(context.prefix(operation) + bytes + " bytes at offset " + offset
                    + " leave the " + memory.byteSize() + " bytes of the memory");
        }
        long pointer = memory.devicePointer(pe);
        if (pointer == 0) {
            throw new IllegalArgumentException(context.prefix(operation) + "the part of PE " + pe + " of team \""
                    + memory.team().name() + "\" is not mapped, as " + Objects.requireNonNull(memory.unmappedReason(pe))
                    + "; put to symmetric memory of the host, and let the PE copy from there");
        }
        return pointer + offset;
    }

    /// Returns the number that a member has in the team of a signal's context.
    static int translate(DeviceContext context, String operation, Team team, int pe, SignalUpdate update) {
        Team numbers = update.signal().context().team();
        int target = team.translate(pe, numbers);
        if (target < 0) {
            throw new IllegalArgumentException(context.prefix(operation) + "PE " + pe + " of team \"" + team.name()
                    + "\" is not in team \"" + numbers.name() + "\", whose numbers the signal's context has");
        }
        return target;
    }
}
