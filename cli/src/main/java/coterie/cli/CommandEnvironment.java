// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.PrintStream;
import java.util.Map;

/// Where a command writes, and what it reads of its surroundings.
record CommandEnvironment(PrintStream out, PrintStream err, Map<String, String> environment) {}
