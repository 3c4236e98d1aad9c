// SPDX-License-Identifier: Apache-2.0

/// The `coterie` command.
///
/// Every start of a program runs `coterie run`, so that this path is short: one small parser over the tables
/// [Command] and [Option], no reflection, no foreign calls, no compiler unless the program has changed. Picocli
/// makes the help from the same tables; loading it takes longer than all the rest.
@NullMarked
package coterie.cli;

import org.jspecify.annotations.NullMarked;
