// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.CoterieException;
import java.io.Serial;
import java.util.List;

/// A call on a stream or an event that can't be done, or that reports the failure of an operation.
///
/// A failure *poisons* its stream. The stream runs no further operation; each later call throws an exception of
/// kind [StreamError#FAILED] with the same [#getCause]: what the first failed operation has thrown.
/// @counterpart sticky errors; of a stream
public final class StreamException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final StreamError error;
    private final transient List<String> skipped;

    StreamException(StreamError error, String message) {
        super(message);
        this.error = error;
        this.skipped = List.of();
    }

    StreamException(String message, Throwable firstCause, List<String> skipped) {
        super(message, firstCause);
        this.error = StreamError.FAILED;
        this.skipped = skipped;
    }

    /// Returns the kind.
    public StreamError error() {
        return error;
    }

    /// Returns the operations that the stream has not run because an earlier one failed, such as `halo#7`, as far
    /// as they were enqueued when this exception was thrown; empty if none was, or for another kind.
    public List<String> skipped() {
        return skipped == null ? List.of() : skipped;
    }
}
