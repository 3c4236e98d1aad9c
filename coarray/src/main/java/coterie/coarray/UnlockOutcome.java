// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

/// What became of an unlock statement.
/// @counterpart the values of `stat=` of `unlock`
public sealed interface UnlockOutcome {
    /// The caller has released the lock.
    record Released() implements UnlockOutcome {
        static final UnlockOutcome DONE = new Released();

        @Override
        public int code() {
            return Outcome.OK;
        }
    }

    /// No image had the lock.
    /// @counterpart `STAT_UNLOCKED`
    record NotLocked() implements UnlockOutcome {
        @Override
        public int code() {
            return 12;
        }
    }

    /// Another image has the lock.
    /// @counterpart `STAT_LOCKED_OTHER_IMAGE`
    /// @param image the holder, as the initial team numbers it
    record NotMine(int image) implements UnlockOutcome {
        @Override
        public int code() {
            return 11;
        }
    }

    /// The image that has the lock variable has failed; the caller does not have the lock any more.
    ///
    /// @param image as the statement's team numbers it
    record Failed(int image) implements UnlockOutcome {
        @Override
        public int code() {
            return Outcome.FAILED;
        }
    }

    /// Returns the number of this outcome: 0 for [Released], different for each kind.
    int code();

    /// Returns normally if this is [Released], and throws otherwise.
    ///
    /// @throws ImageFailedException if it is [Failed]
    /// @throws StatementException otherwise
    default void orThrow() {
        if (!(this instanceof Released)) {
            throw StatementException.of("unlock", this);
        }
    }
}
