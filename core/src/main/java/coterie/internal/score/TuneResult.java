// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.List;

/// What a tuning string has made of a table.
///
/// @param diagnostics on tokens that could not be used or have no effect, in the order of the string
public record TuneResult<F>(ScoreTable<F> table, List<Diagnostic> diagnostics) {}
