// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// What became of a statement.
///
/// ```java
/// switch (team.trySync()) {
///     case Outcome.Ok _ -> step();
///     case Outcome.Failed(ImageSet images) -> recoverFrom(images);
///     case Outcome other -> other.orThrow();
/// }
/// ```
///
/// If several hold, the first of this order counts: Stopped, Failed, Abandoned, TimedOut, Fault. One exception: a
/// synchronization is Failed only if the living images have synchronized; so it is Abandoned if an image has left
/// the team by an exception and never came to it.
/// @counterpart the values of `stat=`
public sealed interface Outcome {
    /// The code of [Ok].
    int OK = 0;

    /// The code of [Stopped].
    /// @counterpart `STAT_STOPPED_IMAGE`
    int STOPPED = 1;

    /// The code of [Failed], positive, since failures are detected.
    /// @counterpart `STAT_FAILED_IMAGE`
    int FAILED = 2;

    /// The code of [Abandoned].
    int ABANDONED = 3;

    /// The code of [TimedOut].
    int TIMED_OUT = 4;

    /// The least code of a [Fault].
    int FAULT = 100;

    /// The statement has done its work.
    record Ok() implements Outcome {
        static final Outcome DONE = new Ok();

        @Override
        public int code() {
            return OK;
        }
    }

    /// Images of the team have stopped, and never come to the statement. It has synchronized nothing.
    ///
    /// @param images all stopped images of the team, as the team numbers them
    record Stopped(ImageSet images) implements Outcome {
        @Override
        public int code() {
            return STOPPED;
        }
    }

    /// Images of the team have failed. A synchronization has synchronized the living images; the buffers of a
    /// collective are undefined.
    ///
    /// @param images all images of the team that are known to have failed, as the team numbers them
    record Failed(ImageSet images) implements Outcome {
        @Override
        public int code() {
            return FAILED;
        }
    }

    /// An image has left the team's scope by an exception, so this team synchronizes no more.
    ///
    /// @param image the image that has left, as the team numbers it
    /// @param reason its exception
    record Abandoned(int image, String reason) implements Outcome {
        @Override
        public int code() {
            return ABANDONED;
        }
    }

    /// The statement's time limit was over first.
    record TimedOut() implements Outcome {
        @Override
        public int code() {
            return TIMED_OUT;
        }
    }

    /// Any other error.
    /// @counterpart `errmsg=`
    /// @param code at least [#FAULT]
    /// @param text the error message.
    record Fault(int code, String text) implements Outcome {
        /// The code if images have called different statements, or with different arguments.
        public static final int MISMATCH = FAULT + 1;

        /// The code if an image has no memory for what it would allocate.
        public static final int OUT_OF_MEMORY = FAULT + 2;

        /// The code if an argument of an image is not allowed.
        public static final int ARGUMENT = FAULT + 3;

        /// The code of any other error of the runtime.
        public static final int RUNTIME = FAULT + 4;
    }

    /// Returns the number of this outcome, for logs and for C: 0 for [Ok], positive otherwise, different for each
    /// kind.
    int code();

    /// Returns whether this is [Ok].
    default boolean isOk() {
        return code() == OK;
    }

    /// Returns normally if this is [Ok], and throws otherwise.
    ///
    /// @throws ImageStoppedException if it is [Stopped]
    /// @throws ImageFailedException if it is [Failed]
    /// @throws TeamAbandonedException if it is [Abandoned]
    /// @throws coterie.WaitTimeoutException if it is [TimedOut]
    /// @throws coterie.CollectiveMismatchException if it is a [Fault] with the code [Fault#MISMATCH]
    /// @throws StatementException otherwise
    default void orThrow() {
        if (!isOk()) {
            throw StatementException.of("statement", this);
        }
    }
}
