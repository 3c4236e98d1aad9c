// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// What it costs to get from one PE to another, in the terms of LogGP.
///
/// @param latency L: nanoseconds that the first byte is under way
/// @param gap g: nanoseconds between two messages, at either end
/// @param byteNanos G: nanoseconds for each further byte
public record Link(long latency, long gap, double byteNanos) {
    /// How long a message of so many bytes keeps either end busy.
    long occupies(long bytes) {
        return Math.max(gap, (long) (bytes * byteNanos));
    }
}
