// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// The kind of a [StreamException].
public enum StreamError {
    /// An operation of the stream, or one that it has waited for, has failed; the exception has the first cause.
    FAILED,
    /// A host function waits for a stream, which can't go on before the function returns.
    SELF_WAIT,
    /// Two collectives of one team are in streams that have no order between them.
    TEAM_CONCURRENT,
    /// The event's work is not complete.
    /// @counterpart `cudaErrorNotReady`, which is no error for a query
    NOT_READY,
    /// The event was never recorded, or takes no time stamps.
    /// @counterpart `cudaErrorInvalidResourceHandle`
    INVALID_EVENT,
    /// A grid or a block has no thread, or some dimensions are 0 where all or none may be.
    /// @counterpart `cudaErrorInvalidConfiguration`
    INVALID_LAUNCH,
    /// A block is larger than the device allows, or the grid of a collective launch than what fits at the same
    /// time, on the caller or on another member.
    /// @counterpart `cudaErrorCooperativeLaunchTooLarge`, `NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED`
    LAUNCH_TOO_LARGE,
    /// Another member can't do a collective launch: its stream is closed, has failed or captures, or it has passed
    /// null. That member gets the exception of its own mistake.
    /// @counterpart `NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED`
    LAUNCH_REFUSED,
    /// The call is not possible while a stream captures.
    /// @counterpart `cudaErrorStreamCaptureUnsupported` and its kind
    PROHIBITED,
    /// A stream that has joined a capture has operations that the capturing stream does not wait for.
    /// @counterpart `cudaErrorStreamCaptureUnjoined`
    UNJOINED,
    /// A thread ends a capture that another one has begun.
    /// @counterpart `cudaErrorStreamCaptureWrongThread`
    WRONG_THREAD,
    /// CUDA can do it, and Coterie can't.
    /// @counterpart `cudaErrorNotSupported`
    UNSUPPORTED,
    /// The event was last recorded in a capture, and has no work outside it.
    /// @counterpart `cudaErrorCapturedEvent`
    CAPTURED_EVENT
}
