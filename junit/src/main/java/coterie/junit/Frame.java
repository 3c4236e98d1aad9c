// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import org.jspecify.annotations.Nullable;

/// An answer of a worker, on a line among whatever the test prints.
///
/// It is told from the test's own output by the token of the command, 128 random bits that the test never sees;
/// what stands before the token on the line is output that the test did not end.
///
/// @param before the test's part of the line, mostly empty
/// @param kind what is answered
/// @param payload a [RemoteThrowable], encoded, or a story, or empty
record Frame(String before, Kind kind, String payload) {

    /// What a worker answers, in this order on stdout, except the last.
    enum Kind {
        /// the command was read
        BEGUN,
        /// the test ended well and left nothing behind; now the world closes, which waits for the other PEs
        DONE,
        /// how to have the performance again that goes wrong, of a simulated test
        STORY,
        /// the world is closed, too
        PASSED,
        /// threw
        FAILED,
        /// ended well, but left something behind; its world stays open
        LEFT,
        /// an assumption did not hold
        ABORTED,
        /// on stderr: the test's output there is complete
        FLUSHED;
    }

    static String line(String token, Kind kind, String payload) {
        return token + " " + kind + " " + payload;
    }

    /// The frame in this line, or null if it is all the test's.
    static @Nullable Frame in(String line, String token) {
        int start = line.indexOf(token);
        if (start < 0) {
            return null;
        }
        String[] words = line.substring(start).split(" ", 3);
        return new Frame(line.substring(0, start), Kind.valueOf(words[1]), words[2]);
    }
}
