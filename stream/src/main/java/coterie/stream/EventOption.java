// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// An option of an event; see [StreamRuntime#createEvent].
public enum EventOption {
    /// Records take no time stamps.
    /// @counterpart `cudaEventDisableTiming`
    DISABLE_TIMING,
    /// [StreamEvent#synchronize] leaves the processor to others as early as a wait of the world does, and does not
    /// look more often while streams move: fewer polls, and up to a millisecond later.
    /// @counterpart `cudaEventBlockingSync`
    BLOCKING_SYNC,
    /// Refused: an event orders streams of one PE. Between PEs, put with a signal and wait for it.
    /// @counterpart `cudaEventInterprocess`
    INTERPROCESS
}
