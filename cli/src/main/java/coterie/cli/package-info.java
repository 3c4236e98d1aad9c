// SPDX-License-Identifier: Apache-2.0

/// The `coterie` command.
///
/// `coterie run` is on the way of every program's start, so that its path is kept short: one small parser over
/// the tables [Command] and [Option], no reflection, no foreign calls, no compiler unless the program has
/// changed. What is said to people, help and complaints, is worded by picocli from the same tables, which costs
/// more than all the rest.
@NullMarked
package coterie.cli;

import org.jspecify.annotations.NullMarked;
