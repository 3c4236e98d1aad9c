// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

/// One line that a PE printed.
record OutputLine(int pe, boolean standardError, String text) {

    /// The line behind its PE's number, as the launcher tags lines.
    @Override
    public String toString() {
        return "[" + pe + "] " + text;
    }
}
