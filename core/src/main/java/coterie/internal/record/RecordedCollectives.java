// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

/// The collectives of a team that the lanes of a PE have got.
///
/// @param called how many, in the order of the calls that have enqueued them
/// @param skipped how many of them have not run and will not, because their stream has failed
/// @param cause why the first of these was skipped; empty if none was
public record RecordedCollectives(long called, long skipped, String cause) {}
