// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// What the runtime does with two collectives of one team in streams that have no order between them.
public enum TeamOrder {
    /// The later call throws a [StreamException] with [StreamError#TEAM_CONCURRENT].
    CHECKED,
    /// The later collective starts after the earlier one has completed, as if an event were between them.
    SERIALIZED
}
