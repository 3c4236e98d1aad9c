// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// An option of a stream; see [StreamRuntime#createStream(String, int, StreamOption...)].
public enum StreamOption {
    /// No order with the legacy default stream.
    /// @counterpart `cudaStreamNonBlocking`
    NON_BLOCKING
}
