// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

/// Why an operation of a kernel has failed: what the functions of `coterie.cuh` return.
public enum DeviceError {
    /// the PE is outside the team; answers to `COTERIE_BAD_PE`
    BAD_PE(1),
    /// the team has no such block of memory; answers to `COTERIE_BAD_MEMORY`
    BAD_MEMORY(2),
    /// the range leaves the block; answers to `COTERIE_BAD_RANGE`
    BAD_RANGE(3),
    /// the offset is no multiple of the element's size; answers to `COTERIE_MISALIGNED`
    MISALIGNED(4),
    /// device memory of a PE that the caller's device does not map; answers to `COTERIE_UNREACHABLE`
    UNREACHABLE(5),
    /// the timeout of a wait has passed; answers to `COTERIE_TIMEOUT`
    TIMEOUT(6),
    /// the host has ended the waits of the kernels, by [DeviceTeam#abort] or since an operation of the ring has
    /// failed; answers to `COTERIE_ABORTED`
    ABORTED(7),
    /// an index of a barrier, a context, a signal, a counter or a slot that there is not; answers to
    /// `COTERIE_BAD_INDEX`
    BAD_INDEX(9),
    /// an operation on a signal that is neither a set nor an add; answers to `COTERIE_BAD_OPERATION`
    BAD_OPERATION(10),
    /// a comparison of a wait that is none of [coterie.Comparison]; answers to `COTERIE_BAD_COMPARISON`
    BAD_COMPARISON(11),
    /// a number of low bits that a signal or a counter does not have; answers to `COTERIE_BAD_BITS`
    BAD_BITS(12),
    /// null for the address of bytes or of a result; answers to `COTERIE_BAD_POINTER`
    BAD_POINTER(13),
    /// a stride of 0; answers to `COTERIE_BAD_STRIDE`
    BAD_STRIDE(14),
    /// a reduction without sources or without targets; answers to `COTERIE_BAD_COUNT`
    BAD_COUNT(15);

    private final int code;

    DeviceError(int code) {
        this.code = code;
    }

    /// Returns the number that kernels have for the error.
    public int code() {
        return code;
    }

    /// Returns the error with a number.
    ///
    /// @throws IllegalArgumentException if there is none
    public static DeviceError of(long code) {
        for (DeviceError each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        throw new IllegalArgumentException("DeviceError: no error has number " + code);
    }
}
