// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.PrintStream;
import java.util.Map;

/// The streams that a command writes to, and its environment variables.
record CommandEnvironment(PrintStream out, PrintStream err, Map<String, String> environment) {}
