// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.posix.AddressSpace;

/// The arguments of a member's latest call or run, in its sync area, where the other members can read them.
///
/// What members exchange has one word for all arguments, their checksum. A member writes its record before it sends the
/// checksum. A member that gets another checksum than its own reads the sender's record, to tell what the two differ
/// in: the record has the arguments of that call if they come to the same checksum, and else those of a later one.
public final class ArgumentRecord {
    /// Arguments that a record has room for.
    public static final int ARGUMENTS = 6;

    /// Bytes of a record.
    public static final int BYTES = ARGUMENTS * Long.BYTES;

    private final long address;

    /// The checksum of what has been written last, or 0.
    private long written;

    /// @param address of the record in this PE's memory, a multiple of 8
    public ArgumentRecord(long address) {
        this.address = address;
    }

    /// Returns the checksum of arguments up to one, from that of those before it, which is 0 before the first.
    /// Arguments that differ have different checksums, but for one pair in 2^64.
    public static long checksum(long before, long argument) {
        return (before ^ before >>> 32) * 0x8CB92BA72F3D8DD7L + argument;
    }

    /// Returns the checksum of all arguments.
    public static long checksum(long[] arguments) {
        long checksum = 0;
        for (long argument : arguments) {
            checksum = checksum(checksum, argument);
        }
        return checksum;
    }

    /// Returns whether the record has not the arguments of a checksum.
    public boolean differs(long checksum) {
        return checksum != written;
    }

    /// Writes arguments, unless they are there already; in any case the last one, such as the root of a broadcast: it
    /// often is all that is new.
    ///
    /// @param checksum of all but the last, or of all
    /// @param arguments at most [#ARGUMENTS]
    public void write(long checksum, long[] arguments) {
        if (checksum != written) {
            rewrite(checksum, arguments);
        }
        int last = arguments.length - 1;
        AddressSpace.setLongOpaque(address + (long) last * Long.BYTES, arguments[last]);
    }

    /// Apart, as it is rare: else the compiler inlines it, and not what is needed in each call.
    private void rewrite(long checksum, long[] arguments) {
        written = checksum;
        for (int each = 0; each < arguments.length; each++) {
            AddressSpace.setLongOpaque(address + (long) each * Long.BYTES, arguments[each]);
        }
    }
}
