// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// What became of a lock statement.
/// @counterpart the values of `stat=` of `lock`
public sealed interface LockOutcome {
    /// The caller has the lock.
    record Acquired() implements LockOutcome {
        static final LockOutcome DONE = new Acquired();

        @Override
        public int code() {
            return Outcome.OK;
        }
    }

    /// The caller has the lock, and the image that held it before has failed: what the lock protects may be half
    /// changed. One caller gets this for each failed holder.
    /// @counterpart `STAT_UNLOCKED_FAILED_IMAGE`
    /// @param image the failed holder, as the initial team numbers it
    record AcquiredFromFailed(int image) implements LockOutcome {
        @Override
        public int code() {
            return 13;
        }
    }

    /// Another image has the lock, and the statement does not wait.
    /// @counterpart `acquired_lock=.false.`, which is no error
    record Busy() implements LockOutcome {
        @Override
        public int code() {
            return 14;
        }
    }

    /// The caller had the lock before.
    /// @counterpart `STAT_LOCKED`
    record AlreadyMine() implements LockOutcome {
        @Override
        public int code() {
            return 10;
        }
    }

    /// The image that has the lock variable has failed; the caller does not have the lock.
    ///
    /// @param image as the statement's team numbers it
    record Failed(int image) implements LockOutcome {
        @Override
        public int code() {
            return Outcome.FAILED;
        }
    }

    /// Returns the number of this outcome: 0 for [Acquired], different for each kind.
    int code();

    /// Returns whether the caller has acquired the lock by this statement.
    default boolean isAcquired() {
        return this instanceof Acquired || this instanceof AcquiredFromFailed;
    }

    /// Returns normally if this is [Acquired], and throws otherwise; after [AcquiredFromFailed], too, as a
    /// statement without `stat=` does. The caller has the lock then.
    ///
    /// @throws LockRecoveredException if it is [AcquiredFromFailed]
    /// @throws ImageFailedException if it is [Failed]
    /// @throws StatementException otherwise
    default void orThrow() {
        if (!(this instanceof Acquired)) {
            throw StatementException.of("lock", this);
        }
    }
}
