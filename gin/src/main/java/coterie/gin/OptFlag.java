// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// A hint that comes with an operation.
/// @counterpart `ncclGinOptFlags`
public enum OptFlag {
    /// no hint
    /// @counterpart `ncclGinOptFlagsDefault`
    DEFAULT,
    /// The queue has room, the caller says. The queue is checked all the same: a full one delays the operation.
    /// @counterpart `ncclGinOptFlagsMaySkipCreditCheck`
    MAY_SKIP_CREDIT_CHECK,
    /// More operations follow soon, so that the network may send this one together with them. The next operation
    /// without the flag, a flush, a wait or a barrier of the context ends the hint: nothing stays behind.
    /// @counterpart `ncclGinOptFlagsAggregateRequests`; nothing stays behind an aggregated tail
    AGGREGATE_REQUESTS
}
