// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.Arrays;

/// What all processors of a machine have done since it started, in ticks, as `/proc/stat` has it.
///
/// @param busy     for any process or for the kernel
/// @param waiting  idle, while a process waited for a disk
/// @param stolen   not at all, as the hypervisor ran another machine
/// @param all      the sum of these and of idle time
/// @param processors their number
record MachineTicks(long busy, long waiting, long stolen, long all, int processors) {

    /// A tick of `/proc` is 10 ms on each architecture that Linux has a JDK for.
    static final double PER_SECOND = 100;

    /// Parses the first line of `/proc/stat`: cpu, user, nice, system, idle, iowait, irq, softirq, steal; guests, which
    /// follow, are part of user.
    static MachineTicks parse(String line, int processors) {
        long[] ticks = Arrays.stream(line.strip().split("\\s+", -1))
                .skip(1)
                .limit(8)
                .mapToLong(Long::parseLong)
                .toArray();
        long busy = ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6];
        return new MachineTicks(busy, ticks[4], ticks[7], Arrays.stream(ticks).sum(), processors);
    }
}
