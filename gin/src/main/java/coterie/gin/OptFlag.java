// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// A hint that comes with an operation. Answers to `ncclGinOptFlags`.
public enum OptFlag {
    /// Answers to `ncclGinOptFlagsDefault`.
    DEFAULT,
    /// The queue has room, the caller says. The queue is checked all the same: a full one delays the operation.
    /// Answers to `ncclGinOptFlagsMaySkipCreditCheck`.
    MAY_SKIP_CREDIT_CHECK,
    /// More operations follow soon, so that the network may send this one together with them. The next operation
    /// without the flag, a flush, a wait or a barrier of the context ends the hint: nothing stays behind.
    /// Answers to `ncclGinOptFlagsAggregateRequests`.
    AGGREGATE_REQUESTS
}
