// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// An option of an event; see [StreamRuntime#createEvent].
public enum EventOption {
    /// Records take no time stamps. Answers to `cudaEventDisableTiming`.
    DISABLE_TIMING
}
