// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// The cost of a message from one PE to another, in the parameters of LogGP.
///
/// @param latency L: nanoseconds until the first byte arrives
/// @param gap g: nanoseconds between two messages, at either end
/// @param byteNanos G: nanoseconds for each further byte
public record Link(long latency, long gap, double byteNanos) {
    /// Returns how long a message of `bytes` bytes occupies a port at either end.
    long occupies(long bytes) {
        return Math.max(gap, (long) (bytes * byteNanos));
    }
}
