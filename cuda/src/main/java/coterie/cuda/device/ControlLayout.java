// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.cuda.DeviceTeamOptions;

/// The parts of a team's control block: symmetric host memory, registered with the devices.
///
/// ```
///  barriers │ signals ║ published │ error │ abort word │ completions │ slots │ staging
///  ◄─ kernels: block 0 ─►◄───────────── between one device and its host ───────────►
/// ```
///
/// Each part begins at a multiple of 64 bytes.
record ControlLayout(DeviceTeamOptions options) {
    /// Pieces in which bytes of device memory travel through the ring.
    static final long STAGING_BYTES = 256 << 10;

    private static final long LINE = 64;

    static final long BARRIERS = 0;

    long signals() {
        return lines(BARRIERS + (long) options.barriers() * DeviceLayouts.BARRIER_WORDS * Long.BYTES);
    }

    /// Returns the end of what other members' kernels write: block 0.
    long symmetricBytes() {
        return lines(signals() + (long) options.contexts() * options.signals() * Long.BYTES);
    }

    long published() {
        return symmetricBytes();
    }

    long error() {
        return lines(published() + DeviceLayouts.PUBLISHED.byteSize());
    }

    long abortWord() {
        return lines(error() + DeviceLayouts.ERROR.byteSize());
    }

    long completions() {
        return lines(abortWord() + Long.BYTES);
    }

    long completionBytes() {
        return (long) options.contexts() * options.counters() * Long.BYTES;
    }

    long slots() {
        return lines(completions() + completionBytes());
    }

    long slotBytes() {
        return options.ringSlots() * RingLayout.SLOT_BYTES;
    }

    long staging() {
        return lines(slots() + slotBytes());
    }

    long byteSize() {
        return staging() + STAGING_BYTES;
    }

    static long lines(long bytes) {
        return (bytes + LINE - 1) / LINE * LINE;
    }
}
