// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// Which calls a capture prohibits: those that are no operation of a stream and may wait for one that does not
/// run, which are allocations and frees of symmetric memory and [StreamRuntime#copy].
/// @counterpart `cudaStreamCaptureMode`
public enum CaptureMode {
    /// Those of all threads, as long as the capture goes on.
    GLOBAL,
    /// Those of the thread that has begun the capture.
    THREAD_LOCAL,
    /// None, and any thread may end the capture.
    RELAXED
}
