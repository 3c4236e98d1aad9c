// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import java.util.List;

/// Finds the line of the program that has called the library.
public final class CallSite {
    private static final List<String> LIBRARY = List.of(
            "coterie.internal.",
            "coterie.collective.",
            "coterie.layer.",
            "coterie.spi.",
            "coterie.stream.",
            "coterie.coarray.",
            "coterie.gin.",
            "coterie.cuda.",
            "java.",
            "jdk.");

    private static final String API = "coterie.";

    private CallSite() {}

    /// Returns file and line, or an empty string if no program has called. It takes a microsecond.
    public static String find() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !isOfLibrary(frame.getClassName()))
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse(""));
    }

    private static boolean isOfLibrary(String name) {
        return LIBRARY.stream().anyMatch(name::startsWith)
                || (name.startsWith(API) && name.indexOf('.', API.length()) < 0);
    }
}
