// SPDX-License-Identifier: Apache-2.0

/// What the lanes of each PE have pending, in memory that a diagnosis reads: the writers in [PeRecords], and
/// [RecordReader].
@NullMarked
package coterie.internal.record;

import org.jspecify.annotations.NullMarked;
